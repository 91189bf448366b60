"""All cases, by where they come from."""

from __future__ import annotations

from tests.security.case import Case
from tests.security.corpus import commands, iceberg, internals, kyuubi, names, postgres, reads, trino, writes

CASES: tuple[Case, ...] = (
    *kyuubi.CASES,
    *postgres.CASES,
    *trino.CASES,
    *reads.CASES,
    *iceberg.CASES,
    *writes.CASES,
    *names.CASES,
    *commands.CASES,
    *commands.INFORMATION,
    *internals.CASES,
)
