"""List the functions of Trino's dialect with their types, from `builtin_functions.tsv`.

`tests/parity/functions.py` writes the file from the answer of a real Trino, without what SQE does not have.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

PATH = Path(__file__).with_suffix(".tsv")
_YES = "deterministic"


class BuiltinFunction(NamedTuple):
    """One form of a function, in the words of SHOW FUNCTIONS."""

    name: str
    result: str
    arguments: str
    kind: str  # scalar, aggregate, window, table
    deterministic: bool

    def fields(self) -> tuple[str, ...]:
        """Return the fields of a line of the file."""
        return *self[:4], _YES if self.deterministic else ""


@cache
def builtin_functions() -> tuple[BuiltinFunction, ...]:
    """Return all functions, ordered by name, result and arguments."""
    lines = PATH.read_text().splitlines()
    return tuple(
        BuiltinFunction(name, result, arguments, kind, deterministic == _YES)
        for name, result, arguments, kind, deterministic in (line.split("\t") for line in lines)
    )
