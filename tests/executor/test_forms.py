"""Every form that the renderer has means the same in DuckDB as in Spark, on edge values of every type."""

from __future__ import annotations

import os

import pytest
from tests.executor.differential import Differential
from tests.executor.edge_tables import SCHEMA, statements
from tests.executor.form_runs import compare_cases
from tests.executor.forms import cases
from tests.executor.queries import queries
from tests.executor.rendered_forms import forms

pytestmark = pytest.mark.engine

AT_LENGTH = "SQE_TEST_AT_LENGTH" in os.environ
# Forms that queries do not have by themselves, with the tests that have them.
ELSEWHERE = {
    **dict.fromkeys(
        (
            *("BitwiseAnd", "BitwiseOr", "Ceil", "Corr", "Floor", "MaxBy", "RegExpReplace", "Round"),
            *("ShiftRight", "StringInstr", "StringLocate", "StringReplace"),
        ),
        "test_coverage.py",
    ),
    **dict.fromkeys(("StaticInvoke", "TypedAggregate"), "test_coverage.py: Trino's functions"),
    "Barrier": "tests/security: plans with row filters",
    "CentralMomentAgg": "what StddevSamp and others are",
    "DynamicPruningSubquery": "partitioned tables of test_random.py",
    "KnownNullable": "Spark's optimizer makes it for outer joins",
}


@pytest.fixture(scope="module")
def edges(differential: Differential) -> Differential:
    """Return the engine with the tables of edge values."""
    for statement in statements():
        outcome = differential.spark(statement)
        assert outcome.error is None, (outcome.error, statement)
    return differential


def rendered_forms() -> set[str]:
    return set().union(*map(forms, ("operators", "joins", "expressions", "aggregates", "window functions")))


def test_every_form_has_a_case() -> None:
    covered = {case.form.split()[0] for case in cases()} | {
        form for query in queries() for form in query.forms
    }
    assert rendered_forms() - covered - set(ELSEWHERE) == set()
    assert set(ELSEWHERE) <= rendered_forms()


def test_expressions_have_the_same_values(edges: Differential) -> None:
    report = compare_cases(edges, cases())
    assert not report.wrong, "\n".join(report.wrong)
    assert report.count > 1000


def test_queries_have_the_same_rows(edges: Differential) -> None:
    wrong = []
    for query in queries(at_length=AT_LENGTH):
        found = edges.compare(query.sql, zone=query.zone, ordered=query.ordered, tolerance=query.tolerance)
        if not found.rendered and f"{SCHEMA}.bytes" in query.sql:
            continue  # comparisons of bytes are not rendered
        if not found.local or found.difference is not None:
            wrong.append(f"{query.sql}: {found.difference or found.failure or 'not rendered'}")
    assert not wrong, "\n".join(wrong)


# What Spark refuses has to be refused with its own error, whoever has begun with it.
FAILURES = {
    "SELECT a + b FROM {}.ints": "22003",
    "SELECT a * b FROM {}.longs": "22003",
    "SELECT a / b FROM {}.doubles": "22012",
    "SELECT a div b FROM {}.longs": "22012",
    "SELECT a % b FROM {}.ints": "22012",
    "SELECT -a FROM {}.longs": "22003",
    "SELECT CAST(a AS INT) FROM {}.longs": "22003",
    "SELECT CAST(a AS DECIMAL(5,5)) FROM {}.dec_18_2": "22003",
    "SELECT a * b FROM {}.dec_38_0": "22003",
    "SELECT a / b FROM {}.dec_18_2": "22012",
    "SELECT sum(a) FROM {}.longs WHERE a > 0": "22003",
    "SELECT sum(a) FROM {}.dec_38_0 WHERE a > 0": "22003",
    "SELECT id, (SELECT a FROM {}.ints WHERE id < 2) FROM {}.longs": "21000",
}


@pytest.mark.parametrize("sql", FAILURES)
def test_errors_are_those_of_spark(edges: Differential, sql: str) -> None:
    text = sql.replace("{}", SCHEMA)
    found = edges.compare(text)
    assert found.difference is None
    assert found.outcome.error is not None
    assert found.outcome.error[1] == FAILURES[sql]
    assert found.rendered


def test_text_that_is_not_utf8_is_read_by_spark(edges: Differential) -> None:
    made = edges.spark(f"CREATE TABLE {SCHEMA}.invalid AS SELECT 1 AS id, CAST(X'C328' AS STRING) AS a")
    assert made.error is None
    for sql in (
        "SELECT a FROM {}.invalid",
        "SELECT length(a), a = 'b' FROM {}.invalid",
        "SELECT id FROM {}.invalid",
    ):
        assert edges.compare(sql.replace("{}", SCHEMA)).difference is None
