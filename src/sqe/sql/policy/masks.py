"""Expand the mask functions of policies to Spark's SQL, by the types of their columns.

A mask keeps the column's type. Where a function has no sensible value of that type, it is NULL.

| function | text | other types |
|---|---|---|
| `mask_null()` | NULL | NULL |
| `mask_constant(v)` | `v` in every row | `v`, if it is a value of the type |
| `mask_hash(c)`, `mask_hash(c, 'key')` | HMAC, hexadecimal digits | as below |
| `mask_first(c, n)`, `mask_last(c, n)` | n characters stay, the others become `x` | NULL |
| `mask_year(c)` | NULL | `date`, `timestamp`: the first of January, by UTC; others NULL |
| `mask_fields(c, 'f', 'g.h')` | refused | these fields of a struct, of an array's structs, of a map's values are NULL |

A hash of `binary` is its bytes, of `bigint` 60 of its bits, of `int` 28; of other types it is NULL.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from sqlglot import exp

from sqe.errors import ColumnNotFoundError, SemanticError, TypeMismatchError
from sqe.sql.column_type import ColumnType
from sqe.sql.dialects.policy_writer import exact_type
from sqe.sql.quote import dotted_parts
from sqe.sql.trino.rules.rule import call, text_of

HASH_FUNCTION = "sqe_hmac"
"""The guard's function from text to hexadecimal text, under the key of the column. It exists in policies only."""

SHARED_HASH_FUNCTION = "sqe_shared_hmac"
"""The same under a key that tables share; its name is the second argument."""

_INTEGERS = {"tinyint": 8, "smallint": 16, "int": 32, "bigint": 64}
_HASHED_DIGITS = {"bigint": 15, "int": 7}  # hexadecimal digits, so that the number is positive and fits
_HASHED_AS_TEXT = frozenset({*_INTEGERS, "decimal", "date", "boolean"})
_PATH = re.compile(r"`((?:[^`]|``)+)`|([^.`]+)")


@dataclass(frozen=True, slots=True)
class Masked:
    """The column that a mask function is expanded for."""

    target: ColumnType | None  # the type that the result has to have; None in a row filter: its argument's
    types: Callable[[exp.Expr], ColumnType | None]  # of a column or a field of one; None for anything else
    keyed: bool


def expand(node: exp.Anonymous, masked: Masked) -> exp.Expr:
    """Return the expansion of a call of a mask function.

    Raises:
        SemanticError: the arguments are wrong, or there is no key for a hash.
        ColumnNotFoundError, TypeMismatchError: a field or constant does not fit the column.
    """
    return _FUNCTIONS[node.name.lower()](node, masked)


def typed_null(kind: ColumnType) -> exp.Expr:
    # Spark cannot cast to a type with NOT NULL fields from one with nullable fields; the guard itself casts plain NULL.
    return exp.Null() if kind.fields or kind.items else exp.Cast(this=exp.Null(), to=exact_type(kind))


def _null(node: exp.Anonymous, masked: Masked) -> exp.Expr:
    _arguments(node, 0)
    return typed_null(_target(node, masked))


def _hash(node: exp.Anonymous, masked: Masked) -> exp.Expr:
    value, *names = node.expressions or [None]
    if value is None or len(names) > 1:
        raise SemanticError("mask_hash takes a column and optionally the name of a key.")
    key = text_of(names[0]) if names else None
    if names and not key:
        raise SemanticError("The name of a key in mask_hash has to be a string literal.")
    if not masked.keyed:
        raise SemanticError(
            "mask_hash needs a key.",
            hint="Set policy.mask_key. Without a key, users could check guessed values.",
        )
    source, target = _types(node, value, masked)
    text = _as_text(value, source)
    if text is None:
        return typed_null(target)
    digest = call(HASH_FUNCTION, text) if key is None else call(SHARED_HASH_FUNCTION, text, key)
    if target.is_text:
        return digest
    if target.name == "binary":
        return call("unhex", digest)
    if target.name in _HASHED_DIGITS:
        digits = call("left", digest, _HASHED_DIGITS[target.name])
        return exp.Cast(this=call("conv", digits, 16, 10), to=exact_type(target))
    return typed_null(target)


