"""Translate the names of Iceberg's metadata tables and columns: `"t$snapshots"` is `t.snapshots` in Spark, and
`"$path"` is `_file`. `t FOR INCREMENTAL BETWEEN SNAPSHOT a AND SNAPSHOT b` becomes a query on `t.changes`. The gateway
fills `"t$partitions"` and `"t$properties"`, as Trino has them.
"""

from __future__ import annotations

import re

from sqlglot import exp

from sqe.errors import UnsupportedError
from sqe.sql.incremental import MARK, changes_query
from sqe.sql.namespace import join, split
from sqe.sql.quote import quote_name
from sqe.sql.trino.rules.rule import Context, analyzed, node_rule, table_of
from sqe.sql.trino.virtual.reference import VirtualReference

_TABLES = frozenset(
    {
        "all_data_files",
        "all_delete_files",
        "all_entries",
        "all_files",
        "all_manifests",
        "data_files",
        "delete_files",
        "entries",
        "files",
        "history",
        "manifests",
        "metadata_log_entries",
        "position_deletes",
        "refs",
        "snapshots",
    }
)
_CHANGES = re.compile(re.escape(MARK) + r"(\d+) and (\d+)")  # as `with_changes` writes it
METADATA_KINDS = frozenset({"partitions", "properties"})
# Columns of metadata tables, the one with a time first, which is Trino's order.
_TIMES = {
    "history": ("made_current_at", "snapshot_id", "parent_id", "is_current_ancestor"),
    "metadata_log_entries": (
        "timestamp",
        "file",
        "latest_snapshot_id",
        "latest_schema_id",
        "latest_sequence_number",
    ),
    "snapshots": ("committed_at", "snapshot_id", "parent_id", "operation", "manifest_list", "summary"),
}


def metadata_tables(node: exp.Expr, context: Context) -> exp.Expr | None:
    if isinstance(node, exp.Column):
        if node.name.lower() == "$path":
            node.set("this", exp.to_identifier("_file"))
        return None
    assert isinstance(node, exp.Table)
    last = node.parts[-1]
    table, dollar, kind = last.name.rpartition("$")
    if not (dollar and table and isinstance(last, exp.Identifier)):
        return None
    parts = [part.name for part in node.parts[:-1]]
    if not parts and context.scope.namespace:
        parts = list(split(context.scope.namespace))  # else Spark takes the table's name for a namespace
    if changes := _CHANGES.fullmatch(kind):
        query = changes_query(quote_name(*parts, table), int(changes[1]), int(changes[2]))
        alias = node.args.get("alias") or exp.TableAlias(this=exp.to_identifier(table, quoted=True))
        return exp.Subquery(this=exp.Var(this=query), alias=alias)
    if kind.lower() == "data":
        parts.append(table)
    elif kind.lower() in METADATA_KINDS:
        return _filled(node, table, kind.lower(), context)
    elif kind.lower() in _TABLES:
        parts += [table, kind]
    else:
        raise UnsupportedError(
            f"There is no metadata table '{kind}'.",
            hint=f"There are {', '.join(sorted(_TABLES | METADATA_KINDS))}.",
        )
    alias = node.args.get("alias") or exp.TableAlias(this=exp.to_identifier(last.name, quoted=True))
    found = table_of(parts, node, alias)
    return _with_milliseconds(found, kind.lower(), alias) if kind.lower() in _TIMES else found


def _filled(node: exp.Table, table: str, kind: str, context: Context) -> exp.Table:
    """Return the temporary view that replaces a metadata table of the gateway's."""
    if isinstance(node.parent, exp.Update | exp.Delete | exp.Insert | exp.Merge) and node.arg_key == "this":
        raise UnsupportedError(f"The table {table}${kind} cannot be changed.")
    if node.args.get("when") is not None or node.args.get("version") is not None:
        raise UnsupportedError(f"The metadata table '{kind}' has no older versions.")
    parts = [part.name for part in node.parts[:-1]]
    catalog = parts[0] if len(parts) > 1 else context.scope.catalog
    schema = join(tuple(parts[1:])) if len(parts) > 1 else parts[0] if parts else context.scope.namespace
    found = VirtualReference(
        context.view_name(), catalog, schema or "", f"{table}${kind}", mentions=frozenset()
    )
    context.virtual.append(found)
    alias = node.args.get("alias") or exp.TableAlias(this=exp.to_identifier(f"{table}${kind}", quoted=True))
    return exp.Table(this=exp.to_identifier(found.view, quoted=True), alias=alias)


def _with_milliseconds(table: exp.Table, kind: str, alias: exp.Expr) -> exp.Expr:
    """Return the columns of a metadata table with the type that Trino's time has: `timestamp(3) with time zone`."""
    table.set("alias", None)
    time, *others = _TIMES[kind]
    column = exp.to_identifier(time, quoted=True)
    cast = analyzed("cast", exp.Column(this=column), "timestamp(3) with time zone")
    columns: list[exp.Expr] = [exp.Alias(this=cast, alias=column.copy())]
    columns += [exp.Column(this=exp.to_identifier(name, quoted=True)) for name in others]
    return exp.Subquery(this=exp.Select(expressions=columns).from_(table), alias=alias)


RULE = node_rule(__name__, __doc__, metadata_tables, exp.Table, exp.Column)
