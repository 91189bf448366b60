"""The suites ssb and clickbench: their data fulfils its checks, and their queries have answers, in DuckDB."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import duckdb
import pytest
import sqlglot
from sqlglot import exp

from sqe.bench.suite import DIALECTS, Query, Suite
from sqe.bench.suites.registry import SUITES

SCALE = 0.01
TABLES = {
    "ssb": {"customer", "dates", "lineorder", "part", "supplier"},
    "clickbench": {"hits"},
}
QUERIES = {
    "ssb": [
        f"q{flight}_{number}"
        for flight, count in ((1, 3), (2, 3), (3, 4), (4, 3))
        for number in range(1, count + 1)
    ],
    "clickbench": [f"q{number:02}" for number in range(1, 44)],
}
NAMES = sorted(TABLES)
CASES = [
    pytest.param(name, query, id=f"{name}-{query.name}") for name in NAMES for query in SUITES[name].queries()
]


@pytest.fixture(scope="module")
def connections() -> Iterator[Mapping[str, duckdb.DuckDBPyConnection]]:
    found = {name: generated(SUITES[name], SCALE) for name in NAMES}
    yield found
    for connection in found.values():
        connection.close()


def generated(suite: Suite, scale: float) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    suite.generate(connection, scale)
    return connection


@pytest.mark.parametrize("name", NAMES)
def test_the_generator_leaves_the_tables_and_nothing_else(
    connections: Mapping[str, duckdb.DuckDBPyConnection], name: str
) -> None:
    connection = connections[name]
    assert {table for (table,) in connection.execute("SHOW TABLES").fetchall()} == TABLES[name]
    left = connection.execute("SELECT function_name FROM duckdb_functions() WHERE NOT internal").fetchall()
    assert left == []


@pytest.mark.parametrize("name", NAMES)
def test_the_data_fulfils_every_check(
    connections: Mapping[str, duckdb.DuckDBPyConnection], name: str
) -> None:
    checks = SUITES[name].checks()
    assert checks
    failed = [check.name for check in checks if connections[name].execute(check.text).fetchall() != [(True,)]]
    assert failed == []


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("ssb", "UPDATE lineorder SET lo_revenue = lo_revenue + 1 WHERE lo_linenumber = 7"),
        ("ssb", "UPDATE customer SET c_city = 'CHINA    1' WHERE c_custkey = 3"),
        ("ssb", "DELETE FROM dates WHERE d_datekey = 19960229"),
        ("clickbench", """UPDATE hits SET "URLHash" = 1 WHERE "CounterID" = 62"""),
        ("clickbench", """UPDATE hits SET "SearchPhrase" = 'x' WHERE "TraficSourceID" = -1"""),
        ("clickbench", 'ALTER TABLE hits DROP COLUMN "CLID"'),
    ],
)
def test_a_check_notices_wrong_data(
    connections: Mapping[str, duckdb.DuckDBPyConnection], name: str, change: str
) -> None:
    cursor = connections[name]
    cursor.execute("BEGIN")
    try:
        cursor.execute(change)
        results = [cursor.execute(check.text).fetchall() for check in SUITES[name].checks()]
    finally:
        cursor.execute("ROLLBACK")
    assert [(False,)] in results


@pytest.mark.parametrize("name", NAMES)
def test_the_data_is_the_same_each_time_with_any_number_of_threads(
    connections: Mapping[str, duckdb.DuckDBPyConnection], name: str
) -> None:
    with duckdb.connect(config={"threads": 1}) as again:
        SUITES[name].generate(again, SCALE)
        for table in TABLES[name]:
            rows = f"SELECT * FROM {table}"
            assert again.execute(rows).fetchall() == connections[name].execute(rows).fetchall()


@pytest.mark.parametrize("name", NAMES)
def test_a_suite_has_its_queries_and_is_labelled_as_derived(name: str) -> None:
    suite = SUITES[name]
    assert [query.name for query in suite.queries()] == QUERIES[name]
    assert suite.may_be_empty.keys() <= set(QUERIES[name])
    assert suite.derived
    assert suite.origin.startswith("derived: ")


@pytest.mark.parametrize(("name", "query"), CASES)
def test_only_the_answers_that_may_be_empty_are(
    connections: Mapping[str, duckdb.DuckDBPyConnection], name: str, query: Query
) -> None:
    rows = connections[name].execute(query.texts["duckdb"]).fetchall()
    empty = all(value is None for row in rows for value in row)
    assert empty == (query.name in SUITES[name].may_be_empty)


@pytest.mark.parametrize(("name", "query"), CASES)
def test_every_spelling_is_one_statement_of_its_dialect(name: str, query: Query) -> None:
    for dialect in DIALECTS:
        (statement,) = sqlglot.parse(query.texts[dialect], read=dialect)
        assert isinstance(statement, exp.Select)


@pytest.mark.parametrize(("name", "query"), CASES)
def test_a_limit_without_an_order_is_marked(name: str, query: Query) -> None:
    for dialect in DIALECTS:
        statement = sqlglot.parse_one(query.texts[dialect], read=dialect)
        unordered = bool(statement.args.get("limit")) and not statement.args.get("order")
        assert query.texts[dialect].startswith("-- any rows: ") == unordered
