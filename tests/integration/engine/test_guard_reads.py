"""Reads of a table with a row filter, masks and restricted columns, in every syntax."""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
from collections.abc import Iterator

import pytest
from tests.support.guarded_engine import ADMIN, GuardedEngine

from sqe.errors import (
    AccessDeniedError,
    ColumnNotFoundError,
    FunctionNotFoundError,
    PolicyUnavailableError,
    UnsupportedError,
)

pytestmark = pytest.mark.engine

TABLE = "lake.db.people"
SET_UP = (
    "CREATE SCHEMA lake.db",
    (
        "CREATE TABLE lake.db.people (id INT, name STRING, dept STRING, salary INT, ssn STRING,"
        " addr STRUCT<street: STRING, city: STRING>) PARTITIONED BY (dept)"
    ),
    (
        "INSERT INTO lake.db.people VALUES"
        " (1, 'Ann', 'eng', 100, '111', named_struct('street', 'Elm', 'city', 'Bern')),"
        " (2, 'Bob', 'eng', 200, '222', named_struct('street', 'Oak', 'city', 'Chur')),"
        " (3, 'Cy', 'hr', 300, '333', named_struct('street', 'Ash', 'city', 'Genf'))"
    ),
    (
        "INSERT INTO lake.db.people VALUES"
        " (4, 'Di', 'hr', 400, '444', named_struct('street', 'Fir', 'city', 'Bern'))"
    ),
    "ALTER TABLE lake.db.people CREATE BRANCH side",
    "ALTER TABLE lake.db.people CREATE TAG first",
    "CREATE VIEW lake.db.names AS SELECT id, name, ssn FROM lake.db.people",
    "CREATE TABLE lake.db.allowed (dept STRING)",
    "INSERT INTO lake.db.allowed VALUES ('hr')",
)


@pytest.fixture(scope="module")
def running(guarded: GuardedEngine) -> GuardedEngine:
    for statement in SET_UP:
        guarded.run(ADMIN, statement)
    return guarded


@pytest.fixture
def engine(running: GuardedEngine) -> Iterator[GuardedEngine]:
    running.rules.set("ann", TABLE, filter="dept = 'eng'", masks={"ssn": "concat('*', right(ssn, 1))"})
    yield running
    running.forget()


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT id, ssn FROM lake.db.people",
        "SELECT p.id, p.ssn FROM lake.db.people p",
        "SELECT id, ssn FROM (TABLE lake.db.people)",
        "FROM lake.db.people |> SELECT id, ssn",
        "SELECT id, ssn FROM IDENTIFIER('lake.db.' || 'people')",
        "EXECUTE IMMEDIATE 'SELECT id, ssn FROM lake.db.people'",
        "WITH people AS (SELECT * FROM lake.db.people) SELECT id, ssn FROM people",
        "WITH c AS (SELECT * FROM lake.db.people) SELECT a.id, b.ssn FROM c a JOIN c b ON a.id = b.id",
        "SELECT a.id, b.ssn FROM lake.db.people a JOIN lake.db.people b USING (id)",
        "SELECT a.id, (SELECT max(ssn) FROM lake.db.people b WHERE b.id = a.id) FROM lake.db.people a",
        "SELECT id, ssn FROM lake.db.people WHERE EXISTS (SELECT 1 FROM lake.db.people x WHERE x.id > 0)",
        "SELECT id, ssn FROM lake.db.people WHERE id NOT IN (SELECT id FROM lake.db.people WHERE id = 9)",
        "SELECT a.id, l.ssn FROM lake.db.people a, LATERAL (SELECT ssn FROM lake.db.people b WHERE b.id = a.id) l",
        "SELECT id, ssn FROM lake.db.people WHERE id = 1 UNION SELECT id, ssn FROM lake.db.people",
        "SELECT id, first(ssn) OVER (PARTITION BY id) FROM lake.db.people",
        "SELECT id, max(ssn) FROM lake.db.people GROUP BY id",
        "SELECT id, ssn FROM lake.db.people TABLESAMPLE (100 PERCENT)",
        "SELECT id, ssn FROM lake.db.people WITH ('split-size' = '100000')",
        "SELECT id, ssn FROM lake.db.people WITH ('branch' = 'side')",
        "SELECT id, ssn FROM lake.db.people VERSION AS OF 'first'",
        "SELECT id, ssn FROM lake.db.people VERSION AS OF 'side'",
        "SELECT id, ssn FROM lake.db.people.branch_side",
        "SELECT id, ssn FROM lake.db.people.tag_first",
        "SELECT id, ssn FROM lake.db.people TIMESTAMP AS OF (SELECT current_timestamp())",
        "SELECT id, ssn FROM lake.db.names",
        (
            "WITH RECURSIVE r AS (SELECT id, ssn FROM lake.db.people WHERE id = 1"
            " UNION ALL SELECT p.id, p.ssn FROM lake.db.people p JOIN r ON p.id = r.id + 1) SELECT * FROM r"
        ),
        "SELECT * FROM (SELECT id, ssn FROM lake.db.people) PIVOT (max(1) FOR ssn IN ('zz'))",
    ],
)
def test_rows_are_filtered_and_masked_however_a_query_is_written(engine: GuardedEngine, sql: str) -> None:
    pivot = "PIVOT" in sql
    expected = [(1, None), (2, None)] if pivot else [(1, "*1"), (2, "*2")]
    assert sorted(engine.run("ann", sql), key=str) == expected
    true = (
        [(1, None), (2, None), (3, None), (4, None)]
        if pivot
        else [(1, "111"), (2, "222"), (3, "333"), (4, "444")]
    )
    assert sorted(engine.run("bob", sql), key=str) == true


