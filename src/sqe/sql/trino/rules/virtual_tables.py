"""Replace the tables of `information_schema` and of the catalog `system` by temporary views.

The gateway fills the views before the statement runs. A condition such as `column = 'constant'` in the WHERE stays, and
also restricts what the gateway lists.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from sqe.errors import UnsupportedError
from sqe.sql.trino.rules.rule import Context, node_rule, text_of, unique
from sqe.sql.trino.virtual.reference import Like, VirtualReference, is_virtual

_PARTS = 3


def virtual_tables(node: exp.Expr, context: Context) -> exp.Expr | None:
    assert isinstance(node, exp.Table)
    if not isinstance(node.this, exp.Identifier):
        return None
    names = [part.name for part in node.parts]
    catalog, schema = ([None, None, *names[:-1]])[-2:]
    if len(names) > _PARTS or not is_virtual(catalog, schema, names[-1], context.scope):
        return None
    root = node.root()
    if len(names) == 1 and names[0].lower() in unique(cte.alias for cte in root.find_all(exp.CTE)):
        return None
    if isinstance(node.parent, exp.Update | exp.Delete | exp.Insert | exp.Merge) and node.arg_key == "this":
        raise UnsupportedError(f"The table {'.'.join(names)} cannot be changed.")
    select = node.find_ancestor(exp.Select)
    equals: dict[str, str] = {}
    likes: dict[str, Like] = {}
    parameters: dict[str, int] = {}
    for column, condition in _conditions(node, select):
        value = condition.expression
        if isinstance(condition, exp.Escape):
            likes.setdefault(column, Like(condition.this.expression.name, value.name))
        elif isinstance(condition, exp.Like):
            likes.setdefault(column, Like(value.name))
        elif isinstance(value, exp.Placeholder):
            parameters.setdefault(column, value.meta["number"])
        else:
            equals.setdefault(column, value.name)
    found = VirtualReference(
        view=context.view_name(),
        catalog=catalog if catalog is not None else context.scope.catalog,
        schema=schema or context.scope.namespace or "",
        table=names[-1],
        equals=equals,
        likes=likes,
        parameters=parameters,
        mentions=unique(column.name for column in root.find_all(exp.Column)),
    )
    context.virtual.append(found)
    if select is not None:
        _shorten(select, names)
    alias = node.args.get("alias") or exp.TableAlias(this=exp.to_identifier(names[-1], quoted=True))
    return exp.Table(this=exp.to_identifier(found.view, quoted=True), alias=alias)


def _conditions(node: exp.Table, select: exp.Select | None) -> Iterator[tuple[str, exp.Expr]]:
    """Yield the conjuncts of the WHERE that compare a column of the table with a constant, each with its column."""
    where = select.args.get("where") if select is not None else None
    if select is None or where is None or not _reads(node, select):
        return
    alone = not select.args.get("joins") and not select.args.get("laterals")
    for conjunct in where.this.flatten() if isinstance(where.this, exp.And) else [where.this]:
        condition = conjunct
        while isinstance(condition, exp.Paren):
            condition = condition.this
        compared = condition.this if isinstance(condition, exp.Escape) else condition
        if not isinstance(compared, exp.EQ | exp.Like) or not isinstance(compared.this, exp.Column):
            continue
        owner = compared.this.table.lower()
        if not _is_constant(condition) or not (owner == node.alias_or_name.lower() or (alone and not owner)):
            continue
        yield compared.this.name.lower(), condition


def _is_constant(condition: exp.Expr) -> bool:
    value = condition.expression
    if isinstance(condition, exp.Escape):
        return text_of(value) is not None and text_of(condition.this.expression) is not None
    if isinstance(condition, exp.Like):
        pattern = text_of(value)
        return pattern is not None and "\\" not in pattern
    return isinstance(value, exp.Placeholder) or text_of(value) is not None


def _reads(node: exp.Table, select: exp.Select) -> bool:
    """Return whether the table is in the FROM of this SELECT itself."""
    parent = node.parent
    owner = parent.parent if isinstance(parent, exp.From | exp.Join) else None
    return owner is select


def _shorten(select: exp.Select, names: list[str]) -> None:
    """Shorten `information_schema.tables.table_name` to `tables.table_name`, since the view has the table's name."""
    for column in select.find_all(exp.Column):
        if column.args.get("db") is not None and column.table.lower() == names[-1].lower():
            column.set("db", None)
            column.set("catalog", None)


RULE = node_rule(__name__, __doc__, virtual_tables, exp.Table)
