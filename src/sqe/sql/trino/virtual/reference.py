"""Recognize the names of virtual tables, and describe a reference to one in a statement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import pyarrow as pa

from sqe.model.session import SYSTEM_CATALOG
from sqe.sql.trino.scope import Scope

INFORMATION_SCHEMA = "information_schema"


class Like(NamedTuple):
    pattern: str
    escape: str | None = None


@dataclass(frozen=True, slots=True)
class VirtualReference:
    """A virtual table that a statement reads, and the temporary view that replaces it in the text."""

    view: str
    catalog: str | None  # None: the session's
    schema: str
    table: str
    # Conditions that every wanted row satisfies, by lower-case column names: conjuncts of the statement's WHERE. The
    # statement still has its WHERE: these only shorten the listing.
    equals: Mapping[str, str] = field(default_factory=dict, hash=False)  # column = 'constant'
    likes: Mapping[str, Like] = field(default_factory=dict, hash=False)  # column LIKE 'pattern' [ESCAPE 'c']
    parameters: Mapping[str, int] = field(default_factory=dict, hash=False)  # column = ?, by its place from 0
    # The lower-case column names that the statement mentions anywhere; None: unknown. Trino hides some columns from
    # `SELECT *`: these are produced when they are mentioned, or when this is unknown.
    mentions: frozenset[str] | None = None
    named_schema: bool = False  # whether the one wanted schema has to exist, as in SHOW TABLES FROM

    def bound(self, values: Sequence[pa.Scalar]) -> VirtualReference:
        """Return the reference with the values of the statement's `?`."""
        known = {
            column: values[place].as_py() for column, place in self.parameters.items() if place < len(values)
        }
        texts = {column: value for column, value in known.items() if isinstance(value, str)}
        return replace(self, equals={**texts, **self.equals}, parameters={})


def is_virtual(
    catalog: str | None,
    schema: str | None,
    table: str,  # noqa: ARG001 - the schema decides
    scope: Scope,
) -> bool:
    """Return whether the gateway provides the table of this name, whether it exists or not.

    Spark never resolves a name in `information_schema` or in the catalog `system`: it would find a table of another
    catalog, or report an unknown catalog.

    Example:
        >>> from sqe.sql.trino.scope import Scope
        >>> is_virtual(None, "information_schema", "tables", Scope("iceberg", "default", "ada", None))
        True
    """
    catalog = catalog if catalog is not None else scope.catalog
    schema = schema if schema is not None else scope.namespace
    if catalog is not None and catalog.lower() == SYSTEM_CATALOG:
        return True
    return schema is not None and schema.lower() == INFORMATION_SCHEMA