def test_a_snapshot_by_its_number(engine: GuardedEngine) -> None:
    ((first,), *_) = engine.run(
        ADMIN, "SELECT snapshot_id FROM lake.db.people.snapshots ORDER BY committed_at"
    )
    for sql in (
        f"SELECT id, ssn FROM lake.db.people VERSION AS OF {first}",
        f"SELECT id, ssn FROM lake.db.people.snapshot_id_{first}",
        f"SELECT id, ssn FROM lake.db.people WITH ('versionAsOf' = '{first}')",
    ):
        assert sorted(engine.run("ann", sql)) == [(1, "*1"), (2, "*2")], sql
        assert len(engine.run("bob", sql)) == 3


def test_the_question_names_the_table_its_columns_and_the_ref(engine: GuardedEngine) -> None:
    engine.run("ann", "SELECT id FROM lake.db.people.branch_side", "query-7")
    body = engine.control.questions[-1]
    assert body["query"] == "query-7"
    asked = {question["operation"]: question for question in body["questions"]}["select"]
    assert (asked["catalog"], asked["namespace"], asked["name"]) == ("lake", ["db"], "people")
    assert asked["ref"] == "side"
    assert asked["metadata"] is None
    assert asked["owner"] == ADMIN
    assert asked["uuid"]
    assert [column["name"] for column in asked["columns"]] == ["id", "name", "dept", "salary", "ssn", "addr"]
    assert asked["columns"][5]["type"] == "struct<street:string,city:string>"
    assert [column["field_id"] for column in asked["columns"]] == [1, 2, 3, 4, 5, 6]


def test_everything_above_sees_the_masked_value_and_the_filter_the_stored_one(engine: GuardedEngine) -> None:
    engine.rules.set("ann", TABLE, filter="ssn > '150'", masks={"ssn": "'x'", "salary": "salary * 0 + id"})
    assert engine.run("ann", "SELECT count(*), min(ssn), max(salary) FROM lake.db.people") == [(3, "x", 4)]
    assert engine.run("ann", "SELECT id FROM lake.db.people WHERE ssn = '222'") == []
    assert len(engine.run("ann", "SELECT id FROM lake.db.people WHERE ssn = 'x'")) == 3
    assert engine.run("ann", "SELECT DISTINCT ssn FROM lake.db.people ORDER BY ssn") == [("x",)]


