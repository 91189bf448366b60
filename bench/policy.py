"""Measure the costs of the guard: TPC-H without it, with it, and with row filters and masks on four tables.

python -m bench.policy [--scale 1] [--rounds 5] [--queries 1 3 6]

Four servers run side by side on the same tables and take turns with each query, so that a noisy machine is noisy for
all of them, and every JVM is as warm as the others. The filters let every row pass and the masks change no result, so
that the difference is the guard's. Views with the same filters and masks, without a guard, show the costs of the policy
itself: a filter reads a column in any case.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from testing.people import Person, Rows
from testing.server import RunningServer, running_server

from sqe.bench.dataset import CATALOG, Dataset
from sqe.bench.suites.tpc import TPCH

_USERS = {"anna": "anna-secret", "paul": "paul-secret"}


@dataclass(frozen=True, slots=True)
class Policy:
    table: str
    rows: str
    column: str
    mask: str
    by_hand: str  # the mask, as it is written in a view


POLICIES = (
    Policy("lineitem", "l_orderkey > 0", "l_comment", "mask_null()", "CAST(NULL AS STRING)"),
    Policy(
        "orders",
        "o_orderkey > 0",
        "o_clerk",
        "mask_last(o_clerk, 4)",
        "concat(repeat('*', greatest(length(o_clerk) - 4, 0)), right(o_clerk, 4))",
    ),
    Policy("customer", "c_custkey > 0", "c_comment", "concat(c_comment, '')", "concat(c_comment, '')"),
    Policy("part", "p_partkey > 0", "p_comment", "mask_null()", "CAST(NULL AS STRING)"),
)


def rules(schema: str) -> str:
    """Return rules that restrict anna on four tables, and paul on none."""
    everyone = {"users": ["*"], "tables": [f"{CATALOG}.{schema}.*"]}
    allowed = {"operations": ["read"], "effect": "allow"}
    restricted = [
        {
            "users": ["anna"],
            "tables": [f"{CATALOG}.{schema}.{policy.table}"],
            **allowed,
            "rows": policy.rows,
            "masks": {policy.column: policy.mask},
        }
        for policy in POLICIES
    ]
    return str(yaml.safe_dump({"default": "deny", "rules": [{**everyone, **allowed}, *restricted]}))


def views(schema: str) -> list[str]:
    """Return the same as views: a name without a schema means the session's view before the table."""
    return [
        f"CREATE TEMPORARY VIEW {policy.table} AS SELECT * EXCEPT ({policy.column}), "
        f"{policy.by_hand} AS {policy.column} FROM {CATALOG}.{schema}.{policy.table} WHERE {policy.rows}"
        for policy in POLICIES
    ]


@dataclass
class Variant:
    """One variant of the benchmark, and the times of its queries."""

    name: str
    connection: Any
    person: Person
    seconds: dict[int, list[float]] = field(default_factory=dict)
    analysis: dict[int, list[float]] = field(default_factory=dict)

    def run(self, number: int, sql: str) -> Rows:
        began = time.perf_counter()
        rows = self.person.on(self.connection, sql)
        self.seconds.setdefault(number, []).append(time.perf_counter() - began)
        return rows

    def analyse(self, number: int, sql: str) -> None:
        with self.connection.cursor() as cursor:
            began = time.perf_counter()
            cursor.adbc_prepare(sql)
            self.analysis.setdefault(number, []).append(time.perf_counter() - began)


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench.policy", description=__doc__)
    parser.add_argument("--scale", type=float, default=1.0, help="TPC-H's scale factor")
    parser.add_argument("--rounds", type=int, default=5, help="how often each query is run in each variant")
    parser.add_argument("--queries", type=int, nargs="*", help="only these")
    parser.add_argument("--data", type=Path, help="where the tables are kept; made if they are missing")
    options = parser.parse_args()
    with ExitStack() as ending:
        scratch = Path(ending.enter_context(tempfile.TemporaryDirectory(prefix="sqe-bench-")))
        dataset = Dataset(options.data or scratch / "data", TPCH, options.scale)
        for step in (*dataset.generate(), *dataset.load()):
            print(step, file=sys.stderr)
        document = scratch / "rules.yaml"
        document.write_text(rules(dataset.schema), encoding="utf-8")
        guard = {
            "policy__engines": '["file"]',
            "policy__file": str(document),
            "policy__mask_key": "bench" * 8,
        }
        variants = [
            _variant(
                ending, name, ending.enter_context(_server(dataset.warehouse, settings)), user, dataset.schema
            )
            for name, settings, user in (
                ("no guard", {}, "paul"),
                ("no guard, filters in views", {}, "paul"),
                ("guard, no policy", guard, "paul"),
                ("guard, policies", guard, "anna"),
            )
        ]
        for statement in views(dataset.schema):
            variants[1].person.on(variants[1].connection, statement)
        chosen = {
            number: query.texts["spark"]
            for number, query in enumerate(TPCH.queries(), 1)
            if not options.queries or number in options.queries
        }
        _measure(variants, chosen, options.rounds)
        _report(variants)
    return 0


