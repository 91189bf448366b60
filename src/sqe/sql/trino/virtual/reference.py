"""Which names are virtual tables, and a reference to one in a statement."""

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
    """A virtual table that a statement reads, and the temporary view that took its place in the text."""

    view: str
    catalog: str | None  # None: the session's
    schema: str
    table: str
    # Conditions that every wanted row fulfils, by lower-case column names: conjuncts of the statement's WHERE. The
    # statement still filters by itself: these only allow to list less.
    equals: Mapping[str, str] = field(default_factory=dict, hash=False)  # column = 'constant'
    likes: Mapping[str, Like] = field(default_factory=dict, hash=False)  # column LIKE 'pattern' [ESCAPE 'c']
    parameters: Mapping[str, int] = field(default_factory=dict, hash=False)  # column = ?, by its place from 0
    # The lower-case column names that the statement mentions anywhere; None when nobody looked. Trino hides some
    # columns from `SELECT *`: these are made when they are mentioned, or when nobody looked.
    mentions: frozenset[str] | None = None
    named_schema: bool = (
        False  # whether the one schema that is wanted has to be there, as in SHOW TABLES FROM
    )

    def bound(self, values: Sequence[pa.Scalar]) -> VirtualReference:
        """The same with the values of the statement's `?`."""
        known = {
            column: values[place].as_py() for column, place in self.parameters.items() if place < len(values)
        }
        texts = {column: value for column, value in known.items() if isinstance(value, str)}
        return replace(self, equals={**texts, **self.equals}, parameters={})


def is_virtual(
    catalog: str | None,
    schema: str | None,
    table: str,  # noqa: ARG001 - a part of the question, of which the answer does not depend
    scope: Scope,
) -> bool:
    """Whether the gateway answers for a table of this name, be it there or not.

    Nothing in `information_schema` or in the catalog `system` is ever looked for in Spark, which would find a table of
    another catalog, or complain about a catalog that the client believes to exist.

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
