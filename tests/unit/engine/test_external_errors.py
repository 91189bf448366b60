from __future__ import annotations

import pytest

from sqe.engine.external_errors import Cause, cause_chain, external_error
from sqe.engine.spark_errors import translate
from sqe.errors import (
    AccessDeniedError,
    AuthenticationError,
    CatalogUnavailableError,
    EngineError,
    FileAccessError,
    IdentityProviderError,
    QueryError,
    SqeError,
)

OURS = "sqe.spark.identity"
ICEBERG = "org.apache.iceberg.exceptions"
S3 = "software.amazon.awssdk.services.s3.model.S3Exception"
STATUS = "(Service: S3, Status Code: {}, Request ID: null)"


@pytest.mark.parametrize(
    ("java_class", "message", "kind", "words"),
    [
        (f"{OURS}.LoginEndedException", "The login of alice has ended.", AuthenticationError, None),
        (f"{OURS}.AccessRefusedException", "The STS gives alice nothing.", AccessDeniedError, None),
        (f"{OURS}.ProviderSilentException", "Keycloak is silent.", IdentityProviderError, None),
        (f"{OURS}.ControlException", "The gateway does not answer.", EngineError, None),
        (f"{OURS}.CatalogSilentException", "The catalog c is silent.", CatalogUnavailableError, None),
        (f"{ICEBERG}.NotAuthorizedException", "Not authorized: x", AuthenticationError, "rejected the"),
        (f"{ICEBERG}.ForbiddenException", "Forbidden: bob may not", AccessDeniedError, "^bob may not.$"),
        (
            f"{ICEBERG}.ServiceFailureException",
            "Server error: AccessCheckException: bob may not",
            AccessDeniedError,
            "^bob may not.$",
        ),
        (
            f"{ICEBERG}.ServiceFailureException",
            "Server error: SdkClientException: Unable to execute HTTP request: Connect to http://x failed",
            CatalogUnavailableError,
            "could not reach its object store",
        ),
        (f"{ICEBERG}.ServiceUnavailableException", "x", CatalogUnavailableError, "catalog is unavailable"),
        (S3, "The provided token has expired. " + STATUS.format(400), AuthenticationError, "have expired"),
        (S3, f"ExpiredToken {STATUS.format(403)}", AuthenticationError, "have expired"),
        (S3, f"Bad Request {STATUS.format(400)}", AuthenticationError, "may have expired"),
        (S3, f"Forbidden {STATUS.format(403)}", AccessDeniedError, "denied access"),
        (S3, STATUS.format(404), FileAccessError, "missing in the object store"),
        (S3, STATUS.format(503), FileAccessError, "returned a server error"),
        (
            "software.amazon.awssdk.core.exception.SdkClientException",
            "Unable to execute HTTP request: Connect to http://x failed",
            FileAccessError,
            "cannot be reached",
        ),
    ],
)
def test_what_was_said_decides(
    java_class: str, message: str, kind: type[SqeError], words: str | None
) -> None:
    wrapped = (
        Cause(("java.io.UncheckedIOException", "java.lang.RuntimeException"), "Failed to close the writer"),
        Cause((java_class, "java.lang.RuntimeException"), message),
    )
    error = translate(None, None, "Failed to close the writer", (), (), "SELECT 1", wrapped)
    assert type(error) is kind
    if words is None:
        assert error.message == message
    else:
        with pytest.raises(kind, match=words):
            raise error
    assert "Service: S3" not in error.message
    assert "http://" not in error.message


def test_a_failure_in_a_task_is_known_by_its_trace() -> None:
    message = (
        "Job aborted due to stage failure: Task 0 in stage 1.0 failed 4 times, most recent failure: Lost task 0.3 in "
        "stage 1.0 (TID 4) (10.0.0.7 executor 0): java.io.UncheckedIOException: Failed to close current writer\n"
        "\tat org.apache.iceberg.io.RollingFileWriter.close(RollingFileWriter.java:128)\n"
        f"Caused by: {OURS}.LoginEndedException: The login of alice has ended: it was not renewed.\n"
        "\tat sqe.spark.identity.ControlCall.post(ControlCall.java:61)\n"
    )
    error = translate(
        None, None, message, ("org.apache.spark.SparkException",), (), "INSERT INTO t VALUES (1)"
    )
    assert type(error) is AuthenticationError
    assert error.message == "The login of alice has ended: it was not renewed."
    assert error.detail == message


def test_our_own_word_goes_before_what_it_led_to() -> None:
    found = external_error(
        (
            Cause((S3,), f"Forbidden {STATUS.format(403)}"),
            Cause((f"{OURS}.LoginEndedException",), "The login of alice has ended."),
        )
    )
    assert found is not None
    assert found.kind is AuthenticationError


def test_a_commit_that_may_have_happened_is_not_called_anything_else() -> None:
    causes = (
        Cause(
            (f"{ICEBERG}.CommitStateUnknownException",), "Cannot determine whether the commit was successful"
        ),
        Cause((f"{ICEBERG}.ServiceUnavailableException",), "Service unavailable"),
    )
    assert external_error(causes) is None
    classes = [name for cause in causes for name in cause.classes]
    assert type(translate(None, None, causes[0].message, classes, (), "", causes)) is QueryError


def test_ordinary_errors_are_none_of_its_business() -> None:
    assert external_error((Cause(("org.apache.spark.sql.AnalysisException",), "No such column."),)) is None
    assert external_error(()) is None


def test_a_chain_is_followed_from_its_root() -> None:
    errors = [(("a",), "1", 2), (("b",), "2", None), (("c",), "3", 1)]
    assert [cause.message for cause in cause_chain(errors, 0)] == ["1", "3", "2"]
    assert [cause.message for cause in cause_chain(errors, 2)] == ["3", "2"]


def test_a_chain_in_a_circle_has_an_end() -> None:
    assert len(cause_chain([(("a",), "1", 1), (("b",), "2", 0)], 0)) == 2


def test_neither_message_nor_detail_holds_a_token() -> None:
    token = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.c2ln"
    said = f"Forbidden: nothing for Bearer {token}"
    cause = Cause((f"{ICEBERG}.ForbiddenException",), said)
    for error in (
        translate(None, None, said, cause.classes, (), "", (cause,)),
        translate(None, None, said, ("java.lang.RuntimeException",), (), ""),
    ):
        assert token not in error.message
        assert token not in (error.detail or "")
