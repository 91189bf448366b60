"""Read pairs of statements from files: the client's, and the translation for Spark."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class Pair(NamedTuple):
    name: str
    sent: str
    expected: str


def read_pairs(path: Path) -> list[Pair]:
    """Read `-- input` and `-- expected` parts, one after the other."""
    pairs = []
    for number, block in enumerate(path.read_text().split("-- input\n")[1:], 1):
        sent, separator, expected = block.partition("\n-- expected\n")
        assert separator, f"{path}: pair {number} has no expected part"
        pairs.append(Pair(f"{path.stem}-{number}", sent.strip(), expected.strip()))
    return pairs
