"""Name the result columns that have no name `_col0`, `_col1` and so on, where Spark would use their text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sqlglot import exp

from sqe.sql.trino.rules.rule import Context, node_rule

_VALUES = "_values"
_NAMED = (exp.Alias, exp.Aliases, exp.Column, exp.Dot, exp.Star)


def column_names(node: exp.Expr, context: Context) -> exp.Expr | None:
    if node.parent is not None or not context.names_columns:
        return None
    first: exp.Expr | None = node
    while isinstance(first, exp.SetOperation | exp.Subquery):
        first = first.this
    if isinstance(first, exp.Select):
        source = first.args.get("from_")
        if first.is_star and source is not None and isinstance(source.this, exp.Values):
            _name_values(source.this)  # VALUES as a part of a UNION, which sqlglot makes a SELECT of
        first.set("expressions", list(named_columns(first.expressions)))
    elif isinstance(first, exp.Values):
        _name_values(first)
    return None


def named_columns(columns: Iterable[exp.Expr]) -> Iterator[exp.Expr]:
    """Yield the columns of a result, with the names that Trino gives to those without one."""
    for index, item in enumerate(columns):
        named = isinstance(item.unnest(), _NAMED)  # also `(a)`, as in SELECT DISTINCT(a)
        yield item if named else exp.alias_(item, f"_col{index}", copy=False)


def _name_values(values: exp.Values) -> None:
    alias = values.args.get("alias")
    if alias is None or (alias.name == _VALUES and not alias.columns):
        columns = [
            exp.to_identifier(f"_col{index}") for index in range(len(values.expressions[0].expressions))
        ]
        values.set("alias", exp.TableAlias(this=exp.to_identifier(_VALUES), columns=columns))


RULE = node_rule(__name__, __doc__, column_names, exp.Select, exp.SetOperation, exp.Values, exp.Subquery)
