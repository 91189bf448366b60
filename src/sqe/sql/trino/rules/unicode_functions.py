"""Pass the form of `normalize`, which is a keyword, as text."""

from __future__ import annotations

from sqlglot import exp

from sqe.sql.trino.rules.rule import analyzed, function_rule, needs

_FORMS = ("NFC", "NFD", "NFKC", "NFKD")


def _normalize(node: exp.Anonymous) -> exp.Expr:
    needs(node, 1, 2)
    text, *form = node.expressions
    if form and isinstance(form[0], exp.Column) and form[0].name.upper() in _FORMS:
        form = [exp.Literal.string(form[0].name.upper())]
    return analyzed("normalize", text, *form)


RULE = function_rule(__name__, __doc__, {"normalize": _normalize})
