"""Compare expressions on edge tables, many in one query, and find the ones that differ."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby

import duckdb
from tests.executor.differential import Differential, Row, rows_of
from tests.executor.edge_tables import SCHEMA
from tests.executor.forms import Case

from sqe.executor.macros import MACROS

_IN_ONE = 24  # expressions of a query
# The end of a column of a rendered statement; other columns have quoted names.
_COLUMN = re.compile(r" AS c(\d+)(?:, | FROM )")
# DuckDB allows no error() within TRY; both make NULL of what fails.
_ERROR = re.compile(r"error\('[^']*'\)")


@dataclass
class Report:
    """The cases that are not as they should be, with a reason for each."""

    wrong: list[str] = field(default_factory=list)
    count: int = 0

    def add(self, case: Case, what: str) -> None:
        self.wrong.append(f"{case.form}: {case.sql} on {case.table} in {case.zone}: {what}")


_Comparing = Callable[[Differential, list[Case], Report], bool]


def compare_cases(differential: Differential, cases: Iterable[Case]) -> Report:
    """Run all cases and report each that differs, or that the local executor has not run."""
    report = Report()
    for _, of_table in groupby(sorted(cases, key=_place), key=_place):
        together = list(of_table)
        report.count += len(together)
        compare = _compare_rows if together[0].fits is not None else _compare_all
        for start in range(0, len(together), _IN_ONE):
            _compare(compare, differential, together[start : start + _IN_ONE], report)
    return report


def _place(case: Case) -> tuple[str, str, bool]:
    return case.table, case.zone, case.fits is not None


def _compare(compare: _Comparing, differential: Differential, cases: list[Case], report: Report) -> None:
    if compare(differential, cases, report) or len(cases) == 1:
        return
    half = len(cases) // 2  # and halves again, until the case is found
    _compare(compare, differential, cases[:half], report)
    _compare(compare, differential, cases[half:], report)


def _compare_all(differential: Differential, cases: list[Case], report: Report) -> bool:
    """Compare expressions that never fail; return whether all is said about them."""
    found = differential.compare(_query(cases, [case.sql for case in cases]), zone=cases[0].zone)
    if found.local and found.difference is None:
        return True
    if len(cases) == 1:
        why = f"DuckDB fails: {found.failure}" if found.rendered else "not rendered"
        report.add(cases[0], found.difference or f"Spark has run it: {why}; {found.outcome.error}")
    return False


def _compare_rows(differential: Differential, cases: list[Case], report: Report) -> bool:
    """Compare expressions row by row: DuckDB has to fail on each that Spark fails on, and may fail on others.

    Where DuckDB fails, Spark runs the statement again. Return whether all is said about the cases.
    """
    plan = differential.plan(_query(cases, [case.sql for case in cases]), cases[0].zone)
    if plan is None:
        if len(cases) == 1:
            report.add(cases[0], "not rendered")
        return False
    wanted = [f"CASE WHEN {case.fits} THEN {case.sql} END" for case in cases]
    wanted += [f"coalesce({case.fits}, false)" for case in cases]
    there = differential.spark(_query(cases, wanted), cases[0].zone)
    assert there.error is None, (there.error, cases)
    rows = {row[0]: row for row in there.rows}
    counts = [0] * len(cases)
    wrong = [""] * len(cases)
    for row in _tried(plan.sql):
        spark = rows[row[0]]
        for number in range(len(cases)):
            value, expected = row[number + 1], spark[number + 1]
            counts[number] += value is not None
            if value is not None and (value != expected or not spark[len(cases) + number + 1]):
                wrong[number] = wrong[number] or f"row {row[0]}: {expected!r} / {value!r}"
    for case, count, what in zip(cases, counts, wrong, strict=True):
        if what or not count:
            report.add(case, what or "DuckDB has no value in any row")
    return True


def _query(cases: list[Case], columns: Iterable[str]) -> str:
    named = ", ".join(f"{sql} AS x{number}" for number, sql in enumerate(columns))
    return f"SELECT id, {named} FROM {SCHEMA}.{cases[0].table}"


def _tried(sql: str) -> Iterator[Row]:
    """Run a rendered statement with NULL where an expression fails."""
    text = _ERROR.sub("NULL", sql)
    assert text.startswith("SELECT ")
    columns: list[str] = []
    start, end = len("SELECT "), 0
    for match in _COLUMN.finditer(text):
        if int(match[1]) != len(columns):
            break
        columns.append(f"TRY({text[start : match.start()]}) AS c{match[1]}")
        start, end = match.end(), match.end() - len("FROM ")
    with duckdb.connect() as database:
        database.execute("SET TimeZone = 'UTC'")
        database.execute("SET disabled_optimizers = 'common_subexpressions'")  # it takes parts out of TRY
        for macro in MACROS:
            database.execute(_ERROR.sub("NULL", macro))
        table = database.execute(f"SELECT {', '.join(columns)} {text[end:]}").to_arrow_table()
    for batch in table.to_batches():
        yield from rows_of(batch)
