"""Replace `ROW(1, 'a')` by Spark's `struct`, whose fields are called `col1`, `col2`. After VALUES it is a row of the
table.
"""

from __future__ import annotations

from sqlglot import exp

from sqe.sql.trino.rules.rule import Context, Rule, is_call, renamed


def row_values(node: exp.Expr, _context: Context) -> exp.Expr | None:
    for row in node.expressions:
        only = row.expressions[0] if len(row.expressions) == 1 else None
        if isinstance(only, exp.Anonymous) and is_call(only, "struct"):
            row.set("expressions", only.expressions)
    return None


RULE = Rule("row_values", __doc__ or "", row_values, (exp.Values,), {"row": renamed("struct")})
