"""`current_user()` and its other names return the user of the session, wherever they are written."""

from __future__ import annotations

import pytest
from tests.support.guarded_engine import ADMIN, GuardedEngine

pytestmark = pytest.mark.engine


@pytest.fixture(scope="module")
def engine(guarded: GuardedEngine) -> GuardedEngine:
    guarded.run(ADMIN, "CREATE SCHEMA lake.db")
    guarded.run(ADMIN, "CREATE TABLE lake.db.t AS SELECT * FROM VALUES (1, 'ann'), (2, 'bob') AS t(id, who)")
    guarded.run(ADMIN, "CREATE VIEW lake.db.v AS SELECT current_user() AS me")
    guarded.run(ADMIN, "CREATE VIEW lake.db.mine AS SELECT id FROM lake.db.t WHERE who = user()")
    return guarded


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT current_user()",
        "SELECT current_user",
        "SELECT user()",
        "SELECT user",
        "SELECT session_user()",
        "SELECT session_user",
        "SELECT max(u) FROM VALUES (current_user()) AS t(u)",
        "SELECT (SELECT current_user())",
        "WITH c AS (SELECT current_user() AS u) SELECT u FROM c",
        "SELECT me FROM lake.db.v",
        "SELECT who FROM lake.db.t WHERE who = current_user()",
        "SELECT who FROM lake.db.t WHERE EXISTS (SELECT 1 FROM lake.db.v WHERE me = who)",
        "SELECT transform(array(1), x -> current_user())[0]",
        "EXECUTE IMMEDIATE 'SELECT current_user()'",
        "SELECT u FROM (SELECT current_user() AS u UNION SELECT user())",
        "SELECT first_value(current_user()) OVER (ORDER BY 1) FROM VALUES (1)",
        "SELECT upper(lower(current_user())) = upper(current_user()), current_user()",
    ],
)
def test_it_is_the_person(engine: GuardedEngine, sql: str) -> None:
    for user in ("ann", "bob"):
        ((*_, value),) = engine.run(user, sql)
        assert value == user


def test_a_view_means_its_reader(engine: GuardedEngine) -> None:
    assert engine.run("ann", "SELECT id FROM lake.db.mine") == [(1,)]
    assert engine.run("bob", "SELECT id FROM lake.db.mine") == [(2,)]
    assert engine.run(ADMIN, "SELECT id FROM lake.db.mine") == []
    engine.run("ann", "CREATE TEMPORARY VIEW me AS SELECT current_user() AS u")
    assert engine.run("ann", "SELECT u FROM me") == [("ann",)]
    engine.run("ann", "CREATE TEMPORARY FUNCTION who() RETURNS STRING RETURN current_user()")
    assert engine.run("ann", "SELECT who()") == [("ann",)]


def test_it_is_written_and_compared_as_the_person(engine: GuardedEngine) -> None:
    engine.run("ann", "CREATE TABLE lake.db.log AS SELECT current_user() AS who")
    engine.run("bob", "INSERT INTO lake.db.log SELECT current_user()")
    engine.run("bob", "INSERT INTO lake.db.log VALUES (session_user())")
    assert sorted(engine.run(ADMIN, "SELECT who FROM lake.db.log")) == [("ann",), ("bob",), ("bob",)]
    engine.run("bob", "DELETE FROM lake.db.log WHERE who = current_user()")
    assert engine.run(ADMIN, "SELECT who FROM lake.db.log") == [("ann",)]
    engine.run("bob", "UPDATE lake.db.log SET who = current_user() WHERE who <> current_user()")
    assert engine.run(ADMIN, "SELECT who FROM lake.db.log") == [("bob",)]


def test_the_name_of_the_column_stays(engine: GuardedEngine) -> None:
    assert engine.columns("ann", "SELECT current_user()") == ["current_user()"]


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE OR REPLACE TEMPORARY FUNCTION current_user() RETURNS STRING RETURN 'bob'",
        "CREATE OR REPLACE TEMPORARY FUNCTION user() RETURNS STRING RETURN 'bob'",
        "SET spark.sql.session.user = bob",
    ],
)
def test_nobody_can_say_to_be_somebody_else(engine: GuardedEngine, sql: str) -> None:
    engine.failure("ann", sql)
    assert engine.run("ann", "SELECT current_user(), user()") == [("ann", "ann")]
