"""The interface through which virtual tables list the user's catalogs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

import pyarrow as pa

COMMENT = b"comment"  # the key of a column's comment in its field's metadata


@dataclass(frozen=True, slots=True)
class TableEntry:
    """A table or view in a listing."""

    catalog: str
    schema: str
    name: str
    kind: Literal["TABLE", "VIEW"]
    comment: str | None = None  # only when requested


class Source(Protocol):
    """Lists the user's own catalogs.

    Every method raises SqeError; for a missing object, the not-found error of its kind.
    """

    def catalogs(self) -> list[str]: ...

    def schemas(self, catalog: str) -> list[str]:
        """Return the schemas, including nested namespaces in the form of `sqe.sql.namespace`."""

    def tables(self, catalog: str, schema: str) -> list[TableEntry]: ...

    def columns(self, catalog: str, schema: str, table: str) -> pa.Schema:
        """Return the columns; the comment of a column is in its field's metadata."""

    def comment(self, catalog: str, schema: str, table: str) -> str | None: ...

    def view_definition(self, catalog: str, schema: str, view: str) -> str: ...