def _server(warehouse: Path, settings: dict[str, str]) -> AbstractContextManager[RunningServer]:
    return running_server(
        users=_USERS,
        tls=True,
        catalogs={CATALOG: warehouse},
        settings={"engine__memory": "2GB", "limits__run_time": "20min", **settings},
        listeners=("flight", "trino", "metrics", "health"),
    )


def _variant(ending: ExitStack, name: str, server: RunningServer, user: str, schema: str) -> Variant:
    person = Person(server, user, _USERS[user], catalog=CATALOG, schema=schema)
    return Variant(name, ending.enter_context(person.flight_connection("spark")), person)


def _measure(variants: Sequence[Variant], chosen: dict[int, str], rounds: int) -> None:
    for number, sql in chosen.items():
        rows = [variant.run(number, sql) for variant in variants]  # warms up; the answers must be the same
        if any(_rounded(other) != _rounded(rows[0]) for other in rows[1:]):
            raise RuntimeError(f"query {number} has different answers")
        for variant in variants:
            variant.analyse(number, sql)
            variant.seconds[number].clear()
            variant.analysis[number].clear()
        for turn in range(rounds):
            for variant in variants if turn % 2 else reversed(variants):
                variant.run(number, sql)
                variant.analyse(number, sql)
        medians = ", ".join(f"{statistics.median(variant.seconds[number]):.3f}" for variant in variants)
        print(f"query {number:2}: {medians} s", flush=True)


def _rounded(rows: Rows) -> list[tuple[Any, ...]]:
    """Round numbers: sums of floating point numbers depend on the order of the work."""
    return [tuple(round(value, 2) if isinstance(value, float) else value for value in row) for row in rows]


def _report(variants: Sequence[Variant]) -> None:
    plain, by_hand, guard, policies = variants
    for what, of in (("total", _seconds), ("analysis", _analysis)):
        for variant, base in ((guard, plain), (policies, plain), (policies, by_hand), (by_hand, plain)):
            ratios = [
                statistics.median(of(variant)[number]) / statistics.median(of(base)[number])
                for number in of(base)
            ]
            total = sum(map(statistics.median, of(variant).values())) / sum(
                map(statistics.median, of(base).values())
            )
            print(
                f"{what:8} {variant.name:26} {total:.3f} x of {base.name} over all queries, "
                f"median query {statistics.median(ratios):.3f} x, worst {max(ratios):.3f} x"
            )


Measured = Callable[[Variant], dict[int, list[float]]]


def _seconds(variant: Variant) -> dict[int, list[float]]:
    return variant.seconds


def _analysis(variant: Variant) -> dict[int, list[float]]:
    return variant.analysis


if __name__ == "__main__":
    sys.exit(main())
