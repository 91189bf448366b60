"""Format intervals as PostgreSQL and DuckDB do: `1 year 2 months 3 days 04:05:06.7`."""

from __future__ import annotations


def months_text(months: int) -> str:
    return " ".join(_months(months)) or "0 months"


def duration_text(ticks: int, per_second: int) -> str:
    """Format a duration that is given in ticks of a second."""
    return " ".join(_clock(ticks, per_second)) or "00:00:00"


def calendar_text(months: int, days: int, nanoseconds: int) -> str:
    """Format an interval of months, days and time."""
    parts = [*_months(months), *_units(days, "day")]
    if nanoseconds or not parts:
        parts.append(_time(nanoseconds, 10**9))
    return " ".join(parts)


def _units(count: int, unit: str) -> list[str]:
    return [f"{count} {unit}{'' if abs(count) == 1 else 's'}"] if count else []


def _months(months: int) -> list[str]:
    sign = -1 if months < 0 else 1
    years, rest = divmod(abs(months), 12)
    return [*_units(sign * years, "year"), *_units(sign * rest, "month")]


def _clock(ticks: int, per_second: int) -> list[str]:
    sign = -1 if ticks < 0 else 1
    days, rest = divmod(abs(ticks), 86400 * per_second)
    return [*_units(sign * days, "day"), *([_time(sign * rest, per_second)] if rest else [])]


def _time(ticks: int, per_second: int) -> str:
    seconds, fraction = divmod(abs(ticks), per_second)
    digits = f".{fraction:0{len(str(per_second)) - 1}d}".rstrip("0") if fraction else ""
    sign = "-" if ticks < 0 else ""
    return f"{sign}{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}{digits}"
