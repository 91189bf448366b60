"""Requests of the gateway: nothing that SQL can write is one, and none counts without its proof."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from contextlib import suppress

import pytest
from tests.support.guarded_engine import ADMIN, GuardedEngine

from sqe.engine import requests
from sqe.errors import (
    AccessDeniedError,
    FunctionNotFoundError,
    SemanticError,
    SqeError,
    SqlSyntaxError,
    UnsupportedError,
)

NAMES = (
    "changed_rows",
    "namespaces",
    "parameter_types",
    "table",
    "tables",
    "unguarded",
    "set_tags",
    "hmac",
    "shared_hmac",
)
_GZIP = b"\x1f\x8b"
UNTAG = json.dumps({"table": ["lake", "db", "t"], "set": {}, "unset": ["ssn"]})


@pytest.fixture(scope="module")
def started(guarded: GuardedEngine) -> GuardedEngine:
    guarded.run(ADMIN, "CREATE SCHEMA lake.db")
    guarded.run(ADMIN, "CREATE TABLE lake.db.t AS SELECT 1 AS id, '111' AS ssn")
    return guarded


@pytest.fixture
def engine(started: GuardedEngine) -> Iterator[GuardedEngine]:
    started.forget()
    started.set_tags(ADMIN, "lake.db.t", {"ssn": ["pii"]})
    yield started
    started.forget()


def ways(name: str) -> list[str]:
    """Ways to write a call in SQL."""
    call = f"sqe_{name}('x')"
    return [
        f"SELECT * FROM {call}",
        f"SELECT {call}",
        f"SELECT * FROM IDENTIFIER('sqe_{name}')('x')",
        f"SELECT IDENTIFIER('sqe_{name}')('x')",
        f"EXECUTE IMMEDIATE 'SELECT * FROM sqe_{name}(''x'')'",
        f"SELECT * FROM VALUES (1) AS t(a), LATERAL {call}",
        f"SELECT 1 WHERE EXISTS (SELECT * FROM {call})",
        f"CREATE OR REPLACE TEMPORARY VIEW w AS SELECT * FROM {call}",
        f"CREATE OR REPLACE VIEW lake.db.w AS SELECT * FROM {call}",
        f"CREATE OR REPLACE TEMPORARY FUNCTION f() RETURNS TABLE (x STRING) RETURN SELECT * FROM {call}",
        f"CREATE OR REPLACE TEMPORARY FUNCTION f() RETURNS STRING RETURN {call}",
        f"SELECT * FROM `system`.`builtin`.sqe_{name}('x')",
        f"SELECT * FROM `sqe.spark/request`('{name}')",
    ]


@pytest.mark.parametrize("name", NAMES)
def test_no_text_calls_what_the_gateway_requests(engine: GuardedEngine, name: str) -> None:
    for sql in ways(name):
        error = engine.failure(ADMIN, sql)
        assert isinstance(
            error,
            FunctionNotFoundError | SemanticError | SqlSyntaxError | UnsupportedError | AccessDeniedError,
        ), (sql, error)
        assert "inside" not in error.message, sql
    assert "pii" in engine.facts(ADMIN, "lake", "db", "t")


def test_a_view_that_was_stored_with_such_a_call_does_nothing(engine: GuardedEngine) -> None:
    """Another engine may have written it: the text in the catalog is changed behind ours."""
    engine.run("eve", "CREATE VIEW lake.db.trap AS SELECT 'the text to be replaced' AS ssn")
    trap = f"SELECT * FROM sqe_set_tags('{UNTAG}')".replace('"', '\\"')
    before, changed = "SELECT 'the text to be replaced' AS ssn", 0
    for file in engine.warehouse.rglob("*.json"):
        packed = file.read_bytes().startswith(_GZIP)
        text = (gzip.decompress(file.read_bytes()) if packed else file.read_bytes()).decode("utf-8")
        if before in text:
            content = text.replace(before, trap).encode()
            file.write_bytes(gzip.compress(content) if packed else content)
            file.with_name(f".{file.name}.crc").unlink(missing_ok=True)
            changed += 1
    assert changed == 1
    for sql in (
        "SELECT * FROM lake.db.trap",
        "DESCRIBE lake.db.trap",
        "SHOW COLUMNS IN lake.db.trap",
        "EXPLAIN SELECT * FROM lake.db.trap",
        "DESCRIBE QUERY SELECT * FROM lake.db.trap",
        "CREATE TABLE lake.db.stolen AS SELECT * FROM lake.db.trap",
        "SHOW TABLE EXTENDED IN lake.db LIKE 'trap'",
    ):
        with suppress(SqeError):  # DESCRIBE reads the schema that is stored
            engine.run(ADMIN, sql)
    with pytest.raises(FunctionNotFoundError):
        engine.session(ADMIN).table_schema(["lake", "db", "trap"], "q")
    assert "pii" in engine.facts(ADMIN, "lake", "db", "t")
    engine.run(ADMIN, "DROP VIEW lake.db.trap")


def forged(name: str, argument: str, session: str, secret: str) -> list[tuple[str, str, str, str]]:
    """Proofs of something else."""
    return [
        (name, argument, session, "a secret that was guessed"),
        (name, argument, "00000000-0000-0000-0000-000000000000", secret),
        (name, argument + " ", session, secret),
        ("changed_rows", argument, session, secret),
    ]


def test_a_request_without_its_proof_is_refused(engine: GuardedEngine) -> None:
    with engine.session("ann")._tagged("q") as connect:
        session, secret = connect._proof()
        for proved in forged("set_tags", UNTAG, session, secret):
            message = requests.command(*proved)
            said = json.loads(message.extension.value) | {"request": "set_tags", "argument": UNTAG}
            message.extension.value = json.dumps(said).encode()
            with pytest.raises(AccessDeniedError, match="in the place of the gateway"):
                connect.execute_command(message)
        for odd in (
            b"",
            b"[]",
            b"no json",
            b"{}",
            json.dumps({"request": "table", "argument": "x"}).encode(),
        ):
            plan = requests.relation("table", "x", session, secret)
            plan.extension.value = odd
            with pytest.raises(AccessDeniedError, match="in the place of the gateway"):
                list(connect._run(plan, lambda progress: None))
    assert "pii" in engine.facts(ADMIN, "lake", "db", "t")


def test_a_request_that_changes_something_is_no_relation(engine: GuardedEngine) -> None:
    with engine.session(ADMIN)._tagged("q") as connect:
        for run in (connect._schema, lambda plan: list(connect._run(plan, lambda progress: None))):
            with pytest.raises(AccessDeniedError):
                run(requests.relation("set_tags", UNTAG, *connect._proof()))
        with pytest.raises(AccessDeniedError):
            connect.execute_command(requests.command("table", "[]", *connect._proof()))
    assert "pii" in engine.facts(ADMIN, "lake", "db", "t")


def test_a_request_of_one_session_is_none_of_another(engine: GuardedEngine) -> None:
    with engine.session(ADMIN)._tagged("q") as connect:
        own = requests.command("set_tags", UNTAG, *connect._proof())
    with engine.session("ann")._tagged("q") as connect, pytest.raises(AccessDeniedError):
        connect.execute_command(own)
    assert "pii" in engine.facts(ADMIN, "lake", "db", "t")


def test_an_extension_of_somebody_else_is_refused(engine: GuardedEngine) -> None:
    with engine.session(ADMIN)._tagged("q") as connect:
        plan = requests.relation("table", "x", *connect._proof())
        plan.extension.type_url = "type.googleapis.com/spark.connect.Relation"
        with pytest.raises(SqeError):
            list(connect._run(plan, lambda progress: None))
