"""TPCx-BB: sales in stores and on the web, clicks and reviews, with ten of its thirty queries."""

from __future__ import annotations

from sqe.bench.suite import derived_suite

SUITE = derived_suite(
    __package__,
    title="TPCx-BB (plain SQL)",
    origin="Derived from TPCx-BB: the tables of ten of its thirty queries after its specification, revision 1.6, made "
    "by hash functions instead of its generator, with only the columns that these and similar queries need. "
    "Queries 1, 2, 6, 7, 9, 10, 11, 12, 15 and 17 keep their purpose; their scripts and text functions are "
    "replaced by SQL, and none needs machine learning. Not comparable with published results of TPCx-BB.",
)