def test_a_mask_keeps_the_type_of_its_column(engine: GuardedEngine) -> None:
    engine.rules.set(
        "ann",
        TABLE,
        masks={"salary": "NULL", "name": "id", "addr": "named_struct('street', 'x', 'city', addr.city)"},
    )
    rows = engine.run("ann", "SELECT salary, name, addr.street, addr.city FROM lake.db.people WHERE id = 1")
    assert rows == [(None, "1", "x", "Bern")]
    masked, true = (engine.session(user).describe(f"SELECT * FROM {TABLE}", "d") for user in ("ann", "bob"))
    assert [(each.name, str(each.type)) for each in masked] == [(each.name, str(each.type)) for each in true]


def test_a_policy_can_look_something_up_that_the_reader_may_not_read(engine: GuardedEngine) -> None:
    engine.rules.set("ann", TABLE, filter="dept IN (SELECT dept FROM lake.db.allowed)")
    engine.rules.set("ann", "lake.db.allowed", denied={"select", "describe"})
    assert engine.run("ann", "SELECT id FROM lake.db.people ORDER BY id") == [(3,), (4,)]
    assert type(engine.failure("ann", "SELECT * FROM lake.db.allowed")) is AccessDeniedError


def test_a_users_own_views_and_functions_do_not_change_a_policy(engine: GuardedEngine) -> None:
    engine.rules.set("ann", TABLE, filter="dept IN (SELECT dept FROM default.allowed)")
    engine.run("ann", "CREATE TEMPORARY VIEW allowed AS SELECT 'eng' AS dept")
    engine.rules.set(
        "ann",
        TABLE,
        filter="exists(array(dept), d -> d = 'hr') AND dept IN (SELECT dept FROM lake.db.allowed)",
    )
    assert engine.run("ann", "SELECT id FROM lake.db.people ORDER BY id") == [(3,), (4,)]


def test_restricted_columns_do_not_exist(engine: GuardedEngine) -> None:
    engine.rules.set("ann", TABLE, filter="ssn <> '111'", masks={"name": "ssn"}, restricted=["ssn", "dept"])
    assert engine.columns("ann", "SELECT * FROM lake.db.people") == ["id", "name", "salary", "addr"]
    assert engine.run("ann", "SELECT id, name FROM lake.db.people ORDER BY id") == [
        (2, "222"),
        (3, "333"),
        (4, "444"),
    ]
    for sql in (
        "SELECT ssn FROM lake.db.people",
        "SELECT id FROM lake.db.people WHERE ssn = '1'",
        "SELECT p.dept FROM lake.db.people p",
        "SELECT * EXCEPT (ssn) FROM lake.db.people",
        "SELECT _partition FROM lake.db.people",
    ):
        assert type(engine.failure("ann", sql)) is ColumnNotFoundError, sql
    described = str(engine.run("ann", "DESCRIBE TABLE EXTENDED lake.db.people"))
    assert "Statistics" not in described
    assert "Statistics" in str(engine.run("bob", "DESCRIBE TABLE EXTENDED lake.db.people"))
    assert "ssn" not in described
    assert "dept" not in described
    assert "ssn" not in str(engine.run("ann", "SHOW COLUMNS IN lake.db.people"))
    assert "ssn" not in str(engine.run("ann", "SHOW CREATE TABLE lake.db.people"))
    assert "dept" not in str(engine.run("ann", "SHOW CREATE TABLE lake.db.people"))
    assert "ssn" in str(engine.run("bob", "DESCRIBE TABLE lake.db.people"))


def test_metadata_columns_of_a_protected_table_are_null(engine: GuardedEngine) -> None:
    sql = "SELECT _file, _pos, _spec_id, _partition, _deleted FROM lake.db.people"
    assert engine.run("ann", sql) == [(None,) * 5] * 2
    assert all(None not in row for row in engine.run("bob", sql))


