"""The plans that the local executor runs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqe.executor.failures import LocalExecutionError
from sqe.executor.stores import StoreAccess

_S3 = "s3://"
# DuckDB takes a path of this machine with one of these for a pattern. Objects in S3 are opened by their names alone.
_PATTERN = re.compile(r"[*?\[\0]")
# Keys are not renewed while DuckDB reads: they have to last for as long as that may take.
_LEAST_SECONDS = 60.0
_BYTES_FOR_SECOND = 8 << 20


@dataclass(frozen=True, slots=True)
class FileScan:
    """Files of one table, and the columns that a plan reads from them."""

    files: tuple[int, ...]  # positions in the plan's files
    columns: tuple[dict[str, Any], ...]  # each with an id, a type of DuckDB's, and whether every file has it


@dataclass(frozen=True, slots=True)
class LocalPlan:
    """SQL of SQE's own making, and everything that it may read."""

    sql: str  # its columns are named c0, c1, ...
    files: tuple[str, ...]  # absolute paths without `file:`, or s3:// URIs
    size: int  # of these files, in bytes
    can_fail: bool = True  # for some values, so that no row may leave before all are computed
    stores: tuple[StoreAccess, ...] = ()
    sizes: tuple[int, ...] = ()  # of each file
    scans: tuple[FileScan, ...] = ()  # what a worker checks before it runs the plan
    ca_file: Path | None = None  # the certificates that stores are trusted by

    @property
    def remote(self) -> bool:
        return any(file.startswith(_S3) for file in self.files)

    @property
    def needs_certificates(self) -> bool:
        return any(access.store.use_tls for access in self.stores)

    def opened(self, stores: Sequence[StoreAccess], now: float) -> LocalPlan:
        """Return this plan with access to its stores. Raises LocalExecutionError if that would end too soon."""
        until = now + _LEAST_SECONDS + self.size / _BYTES_FOR_SECOND
        for access in stores:
            if access.keys.expires_at is not None and access.keys.expires_at < until:
                raise LocalExecutionError("The storage credentials may end before all files are read.")
        return replace(self, stores=tuple(stores))

    def request(self) -> dict[str, Any]:
        """Return what a worker needs to run this plan. Raises LocalExecutionError."""
        scopes = tuple(access.store.scope for access in self.stores)
        if not all(scope.startswith(_S3) and scope.endswith("/") for scope in scopes):
            raise LocalExecutionError("The scope of a store is no directory in S3.")
        for file in self.files:
            if file.startswith(_S3):
                # DuckDB would ask AWS, and without a signature.
                if not file.startswith(scopes):
                    raise LocalExecutionError("The plan reads an object store without credentials for it.")
            elif not file.startswith("/"):
                raise LocalExecutionError("A file of the plan is neither an absolute path nor an s3:// URI.")
            elif _PATTERN.search(file):
                raise LocalExecutionError("A file of the plan has a name that DuckDB takes for a pattern.")
        if self.needs_certificates and self.ca_file is None:
            raise LocalExecutionError("There are no certificates that a store could be trusted by.")
        return {
            "sql": self.sql,
            "files": list(self.files),
            # A store may fail in the middle, and keys may end while a client reads slowly: all rows are read first.
            "can_fail": self.can_fail or self.remote,
            "stores": [access.revealed() for access in self.stores] if self.remote else [],
            "ca_file": str(self.ca_file) if self.ca_file is not None else "",
            "sizes": list(self.sizes),
            "scans": [{"files": scan.files, "columns": scan.columns} for scan in self.scans],
        }