def _as_text(value: exp.Expr, source: ColumnType | None) -> exp.Expr | None:
    """Return text that differs for different values under all session settings; None: the type has none."""
    if source is None or source.is_text:
        return value
    if source.name == "binary":
        return call("hex", value)
    return (
        exp.Cast(this=value, to=exact_type(ColumnType("string"))) if source.name in _HASHED_AS_TEXT else None
    )


def _first(node: exp.Anonymous, masked: Masked) -> exp.Expr:
    return _partial(
        node, masked, lambda value, shown, hidden: call("concat", call("left", value, shown), hidden)
    )


def _last(node: exp.Anonymous, masked: Masked) -> exp.Expr:
    return _partial(
        node, masked, lambda value, shown, hidden: call("concat", hidden, call("right", value, shown))
    )


def _partial(
    node: exp.Anonymous, masked: Masked, joined: Callable[[exp.Expr, int, exp.Expr], exp.Expr]
) -> exp.Expr:
    value, number = _arguments(node, 2)
    if not isinstance(number, exp.Literal) or number.is_string or not number.name.isdigit():
        raise SemanticError(f"{node.name.lower()} needs the number of visible characters as a literal.")
    shown = int(number.name)
    source, target = _types(node, value, masked)
    if not target.is_text or not (source is None or source.is_text):
        return typed_null(target)
    rest = exp.Sub(this=call("char_length", value.copy()), expression=exp.Literal.number(shown))
    return joined(value, shown, call("repeat", "x", call("greatest", rest, 0)))


def _year(node: exp.Anonymous, masked: Masked) -> exp.Expr:
    (value,) = _arguments(node, 1)
    source, target = _types(node, value, masked)
    if source != target:
        return typed_null(target)
    if target.name == "date":
        return call("trunc", value, "YEAR")
    if target.name == "timestamp_ntz":
        day: exp.Expr = exp.Cast(this=value, to=exact_type(ColumnType("date")))
    elif target.name == "timestamp":
        # In UTC: users choose the session's zone, and could find out how far from the new year the value is.
        days = exp.Div(this=call("unix_seconds", value), expression=exp.Literal.number(86400))
        day = call(
            "date_from_unix_date", exp.Cast(this=call("floor", days), to=exact_type(ColumnType("int")))
        )
    else:
        return typed_null(target)
    return exp.Cast(this=call("trunc", day, "YEAR"), to=exact_type(target))


def _constant(node: exp.Anonymous, masked: Masked) -> exp.Expr:
    (value,) = _arguments(node, 1)
    target = _target(node, masked)
    if isinstance(value, exp.Null):
        return typed_null(target)
    text = _constant_text(value)
    if text is None:
        raise SemanticError("mask_constant needs a literal.")
    if not _fits(text, target):
        raise TypeMismatchError(f"mask_constant: '{text}' is not a value of the type {str(target).lower()}.")
    return exp.Cast(this=exp.Literal.string(text), to=exact_type(target))


def _constant_text(value: exp.Expr) -> str | None:
    if isinstance(value, exp.Neg) and isinstance(value.this, exp.Literal) and not value.this.is_string:
        return f"-{value.this.name}"
    if isinstance(value, exp.Boolean):
        return "true" if value.this else "false"
    if isinstance(value, exp.Cast) and isinstance(value.this, exp.Literal):  # DATE '2020-01-01'
        return str(value.this.name)
    return str(value.name) if isinstance(value, exp.Literal) else None


def _fits(text: str, kind: ColumnType) -> bool:
    if kind.is_text:
        return True
    try:
        if kind.name in _INTEGERS:
            limit = 1 << (_INTEGERS[kind.name] - 1)
            return -limit <= int(text) < limit
        if kind.name in ("float", "double"):
            float(text)
        elif kind.name == "decimal":
            return Decimal(text).is_finite()
        elif kind.name == "date":
            dt.date.fromisoformat(text)
        elif kind.name in ("timestamp", "timestamp_ntz"):
            dt.datetime.fromisoformat(text)
        else:
            return kind.name == "boolean" and text.lower() in ("true", "false")
    except (ValueError, InvalidOperation):
        return False
    return True


