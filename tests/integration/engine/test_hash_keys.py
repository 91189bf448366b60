"""Keys of hash masks: each column of each table has one of its own, which goes with the column."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.support.guarded_engine import ADMIN, GuardedEngine

from sqe.errors import SqeError

pytestmark = pytest.mark.engine

OWN = {"masks": {"ssn": "sqe_hmac(ssn)", "code": "sqe_hmac(code)"}}
SHARED = {"masks": {"ssn": "sqe_shared_hmac(ssn, 'people')", "code": "sqe_shared_hmac(code, 'people')"}}


@pytest.fixture(scope="module")
def started(guarded: GuardedEngine) -> GuardedEngine:
    guarded.run(ADMIN, "CREATE SCHEMA lake.db")
    return guarded


@pytest.fixture
def engine(started: GuardedEngine) -> Iterator[GuardedEngine]:
    started.forget()
    for name in ("one", "two"):
        started.run(ADMIN, f"DROP TABLE IF EXISTS lake.db.{name}")
        started.run(ADMIN, f"CREATE TABLE lake.db.{name} AS SELECT 1 AS id, '111' AS ssn, '111' AS code")
        started.rules.set("ann", f"lake.db.{name}", **OWN)
    yield started
    started.forget()


def seen(engine: GuardedEngine, sql: str) -> list[Any]:
    return [value for row in engine.run("ann", sql) for value in row]


def test_the_same_value_is_another_in_another_table_and_another_column(engine: GuardedEngine) -> None:
    values = [seen(engine, f"SELECT ssn, code FROM lake.db.{name}") for name in ("one", "two")]
    assert len({value for row in values for value in row}) == 4
    joined = "SELECT a.id FROM lake.db.one a JOIN lake.db.two b ON a.{0} = b.{0}"
    assert seen(engine, joined.format("ssn")) == []
    assert seen(engine, joined.format("code")) == []


def test_it_is_the_same_within_the_column_in_all_its_states(engine: GuardedEngine) -> None:
    (before,) = seen(engine, "SELECT ssn FROM lake.db.one")
    engine.run(ADMIN, "ALTER TABLE lake.db.one CREATE TAG old")
    engine.run(ADMIN, "ALTER TABLE lake.db.one CREATE BRANCH side")
    engine.run(ADMIN, "INSERT INTO lake.db.one VALUES (2, '111', 'x')")
    assert seen(engine, "SELECT ssn FROM lake.db.one") == [before, before]
    assert seen(engine, "SELECT ssn FROM lake.db.one VERSION AS OF 'old'") == [before]
    assert seen(engine, "SELECT ssn FROM lake.db.one.branch_side") == [before]
    engine.run(ADMIN, "ALTER TABLE lake.db.one RENAME COLUMN ssn TO number")
    engine.rules.set("ann", "lake.db.one", masks={"number": "sqe_hmac(number)"})
    assert seen(engine, "SELECT number FROM lake.db.one WHERE id = 1") == [before]


def test_a_table_that_is_made_again_under_the_name_has_another_key(engine: GuardedEngine) -> None:
    (before,) = seen(engine, "SELECT ssn FROM lake.db.one")
    engine.run(ADMIN, "DROP TABLE lake.db.one")
    engine.run(ADMIN, "CREATE TABLE lake.db.one AS SELECT 1 AS id, '111' AS ssn, '111' AS code")
    assert seen(engine, "SELECT ssn FROM lake.db.one") != [before]


def test_all_hashes_of_a_mask_have_the_key_of_the_masked_column(engine: GuardedEngine) -> None:
    (ssn,) = seen(engine, "SELECT ssn FROM lake.db.one")
    engine.rules.set("ann", "lake.db.one", masks={"ssn": "concat(sqe_hmac(code), '/', sqe_hmac(upper(ssn)))"})
    assert seen(engine, "SELECT ssn FROM lake.db.one") == [f"{ssn}/{ssn}"]


def test_a_hash_in_a_row_filter_has_the_key_of_its_column(engine: GuardedEngine) -> None:
    ssn, code = seen(engine, "SELECT ssn, code FROM lake.db.one")
    for column, value, found in (("ssn", ssn, [1]), ("code", code, [1]), ("ssn", code, [])):
        engine.rules.set("ann", "lake.db.one", filter=f"sqe_hmac(`{column}`) = '{value}'")
        assert seen(engine, "SELECT id FROM lake.db.one") == found, column


def test_a_key_with_a_name_is_the_same_in_all_tables(engine: GuardedEngine) -> None:
    for name in ("one", "two"):
        engine.rules.set("ann", f"lake.db.{name}", **SHARED)
    values = [seen(engine, f"SELECT ssn, code FROM lake.db.{name}") for name in ("one", "two")]
    assert len({value for row in values for value in row}) == 1
    engine.rules.set("ann", "lake.db.one", masks={"ssn": "sqe_shared_hmac(ssn, 'others')"})
    assert seen(engine, "SELECT ssn FROM lake.db.one") != values[0][:1]


@pytest.mark.parametrize(
    "rule",
    [
        {"masks": {"ssn": "sqe_hmac(ssn, 'column x 1')"}},
        {"masks": {"ssn": "sqe_hmac()"}},
        {"masks": {"ssn": "sqe_shared_hmac(ssn)"}},
        {"masks": {"ssn": "sqe_shared_hmac(ssn, code)"}},
        {"masks": {"ssn": "sqe_shared_hmac(ssn, '')"}},
        {"masks": {"ssn": "(SELECT max(sqe_hmac(ssn)) FROM lake.db.two)"}},
        {"filter": "sqe_hmac(concat(ssn, code)) = 'x'"},
        {"filter": "sqe_hmac('x') = 'x'"},
        {"filter": "EXISTS (SELECT 1 FROM lake.db.two WHERE sqe_hmac(ssn) = 'x')"},
    ],
)
def test_a_hash_whose_key_is_not_clear_is_refused(engine: GuardedEngine, rule: dict[str, object]) -> None:
    engine.rules.set("ann", "lake.db.one", **rule)
    error = engine.failure("ann", "SELECT * FROM lake.db.one")
    assert isinstance(error, SqeError)
    assert error.code == "POLICY_UNAVAILABLE", error
    assert "sqe_" not in error.message