@pytest.mark.parametrize(
    "kind",
    [
        "files",
        "snapshots",
        "history",
        "partitions",
        "entries",
        "manifests",
        "all_data_files",
        "refs",
        "changes",
    ],
)
def test_metadata_tables_of_a_protected_table_are_not_shown(engine: GuardedEngine, kind: str) -> None:
    sql = f"SELECT * FROM lake.db.people.{kind}"
    assert isinstance(engine.failure("ann", sql), UnsupportedError)
    assert isinstance(engine.failure("ann", f"DESCRIBE TABLE lake.db.people.{kind}"), UnsupportedError)
    asked = {question["operation"]: question for question in engine.control.questions[-1]["questions"]}[
        "select"
    ]
    assert (asked["name"], asked["metadata"]) == ("people", kind)
    assert [column["name"] for column in asked["columns"]][:2] == ["id", "name"]
    assert engine.run("bob", sql)


def test_views_are_read_with_the_readers_rights_and_have_no_policies_of_their_own(
    engine: GuardedEngine,
) -> None:
    engine.rules.set("ann", "lake.db.names", filter="id = 1")
    assert type(engine.failure("ann", "SELECT * FROM lake.db.names")) is UnsupportedError
    engine.rules.set("ann", "lake.db.names", denied={"select"})
    assert type(engine.failure("ann", "SELECT * FROM lake.db.names")) is AccessDeniedError
    engine.rules.set("ann", "lake.db.names")
    engine.rules.set("ann", TABLE, denied={"select"})
    error = engine.failure("ann", "SELECT * FROM lake.db.names")
    assert (type(error), error.message) == (AccessDeniedError, "Access denied: cannot select lake.db.people.")


def test_who_may_not_read_may_still_describe_if_that_is_allowed(engine: GuardedEngine) -> None:
    engine.rules.set("ann", TABLE, denied={"select"})
    assert engine.run("ann", "DESCRIBE TABLE lake.db.people")
    for sql in (
        "SELECT id FROM lake.db.people",
        "SELECT count(*) FROM lake.db.people",
        "TABLE lake.db.people",
    ):
        assert type(engine.failure("ann", sql)) is AccessDeniedError
    engine.rules.set("ann", TABLE, denied={"select", "describe"})
    assert type(engine.failure("ann", "DESCRIBE TABLE lake.db.people")) is AccessDeniedError


def test_explain_shows_no_policy(engine: GuardedEngine) -> None:
    for sql in (
        "EXPLAIN SELECT * FROM lake.db.people",
        "EXPLAIN EXTENDED SELECT 1 WHERE EXISTS (TABLE lake.db.names)",
    ):
        assert type(engine.failure("ann", sql)) is AccessDeniedError
        assert "Scan" in str(engine.run("bob", sql))
    assert type(engine.failure("bob", "EXPLAIN INSERT INTO lake.db.allowed VALUES ('x')")) is UnsupportedError


def test_plans_with_what_was_counted_show_no_policy(engine: GuardedEngine) -> None:
    for sql in ("SELECT * FROM lake.db.people", "SELECT 1 WHERE EXISTS (TABLE lake.db.names)"):
        for user in ("ann", "bob"):
            session = engine.session(user)
            session.want_plan("analyzed")
            assert list(session.stream(sql, "analyzed", lambda progress: None))
            if user == "bob":
                assert "BatchScan lake.db.people" in session.executed_plan("analyzed")
                assert '"people"' in session.statement_plan("io", sql, "planned")
            else:
                with pytest.raises(AccessDeniedError):
                    session.executed_plan("analyzed")
                for kind in ("io", "logical", "distributed"):
                    with pytest.raises(AccessDeniedError):
                        session.statement_plan(kind, sql, "planned")


