"""Write `t.* AS (a, b)` and `expression.*`, the fields of a row, as a query around a subquery that names them."""

from __future__ import annotations

from sqlglot import exp

from sqe.errors import SemanticError, UnsupportedError
from sqe.sql.trino.rules.rule import Context, node_rule

_MODIFIERS = ("order", "limit", "offset")


def select_items(node: exp.Expr, _context: Context) -> exp.Expr | None:
    assert isinstance(node, exp.Select)
    if not any(_is_row(item) or _is_named(item) for item in node.expressions):
        return None
    query = node.copy()  # the original has to stay where it is replaced
    moved = {key: query.args[key] for key in _MODIFIERS if query.args.get(key) is not None}
    for key in moved:
        query.set(key, None)
    if any(_is_row(item) for item in query.expressions):
        query = _with_fields(query)
    if any(_is_named(item) for item in query.expressions):
        query = _with_names(query)
    elif query.is_star and "order" in moved:
        raise UnsupportedError("ORDER BY is not supported with the fields of a row.")
    order = moved.get("order")
    if order is not None:
        _check(order, query)
    for key, value in moved.items():
        query.set(key, value)
    return query


def _is_named(item: exp.Expr) -> bool:
    return isinstance(item, exp.Aliases) and item.this.is_star


def _is_row(item: exp.Expr) -> bool:
    if isinstance(item, exp.Aliases):
        item = item.this
    return isinstance(item, exp.Dot) and isinstance(item.expression, exp.Star)


def _name(item: exp.Expr) -> str:
    return item.alias_or_name if isinstance(item, exp.Alias | exp.Column | exp.Dot) else ""


def _with_fields(query: exp.Select) -> exp.Select:
    """Give each row a name below, since only a name can have its fields listed."""
    inner: list[exp.Expr] = []
    outer: list[exp.Expr] = []
    for place, item in enumerate(query.expressions):
        name = exp.to_identifier(f"sqe_item_{place}")
        row = item.this if isinstance(item, exp.Aliases) else item
        if _is_row(item):
            fields = exp.Column(this=exp.Star(), table=name.copy())
            inner.append(exp.Alias(this=row.this, alias=name))
            if isinstance(item, exp.Aliases):
                outer.append(exp.Aliases(this=fields, expressions=item.expressions))
            else:
                outer.append(fields)
        elif row.is_star:
            raise UnsupportedError("The fields of a row are not supported beside `*`.")
        else:
            inner.append(exp.Alias(this=item.unalias(), alias=name))
            column = exp.Column(this=name.copy())
            shown = _name(item)
            outer.append(
                exp.Alias(this=column, alias=exp.to_identifier(shown, quoted=True)) if shown else column
            )
    query.set("expressions", inner)
    return exp.Select(expressions=outer, from_=exp.From(this=_subquery(query, "sqe_rows")))


def _with_names(query: exp.Select) -> exp.Select:
    names: list[str] = []
    items: list[exp.Expr] = []
    for item in query.expressions:
        if _is_named(item):
            names += [name.name for name in item.expressions]
            items.append(item.this)
        elif item.is_star:
            raise UnsupportedError("Column aliases of `*` are not supported beside another `*`.")
        else:
            names.append(_name(item) or f"_col{len(names)}")
            items.append(item)
    query.set("expressions", items)
    source = _subquery(query, "sqe_named")
    source.args["alias"].set("columns", [exp.to_identifier(name, quoted=True) for name in names])
    columns: list[exp.Expr] = [exp.Column(this=exp.to_identifier(name, quoted=True)) for name in names]
    if len({name.lower() for name in names}) != len(names):
        columns = [exp.Star()]
    return exp.Select(expressions=columns, from_=exp.From(this=source))


def _check(order: exp.Expr, query: exp.Select) -> None:
    names = {item.alias_or_name.lower() for item in query.expressions}
    for column in order.find_all(exp.Column):
        if column.table or column.name.lower() not in names:
            raise SemanticError(f"Column '{column.name}' cannot be resolved")


def _subquery(query: exp.Query, name: str) -> exp.Subquery:
    return exp.Subquery(this=query, alias=exp.TableAlias(this=exp.to_identifier(name)))


RULE = node_rule(__name__, __doc__, select_items, exp.Select)
