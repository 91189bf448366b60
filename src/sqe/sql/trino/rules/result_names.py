"""Keep the names of a result's columns out of GROUP BY, HAVING and the other columns, where Trino sees the columns
of the tables alone, and Spark both: such a query becomes a subquery whose columns have other names.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from sqe.errors import UnsupportedError
from sqe.sql.trino.rules.rule import Context, node_rule

_MODIFIERS = ("order", "limit", "offset")


def result_names(node: exp.Expr, _context: Context) -> exp.Expr | None:
    assert isinstance(node, exp.Select)
    if not _is_ambiguous(node):
        return None
    order, having = node.args.get("order"), node.args.get("having")
    names = [_name(item, place) for place, item in enumerate(node.expressions)]
    possible = not any(item.is_star or isinstance(item, exp.Aliases) for item in node.expressions)
    if order is not None:
        possible = possible and all(_is_result(key.this, names) for key in order.expressions)
    if not possible:
        if having is not None and any(_seen(having, node, _aliases(node))):
            raise UnsupportedError(
                "HAVING with the name of a result's column is not supported in this query."
            )
        return None
    query = node.copy()  # the original has to stay where it is replaced
    moved = {key: query.args[key] for key in _MODIFIERS if query.args.get(key) is not None}
    for key in moved:
        query.set(key, None)
    inner: list[exp.Expr] = []
    outer: list[exp.Expr] = []
    for place, (item, name) in enumerate(zip(query.expressions, names, strict=True)):
        hidden = exp.to_identifier(f"sqe_result_{place}")
        inner.append(exp.Alias(this=item.unalias(), alias=hidden))
        shown = (
            item.args["alias"].copy() if isinstance(item, exp.Alias) else exp.to_identifier(name, quoted=True)
        )
        outer.append(exp.Alias(this=exp.Column(this=hidden.copy()), alias=shown))
    query.set("expressions", inner)
    source = exp.Subquery(this=query, alias=exp.TableAlias(this=exp.to_identifier("sqe_results")))
    made = exp.Select(expressions=outer, from_=exp.From(this=source))
    for key, value in moved.items():
        made.set(key, value)
    return made


def _is_ambiguous(node: exp.Select) -> bool:
    aliases = _aliases(node)
    if not aliases:
        return False
    for key in ("group", "having"):
        clause = node.args.get(key)
        if clause is not None and any(_seen(clause, node, aliases)):
            return True
    before: set[str] = set()
    for item in node.expressions:
        if before and any(_seen(item, node, before)):
            return True
        if isinstance(item, exp.Alias) and item.alias.lower() in aliases:
            before.add(item.alias.lower())
    return False


def _aliases(node: exp.Select) -> set[str]:
    """Return the names that stand for something else than a column of that name."""
    return {
        item.alias.lower()
        for item in node.expressions
        if isinstance(item, exp.Alias)
        and not (isinstance(item.this, exp.Column) and item.this.name.lower() == item.alias.lower())
    }


def _seen(clause: exp.Expr, select: exp.Select, names: set[str]) -> Iterator[exp.Column]:
    for column in clause.find_all(exp.Column):
        if not column.table and column.name.lower() in names and column.find_ancestor(exp.Select) is select:
            yield column


def _is_result(key: exp.Expr, names: list[str]) -> bool:
    if isinstance(key, exp.Column):
        return not key.table and key.name.lower() in {name.lower() for name in names}
    return isinstance(key, exp.Literal) and not key.is_string


def _name(item: exp.Expr, place: int) -> str:
    named = isinstance(item, exp.Alias | exp.Column | exp.Dot)
    return (item.alias_or_name if named else "") or f"_col{place}"


RULE = node_rule(__name__, __doc__, result_names, exp.Select)
