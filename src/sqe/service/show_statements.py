"""List the names in a catalog with SHOW statements, on a server that does not have SQE's Java part."""

from __future__ import annotations

from collections.abc import Callable

import pyarrow as pa
import pyarrow.compute as pc

from sqe.errors import SchemaNotFoundError, UnsupportedError
from sqe.sql import namespace
from sqe.sql.quote import quote_name

Ask = Callable[[str], pa.Table]


def namespaces(ask: Ask, catalog: str, parent: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Return all namespaces below one, at any depth. Raises SqeError."""
    try:
        answer = ask(f"SHOW NAMESPACES IN {quote_name(catalog, *parent)}")
    except (SchemaNotFoundError, UnsupportedError):
        if parent:
            return []  # dropped since it was listed; or a catalog that knows no nested ones
        raise
    found: list[tuple[str, ...]] = []
    for name in answer.column("namespace").to_pylist():
        parts = namespace.split(name)  # Spark quotes what needs it
        if len(parts) > len(parent) and parts[: len(parent)] == parent:
            found += [parts, *namespaces(ask, catalog, parts)]
    return found


def tables(ask: Ask, catalog: str, parts: tuple[str, ...]) -> dict[str, bool]:
    """Return the tables and views of a namespace, and for each name whether it is a view. Raises SqeError."""
    inside = quote_name(catalog, *parts)
    try:
        views = _lasting(ask(f"SHOW VIEWS IN {inside}"), "viewName")
    except UnsupportedError:
        views = []  # a catalog that knows no views has none
    listed = _lasting(ask(f"SHOW TABLES IN {inside}"), "tableName")
    return dict.fromkeys(listed, False) | dict.fromkeys(views, True)


def _lasting(answer: pa.Table, column: str) -> list[str]:
    """Return the names in a column, without Spark's temporary views."""
    names: list[str] = answer.filter(pc.invert(answer.column("isTemporary"))).column(column).to_pylist()
    return names
