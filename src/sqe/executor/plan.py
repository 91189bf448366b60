"""The plans that the local executor runs, and the access to object stores that they need."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from sqe.executor.failures import LocalExecutionError
from sqe.units import Secret

_S3 = "s3://"
# DuckDB takes a path with one of these for a pattern, and what follows a question mark for settings of the store.
_PATTERN = re.compile(r"[*?\[\0]")


@dataclass(frozen=True, slots=True)
class StoreAccess:
    """Storage credentials for the objects below `scope`."""

    scope: str  # s3://bucket/prefix
    endpoint: str  # host and port, without a scheme
    region: str
    path_style: bool
    use_tls: bool
    key_id: str
    secret: Secret
    session_token: Secret | None = None


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

    def request(self) -> dict[str, Any]:
        """Return what a worker needs to run this plan. Raises LocalExecutionError."""
        for file in self.files:
            if not file.startswith(("/", _S3)):
                raise LocalExecutionError("A file of the plan is neither an absolute path nor an s3:// URI.")
            if _PATTERN.search(file):
                raise LocalExecutionError("A file of the plan has a name that DuckDB takes for a pattern.")
        remote = any(file.startswith(_S3) for file in self.files)
        if remote and not self.stores:
            raise LocalExecutionError("The plan reads an object store without credentials for it.")
        return {
            "sql": self.sql,
            "files": list(self.files),
            "can_fail": self.can_fail,
            "sizes": list(self.sizes),
            "scans": [{"files": scan.files, "columns": scan.columns} for scan in self.scans],
            "stores": [_revealed(store) for store in self.stores] if remote else [],
        }


def _revealed(store: StoreAccess) -> dict[str, str | bool]:
    revealed: dict[str, str | bool] = {
        "scope": store.scope,
        "endpoint": store.endpoint,
        "region": store.region,
        "url_style": "path" if store.path_style else "vhost",
        "use_ssl": store.use_tls,
        "key_id": store.key_id,
        "secret": store.secret.reveal(),
    }
    if store.session_token is not None:
        revealed["session_token"] = store.session_token.reveal()
    return revealed
