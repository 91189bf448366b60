"""Define the session properties that a client can set, and check their values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sqe.errors import UsageError, UsageReason
from sqe.model.session import Dialect
from sqe.model.zones import canonical
from sqe.units import Duration


@dataclass(frozen=True, slots=True)
class Property:
    name: str
    type: str  # as Trino calls it
    default: str
    description: str
    check: Callable[[str], object]  # raises ValueError for what it may not hold


def _dialect(text: str) -> Dialect:
    return Dialect(text.lower())


def _zone(text: str) -> None:
    if canonical(text) is None:
        raise ValueError(text)


PROPERTIES: tuple[Property, ...] = (
    Property(
        "dialect",
        "varchar",
        Dialect.TRINO.value,
        "How SQL is read: 'trino', or 'spark' to hand it to Spark as it is",
        _dialect,
    ),
    Property(
        "query_max_run_time",
        "varchar",
        "",
        "How long a query may run before it is canceled, such as '10m'; the server's own limit holds besides",
        Duration,
    ),
    Property("time_zone_id", "varchar", "", "The session's time zone, such as 'Europe/Amsterdam'", _zone),
)

_BY_NAME: Mapping[str, Property] = {item.name: item for item in PROPERTIES}


def check(name: str, value: str) -> None:
    """Refuse a property that is not known, or a value that it cannot have. Raises UsageError."""
    known = _BY_NAME.get(name.lower())
    if known is None:
        raise UsageError.of(
            UsageReason.SESSION_PROPERTY,
            f"Session property '{name}' does not exist.",
            hint=f"There are: {', '.join(sorted(_BY_NAME))}.",
        )
    try:
        known.check(value)
    except ValueError:
        raise UsageError.of(
            UsageReason.SESSION_PROPERTY, f"'{value}' is no value for the session property {known.name}."
        ) from None


def dialect(properties: Mapping[str, str]) -> Dialect:
    """Return the dialect that a client's properties ask for. Raises UsageError."""
    text = properties.get("dialect", Dialect.TRINO.value)
    check("dialect", text)
    return _dialect(text)


def time_zone(text: str) -> str:
    """Spell a time zone as the engine knows it. Raises UsageError."""
    zone = canonical(text)
    if zone is None:
        raise UsageError(
            f"Time zone '{text}' does not exist.",
            hint="Name one such as 'Europe/Amsterdam', or an offset such as '+02:00'.",
        )
    return zone


def run_time(properties: Mapping[str, str]) -> float | None:
    """Return the client's own limit in seconds. Raises UsageError."""
    text = properties.get("query_max_run_time", "")
    if not text:
        return None
    check("query_max_run_time", text)
    return float(Duration(text))
