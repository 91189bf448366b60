"""TPC-E: 5,000 customers at scale 1, eleven queries of its read-only transactions."""

from __future__ import annotations

from sqe.bench.suite import derived_suite

SUITE = derived_suite(
    __package__,
    title="TPC-E (read-mostly part)",
    origin="Derived from TPC-E: 24 of the 33 tables after section 2 of its specification, revision 1.14, made by hash "
    "functions instead of EGen, with about 390 trades per customer instead of 17,280, and with pending limit "
    "orders, which EGen does not make. The queries are frames of its read-only transactions, for many accounts "
    "or securities at once; there are no transactions and no tpsE. Not comparable with published results of "
    "TPC-E.",
)
