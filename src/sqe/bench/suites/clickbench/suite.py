"""Describe the suite `clickbench`."""

from __future__ import annotations

from sqe.bench.suite import derived_suite

_THRESHOLD = (
    "it keeps groups of more than 100,000 rows, which a table of fewer than a million rows may not have"
)
_OFFSET = "it skips the first rows of its answer, which are all of them when the table is small"

SUITE = derived_suite(
    "sqe.bench.suites.clickbench",
    title="ClickBench",
    origin=(
        "derived: 1,000,000 rows for each unit of scale, made by SQE with the columns of ClickBench's table hits and "
        "skewed values, where the original is a web site log of 100 million rows; the 43 queries are ClickBench's, "
        "with spellings for each dialect (github.com/ClickHouse/ClickBench, CC BY-NC-SA 4.0)"
    ),
    may_be_empty={"q28": _THRESHOLD, "q29": _THRESHOLD, "q39": _OFFSET, "q42": _OFFSET, "q43": _OFFSET},
)