def _fields(node: exp.Anonymous, masked: Masked) -> exp.Expr:
    value, *names = node.expressions or [None]
    source = masked.types(value) if value is not None else None
    paths = [text_of(name) for name in names]
    if source is None or not paths or None in paths:
        raise SemanticError(
            "mask_fields needs a column and the names of its fields, such as 'street' or 'home.street'."
        )
    if masked.target not in (None, source):
        raise TypeMismatchError("The first argument of mask_fields has to be the masked column.")
    return _without(value, source, [_path(path or "") for path in paths], 0)


def _path(text: str) -> list[str]:
    """Split a path into names; names with a dot are in backticks."""
    found = dotted_parts(_PATH, text)
    if found is None:
        raise SemanticError(f"'{text}' is not the name of a field.")
    groups = (match.groups() for match in found)
    return [plain if quoted is None else quoted.replace("``", "`") for quoted, plain in groups]


def _without(value: exp.Expr, kind: ColumnType, paths: Sequence[list[str]], depth: int) -> exp.Expr:
    """Return the value with some fields set to NULL."""
    if kind.name == "array":
        item = exp.to_identifier(f"item{depth}", quoted=True)
        return call("transform", value, _lambda(_without(item, kind.items[0], paths, depth + 1), item))
    if kind.name == "map":
        key, item = (
            exp.to_identifier(f"key{depth}", quoted=True),
            exp.to_identifier(f"item{depth}", quoted=True),
        )
        return call(
            "transform_values", value, _lambda(_without(item, kind.items[1], paths, depth + 1), key, item)
        )
    below: dict[str, list[list[str]]] = {}
    for path in paths:
        found = kind.field(path[0])
        if found is None:
            raise ColumnNotFoundError(f"mask_fields: there is no field '{path[0]}'.")
        below.setdefault(found[0], []).append(path[1:])
    parts: list[exp.Expr] = []
    for name, inner in kind.fields:
        field = exp.Dot(this=value.copy(), expression=exp.to_identifier(name, quoted=True))
        deeper = below.get(name)
        if deeper is None:
            made: exp.Expr = field
        elif [] in deeper:
            made = exp.Cast(this=exp.Null(), to=exact_type(inner))
        else:
            made = _without(field, inner, deeper, depth + 1)
        parts += [exp.Literal.string(name), made]
    is_null = exp.Is(this=value.copy(), expression=exp.Null())
    return call("if", is_null, typed_null(kind), call("named_struct", *parts))


def _lambda(body: exp.Expr, *names: exp.Expr) -> exp.Lambda:
    return exp.Lambda(this=body, expressions=[name.copy() for name in names])


def _arguments(node: exp.Anonymous, count: int) -> list[exp.Expr]:
    if len(node.expressions) != count:
        word = "no argument" if count == 0 else "one argument" if count == 1 else f"{count} arguments"
        raise SemanticError(f"{node.name.lower()} takes {word}.")
    return list(node.expressions)


def _target(node: exp.Anonymous, masked: Masked) -> ColumnType:
    if masked.target is None:
        raise SemanticError(f"{node.name.lower()} cannot be used in a row filter.")
    return masked.target


def _types(node: exp.Anonymous, value: exp.Expr, masked: Masked) -> tuple[ColumnType | None, ColumnType]:
    """Return the type of the masked value, if known, and the type of the result."""
    source = masked.types(value)
    target = masked.target or source
    if target is None or (source is None and not target.is_text):
        raise SemanticError(
            f"{node.name.lower()} needs a column here, because the type of its result depends on it."
        )
    return source, target


_FUNCTIONS: Mapping[str, Callable[[exp.Anonymous, Masked], exp.Expr]] = {
    "mask_null": _null,
    "mask_hash": _hash,
    "mask_first": _first,
    "mask_last": _last,
    "mask_year": _year,
    "mask_constant": _constant,
    "mask_fields": _fields,
}
