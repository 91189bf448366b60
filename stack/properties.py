"""Write Java's properties files, as Quarkus reads them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sqe.locations import write_private

_ESCAPES = str.maketrans({"\\": "\\\\", "\n": "\\n", ":": "\\:", "=": "\\=", " ": "\\ "})


def write_properties(path: Path, properties: Mapping[str, str]) -> None:
    """Write them for this user only: some of them are secrets."""
    write_private(path, render(properties))


def render(properties: Mapping[str, str]) -> str:
    lines = []
    for name, value in properties.items():
        # In a value only what comes first, a backslash and the end of a line mean something.
        escaped = value.replace("\\", "\\\\").replace("\n", "\\n")
        lines.append(f"{name.translate(_ESCAPES)}={escaped}\n")
    return "".join(lines)
