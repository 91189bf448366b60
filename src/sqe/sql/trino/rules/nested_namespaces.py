"""Split a schema name with dots into the parts of a namespace: `"a.b".t` is the table `a.b.t`."""

from __future__ import annotations

from sqlglot import exp

from sqe.sql.namespace import split
from sqe.sql.trino.rules.rule import Context, node_rule, table_of


def nested_namespaces(node: exp.Expr, _context: Context) -> exp.Expr | None:
    assert isinstance(node, exp.Table)
    parts = node.parts
    if len(parts) not in (2, 3) or not isinstance(parts[-2], exp.Identifier) or not parts[-2].quoted:
        return None
    schema = split(parts[-2].name)
    if schema == (parts[-2].name,):
        return None
    names = [part.name for part in parts]
    return table_of([*names[:-2], *schema, names[-1]], node, node.args.get("alias"))


RULE = node_rule(__name__, __doc__, nested_namespaces, exp.Table)
