"""Define the session properties that a client can set, and check their values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from sqe.errors import UsageError, UsageReason
from sqe.model.session import Dialect
from sqe.model.zones import canonical
from sqe.service.trino_properties import CATALOG_PROPERTIES, SYSTEM_PROPERTIES, Accepted
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


def _local_executor(text: str) -> bool:
    if text.lower() not in ("auto", "off"):
        raise ValueError(text)
    return text.lower() == "auto"


def _accepted(item: Accepted) -> Property:
    description = "Accepted from clients of Trino, without effect"
    if item.fixed:
        description = (
            "Accepted from clients of Trino only with Trino's default: SQE does not have this behavior"
        )
    return Property(item.name, item.type.name, item.default, description, item.type.parse)


PROPERTIES: tuple[Property, ...] = (
    Property(
        "dialect",
        "varchar",
        Dialect.TRINO.value,
        "How SQL is read: 'trino', or 'spark' to hand it to Spark as it is",
        _dialect,
    ),
    Property(
        "local_executor",
        "varchar",
        "auto",
        "Where reads that fit on the server run: 'auto', or 'off' to have Spark run them",
        _local_executor,
    ),
    Property(
        "query_max_run_time",
        "varchar",
        "",
        "How long a query may run before it is canceled, such as '10m'; the server's own limit holds besides",
        Duration,
    ),
    Property(
        "query_max_execution_time",
        "varchar",
        "",
        "A second name of query_max_run_time; the shorter one of the two holds",
        Duration,
    ),
    Property("time_zone_id", "varchar", "", "The session's time zone, such as 'Europe/Amsterdam'", _zone),
)

"""The properties that change what SQE does."""

_BY_NAME: Mapping[str, Property] = {item.name: item for item in PROPERTIES}
_LIMITS = ("query_max_run_time", "query_max_execution_time")
_SYSTEM: Mapping[str, Accepted] = {item.name: item for item in SYSTEM_PROPERTIES}
_CATALOG: Mapping[str, Accepted] = {item.name: item for item in CATALOG_PROPERTIES}


def check(name: str, value: str) -> None:
    """Refuse a property that is not known, or a value that it cannot have. Raises UsageError."""
    known = _BY_NAME.get(name.lower())
    accepted = None if known is not None else _find_accepted(name.lower())
    try:
        if known is not None:
            known.check(value)
        elif accepted is not None:
            _check_accepted(accepted, name, value)
        else:
            raise UsageError.of(
                UsageReason.SESSION_PROPERTY,
                f"Session property '{name}' does not exist.",
                hint=f"Those with effect are: {', '.join(sorted(_BY_NAME))}. SHOW SESSION lists all.",
            )
    except ValueError:
        raise UsageError.of(
            UsageReason.SESSION_PROPERTY, f"'{value}' is no value for the session property {name.lower()}."
        ) from None


def _find_accepted(name: str) -> Accepted | None:
    catalog, dot, unqualified = name.rpartition(".")
    if not dot:
        return _SYSTEM.get(name)
    return _CATALOG.get(unqualified) if catalog else None


def _check_accepted(item: Accepted, name: str, value: str) -> None:
    if item.is_default(value) or not item.fixed:
        return
    only = f"The only value is '{item.default}'." if item.default else "It cannot be set."
    raise UsageError.of(
        UsageReason.SESSION_PROPERTY,
        f"Session property '{name.lower()}' cannot be '{value}': SQE does not have this behavior of Trino.",
        hint=only,
    )


def known_properties(catalogs: Iterable[str]) -> list[Property]:
    """Return all properties by name: the system's first, then those of each catalog as `catalog.property`."""
    system = [*PROPERTIES, *(_accepted(item) for item in SYSTEM_PROPERTIES)]
    of_catalogs = [
        replace(_accepted(item), name=f"{catalog.lower()}.{item.name}")
        for catalog in sorted(set(catalogs), key=str.lower)
        for item in CATALOG_PROPERTIES
    ]
    return [*sorted(system, key=lambda item: item.name), *of_catalogs]


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


def local_executor(properties: Mapping[str, str]) -> bool:
    """Return whether the client lets the local executor run its reads. Raises UsageError."""
    text = properties.get("local_executor", "auto")
    check("local_executor", text)
    return _local_executor(text)


def run_time(properties: Mapping[str, str]) -> float | None:
    """Return the client's own limit in seconds, the shortest one that it sets. Raises UsageError."""
    limits: list[float] = []
    for name in _LIMITS:
        text = properties.get(name, "")
        if text:
            check(name, text)
            limits.append(float(Duration(text)))
    return min(limits, default=None)