@pytest.mark.parametrize(
    ("rule", "secret"),
    [
        ({"filter": "secret_word("}, "secret_word"),
        ({"filter": "secret_word = 1"}, "secret_word"),
        ({"filter": "concat(name, 'secret_word')"}, "secret_word"),
        ({"filter": "sqe_nothing(name, 'secret_word')"}, "secret_word"),
        ({"filter": "reflect('java.lang.System', 'getenv', 'secret_word') is null"}, "secret_word"),
        ({"masks": {"addr": "'secret_word'"}}, "secret_word"),
    ],
)
def test_a_policy_that_is_wrong_is_a_refusal_that_does_not_show_it(
    engine: GuardedEngine, rule: dict[str, object], secret: str
) -> None:
    engine.rules.set("ann", TABLE, **rule)
    error = engine.failure("ann", "SELECT id FROM lake.db.people")
    assert isinstance(error, PolicyUnavailableError)
    assert secret not in error.message + str(error.hint)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT id, count(*) FROM lake.db.people",
        "SELECT * FROM lake.db.people WHERE id",
        "SELECT (SELECT id, name FROM lake.db.people)",
        "SELECT id + name_of_nothing FROM lake.db.people",
        "SELECT * FROM lake.db.people ORDER BY addr.nothing",
    ],
)
def test_an_error_in_a_query_does_not_show_the_policy(engine: GuardedEngine, sql: str) -> None:
    engine.rules.set("ann", TABLE, filter="dept <> 'secret_word'", masks={"ssn": "'secret_word'"})
    error = engine.failure("ann", sql)
    assert "secret_word" not in error.message + str(error.hint)


ODD = [
    (200, {}),
    (200, {"user": "ann", "decisions": []}),
    (200, {"user": "ann", "decisions": [{"allow": True}] * 2}),
    (200, {"user": "ann", "decisions": [{"allow": "yes"}] * 2}),
    (500, {}),
    (503, {"error": "OPA does not answer."}),
    (404, {"error": "The session is not known."}),
    (302, {}),
]


@pytest.mark.parametrize("answer", ODD)
def test_what_is_no_clear_answer_is_a_refusal(
    engine: GuardedEngine, answer: tuple[int, dict[str, object]]
) -> None:
    engine.run("ann", "SELECT 1")
    engine.control.decide = lambda principal, questions: answer
    for sql in (
        "SELECT id FROM lake.db.people",
        "SHOW TABLES IN lake.db",
        "INSERT INTO lake.db.allowed VALUES ('x')",
    ):
        assert isinstance(engine.failure("ann", sql), PolicyUnavailableError), sql


def _changed(**fields: object) -> dict[str, object]:
    return {"allow": True, "filter": None, "masks": {}, "restricted": [], "protected": False, **fields}


@pytest.mark.parametrize(
    "decision",
    [
        _changed(allow=1),
        _changed(filter="id = 1"),
        _changed(filter="id = 1", protected="yes"),
        _changed(masks={"ssn": "NULL"}),
        _changed(masks={"nothing": "NULL"}, protected=True),
        _changed(masks=["ssn"], protected=True),
        _changed(restricted=["nothing"], protected=True),
        _changed(restricted="ssn", protected=True),
        _changed(row_filter="id = 1"),
        {"allow": True, "filter": None, "masks": {}, "restricted": []},
        {"allow": False},
        {"allow": False, "refusal": "maybe", "reason": "x"},
    ],
)
def test_a_decision_that_is_odd_is_a_refusal(engine: GuardedEngine, decision: dict[str, object]) -> None:
    engine.control.decide = lambda principal, questions: (
        200,
        {"user": "ann", "decisions": [decision for _ in questions]},
    )
    assert isinstance(engine.failure("ann", "SELECT id FROM lake.db.people"), PolicyUnavailableError)


