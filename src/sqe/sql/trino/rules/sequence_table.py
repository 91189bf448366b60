"""Replace the table function `sequence` by a query on Spark's `range`, and by one on the array of its numbers where an
argument has to be computed.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from sqe.errors import DataError, UnsupportedError
from sqe.sql.trino.rules.rule import Context, call, is_call, node_rule

_COLUMN = "sequential_number"
_NAMES = ("start", "stop", "step")
_DEFAULTS: Mapping[str, int] = {"start": 0, "step": 1}
_INT64 = 2**63
_QUALIFIER = "system.builtin"


def sequence_table(node: exp.Expr, _context: Context) -> exp.Expr | None:
    table = node.this
    if not is_call(table, "table") or len(table.expressions) != 1:
        return None
    function = table.expressions[0]
    if isinstance(function, exp.Dot) and function.this.sql().lower() == _QUALIFIER:
        function = function.expression
    if not is_call(function, "sequence"):
        return None
    arguments = _arguments(function.expressions)
    numbers = {name: _number(name, argument) for name, argument in arguments.items()}
    start, stop, step = (numbers[name] for name in _NAMES)
    if start is not None and stop is not None and step is not None:
        query = _range(start, stop, step)
    else:
        query = _array([_constant(name, arguments[name]) for name in _NAMES])
    return exp.Subquery(this=query, alias=node.args.get("alias"))


def _arguments(given: list[exp.Expr]) -> dict[str, exp.Expr]:
    """Return start, stop and step, given by name or by position."""
    found: dict[str, exp.Expr] = {name: _literal(number) for name, number in _DEFAULTS.items()}
    by_name = [item for item in given if isinstance(item, exp.Kwarg)]
    if by_name and len(by_name) != len(given):
        raise DataError("The arguments of a table function are given all by name, or all by position.")
    if len(given) > len(_NAMES):
        raise DataError("The table function sequence has three arguments: start, stop and step.")
    names = [item.this.name.lower() for item in by_name] or list(_NAMES[: len(given)])
    if len(set(names)) != len(names):
        raise DataError("An argument of the table function sequence is given twice.")
    for name, item in zip(names, given, strict=True):
        if name not in _NAMES:
            raise DataError(f"The table function sequence has no argument {name}.")
        found[name] = item.expression if isinstance(item, exp.Kwarg) else item
    if "stop" not in found:
        raise DataError("The argument stop of the table function sequence is missing.")
    return found


def _number(name: str, node: exp.Expr) -> int | None:
    """Return the value of an integer literal; None for what has to be computed."""
    if isinstance(node, exp.Paren):
        return _number(name, node.this)
    if isinstance(node, exp.Null):
        raise DataError(f"The argument {name} of the table function sequence is null.")
    sign = -1 if isinstance(node, exp.Neg) else 1
    literal = node.this if isinstance(node, exp.Neg) else node
    if not isinstance(literal, exp.Literal):
        return None
    digits = literal.name.replace("_", "")
    number = sign * int(digits) if not literal.is_string and digits.isdecimal() else None
    if number is None or not -_INT64 <= number < _INT64:
        raise DataError(
            f"The argument {name} of the table function sequence is not a bigint: {literal.name}."
        )
    return number


def _constant(name: str, node: exp.Expr) -> exp.Expr:
    if node.find(exp.Column, exp.Query):
        raise UnsupportedError(
            f"The argument {name} of the table function sequence must be a constant expression."
        )
    return exp.Cast(this=node, to=exp.DataType.build("bigint"))


def _range(start: int, stop: int, step: int) -> exp.Select:
    if start < stop and step <= 0:
        raise DataError(f"Step must be positive for sequence [{start}, {stop}].")
    if start > stop and step >= 0:
        raise DataError(f"Step must be negative for sequence [{start}, {stop}].")
    if start == stop:
        step = 1  # any step, 0 too
    last = start + (stop - start) // step * step
    end = last + (1 if step > 0 else -1)  # Spark's end is not a part of the range
    if not -_INT64 <= end < _INT64:
        raise UnsupportedError("A sequence up to the largest or the smallest bigint is not supported.")
    numbers = call("range", *(_literal(number) for number in (start, end, step)))
    column = exp.alias_(exp.column("id"), _COLUMN)
    return exp.Select(expressions=[column], from_=exp.From(this=exp.Table(this=numbers)))


def _array(arguments: list[exp.Expr]) -> exp.Select:
    numbers = call(
        "explode", call("sequence", *arguments)
    )  # of Trino's, which the rules for functions translate
    return exp.Select(expressions=[exp.alias_(numbers, _COLUMN)])


def _literal(number: int) -> exp.Expr:
    literal = exp.Literal.number(abs(number))
    return exp.Neg(this=literal) if number < 0 else literal


RULE = node_rule(__name__, __doc__, sequence_table, exp.Table)
