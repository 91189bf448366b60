from __future__ import annotations

import pytest

from sqe.bench.suite import DIALECTS, _checks, _query
from sqe.bench.suites.registry import SUITES
from sqe.errors import BenchmarkError


def test_a_spelling_for_a_dialect_takes_the_place_of_the_common_one() -> None:
    query = _query("q01", {"": "SELECT 1;\n", "trino": "SELECT 2"})
    assert query.texts == {"duckdb": "SELECT 1", "spark": "SELECT 1", "trino": "SELECT 2"}
    assert not query.writes


def test_a_statement_with_a_check_changes_tables() -> None:
    query = _query("w01", {"": "DELETE FROM t;\n-- check\nSELECT count(*) FROM t;\n"})
    assert query.writes
    assert query.texts["spark"] == "DELETE FROM t"
    assert query.checks == dict.fromkeys(DIALECTS, "SELECT count(*) FROM t")


def test_an_unknown_dialect_is_refused() -> None:
    with pytest.raises(BenchmarkError, match="unknown dialects: oracle"):
        _query("q01", {"": "SELECT 1", "oracle": "SELECT 1 FROM dual"})


def test_checks_are_named_by_the_comments_above_them() -> None:
    found = _checks("-- There are\n-- rows.\nSELECT count(*) > 0\nFROM t;\n\n-- More.\nSELECT true;\n")
    assert [(check.name, check.text) for check in found] == [
        ("There are rows.", "SELECT count(*) > 0\nFROM t"),
        ("More.", "SELECT true"),
    ]
    with pytest.raises(BenchmarkError, match="semicolon"):
        _checks("SELECT true")


@pytest.mark.parametrize(
    ("suite", "reads", "writes"),
    [
        ("tpch", 22, 0),
        ("tpcds", 99, 0),
        ("ssb", 13, 0),
        ("clickbench", 43, 0),
        ("tpcc", 8, 9),
        ("tpce", 11, 0),
        ("tpcbb", 10, 0),
    ],
)
def test_suites_have_their_queries(suite: str, reads: int, writes: int) -> None:
    queries = SUITES[suite].queries()
    assert (sum(not query.writes for query in queries), sum(query.writes for query in queries)) == (
        reads,
        writes,
    )
    assert len({query.name for query in queries}) == reads + writes
