"""Describe benchmark suites: how their tables are generated and checked, and what they ask.

A derived suite is a package below `sqe.bench.suites` with a `suite.py` and these files:

tables.sql      DuckDB's SQL that creates all tables; `getvariable('scale')` is the scale factor, a DOUBLE. The data
                depends on nothing else: no random() without a seed, no clock.
checks.sql      queries with one boolean each, which has to be true of the generated tables; a comment names each.
queries/*.sql   one query a file, named after it (q01.sql), in SQL that every engine reads; where one needs another
                spelling, q01.trino.sql, q01.spark.sql or q01.duckdb.sql stands beside it.
writes/*.sql    one statement a file that changes tables, in the order of their names; behind a line `-- check` a query
                follows whose rows show the change. Spellings as above.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Literal

from sqe.errors import BenchmarkError

if TYPE_CHECKING:
    import duckdb

Dialect = Literal["duckdb", "spark", "trino"]
DIALECTS: tuple[Dialect, ...] = ("duckdb", "spark", "trino")
_CHECK = "-- check\n"


@dataclass(frozen=True, slots=True)
class Query:
    """One query of a suite, or a statement that changes its tables, in the spelling of each dialect."""

    name: str
    texts: Mapping[Dialect, str]
    checks: Mapping[Dialect, str] | None = None  # of a change: the queries whose rows show it

    @property
    def writes(self) -> bool:
        return self.checks is not None


@dataclass(frozen=True, slots=True)
class Check:
    """A statement about generated tables: a query with one boolean, which has to be true."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Suite:
    name: str  # on the command line, and in the names of schemas and files
    title: str
    origin: str  # where data and queries come from, as reports say it
    derived: bool  # whether the data is made after a benchmark's description instead of by its own generator
    generate: Callable[[duckdb.DuckDBPyConnection, float], None]  # creates the tables, and nothing else
    queries: Callable[[], Sequence[Query]]
    checks: Callable[[], Sequence[Check]]
    # Queries whose answer is empty at some scales, with the reason.
    may_be_empty: Mapping[str, str]


def derived_suite(
    package: str, title: str, origin: str, may_be_empty: Mapping[str, str] | None = None
) -> Suite:
    """Return the suite whose files are in a package, such as `sqe.bench.suites.ssb`."""
    folder = resources.files(package)

    def generate(connection: duckdb.DuckDBPyConnection, scale: float) -> None:
        connection.execute("SET VARIABLE scale = CAST(? AS DOUBLE)", [scale])
        connection.execute((folder / "tables.sql").read_text(encoding="utf-8"))

    def checks() -> Sequence[Check]:
        return _checks((folder / "checks.sql").read_text(encoding="utf-8"))

    return Suite(
        name=package.rpartition(".")[2],
        title=title,
        origin=origin,
        derived=True,
        generate=generate,
        queries=cache(lambda: [*_queries(folder / "queries"), *_queries(folder / "writes")]),
        checks=checks,
        may_be_empty=may_be_empty or {},
    )


def _queries(folder: Traversable) -> list[Query]:
    if not folder.is_dir():
        return []
    texts: dict[str, dict[str, str]] = {}
    for file in folder.iterdir():
        if file.name.endswith(".sql"):
            name, _, dialect = file.name.removesuffix(".sql").partition(".")
            texts.setdefault(name, {})[dialect] = file.read_text(encoding="utf-8")
    return [_query(name, spellings) for name, spellings in sorted(texts.items())]


def _query(name: str, spellings: Mapping[str, str]) -> Query:
    """Return a query from its files, by dialect; the one without a dialect serves all others."""
    unknown = spellings.keys() - {"", *DIALECTS}
    if unknown:
        raise BenchmarkError(
            f"Query {name} has spellings for unknown dialects: {', '.join(sorted(unknown))}."
        )
    parts = {
        dialect: [part.strip().rstrip(";") for part in spellings.get(dialect, spellings[""]).split(_CHECK)]
        for dialect in DIALECTS
    }
    checks = {dialect: part[1] for dialect, part in parts.items() if len(part) > 1}
    return Query(name, {dialect: part[0] for dialect, part in parts.items()}, checks or None)


def _checks(text: str) -> list[Check]:
    """Return the queries of a file of checks, each under the comment above it."""
    found: list[Check] = []
    name: list[str] = []
    lines: list[str] = []
    for line in text.splitlines():
        if line.startswith("--") and not lines:
            name.append(line.removeprefix("--").strip())
        elif line.strip():
            lines.append(line)
        if lines and lines[-1].rstrip().endswith(";"):
            found.append(Check(" ".join(name) or lines[0], "\n".join(lines).rstrip().rstrip(";")))
            name, lines = [], []
    if lines:
        raise BenchmarkError("The last check does not end with a semicolon.")
    return found
