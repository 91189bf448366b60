"""Tokens and keys of users: the Java part against a catalog, a store and a gateway that fail on request."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyspark.sql.connect.proto as pb2
import pytest
from testing.command import clean_environment
from testing.rest_catalog import RestCatalogFake, rest_catalog
from tests.fakes.control_endpoint import Answer, FakeControl, control_endpoint

from sqe.config.load import load
from sqe.control.properties import iceberg_properties
from sqe.engine.launcher.supervisor import Supervisor
from sqe.engine.sessions import EngineSessions, SparkEngineSession
from sqe.errors import (
    AccessDeniedError,
    AuthenticationError,
    CatalogUnavailableError,
    EngineError,
    FileAccessError,
    IdentityProviderError,
    SemanticError,
    SqeError,
    TableNotFoundError,
)
from sqe.locations import locate, private_directory
from sqe.model.identity import Principal
from sqe.model.session import RestCatalog, SessionSpec, Storage

pytestmark = pytest.mark.engine

READ = "SELECT * FROM {}.default.t"
LIST = "SHOW TABLES IN {}.default"
VENDED = {"s3.access-key-id": "VENDED", "s3.secret-access-key": "x", "s3.session-token": "y"}
QUICK = (("rest.client.socket-timeout-ms", "2000"), ("rest.client.max-retries", "1"))


def token_of(principal: Principal, catalog: str) -> Answer:
    return 200, {"token": f"token-of-{principal.user}", "expires_in": 60}


def keys_of(principal: Principal, catalog: str) -> Answer:
    keys = {"access_key_id": f"KEYOF{principal.user.upper()}", "secret_access_key": "x", "session_token": "y"}
    return 200, {**keys, "expires_in": 900}


@pytest.fixture(scope="module")
def control() -> Iterator[FakeControl]:
    with control_endpoint(token_of) as control:
        yield control


@pytest.fixture(scope="module")
def engine(control: FakeControl) -> Iterator[EngineSessions]:
    home = Path(tempfile.mkdtemp(prefix="sqe-test-"))
    config = load(None, clean_environment(home) | {"SQE_ENGINE__MEMORY": "2GB"})
    locations = locate(config)
    supervisor = Supervisor(
        config, locations, private_directory(locations.run / "test"), control=control, locked=True
    )
    supervisor.start()
    yield EngineSessions(supervisor, private_directory(home / "memory"), control)
    supervisor.stop()
    shutil.rmtree(home, ignore_errors=True)


@pytest.fixture
def catalog(control: FakeControl) -> Iterator[RestCatalogFake]:
    with rest_catalog() as catalog:
        control.tokens, control.keys, control.properties = token_of, keys_of, iceberg_properties
        control.asked.clear()
        yield catalog


Open = Callable[..., SparkEngineSession]


@pytest.fixture
def open_(engine: EngineSessions, catalog: RestCatalogFake) -> Iterator[Open]:
    """Opens sessions with a catalog for each kind of storage: `vended`, `own` and `signed`."""
    vended = RestCatalog(
        "vended", catalog.url, region="us-east-1", s3_endpoint=catalog.url, s3_path_style=True, options=QUICK
    )
    own = replace(vended, name="own", storage=Storage.WEB_IDENTITY, sts_endpoint=catalog.url)
    signed = replace(vended, name="signed", storage=Storage.REMOTE_SIGNING)
    opened: list[SparkEngineSession] = []

    def open_(user: str = "alice", *more: RestCatalog) -> SparkEngineSession:
        spec = SessionSpec((vended, own, signed, *more))
        session = engine.open(spec, Principal(user, "a test", login=user))
        session.ready(lambda: False)
        opened.append(session)
        return session

    yield open_
    for session in opened:
        session.close()


def run(session: SparkEngineSession, sql: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for item in session.stream(sql, "q", lambda progress: None):
        if isinstance(item, pa.RecordBatch):
            rows += item.to_pylist()
    return rows


def failure(session: SparkEngineSession, sql: str) -> SqeError:
    with pytest.raises(SqeError) as raised:
        run(session, sql)
    return raised.value


def test_each_session_asks_the_catalog_with_the_token_of_its_person(
    open_: Open, catalog: RestCatalogFake
) -> None:
    for user in ("alice", "bob"):
        catalog.asked.clear()
        assert [row["tableName"] for row in run(open_(user), LIST.format("vended"))] == ["t"]
        assert {asked.authorization for asked in catalog.of_catalog()} == {f"Bearer token-of-{user}"}


def test_a_token_that_was_renewed_counts_at_the_next_statement_of_the_same_session(
    open_: Open, catalog: RestCatalogFake, control: FakeControl
) -> None:
    session = open_()
    run(session, LIST.format("vended"))
    control.tokens = lambda principal, name: (200, {"token": "another", "expires_in": 60})
    deadline = time.monotonic() + 10
    while catalog.asked[-1].authorization != "Bearer another":
        assert time.monotonic() < deadline
        run(session, LIST.format("vended"))


def test_a_login_that_has_ended_ends_the_next_statement_of_the_same_session(
    open_: Open, control: FakeControl, catalog: RestCatalogFake
) -> None:
    session = open_()
    control.tokens = lambda principal, name: (401, {"error": "The login of alice has ended: it was revoked."})
    error = failure(session, LIST.format("vended"))
    assert type(error) is AuthenticationError
    assert error.message == "The login of alice has ended: it was revoked."
    assert not catalog.of_catalog()


def test_keys_that_were_vended_open_the_files(open_: Open, catalog: RestCatalogFake) -> None:
    catalog.config = VENDED
    assert type(failure(open_(), READ.format("vended"))) is AccessDeniedError
    assert {asked.delegation for asked in catalog.of_catalog()} == {"vended-credentials"}
    assert {asked.key_id for asked in catalog.of_store()} == {"VENDED"}


def test_vended_keys_are_renewed_with_the_persons_token(open_: Open, catalog: RestCatalogFake) -> None:
    def ends_in(seconds: float) -> dict[str, str]:
        return {"s3.session-token-expires-at-ms": str(int((time.time() + seconds) * 1000))}

    catalog.config = {
        **VENDED,
        **ends_in(1),
        "client.refresh-credentials-endpoint": "/v1/credentials",
    }
    catalog.renewed = {**VENDED, **ends_in(3600), "s3.access-key-id": "RENEWED"}
    failure(open_(), READ.format("vended"))
    (renewal,) = {asked for asked in catalog.of_catalog() if asked.path.startswith("/v1/credentials")}
    assert renewal.authorization == "Bearer token-of-alice"
    assert {asked.key_id for asked in catalog.of_store()} == {"RENEWED"}


def test_nothing_steps_in_where_nothing_was_vended(open_: Open, catalog: RestCatalogFake) -> None:
    error = failure(open_(), READ.format("vended"))
    assert type(error) is AccessDeniedError
    assert error.message == "The catalog vended vended no credentials for the files of the table."
    assert not catalog.of_store()


@pytest.mark.parametrize(
    "chosen",
    [
        {
            "client.credentials-provider": "software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider"
        },
        {"client.factory": "org.apache.iceberg.aws.AssumeRoleAwsClientFactory"},
        {"io-impl": "org.apache.iceberg.hadoop.HadoopFileIO"},
        {"sqe.catalog": "own", "sqe.handle": "other"},
        {"rest.auth.type": "none"},
    ],
)
def test_a_catalog_cannot_choose_who_opens_the_files(
    open_: Open, catalog: RestCatalogFake, chosen: dict[str, str]
) -> None:
    catalog.config = catalog.overrides = chosen
    failure(open_(), READ.format("own"))
    assert {asked.key_id for asked in catalog.of_store()} == {"KEYOFALICE"}
    assert {asked.authorization for asked in catalog.of_catalog()} == {"Bearer token-of-alice"}


def test_own_keys_go_before_vended_ones(open_: Open, catalog: RestCatalogFake) -> None:
    catalog.config = {**VENDED, "client.refresh-credentials-endpoint": "/v1/credentials"}
    for user in ("alice", "bob"):
        catalog.asked.clear()
        failure(open_(user), READ.format("own"))
        assert {asked.key_id for asked in catalog.of_store()} == {f"KEYOF{user.upper()}"}
        assert {asked.delegation for asked in catalog.of_catalog()} == {None}


def test_own_keys_are_not_fetched_for_each_request_and_again_before_they_end(
    open_: Open, catalog: RestCatalogFake, control: FakeControl
) -> None:
    session = open_()
    for _ in range(3):
        failure(session, READ.format("own"))
    assert 1 <= control.count("/v1/credentials", "alice") < len(catalog.of_store())

    numbers = count()

    def short(principal: Principal, name: str) -> Answer:
        status, keys = keys_of(principal, name)
        return status, {**keys, "access_key_id": f"KEY{next(numbers)}", "expires_in": 0.01}

    control.keys = short
    session = open_()
    for _ in range(3):
        failure(session, READ.format("own"))
    assert len({asked.key_id for asked in catalog.of_store()} - {"KEYOFALICE"}) >= 3


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ((401, {"error": "The login of alice has ended."}), AuthenticationError),
        ((403, {"error": "The store has no keys for alice."}), AccessDeniedError),
        ((503, {"error": "The STS does not answer."}), IdentityProviderError),
        ((500, {}), EngineError),
        ((200, {}), EngineError),
    ],
)
def test_keys_that_there_are_not_have_a_reason(
    open_: Open, control: FakeControl, answer: Answer, kind: type[SqeError]
) -> None:
    control.keys = lambda principal, name: answer
    error = failure(open_(), READ.format("own"))
    assert type(error) is kind
    assert error.message == answer[1].get("error", error.message)


def test_the_catalog_signs_for_the_person_who_asks_and_each_time(
    open_: Open, catalog: RestCatalogFake
) -> None:
    catalog.config = {"signer.uri": catalog.url, "signer.endpoint": "v1/sign"}
    for user in ("alice", "bob", "alice"):
        catalog.asked.clear()
        assert type(failure(open_(user), READ.format("signed"))) is AccessDeniedError
        signed = [asked for asked in catalog.of_catalog() if asked.path == "/v1/sign"]
        assert {asked.authorization for asked in signed} == {f"Bearer token-of-{user}"}
        assert len(signed) == len(catalog.of_store())  # no signature was used twice
        assert not [asked for asked in catalog.of_store() if asked.key_id]


def test_catalogs_that_were_made_for_an_older_iceberg_can_sign(open_: Open, catalog: RestCatalogFake) -> None:
    catalog.config = {"s3.signer.uri": catalog.url, "s3.signer.endpoint": "v1/sign"}
    failure(open_(), READ.format("signed"))
    assert "/v1/sign" in {asked.path for asked in catalog.of_catalog()}


def test_a_token_goes_to_the_catalogs_own_address_only(open_: Open, catalog: RestCatalogFake) -> None:
    with rest_catalog() as elsewhere:
        catalog.overrides = {"uri": elsewhere.url}
        error = failure(open_(), LIST.format("vended"))
        assert type(error) is AccessDeniedError
        assert "sent the engine to" in error.message
        catalog.overrides = {}
        catalog.config = {"signer.uri": elsewhere.url, "signer.endpoint": "v1/sign"}
        assert type(failure(open_(), READ.format("signed"))) is AccessDeniedError
        assert not elsewhere.asked


@pytest.mark.parametrize(
    ("status", "kind"),
    [(401, AuthenticationError), (403, AccessDeniedError), (503, CatalogUnavailableError)],
)
def test_what_the_catalog_says_is_told(
    open_: Open, catalog: RestCatalogFake, status: int, kind: type[SqeError]
) -> None:
    catalog.refused = (status, "said with Bearer token-of-alice")
    error = failure(open_(), LIST.format("vended"))
    assert type(error) is kind
    assert "token-of-alice" not in error.message + str(error.detail)


@pytest.mark.parametrize(
    ("refusal", "kind"),
    [
        ((403, "AccessDenied"), AccessDeniedError),
        ((400, "ExpiredToken"), AuthenticationError),
        ((404, "NoSuchKey"), FileAccessError),
        ((501, "NotImplemented"), FileAccessError),
    ],
)
def test_what_the_store_says_is_told(
    open_: Open, catalog: RestCatalogFake, refusal: tuple[int, str], kind: type[SqeError]
) -> None:
    catalog.store_refuses = refusal
    assert type(failure(open_(), READ.format("own"))) is kind


def test_a_catalog_that_is_down_or_slow_is_named_in_seconds_and_may_come_back(
    open_: Open, catalog: RestCatalogFake
) -> None:
    down = RestCatalog("down", "http://127.0.0.1:9", options=QUICK)
    session = open_("alice", down)
    begun = time.monotonic()
    error = failure(session, LIST.format("down"))
    assert type(error) is CatalogUnavailableError
    assert error.message == "The catalog down does not answer."
    catalog.delay = 30
    assert failure(session, LIST.format("vended")).message == "The catalog vended does not answer."
    assert time.monotonic() - begun < 20
    catalog.delay = 0
    assert run(session, LIST.format("vended"))


def test_another_sessions_name_or_another_engines_secret_is_worth_nothing(
    open_: Open, control: FakeControl
) -> None:
    session = open_()
    (uuid,) = control.bound
    bound = control.bound.pop(uuid)
    assert type(failure(session, LIST.format("vended"))) is EngineError  # not bound
    control.bound[uuid] = bound
    secret, control.secret = control.secret, "another"
    assert isinstance(failure(session, LIST.format("vended")), AccessDeniedError | EngineError)
    control.secret = secret
    assert run(session, LIST.format("vended"))


def test_a_session_shows_neither_addresses_nor_handles_nor_tokens(
    open_: Open, catalog: RestCatalogFake, control: FakeControl
) -> None:
    session = open_()
    catalog.config = VENDED
    failure(session, READ.format("own"))
    (uuid,) = control.bound
    catalog.snapshot = False
    secrets = (control.secret, control.url, catalog.url, "token-of-alice", "KEYOFALICE", "VENDED", f"{uuid}.")
    everything = pb2.ConfigRequest.Operation(get_all=pb2.ConfigRequest.GetAll())
    assert session._connect is not None
    shown = {"the Connect call": str(session._connect.config(everything).pairs)}
    assert "spark.sql.catalog.own.from" in shown["the Connect call"]
    for sql in (
        "EXPLAIN EXTENDED SELECT * FROM own.default.t",
        "SHOW CATALOGS",
        "DESCRIBE EXTENDED own.default.t",
    ):
        shown[sql] = str(run(session, sql))
    for what, text in shown.items():
        assert not [secret for secret in secrets if secret in text], what


def test_a_new_table_gets_a_place_of_its_own_in_the_place_of_its_schema(
    open_: Open, catalog: RestCatalogFake
) -> None:
    catalog.namespace = {"location": "s3://lake/here/"}
    places = []
    for _ in range(2):
        catalog.asked.clear()
        run(open_(), "CREATE TABLE vended.default.`a b` (id BIGINT)")
        [made] = [
            asked
            for asked in catalog.of_catalog()
            if asked.method == "POST" and asked.path.endswith("/tables")
        ]
        places.append(json.loads(made.body)["location"])
    assert all(re.fullmatch(r"s3://lake/here/a_b-[0-9a-f-]{36}", place) for place in places)
    assert places[0] != places[1]


def test_a_catalog_that_tells_no_place_chooses_it(open_: Open, catalog: RestCatalogFake) -> None:
    run(open_(), "CREATE TABLE vended.default.new (id BIGINT)")
    [made] = [
        asked for asked in catalog.of_catalog() if asked.method == "POST" and asked.path.endswith("/tables")
    ]
    assert json.loads(made.body).get("location") is None


@pytest.mark.parametrize(
    "name", ["`a\u001fb`.t", "`a.b`.t", "`../default`.t", "default.`../t`", "default.`t `"]
)
def test_a_catalog_is_not_asked_for_a_name_that_is_not_valid(
    open_: Open, catalog: RestCatalogFake, name: str
) -> None:
    session = open_()
    run(session, LIST.format("vended"))
    catalog.asked.clear()
    assert isinstance(failure(session, f"SELECT * FROM vended.{name}"), TableNotFoundError)
    assert isinstance(failure(session, f"CREATE TABLE vended.{name} (id BIGINT)"), SemanticError)
    # Spark may ask for the schema, if that has a name that is valid.
    odd = ("..", "%1F", "%2F", "a.b", "t%20", "t+")
    assert [asked.path for asked in catalog.of_catalog() if any(part in asked.path for part in odd)] == []
