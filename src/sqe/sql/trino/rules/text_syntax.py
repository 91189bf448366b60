"""Replace LIKE, TRIM, POSITION and SUBSTRING, which have a grammar of their own, by functions with Trino's rules: a
backslash in a pattern without ESCAPE is a plain character, and all white space is trimmed.
"""

from __future__ import annotations

from sqlglot import exp

from sqe.sql.trino.rules.rule import Context, analyzed, node_rule

_TRIMS = {"LEADING": "ltrim", "TRAILING": "rtrim"}


def text_syntax(node: exp.Expr, _context: Context) -> exp.Expr | None:
    if isinstance(node, exp.Trim):
        name = _TRIMS.get((node.args.get("position") or "").upper(), "trim")
        removed = node.args.get("expression")
        return analyzed(name, node.this, *([removed] if removed is not None else []))
    if isinstance(node, exp.StrPosition):
        return analyzed("strpos", node.this, node.args["substr"])
    if isinstance(node, exp.Substring):
        parts = [node.args.get("start"), node.args.get("length")]
        return analyzed("substring", node.this, *(part for part in parts if part is not None))
    if isinstance(node, exp.Escape):
        return _like(node.this, node.expression) if isinstance(node.this, exp.Like) else None
    if isinstance(node.parent, exp.Escape):
        return None  # together with it
    return _like(node)


def _like(node: exp.Expr, *escape: exp.Expr) -> exp.Expr:
    made = analyzed("like", node.this, node.expression, *escape)
    return exp.Paren(this=exp.Not(this=made)) if node.args.get("negate") else made


RULE = node_rule(
    __name__, __doc__, text_syntax, exp.Like, exp.Escape, exp.Trim, exp.StrPosition, exp.Substring
)
