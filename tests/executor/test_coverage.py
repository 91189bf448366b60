"""The forms that the benchmark suites need mean the same in DuckDB as in Spark, Trino's functions among them."""

from __future__ import annotations

import re

import pytest
from tests.executor.coverage_cases import CASES, LEFT_TO_SPARK, TABLES
from tests.executor.differential import Differential

pytestmark = pytest.mark.engine

ROUNDING = 1e-12  # of sums and averages of floating-point numbers


@pytest.fixture(scope="module")
def tables(differential: Differential) -> Differential:
    for statement in TABLES:
        outcome = differential.spark(statement)
        assert outcome.error is None, (outcome.error, statement)
    return differential


def test_queries_have_the_same_rows(tables: Differential) -> None:
    wrong = []
    for sql in CASES:
        found = tables.compare(
            sql, tolerance=ROUNDING if re.search(r"\b(avg|corr|trino_avg)\(", sql) else None
        )
        if not found.local or found.difference is not None:
            wrong.append(f"{sql}: {found.difference or found.failure or 'not rendered'}")
    assert not wrong, "\n".join(wrong)


def test_values_on_which_the_engines_differ_are_left_to_spark(tables: Differential) -> None:
    wrong = []
    for sql in LEFT_TO_SPARK:
        found = tables.compare(sql)
        if not found.rendered or found.local or found.difference is not None:
            wrong.append(f"{sql}: {found.difference or 'run by the local executor'}")
    assert not wrong, "\n".join(wrong)
