"""What the virtual tables are made from: somebody who can list the catalogs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

import pyarrow as pa

COMMENT = b"comment"  # the key of a column's comment in its field's metadata


@dataclass(frozen=True, slots=True)
class TableEntry:
    """A table or view as a listing has it."""

    catalog: str
    schema: str
    name: str
    kind: Literal["TABLE", "VIEW"]
    comment: str | None = None  # only when it was asked for


class Source(Protocol):
    """Lists what the user's own catalogs hold.

    Every method raises SqeError; for what is not there, the not-found error of its kind.
    """

    def catalogs(self) -> list[str]: ...

    def schemas(self, catalog: str) -> list[str]:
        """Nested namespaces too, as `sqe.sql.namespace` writes them."""

    def tables(self, catalog: str, schema: str) -> list[TableEntry]: ...

    def columns(self, catalog: str, schema: str, table: str) -> pa.Schema:
        """The comment of a column is in its field's metadata."""

    def comment(self, catalog: str, schema: str, table: str) -> str | None: ...

    def view_definition(self, catalog: str, schema: str, view: str) -> str: ...
