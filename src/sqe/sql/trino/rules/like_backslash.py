r"""Double the backslash in the pattern of a LIKE without ESCAPE: in Trino it is a plain character, in Spark an escape.

This applies to literals. For a pattern that is a column or a parameter Spark's rules hold.
"""

from __future__ import annotations

from sqlglot import exp

from sqe.sql.trino.rules.rule import Context, node_rule, text_of


def like_backslash(node: exp.Expr, _context: Context) -> exp.Expr | None:
    pattern = text_of(node.expression)
    if pattern is None or "\\" not in pattern or isinstance(node.parent, exp.Escape):
        return None
    node.expression.replace(exp.Literal.string(pattern.replace("\\", "\\\\")))
    return None


RULE = node_rule(__name__, __doc__, like_backslash, exp.Like)
