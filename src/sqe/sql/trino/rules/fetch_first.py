"""Replace `FETCH FIRST n ROWS ONLY` by LIMIT, `FETCH FIRST n ROWS WITH TIES` by a condition on the rank of a row (with
OFFSET, on its place, too), and remove `LIMIT ALL`. With parameters, `OFFSET ? LIMIT ?` becomes a LIMIT around a
subquery with OFFSET, which keeps their order.
"""

from __future__ import annotations

from sqlglot import exp

from sqe.errors import SemanticError, UnsupportedError
from sqe.sql.trino.rules.column_names import column_names, named_columns
from sqe.sql.trino.rules.rule import Context, call, node_rule, twice

_RANK = "sqe_rank"
_PLACE = "sqe_place"


def fetch_first(node: exp.Expr, context: Context) -> exp.Expr | None:
    if isinstance(node, exp.Select | exp.SetOperation):
        return _with_ties(node) or _offset_first(node, context)
    if isinstance(node, exp.Fetch):
        if _keeps_ties(node):
            return None  # of the whole query
        return exp.Limit(expression=node.args.get("count") or exp.Literal.number(1))
    if node.expression.name.upper() == "ALL" and not isinstance(node.expression, exp.Literal):
        node.pop()
    return None


def _keeps_ties(node: exp.Expr | None) -> bool:
    options = node.args.get("limit_options") if isinstance(node, exp.Fetch) else None
    return options is not None and bool(options.args.get("with_ties"))


def _with_ties(query: exp.Query) -> exp.Expr | None:
    """Keep the rows of a query whose rank in its order is within the limit."""
    fetch, order = query.args.get("limit"), query.args.get("order")
    if not isinstance(fetch, exp.Fetch) or not _keeps_ties(fetch):
        return None
    if order is None:
        raise SemanticError("FETCH FIRST WITH TIES clause requires ORDER BY")
    count = fetch.args.get("count") or exp.Literal.number(1)
    offset = query.args.get("offset")
    query = query.copy()  # the original has to stay where it is replaced
    for key in ("limit", "order", "offset"):
        query.set(key, None)
    if isinstance(query, exp.SetOperation) or query.args.get("distinct") is not None:
        query = exp.Select(
            expressions=[exp.Star()], from_=exp.From(this=_subquery(query))
        )  # ranked when it is done
    query.set("expressions", list(named_columns(query.expressions)))
    keys = [_key(item, query) for item in order.expressions]
    added = {_RANK: "rank"} if offset is None else {_RANK: "rank", _PLACE: "row_number"}
    for name, function in added.items():
        ordered = exp.Order(expressions=[key.copy() for key in keys])
        query.append("expressions", exp.alias_(exp.Window(this=call(function), order=ordered), name))
    condition: exp.Expr = exp.LTE(this=exp.column(_RANK), expression=count)
    if offset is not None:
        # The rank of the last row of the page, and of those that tie with it, is at most that row's place.
        twice(offset)
        skipped = offset.expression
        condition.set("expression", exp.Add(this=skipped.copy(), expression=count))
        behind = exp.GT(this=exp.column(_PLACE), expression=skipped.copy())
        condition = exp.and_(behind, condition)
    return exp.Select(
        expressions=[exp.Star(except_=[exp.to_identifier(name) for name in added])],
        from_=exp.From(this=_subquery(query)),
        where=exp.Where(this=condition),
        order=exp.Order(
            expressions=[exp.Ordered(this=exp.column(name), nulls_first=False) for name in reversed(added)]
        ),
    )


def _offset_first(query: exp.Query, context: Context) -> exp.Expr | None:
    """Put the LIMIT of a query around its OFFSET, where both have parameters: Spark's SQL has OFFSET last."""
    limit, offset = query.args.get("limit"), query.args.get("offset")
    if limit is None or offset is None:
        return None
    numbers = [[each.meta["number"] for each in node.find_all(exp.Placeholder)] for node in (offset, limit)]
    if not all(numbers) or min(numbers[1]) < max(numbers[0]):
        return None
    is_root = query.parent is None
    query = query.copy()  # the original has to stay where it is replaced
    query.set("limit", None)
    if is_root:
        column_names(query, context)
    return exp.Select(
        expressions=[exp.Star()], from_=exp.From(this=_subquery(query, "sqe_page")), limit=limit.copy()
    )


def _subquery(query: exp.Query, name: str = "sqe_ranked") -> exp.Subquery:
    return exp.Subquery(this=query, alias=exp.TableAlias(this=exp.to_identifier(name)))


def _key(item: exp.Expr, query: exp.Query) -> exp.Expr:
    """Replace the number or the name of a result's column by its expression: a window does not see them."""
    key = item.this
    columns = query.expressions
    found: exp.Expr | None = None
    if isinstance(key, exp.Literal) and not key.is_string and key.name.isdigit():
        number = int(key.name)
        if not 1 <= number <= len(columns) or isinstance(columns[number - 1], exp.Star):
            raise UnsupportedError("This ORDER BY is not supported with FETCH FIRST .. WITH TIES.")
        found = columns[number - 1]
    elif isinstance(key, exp.Column) and not key.table:
        found = next(
            (each for each in columns if isinstance(each, exp.Alias) and each.alias == key.name), None
        )
    if found is None:
        return item
    expression = found.this if isinstance(found, exp.Alias) else found
    new = item.copy()
    new.set("this", expression.copy())
    return new


RULE = node_rule(
    __name__, __doc__, fetch_first, exp.Fetch, exp.Limit, exp.Select, exp.Union, exp.Intersect, exp.Except
)
