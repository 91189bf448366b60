"""Describe the suite `ssb`."""

from __future__ import annotations

from sqe.bench.suite import derived_suite

SUITE = derived_suite(
    "sqe.bench.suites.ssb",
    title="Star Schema Benchmark",
    origin=(
        "derived: tables made by SQE after the specification of the Star Schema Benchmark (O'Neil, O'Neil, Chen), "
        "not by its generator ssb-dbgen; the 13 queries are those of the specification, with the table date named dates"
    ),
    may_be_empty={
        "q3_4": "below scale 1, two cities of customers and two of suppliers may have no order line in one month",
    },
)
