"""TPC-H and TPC-DS in Trino's spelling at the Trino front end, with the answers of DuckDB on the same data.

Every run takes TPC-H and some queries of TPC-DS, both small; `make tpc` takes all of both, large enough that no answer
is empty on both sides.
"""

from __future__ import annotations

import itertools
import math
import os
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pytest
from bench.tpc import CATALOG, TPCDS, TPCH, in_trino_spelling, load
from testing.certificates import own_certificates
from testing.people import Person, Rows
from testing.server import running_server

pytestmark = pytest.mark.engine

AT_LENGTH = bool(os.environ.get("SQE_TEST_AT_LENGTH"))
SCALE = float(os.environ.get("SQE_TEST_TPC_SCALE", "1" if AT_LENGTH else "0.01"))
# Where data that takes minutes to make is kept.
KEPT = os.environ.get("SQE_TEST_TPC_DATA")
# Different in shape: windows, ROLLUP, INTERSECT, FULL JOIN, subqueries; none is empty when small.
SOME = (5, 17, 38, 51, 70, 77, 97)
EMPTY_AT_LENGTH = {"tpcds": 17}  # its answer has rows when small
_LIMIT = re.compile(r"\s+LIMIT \d+\s*$", re.IGNORECASE)


@dataclass(frozen=True)
class Both:
    """One benchmark's tables in SQE and in DuckDB."""

    sqe: Person
    duckdb: duckdb.DuckDBPyConnection


@pytest.fixture(scope="module")
def engines() -> Iterator[Mapping[str, Both]]:
    with ExitStack() as stack:
        stack.enter_context(own_certificates())
        warehouse = Path(KEPT or stack.enter_context(tempfile.TemporaryDirectory(prefix="sqe-tpc-")))
        load(warehouse, SCALE, TPCH, TPCDS)
        server = stack.enter_context(
            running_server(users={"ann": "ann-secret"}, tls=True, catalogs={CATALOG: warehouse})
        )
        yield {
            benchmark.name: Both(
                Person(server, "ann", "ann-secret", catalog=CATALOG, schema=benchmark.schema),
                stack.enter_context(benchmark.duckdb(SCALE)),
            )
            for benchmark in (TPCH, TPCDS)
        }


def cases() -> list[Any]:
    return [
        pytest.param(benchmark.name, number, query, id=f"{benchmark.name}-{number}")
        for benchmark in (TPCH, TPCDS)
        for number, query in benchmark.queries().items()
        if AT_LENGTH or benchmark is TPCH or number in SOME
    ]


@pytest.mark.parametrize(("name", "number", "query"), cases())
def test_the_answer_is_that_of_duckdb(
    engines: Mapping[str, Both], name: str, number: int, query: str
) -> None:
    both = engines[name]
    rows = both.sqe.trino(in_trino_spelling(query))
    expected = both.duckdb.execute(query).fetchall()
    assert expected or not AT_LENGTH or EMPTY_AT_LENGTH.get(name) == number, "an empty answer shows nothing"
    assert len(rows) == len(expected)
    if not same(rows, expected):
        # LIMIT chooses among rows that ORDER BY has in the same place: all of them are compared.
        whole = _LIMIT.sub("", query)
        assert whole != query, differences(rows, expected)
        rows = both.sqe.trino(in_trino_spelling(whole))
        expected = both.duckdb.execute(whole).fetchall()
        assert same(rows, expected), differences(rows, expected)


def same(rows: Rows, expected: Rows) -> bool:
    return len(rows) == len(expected) and not differences(rows, expected)


def differences(rows: Rows, expected: Rows) -> list[tuple[Any, Any]]:
    """Return the pairs of rows, both sides sorted, that differ."""
    pairs = zip(sorted(rows, key=_key), sorted(expected, key=_key), strict=False)
    return [pair for pair in pairs if not all(itertools.starmap(_equal, zip(*pair, strict=True)))][:5]


def _key(row: Sequence[Any]) -> list[tuple[bool, str]]:
    """Return what sorts rows of both engines alike: numbers by a few digits, as sums of doubles depend on the order."""
    return [
        (value is None, f"{float(value):+025.3f}" if isinstance(value, (int, float, Decimal)) else str(value))
        for value in row
    ]


def _equal(ours: Any, theirs: Any) -> bool:
    if isinstance(ours, Decimal) and isinstance(theirs, (float, Decimal)):
        # The average of decimals is a decimal in Trino and a double in DuckDB.
        unit = 10.0 ** int(ours.as_tuple().exponent)
        return math.isclose(
            ours, theirs, rel_tol=1e-9, abs_tol=unit * 0.51 if isinstance(theirs, float) else 0
        )
    if isinstance(ours, (int, float)) and isinstance(theirs, (int, float, Decimal)):
        return math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-9)
    return bool(ours == theirs)
