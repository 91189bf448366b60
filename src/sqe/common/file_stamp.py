"""Detect that a file has changed since it was read, from its metadata."""

from __future__ import annotations

import os
from time import time_ns

Stamp = tuple[int, int, int, int, int]
"""Times of change of content and of the file, size, number on the disk, device."""

# Times of change have the steps of the system's clock: two changes within one step look like one. A file that was
# changed a moment ago has no stamp, and so is read again.
_SETTLED_NS = 200_000_000


def stamp(found: os.stat_result) -> Stamp | None:
    """Return what is different after a change; None: it was changed so recently that the next change may not show."""
    if time_ns() - max(found.st_mtime_ns, found.st_ctime_ns) < _SETTLED_NS:
        return None
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino, found.st_dev
