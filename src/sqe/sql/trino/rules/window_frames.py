"""Write the windows of a query with the frames that Spark has: a window by name becomes a window in full, GROUPS become
a RANGE over the numbers of the groups, and bounds are plain numbers.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal, InvalidOperation

from sqlglot import exp

from sqe.errors import DataError, SemanticError, SqlSyntaxError, UnsupportedError
from sqe.sql.trino.rules.rule import Context, call, is_call, node_rule, twice

_WITHOUT_FRAME = ("row_number", "rank", "dense_rank", "ntile", "percent_rank", "cume_dist", "lag", "lead")
_SIDES = ("start", "end")
_CURRENT_ROW = "CURRENT ROW"
_UNBOUNDED = "UNBOUNDED"
_ARITHMETIC: Mapping[type[exp.Expr], Callable[[Decimal, Decimal], Decimal]] = {
    exp.Add: operator.add,
    exp.Mul: operator.mul,
    exp.Sub: operator.sub,
}
_WHOLE_TYPES = (*exp.DataType.INTEGER_TYPES, exp.DType.DECIMAL)
_MOST = {"ROWS": 2**31 - 1, "RANGE": 10**18}
"""Beyond any row, or any group, of a partition."""


def window_frames(node: exp.Expr, _context: Context) -> exp.Expr | None:
    windows = list(_own_windows(node))
    _name_nothing(node, windows)
    for window in windows:
        _frame(window)
    return None


def _own_windows(query: exp.Expr) -> Iterator[exp.Window]:
    """Return the windows of a query without those of the queries in it."""
    stack = list(query.iter_expressions(reverse=True))
    while stack:
        node = stack.pop()
        if isinstance(node, exp.Query):
            continue
        if isinstance(node, exp.Window):
            yield node
        if type(node) is not exp.Identifier:
            stack += node.iter_expressions(reverse=True)


def _name_nothing(select: exp.Expr, windows: list[exp.Window]) -> None:
    """Write the windows of the clause WINDOW where they are used: Spark adds nothing to a window by its name."""
    definitions: dict[str, exp.Window] = {}
    used: set[str] = set()
    for definition in select.args.get("windows") or []:
        _complete(definition, definitions, used)
        definitions[definition.this.name.lower()] = definition
    select.set("windows", None)
    for window in list(windows):
        if window in definitions.values():
            windows.remove(window)
        else:
            _complete(window, definitions, used)


def _complete(window: exp.Window, definitions: dict[str, exp.Window], used: set[str]) -> None:
    alias = window.args.get("alias")
    if alias is None:
        return
    name = alias.name.lower()
    base = definitions.get(name)
    if base is None:
        raise SemanticError(f"Cannot resolve WINDOW name {alias.name}")
    if name in used:
        twice(base)
    used.add(name)
    window.set("alias", None)
    for key in ("partition_by", "order", "spec"):
        given = base.args.get(key)
        if given and not window.args.get(key):
            window.set(key, [item.copy() for item in given] if isinstance(given, list) else given.copy())


def _frame(window: exp.Window) -> None:
    spec = window.args.get("spec")
    if spec is None:
        return
    function = window.this
    while isinstance(function, exp.IgnoreNulls | exp.RespectNulls):
        function = function.this
    if is_call(function, *_WITHOUT_FRAME):
        window.set("spec", None)
        return
    kind = str(spec.args.get("kind") or "").upper()
    spec.set("kind", kind)
    if not spec.args.get("end"):
        spec.set("end", _CURRENT_ROW)
        spec.set("end_side", None)
    for side in _SIDES:
        bound = spec.args[side]
        if isinstance(bound, exp.Expr) and bound.find(exp.Column):
            raise UnsupportedError(
                "The bounds of a window's frame must be constants.",
                hint="Join the table with itself, or aggregate the slice of an array of all rows.",
            )
    if kind == "GROUPS":
        _groups(window, spec)
    elif kind == "ROWS":
        _whole(spec, "ROWS")
    elif kind == "RANGE":
        _range(window, spec)


def _groups(window: exp.Window, spec: exp.Expr) -> None:
    spec.set("kind", "RANGE")
    if not any(isinstance(spec.args[side], exp.Expr) for side in _SIDES):
        return  # groups are the peers that RANGE speaks of, too
    order = window.args.get("order")
    if order is None:
        raise UnsupportedError("Window frame of type GROUPS PRECEDING or FOLLOWING requires ORDER BY")
    partition = window.args.get("partition_by") or []
    twice(order, *partition)
    number = exp.Window(
        this=call("dense_rank"),
        partition_by=[item.copy() for item in partition],
        order=order.copy(),
        over="OVER",
    )
    window.set("order", exp.Order(expressions=[exp.Ordered(this=number, nulls_first=False)]))
    _whole(spec, "RANGE")


def _whole(spec: exp.Expr, kind: str) -> None:
    """Write bounds as numbers that Spark takes; one beyond all rows is none."""
    most = _MOST[kind]
    offsets: list[Decimal | None] = []
    for side in _SIDES:
        bound = spec.args[side]
        number = _number(bound) if isinstance(bound, exp.Expr) else None
        before = _direction(spec, side) == "PRECEDING"
        if isinstance(bound, exp.Expr):
            if number is not None and number < 0:
                raise DataError("Window frame offset value must not be negative or null")
            if number is None or number != number.to_integral_value():
                raise UnsupportedError("The bounds of a frame of ROWS or GROUPS must be whole numbers.")
            if number >= most and _direction(spec, side) == _outwards(side):
                spec.set(side, _UNBOUNDED)
            else:
                number = min(number, Decimal(most))
                spec.set(side, exp.Literal.number(int(number)))
        offsets.append(None if number is None else -number if before else number)
    first, last = offsets
    if first is not None and last is not None and first > last:
        # There is nothing between them, which Spark refuses to look for.
        for side in _SIDES:
            spec.set(side, exp.Literal.number(most))
            spec.set(f"{side}_side", "FOLLOWING")


def _direction(spec: exp.Expr, side: str) -> str:
    """Return PRECEDING or FOLLOWING; empty for CURRENT ROW. Raises SqlSyntaxError."""
    direction = str(spec.args.get(f"{side}_side") or "").upper()
    if not direction and isinstance(spec.args[side], exp.Expr):
        raise SqlSyntaxError("A bound of a window's frame is followed by PRECEDING or FOLLOWING.")
    return direction


def _outwards(side: str) -> str:
    return "PRECEDING" if side == "start" else "FOLLOWING"


def _number(node: exp.Expr) -> Decimal | None:
    """Return the value of numbers as they are written, such as `1 + 1` or `BIGINT '1'`; None: it has another form."""
    if isinstance(node, exp.Paren):
        return _number(node.this)
    if isinstance(node, exp.Neg):
        value = _number(node.this)
        return None if value is None else -value
    if isinstance(node, exp.Cast) and node.to.this in _WHOLE_TYPES:
        return _text_number(node.this.name) if isinstance(node.this, exp.Literal) else _number(node.this)
    compute = _ARITHMETIC.get(type(node))
    if compute is not None:
        left, right = _number(node.this), _number(node.expression)
        return None if left is None or right is None else compute(left, right)
    return _text_number(node.name) if isinstance(node, exp.Literal) and not node.is_string else None


def _text_number(text: str) -> Decimal | None:
    try:
        return Decimal(text.replace("_", ""))
    except InvalidOperation:
        return None


def _range(window: exp.Window, spec: exp.Expr) -> None:
    """Give the key the digits of the bounds: Spark would cut these to the key's type."""
    order = window.args.get("order")
    if order is None or len(order.expressions) != 1:
        return
    key = order.expressions[0]
    for side in _SIDES:
        bound = spec.args[side]
        if isinstance(bound, exp.Literal) and not bound.is_string and re.search(r"[.eE]", bound.name):
            zero = exp.Literal.number(
                re.sub(r"\d", "0", re.sub(r"[eE].*", "", bound.name)) + _exponent(bound)
            )
            key.set("this", exp.Add(this=exp.Paren(this=key.this), expression=zero))


def _exponent(bound: exp.Literal) -> str:
    return "E0" if re.search(r"[eE]", bound.name) else ""


RULE = node_rule(__name__, __doc__, window_frames, exp.Select)
