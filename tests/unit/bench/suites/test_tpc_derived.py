"""The suites derived from TPC-C, TPC-E and TPCx-BB: their small tables, and what DuckDB answers on them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import duckdb
import pytest

from sqe.bench.suite import Suite
from sqe.bench.suites.tpcbb.suite import SUITE as TPCBB
from sqe.bench.suites.tpcc.suite import SUITE as TPCC
from sqe.bench.suites.tpce.suite import SUITE as TPCE

SUITES = (TPCC, TPCE, TPCBB)
SCALE = 0.01
TABLES = {"tpcc": 9, "tpce": 24, "tpcbb": 12}
READS = {"tpcc": 8, "tpce": 11, "tpcbb": 10}
WRITES = {"tpcc": 9, "tpce": 0, "tpcbb": 0}


@pytest.fixture(scope="module", params=SUITES, ids=lambda suite: suite.name)
def suite(request: pytest.FixtureRequest) -> Suite:
    assert isinstance(request.param, Suite)
    return request.param


@pytest.fixture(scope="module")
def connection(suite: Suite) -> Iterator[duckdb.DuckDBPyConnection]:
    with generated(suite) as made:
        yield made


@contextmanager
def generated(suite: Suite, scale: float = SCALE) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(config={"threads": 1}) as made:
        suite.generate(made, scale)
        yield made


def tables(connection: duckdb.DuckDBPyConnection) -> list[str]:
    return [name for (name,) in connection.execute("SHOW TABLES").fetchall()]


def holds(connection: duckdb.DuckDBPyConnection, text: str) -> bool:
    return connection.execute(text).fetchall() == [(True,)]


def test_generation_leaves_the_tables_and_nothing_else(
    suite: Suite, connection: duckdb.DuckDBPyConnection
) -> None:
    assert len(tables(connection)) == TABLES[suite.name]
    left = connection.execute(
        "SELECT function_name FROM duckdb_functions() WHERE NOT internal "
        "UNION ALL SELECT table_name FROM duckdb_tables() WHERE temporary"
    ).fetchall()
    assert not left


def test_every_check_holds(suite: Suite, connection: duckdb.DuckDBPyConnection) -> None:
    checks = suite.checks()
    assert len(checks) >= len(tables(connection)) // 2
    assert [check.name for check in checks if not holds(connection, check.text)] == []


def test_every_query_has_an_answer(suite: Suite, connection: duckdb.DuckDBPyConnection) -> None:
    reads = [query for query in suite.queries() if not query.writes]
    assert len(reads) == READS[suite.name]
    empty = [query.name for query in reads if not connection.execute(query.texts["duckdb"]).fetchall()]
    assert [name for name in empty if name not in suite.may_be_empty] == []


def test_every_write_changes_what_its_check_shows(
    suite: Suite, connection: duckdb.DuckDBPyConnection
) -> None:
    writes = [query for query in suite.queries() if query.writes]
    assert len(writes) == WRITES[suite.name]
    connection.begin()
    try:
        for write in writes:
            assert write.checks is not None
            before = connection.execute(write.checks["duckdb"]).fetchall()
            connection.execute(write.texts["duckdb"])
            assert connection.execute(write.checks["duckdb"]).fetchall() != before, write.name
    finally:
        connection.rollback()


@pytest.mark.parametrize("suite", [TPCE, TPCBB], ids=lambda suite: suite.name, scope="function")
def test_data_depends_on_the_scale_only(suite: Suite) -> None:
    def digests(scale: float, threads: int) -> dict[str, object]:
        with duckdb.connect(config={"threads": threads}) as made:
            suite.generate(made, scale)
            return {
                table: made.execute(f"SELECT count(*), bit_xor(hash(t)) FROM {table} AS t").fetchone()
                for table in tables(made)
            }

    assert digests(0.002, 1) == digests(0.002, 2)
    assert digests(0.002, 1) != digests(0.02, 1)


def test_columns_do_not_depend_on_each_other() -> None:
    """Columns whose hashes differ by a constant would have only some of the combinations."""
    with generated(TPCBB, 0.002) as made:
        found = made.execute(
            "SELECT count(DISTINCT (c_preferred_cust_flag, c_current_cdemo_sk % 2, c_current_addr_sk % 2)) "
            "FROM customer"
        ).fetchall()
    assert found == [(8,)]


def test_writes_to_one_warehouse_keep_the_consistency_of_orders() -> None:
    conditions = [f"3.3.2.{number}" for number in (2, 3, 4, 5, 7)]
    with generated(TPCC, 0.0001) as made:  # less than one warehouse would be none
        assert made.execute("SELECT count(*) FROM warehouse").fetchall() == [(1,)]
        for query in TPCC.queries():
            if query.writes:
                made.execute(query.texts["duckdb"])
        kept = {
            condition: [
                holds(made, check.text)
                for check in TPCC.checks()
                if f"{condition}:" in check.name or f"{condition} " in check.name
            ]
            for condition in conditions
        }
    assert kept == {condition: [True] for condition in conditions}
