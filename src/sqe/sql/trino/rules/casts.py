"""Replace CAST and TRY_CAST by functions that see the type of their operand: numbers are rounded, and text is read and
written as Trino does.

Literals such as `TIMESTAMP '2020-01-01 10:00'` keep the digits of their second as their type. One that names
a time that does not exist in its zone is refused.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from sqlglot import exp

from sqe.errors import CastError
from sqe.sql.dialects.trino import TYPED_LITERAL
from sqe.sql.trino.rules.rule import Context, analyzed, node_rule, text_of
from sqe.sql.trino.type_text import type_text

_FRACTION = re.compile(r":\d+\.(\d+)")
_ZONE = re.compile(r"\A\s*[+-]?\d+-\d+-\d+(?:\s+\d+:\d+(?::\d+(?:\.\d+)?)?)?\s*[A-Za-z+-]")
_IN_NAMED_ZONE = re.compile(
    r"\A\s*(\d{4})-(\d+)-(\d+)\s+(\d+):(\d+)(?::(\d+)(?:\.\d+)?)?\s+([A-Za-z]+(?:/[A-Za-z0-9_+-]+)+)\s*\Z"
)
_TIME_ZONE = re.compile(r"[+-]\d{1,2}(?::?\d{2})?\s*\Z")
_BY_TEXT = (exp.DType.UUID, exp.DType.IPADDRESS)


def casts(node: exp.Expr, _context: Context) -> exp.Expr | None:
    assert isinstance(node, exp.Cast)
    if node.meta.get(TYPED_LITERAL):
        return _literal(node)
    name = "try_cast" if isinstance(node, exp.TryCast) else "cast"
    return analyzed(name, node.this, type_text(node.to))


def _literal(node: exp.Cast) -> exp.Expr | None:
    kind, text = node.to.this, text_of(node.this)
    if text is None or isinstance(node.find_ancestor(exp.Version), exp.Version):
        return None
    fraction = _FRACTION.search(text)
    digits = len(fraction[1]) if fraction else 0
    if kind in (exp.DType.TIMESTAMP, exp.DType.TIMESTAMPTZ):
        _check_exists(text)
        zone = " with time zone" if _ZONE.match(text) else ""
        return analyzed("cast", node.this, f"timestamp({digits}){zone}")
    if kind in (exp.DType.TIME, exp.DType.TIMETZ):
        zone = " with time zone" if _TIME_ZONE.search(text) else ""
        return analyzed("cast", node.this, f"time({digits}){zone}")
    if kind is exp.DType.DATE:
        return analyzed("cast", node.this, "date")
    if kind is exp.DType.JSON:
        return analyzed("json_parse", node.this)
    if kind is exp.DType.CHAR:
        return analyzed("cast", node.this, f"char({len(text)})")
    if kind in _BY_TEXT:
        return analyzed("cast", node.this, type_text(node.to))
    return None


def _check_exists(text: str) -> None:
    """Refuse a local time that the clocks of its zone skip, as Trino does in literals. Raises CastError."""
    found = _IN_NAMED_ZONE.match(text)
    if found is None:
        return
    try:
        zone = ZoneInfo(found[7])
        year, month, day, hour, minute, second = (int(number or 0) for number in found.groups()[:6])
        local = datetime(year, month, day, hour, minute, second)  # noqa: DTZ001 - local on purpose
        there = local.replace(tzinfo=zone).astimezone(UTC).astimezone(zone).replace(tzinfo=None)
    except (ValueError, OverflowError, OSError, ZoneInfoNotFoundError):
        return  # the analyzer says what is wrong with it
    if there != local:
        raise CastError(
            f"'{text}' is not a valid TIMESTAMP literal: the clocks of {found[7]} skip this time."
        )


RULE = node_rule(__name__, __doc__, casts, exp.Cast, exp.TryCast)
