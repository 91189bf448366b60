"""Replace `ROW(1, 'a')`, `(1, 'a')` and `ARRAY[1, 2.5]` by functions that see the types of their values. After VALUES
a row is a row of the table.

Spark gives the columns of VALUES no more than its own types. So a few rows of expressions whose types say more, such as
`TIMESTAMP '2020-01-01 10:00'`, become queries.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from sqlglot import exp

from sqe.sql.trino.common_types import common_type, number_type
from sqe.sql.trino.rules.rule import ANALYZER_PREFIX, Context, Rule, analyzed, is_call, surround, text_of

_MOST_ROWS = 20
_NUMBERS: Mapping[exp.DType, str] = {
    exp.DType.TINYINT: "tinyint",
    exp.DType.SMALLINT: "smallint",
    exp.DType.INT: "integer",
    exp.DType.BIGINT: "bigint",
}


def row_values(node: exp.Expr, _context: Context) -> exp.Expr | None:
    if isinstance(node, exp.Array):
        return analyzed("array", *node.expressions)
    if isinstance(node, exp.Tuple):
        return _nested(node) if _is_value(node) else None
    if isinstance(node, exp.Values) and 0 < len(node.expressions) <= _MOST_ROWS:
        _unify_rows(node)
    for row in node.expressions:
        only = row.expressions[0] if len(row.expressions) == 1 else None
        if isinstance(only, exp.Anonymous) and is_call(only, f"{ANALYZER_PREFIX}row"):
            row.set("expressions", only.expressions)
    return _query(node) if isinstance(node.parent, exp.From | exp.Join | exp.Lateral) else None


def _nested(node: exp.Tuple) -> exp.Expr:
    return analyzed(
        "row", *(_nested(each) if isinstance(each, exp.Tuple) else each for each in node.expressions)
    )


def _is_value(node: exp.Tuple) -> bool:
    """Whether a list in parentheses is a value of its own: not a row of VALUES, of IN or of a comparison, nor a set."""
    parent = node.parent
    if isinstance(parent, exp.Lambda):
        return node.arg_key == "this"
    return isinstance(parent, exp.Select | exp.Alias | exp.Array | exp.Anonymous) and node.arg_key in (
        "expressions",
        "this",
    )


def values_query(node: exp.Values) -> exp.Query:
    """Return a query for the rows of a VALUES that stands where a query does."""
    width = len(node.expressions[0].expressions) if isinstance(node.expressions[0], exp.Tuple) else 1
    names = [exp.to_identifier(f"col{place}") for place in range(1, width + 1)]
    node.set("alias", exp.TableAlias(this=exp.to_identifier("sqe_values"), columns=names))
    made = _query(node)
    return made.this if made is not None else exp.Select(expressions=[exp.Star()], from_=exp.From(this=node))


def _cast(kind: str, value: exp.Expr) -> exp.Expr:
    return analyzed("cast", value, kind)


def _unify_rows(node: exp.Values) -> None:
    rows = [row.expressions if isinstance(row, exp.Tuple) else [row] for row in node.expressions]
    if len({len(row) for row in rows}) == 1 and len(rows) > 1:
        _unify(rows)


def _unify(rows: Sequence[Sequence[exp.Expr]]) -> None:
    """Cast the constants of a column to the type that they have in common, where Spark's differs from Trino's."""
    for items in zip(*rows, strict=True):
        kinds = [_constant_type(item) for item in items]
        wanted = common_type([kind for kind in kinds if kind != "unknown"])
        for item, kind in zip(items, kinds, strict=True):
            if wanted is not None and kind not in (wanted, "unknown"):
                surround(item, partial(_cast, wanted))


def _constant_type(item: exp.Expr) -> str | None:
    """Return Trino's type of a constant; None: it is none, or its type is not known here."""
    while isinstance(item, exp.Paren | exp.Neg):
        item = item.this
    if isinstance(item, exp.Null):
        return "unknown"
    if is_call(item, f"{ANALYZER_PREFIX}cast"):
        return text_of(item.expressions[1])
    if isinstance(item, exp.Cast):
        return _NUMBERS.get(item.to.this)
    if not isinstance(item, exp.Literal):
        return None
    if item.is_string:
        return f"varchar({len(item.name)})"
    return number_type(item.name)


def _query(node: exp.Expr) -> exp.Subquery | None:
    """Return the rows of a VALUES as queries; None: it stays."""
    alias = node.args.get("alias")
    rows = [row.expressions if isinstance(row, exp.Tuple) else [row] for row in node.expressions]
    if not isinstance(alias, exp.TableAlias) or not 0 < len(rows) <= _MOST_ROWS:
        return None
    names = [column.name for column in alias.columns]
    if any(len(row) != len(rows[0]) for row in rows) or (names and len(names) != len(rows[0])):
        return None
    if not any(_says_more(item) for row in rows for item in row):
        return None
    names = names or [f"col{place}" for place in range(1, len(rows[0]) + 1)]
    queries: list[exp.Query] = [
        exp.Select(
            expressions=[
                exp.Alias(this=item, alias=exp.to_identifier(name, quoted=True))
                for item, name in zip(row, names, strict=True)
            ]
        )
        for row in rows
    ]
    query = queries[0]
    for other in queries[1:]:
        query = exp.Union(this=query, expression=other, distinct=False)
    return exp.Subquery(this=query, alias=exp.TableAlias(this=alias.this))


def _says_more(item: exp.Expr) -> bool:
    return any(call.name.startswith(ANALYZER_PREFIX) for call in item.find_all(exp.Anonymous))


def _row(node: exp.Anonymous) -> exp.Expr:
    return analyzed("row", *node.expressions)


RULE = Rule("row_values", __doc__ or "", row_values, (exp.Values, exp.Array, exp.Tuple), {"row": _row})
