"""Find the table of each column of a query's result, and whether it has an alias, for DESCRIBE OUTPUT.

Only the outermost SELECT of a statement is read. A table is known where it is the only one in FROM, so that every
column is one of its own; otherwise it is unknown, which DESCRIBE OUTPUT shows as empty text.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from sqe.sql.trino.scope import Scope
from sqe.sql.trino.types import TrinoType

_SIZES = {
    "boolean": 1,
    "tinyint": 1,
    "smallint": 2,
    "integer": 4,
    "bigint": 8,
    "real": 4,
    "double": 8,
    "date": 4,
    "unknown": 1,
    "uuid": 16,
    "ipaddress": 16,
    "interval day to second": 8,
    "interval year to month": 4,
}
# Types of one size up to a number of digits, and of another one beyond.
_SIZES_BY_DIGITS = {
    "decimal": (18, 8, 16),
    "time": (12, 8, 8),
    "time with time zone": (9, 8, 12),
    "timestamp": (6, 8, 12),
    "timestamp with time zone": (3, 8, 12),
}


@dataclass(frozen=True, slots=True)
class OutputColumn:
    """The origin of one column of a result; empty where it is unknown."""

    catalog: str = ""
    schema: str = ""
    table: str = ""
    aliased: bool = False


@dataclass(frozen=True, slots=True)
class Outline:
    """The columns of the outermost SELECT as they are written; None stands for a `*`."""

    table: OutputColumn  # the only one in FROM
    items: tuple[OutputColumn | None, ...]

    def columns(self, count: int) -> list[OutputColumn]:
        """Return the origins of the `count` columns of the result."""
        stars = self.items.count(None)
        missing = count - len(self.items) + stars  # columns that a single star stands for
        made = [each for item in self.items for each in ([item] if item else [self.table] * missing)]
        return made if stars < 2 and len(made) == count else unknown(count)


def unknown(count: int) -> list[OutputColumn]:
    """Return the origins of `count` columns of which nothing is known."""
    return [OutputColumn()] * count


def outline(tree: exp.Expr, scope: Scope) -> Outline | None:
    """Return the outline of a query as the client wrote it; None where it has no outermost SELECT."""
    while isinstance(tree, exp.SetOperation | exp.Subquery):
        tree = tree.this
    if not isinstance(tree, exp.Select):
        return None
    table = _only_table(tree, scope)
    return Outline(table, tuple(None if item.is_star else _column(item, table) for item in tree.expressions))


def type_size(type_: TrinoType) -> int:
    """Return the bytes of a value, as Trino counts them: 0 for types without a fixed size."""
    if type_.name in _SIZES_BY_DIGITS:
        most, short, long = _SIZES_BY_DIGITS[type_.name]
        digits = type_.arguments[0] if type_.arguments else 3
        return short if isinstance(digits, int) and digits <= most else long
    return _SIZES.get(type_.name, 0)


def _only_table(select: exp.Select, scope: Scope) -> OutputColumn:
    source = select.args.get("from_")
    table = source.this if source is not None else None
    joined = any(select.args.get(key) for key in ("joins", "laterals"))
    if joined or not isinstance(table, exp.Table) or not isinstance(table.this, exp.Identifier):
        return OutputColumn()
    named = {query.alias.lower() for each in _withs(select) for query in each.expressions}
    if table.alias_column_names or (not table.db and table.name.lower() in named):
        return OutputColumn()
    parts = [part.name if part.args.get("quoted") else part.name.lower() for part in table.parts]
    before = [scope.catalog or "", scope.namespace or ""]
    catalog, schema, name = [*before[: 3 - len(parts)], *parts] if len(parts) <= 3 else ("", "", "")
    return OutputColumn(catalog, schema, name)


def _withs(select: exp.Select) -> list[exp.With]:
    node: exp.Expr | None = select
    found = []
    while node is not None:
        clause = node.args.get("with_")
        if isinstance(clause, exp.With):
            found.append(clause)
        node = node.parent
    return found


def _column(item: exp.Expr, table: OutputColumn) -> OutputColumn:
    inner = item.this if isinstance(item, exp.Alias) else item
    own = table if isinstance(inner, exp.Column) else OutputColumn()
    return OutputColumn(own.catalog, own.schema, own.table, isinstance(item, exp.Alias))
