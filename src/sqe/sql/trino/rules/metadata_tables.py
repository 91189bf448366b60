"""Translate the names of Iceberg's metadata tables and columns: `"t$snapshots"` is `t.snapshots` in Spark, and
`"$path"` is `_file`.
"""

from __future__ import annotations

from sqlglot import exp

from sqe.errors import UnsupportedError
from sqe.sql.namespace import split
from sqe.sql.trino.rules.rule import Context, node_rule, table_of

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
        "partitions",
        "position_deletes",
        "refs",
        "snapshots",
    }
)


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
    if kind.lower() == "data":
        parts.append(table)
    elif kind.lower() in _TABLES:
        parts += [table, kind]
    else:
        raise UnsupportedError(
            f"There is no metadata table '{kind}'.", hint=f"There are {', '.join(sorted(_TABLES))}."
        )
    alias = node.args.get("alias") or exp.TableAlias(this=exp.to_identifier(last.name, quoted=True))
    return table_of(parts, node, alias)


RULE = node_rule(__name__, __doc__, metadata_tables, exp.Table, exp.Column)
