"""Convert the names of tables to lower case unless they are quoted: Iceberg's catalogs are case-sensitive."""

from __future__ import annotations

from sqlglot import exp

from sqe.sql.trino.rules.rule import Context, node_rule


def lower_names(node: exp.Expr, _context: Context) -> exp.Expr | None:
    assert isinstance(node, exp.Table)
    for part in node.parts:
        if isinstance(part, exp.Identifier) and not part.quoted and part.name != part.name.lower():
            part.set("this", part.name.lower())
            part.set("quoted", True)  # so that Spark does not read it as a keyword
    return None


RULE = node_rule(__name__, __doc__, lower_names, exp.Table)
