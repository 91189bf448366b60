"""TPC-C: ten warehouses at scale 1, eight reads and nine writes."""

from __future__ import annotations

from sqe.bench.suite import derived_suite

SUITE = derived_suite(
    __package__,
    title="TPC-C",
    origin="Derived from TPC-C: tables after clauses 1.3 and 4.3.3 of its specification, revision 5.11, made by hash "
    "functions instead of its random numbers. The statements do in bulk what its five transactions do to "
    "single rows; there are no terminals, no transactions and no tpmC. Not comparable with published results "
    "of TPC-C.",
)
