"""Time zones under the names that Trino, Java, Python and Arrow all understand."""

from __future__ import annotations

import re
import zoneinfo
from functools import lru_cache

UTC = "UTC"

_OFFSET = re.compile(r"(?:UTC|GMT|UT)?([+-])(\d{1,2})(?::?(\d{2}))?")
_UTC_NAMES = frozenset({"Z", "UT", "UTC", "GMT", "GMT0", "UCT", "ZULU", "UNIVERSAL", "GREENWICH"})
_MAX_HOURS = 18  # as Java and Spark have it; Trino ends at 14


@lru_cache(maxsize=1024)
def canonical(zone: str) -> str | None:
    """Return the common spelling of a zone: `UTC`, `+02:00` or a name like `Europe/Berlin`; None if unknown."""
    if zone.upper().removeprefix("ETC/") in _UTC_NAMES:
        return UTC
    if match := _OFFSET.fullmatch(zone):
        hours, minutes = int(match[2]), int(match[3] or 0)
        if hours * 60 + minutes > _MAX_HOURS * 60 or minutes >= 60:
            return None
        return f"{match[1]}{hours:02d}:{minutes:02d}" if hours or minutes else UTC
    return zone if zone in _names() else None


@lru_cache(maxsize=1)
def _names() -> frozenset[str]:
    # Files that are no zones to Java: a session with one of them could not be opened.
    return frozenset(zoneinfo.available_timezones()) - {"Factory", "localtime"}
