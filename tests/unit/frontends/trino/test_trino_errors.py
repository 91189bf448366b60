from __future__ import annotations

import pytest

from sqe import errors
from sqe.engine.redaction import redacted
from sqe.engine.spark_errors import translate
from sqe.frontends.trino.trino_errors import (
    CODES,
    EXTERNAL,
    GENERIC_USER_ERROR,
    INTERNAL,
    RESOURCES,
    USER,
    code_of,
    error_json,
)

_RANGES = {
    USER: (0, 65536),
    INTERNAL: (65536, 131072),
    RESOURCES: (131072, 196608),
    EXTERNAL: (0x0504_0000, 0x0505_0000),
}


def test_every_error_has_a_code_of_trinos() -> None:
    assert set(CODES) == set(errors.tree())


@pytest.mark.parametrize("error", list(CODES))
def test_the_number_is_in_the_range_of_the_type(error: type[errors.SqeError]) -> None:
    code = CODES[error]
    first, end = _RANGES[code.type]
    assert first <= code.number < end


def test_a_name_has_one_number() -> None:
    names = {code.name: code for code in CODES.values()}
    assert all(names[code.name] == code for code in CODES.values())


@pytest.mark.parametrize(
    ("state", "name"),
    [("42P06", "SCHEMA_ALREADY_EXISTS"), ("42P07", "TABLE_ALREADY_EXISTS"), ("42710", "ALREADY_EXISTS")],
)
def test_what_is_there_already_is_told_exactly(state: str, name: str) -> None:
    assert code_of(errors.DuplicateObjectError("It is there.", sqlstate=state)).name == name


def test_null_in_a_column_that_takes_none_is_a_violation() -> None:
    text = "[NOT_NULL_ASSERT_VIOLATION] NULL value appeared in non-nullable field: \nid\nIf the schema is inferred"
    error = translate("NOT_NULL_ASSERT_VIOLATION", "42000", text, [], [], "INSERT INTO t VALUES (NULL)")
    assert code_of(error).name == "CONSTRAINT_VIOLATION"
    assert error.message == "NULL value not allowed for NOT NULL column: id."


def test_an_error_that_the_statement_raises_itself_is_the_user_s() -> None:
    raised = translate(
        "USER_RAISED_EXCEPTION", "P0001", "[USER_RAISED_EXCEPTION] mine SQLSTATE: P0001", [], [], "SELECT 1"
    )
    for error in (raised, redacted(raised)):
        assert code_of(error) == GENERIC_USER_ERROR
    in_a_task = (
        "Job aborted: org.apache.spark.SparkRuntimeException: [USER_RAISED_EXCEPTION] mine SQLSTATE: P0001"
    )
    assert code_of(translate(None, None, in_a_task, [], [], "SELECT 1")) == GENERIC_USER_ERROR
    assert code_of(errors.QueryError("It failed.")).type == INTERNAL


def test_details_stay_inside() -> None:
    error = errors.QueryError("It failed.", detail="a secret")
    assert "secret" not in str(error_json(error))
    assert "errorLocation" not in error_json(error)


def test_the_message_begins_with_the_position() -> None:
    error = errors.SqlSyntaxError("What?", position=errors.Position(3, 4))
    written = error_json(error)
    assert written["message"] == written["failureInfo"]["message"] == "line 3:4: What?"
    assert written["errorLocation"] == {"lineNumber": 3, "columnNumber": 4}


@pytest.mark.parametrize(
    ("reason", "name"),
    [
        (errors.UsageReason.SESSION_PROPERTY, "INVALID_SESSION_PROPERTY"),
        (errors.UsageReason.PREPARED_STATEMENT, "NOT_FOUND"),
        (errors.UsageReason.PARAMETERS, "INVALID_PARAMETER_USAGE"),
    ],
)
def test_the_reason_of_a_usage_error_decides_on_its_code(reason: errors.UsageReason, name: str) -> None:
    assert code_of(errors.UsageError.of(reason, "No.")).name == name
    assert code_of(errors.UsageError("No.")).name == "GENERIC_USER_ERROR"
