"""Replace `= ANY (query)` by IN, `<> ALL (query)` by NOT IN, and other comparisons with ANY or ALL by one with the
smallest and the largest of the query's values.

`x IN (query)` outside of a condition is NULL where Trino says so; there Spark answers false. The fields of a row are
compared with the columns of the query.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from sqe.errors import UnsupportedError
from sqe.sql.trino.rules.row_values import values_query
from sqe.sql.trino.rules.rule import ANALYZER_PREFIX, Context, analyzed, call, is_call, node_rule

_SYMBOLS: Mapping[type[exp.Expr], str] = {
    exp.EQ: "=",
    exp.NEQ: "<>",
    exp.GT: ">",
    exp.GTE: ">=",
    exp.LT: "<",
    exp.LTE: "<=",
}
_LOGIC = (exp.And, exp.Or, exp.Not, exp.Paren)
_CONDITIONS = (exp.Where, exp.Having, exp.Join)
_VALUE = "sqe_value"


def quantified_comparison(node: exp.Expr, _context: Context) -> exp.Expr | None:
    if isinstance(node, exp.In):
        return _contained(node)
    right = node.expression
    any_of = isinstance(right, exp.Any) or is_call(right, "some")
    all_of = isinstance(right, exp.All) or is_call(right, "all")
    if not (any_of or all_of):
        return None
    query = _rows(right.expressions[0] if isinstance(right, exp.Anonymous) else right.this)
    if isinstance(node.this, exp.Tuple) or is_call(node.this, "struct"):
        raise UnsupportedError("A comparison of a row with ANY or ALL of a query's rows is not supported.")
    contained = exp.In(this=node.this, query=exp.Subquery(this=query))
    contained.parent = node.parent
    if isinstance(node, exp.EQ) and any_of:
        return contained if _in_condition(node) else _contained(contained)
    if isinstance(node, exp.NEQ) and all_of:
        return exp.Not(this=contained if _in_condition(node) else _contained(contained))
    facts = _facts(query, call("min", exp.column(_VALUE)), call("max", exp.column(_VALUE)))
    return analyzed("quantified", _SYMBOLS[type(node)], "all" if all_of else "any", node.this, facts)


def _contained(node: exp.In) -> exp.Expr | None:
    """Translate `x IN (query)` outside of a condition, where NULL and false are not the same."""
    if len(node.expressions) == 1 and isinstance(node.expressions[0], exp.Values):
        node.set("query", exp.Subquery(this=_rows(node.expressions[0])))
        node.set("expressions", None)
    query = node.args.get("query")
    inner = _rows(query) if query is not None else None
    if not isinstance(inner, exp.Query):
        return None
    fields = _fields(node.this)
    if len(fields) > 1:
        return _row_in_condition(node, fields) if _in_condition(node) else _row_contained(fields, inner)
    if fields:
        node.set("this", fields[0])
    if _in_condition(node):
        return node if fields else None
    there = exp.In(this=node.this.copy(), query=exp.Subquery(this=inner.copy()))
    return analyzed("contained", there, node.this, _facts(inner))


def _fields(value: exp.Expr) -> list[exp.Expr]:
    """Return the fields of a row that is written as one: each is compared with a column of the query."""
    if isinstance(value, exp.Tuple) or is_call(value, f"{ANALYZER_PREFIX}row"):
        return list(value.expressions)
    if is_call(value, f"{ANALYZER_PREFIX}cast", f"{ANALYZER_PREFIX}try_cast"):
        count = len(_fields(value.expressions[0]))
        return [analyzed("subscript", value.copy(), place) for place in range(1, count + 1)]
    return []


def _row_in_condition(node: exp.In, fields: list[exp.Expr]) -> exp.Expr | None:
    if isinstance(node.this, exp.Tuple):
        return None
    node.set("this", exp.Tuple(expressions=fields))
    return node


def _row_contained(fields: list[exp.Expr], query: exp.Query) -> exp.Expr:
    """Ask for a row that is equal, then for one that is not known to be another: NULL in it, or in the value."""
    names = [exp.to_identifier(f"{_VALUE}_{place}") for place in range(1, len(fields) + 1)]
    alias = exp.TableAlias(this=exp.to_identifier("sqe_query"), columns=names)
    pairs = [
        analyzed("eq", field, exp.column(name.copy())) for field, name in zip(fields, names, strict=True)
    ]
    possible = [call("coalesce", pair, exp.true()) for pair in pairs]

    def exists(conditions: list[exp.Anonymous]) -> exp.Exists:
        source = exp.From(this=exp.Subquery(this=query.copy(), alias=alias.copy()))
        where = exp.Where(this=exp.and_(*conditions))
        return exp.Exists(this=exp.Select(expressions=[exp.Literal.number(1)], from_=source, where=where))

    return exp.Case(
        ifs=[
            exp.If(this=exists(pairs), true=exp.true()),
            exp.If(this=exists(possible), true=exp.null()),
        ],
        default=exp.false(),
    )


def _rows(query: exp.Expr) -> exp.Expr:
    """Return the query in parentheses; one for `VALUES 1, 2`, which is a table to Spark."""
    while isinstance(query, exp.Subquery | exp.Paren):
        query = query.this
    return values_query(query) if isinstance(query, exp.Values) else query


def _facts(query: exp.Expr, *more: exp.Expr) -> exp.Expr:
    """Return a query for one row: how many values there are, how many are not NULL, and more about them."""
    columns = [call("count", exp.Star()), call("count", exp.column(_VALUE)), *more]
    alias = exp.TableAlias(this=exp.to_identifier("sqe_query"), columns=[exp.to_identifier(_VALUE)])
    source = exp.Subquery(this=query.copy(), alias=alias)
    return exp.Subquery(this=exp.Select(expressions=[call("struct", *columns)], from_=exp.From(this=source)))


def _in_condition(node: exp.Expr) -> bool:
    """Return whether a row is kept for true alone, so that NULL and false are the same."""
    found: exp.Expr | None = node.parent
    while isinstance(found, _LOGIC):
        found = found.parent
    return isinstance(found, _CONDITIONS) or found is None


RULE = node_rule(__name__, __doc__, quantified_comparison, *_SYMBOLS, exp.In)
