"""Replace UNNEST by Spark's `explode`, joined as LATERAL.

Several arrays are zipped first, the shorter ones padded with NULL. WITH ORDINALITY numbers the items from 1. One
argument with two column names is a map, with more names an array of rows, unless the text shows its type.
"""

from __future__ import annotations

from sqlglot import exp

from sqe.errors import UnsupportedError
from sqe.sql.trino.rules.known_types import known_type
from sqe.sql.trino.rules.rule import Context, call, is_call, node_rule

_MAP_COLUMNS = 2


def unnest(node: exp.Expr, _context: Context) -> exp.Expr | None:
    alias = node.args.get("alias")
    offset = node.args.get("offset")
    if alias is not None and isinstance(offset, exp.Identifier):
        alias.append("columns", offset)
    columns = alias.columns if alias is not None else []
    generator = _generator(node.expressions, len(columns) - bool(offset), ordinality=bool(offset))
    if isinstance(node.parent, exp.Join):
        return exp.Lateral(this=generator, view=False, outer=False, alias=alias)
    return exp.Table(this=generator, alias=alias)


def _generator(values: list[exp.Expr], columns: int, *, ordinality: bool) -> exp.Expr:
    first = values[0]
    if len(values) > 1:
        if any(known_type(value) is exp.DType.MAP for value in values):
            raise UnsupportedError("UNNEST of several maps is not supported.", hint="Unnest them one by one.")
        rows, fields = _zipped(values)
    elif known_type(first) is exp.DType.MAP or (columns == _MAP_COLUMNS and not _is_row_array(first)):
        if not ordinality:
            return call("explode", first)
        rows, fields = call("map_entries", first), ["key", "value"]
    elif columns > _MAP_COLUMNS or (columns > 1 and _is_row_array(first)):
        if ordinality:
            raise UnsupportedError("UNNEST of an array of rows WITH ORDINALITY is not supported.")
        return call("inline", first)
    else:
        if not ordinality:
            return call("explode", first)
        rows, fields = first, []
    if not ordinality:
        return call("inline", rows)
    item = exp.to_identifier("item")
    parts: list[exp.Expr] = [_field(item, name) for name in fields] or [item.copy()]
    number = exp.cast(
        exp.Add(this=exp.to_identifier("position"), expression=exp.Literal.number(1)), exp.DType.BIGINT
    )
    return call(
        "inline", call("transform", rows, _lambda(call("struct", *parts, number), "item", "position"))
    )


def _zipped(values: list[exp.Expr]) -> tuple[exp.Expr, list[str]]:
    """Return one array of structs, and the names of their fields."""
    names = [f"f{number}" for number in range(len(values))]
    rows = values[0]
    for count, value in enumerate(values[1:], 1):
        before = exp.to_identifier("a")
        kept = [before] if count == 1 else [_field(before, name) for name in names[:count]]
        items = [*kept, exp.to_identifier("b")]
        named = [
            exp.Alias(this=item, alias=exp.to_identifier(name))
            for item, name in zip(items, names, strict=False)
        ]
        rows = call("zip_with", rows, value, _lambda(call("struct", *named), "a", "b"))
    return rows, names


def _field(row: exp.Expr, name: str) -> exp.Expr:
    return exp.Dot(this=row.copy(), expression=exp.to_identifier(name))


def _lambda(body: exp.Expr, *names: str) -> exp.Lambda:
    return exp.Lambda(this=body, expressions=[exp.to_identifier(name) for name in names])


def _is_row_array(node: exp.Expr) -> bool:
    return isinstance(node, exp.Array) and bool(node.expressions) and is_call(node.expressions[0], "struct")


RULE = node_rule(__name__, __doc__, unnest, exp.Unnest)