def test_silence_is_a_refusal_within_seconds(engine: GuardedEngine) -> None:
    ended = threading.Event()
    engine.run("ann", "SELECT 1")

    def silent(principal: object, questions: list[dict[str, object]]) -> tuple[int, dict[str, object]]:
        ended.wait(120)
        return 503, {}

    engine.control.decide = silent
    try:
        assert isinstance(engine.failure("ann", "SELECT id FROM lake.db.people"), PolicyUnavailableError)
    finally:
        ended.set()


def test_sessions_have_decisions_of_their_own_and_each_statement_asks_again(engine: GuardedEngine) -> None:
    sql = "SELECT id FROM lake.db.people ORDER BY id"
    engine.rules.set("bob", TABLE, filter="id = 3")
    assert engine.run("ann", sql) == [(1,), (2,)]
    assert engine.run("bob", sql) == [(3,)]
    engine.rules.set("ann", TABLE, filter="id = 4")
    assert engine.run("ann", sql) == [(4,)]
    engine.rules.set("ann", TABLE, denied={"select", "describe"})
    assert type(engine.failure("ann", sql)) is AccessDeniedError


def test_a_relation_that_nobody_has_guarded_is_refused(engine: GuardedEngine) -> None:
    with engine.session(ADMIN)._tagged("q") as session:
        assert session.read_unguarded() == "SQE_UNGUARDED"


@pytest.mark.parametrize("privileges", ["INSERT", "UPDATE", "DELETE", "INSERT,UPDATE,DELETE"])
def test_write_privileges_in_the_options_of_a_read_give_nothing(
    engine: GuardedEngine, privileges: str
) -> None:
    engine.rules.set("ann", TABLE, filter="dept = 'eng'")  # with which rows may be inserted and deleted
    sql = f"SELECT id FROM lake.db.people WITH ('__required_write_privileges__' = '{privileges}')"
    try:
        rows = engine.run("ann", sql)
    except (AccessDeniedError, UnsupportedError):
        return
    assert sorted(rows) == [(1,), (2,)]


def test_a_hash_needs_the_key_and_shows_neither(engine: GuardedEngine) -> None:
    engine.rules.set("ann", TABLE, masks={"ssn": "sqe_hmac(ssn)"})
    facts = json.loads(engine.facts(ADMIN, "lake", "db", "people"))
    (ssn,) = [column for column in facts["columns"] if column["name"] == "ssn"]
    scope = f"column {facts['uuid']} {ssn['field_id']}"
    key = hmac.digest(b"a key of the tests", scope.encode(), hashlib.sha256)
    expected = [hmac.new(key, str(i).encode() * 3, hashlib.sha256).hexdigest() for i in range(1, 5)]
    assert engine.run("ann", "SELECT ssn FROM lake.db.people ORDER BY id") == [(each,) for each in expected]
    assert type(engine.failure("ann", "SELECT sqe_hmac('111')")) is FunctionNotFoundError


def test_a_mask_may_make_null_of_what_never_is(engine: GuardedEngine) -> None:
    engine.run(
        ADMIN,
        "CREATE TABLE lake.db.strict (id INT NOT NULL, at STRUCT<street: STRING NOT NULL, no: INT> NOT NULL)",
    )
    engine.run(ADMIN, "INSERT INTO lake.db.strict VALUES (1, named_struct('street', 'Elm', 'no', 3))")
    try:
        masks = {"id": "NULL", "at": "named_struct('street', CAST(NULL AS STRING), 'no', at.no)"}
        engine.rules.set("ann", "lake.db.strict", masks=masks)
        read = "SELECT id IS NULL, at.street IS NULL, coalesce(at.street, 'none'), at.no FROM lake.db.strict"
        assert engine.run("ann", read) == [(True, True, "none", 3)]
        assert engine.run("ann", "SELECT count(*) FROM lake.db.strict WHERE at.street IS NOT NULL") == [(0,)]
        assert engine.run("bob", read) == [(False, False, "Elm", 3)]
    finally:
        engine.run(ADMIN, "DROP TABLE lake.db.strict")
