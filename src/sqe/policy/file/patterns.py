"""Match names of users, roles and groups with patterns, and names of tables part by part.

`*` stands for any characters and `?` for one. In the name of a table a `*` never matches a dot; `**` as the last part
stands for everything below, and `*` alone for everything.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from sqe.sql.quote import dotted_parts

_PART = re.compile(r'"((?:[^"]|"")+)"|([^".]+)')
_LEAST = 2
_ANY = "*"
_BELOW = "**"


def name_matches(pattern: str, name: str) -> bool:
    return _compiled(pattern).fullmatch(name) is not None


@lru_cache(maxsize=4096)
def _compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    # Several stars in a row mean the same as one, and would only slow down matching.
    pieces = re.split(r"(\*+|\?)", pattern)
    text = "".join(
        "." if piece == "?" else ".*" if piece.startswith("*") else re.escape(piece) for piece in pieces
    )
    return re.compile(text, re.DOTALL | flags)


@dataclass(frozen=True, slots=True)
class _Part:
    exact: re.Pattern[str]
    wide: re.Pattern[str]
    literal: bool
    text: str  # as written, without quotes


@dataclass(frozen=True, slots=True)
class TablePattern:
    parts: tuple[_Part, ...]
    below: bool  # ends in `**`

    @classmethod
    def read(cls, text: str) -> TablePattern:
        """Parse `catalog.schema.table`; parts in double quotes have no wildcards.

        Raises:
            ValueError: `text` is not a valid pattern.
        """
        if text == _ANY:
            return cls((), below=True)
        words = _split(text)
        below = words[-1] == (_BELOW, False)
        words = words[:-1] if below else words
        if any(word == _BELOW and not quoted for word, quoted in words):
            raise ValueError(f"'{text}' has ** before its end")
        if not below and len(words) <= _LEAST:
            raise ValueError(
                f"'{text}' is not a catalog.schema.table; for all of a catalog write {words[0][0]}.**"
            )
        return cls(tuple(_part(word, quoted) for word, quoted in words), below=below)

    @property
    def is_exact(self) -> bool:
        """Whether it names one table."""
        return not self.below and all(part.literal for part in self.parts)

    def matches(self, names: Sequence[str], *, wide: bool) -> bool:
        """Return whether the pattern matches a table; with `wide`, case does not matter."""
        enough = len(names) > len(self.parts) if self.below else len(names) == len(self.parts)
        return enough and self._begins(names, len(self.parts), wide=wide)

    def reaches(self, names: Sequence[str]) -> bool:
        """Return whether the pattern could match anything in a catalog or schema."""
        shorter = min(len(names), len(self.parts))
        deep_enough = self.below or len(names) < len(self.parts)
        return deep_enough and self._begins(names, shorter, wide=False)

    def covers(self, names: Sequence[str], *, wide: bool) -> bool:
        """Return whether the pattern matches everything in a catalog or schema."""
        if len(names) < len(self.parts):
            rest = self.parts[len(names) :]
            return all(not part.literal and part.text == _ANY for part in rest) and self._begins(
                names, len(names), wide=wide
            )
        return self.below and self._begins(names, len(self.parts), wide=wide)

    def _begins(self, names: Sequence[str], count: int, *, wide: bool) -> bool:
        return all(
            (part.wide if wide else part.exact).fullmatch(name)
            for part, name in zip(self.parts[:count], names, strict=False)
        )


def _part(word: str, quoted: bool) -> _Part:
    literal = quoted or not ("*" in word or "?" in word)
    if literal:
        return _Part(re.compile(re.escape(word)), re.compile(re.escape(word), re.IGNORECASE), True, word)
    return _Part(_compiled(word), _compiled(word, re.IGNORECASE), False, word)


def _split(text: str) -> list[tuple[str, bool]]:
    """Return the parts, and for each whether it is in quotes."""
    found = dotted_parts(_PART, text)
    if found is None:
        raise ValueError(f"'{text}' is neither the name of a table nor a pattern of one")
    groups = (match.groups() for match in found)
    return [
        (plain, False) if quoted is None else (quoted.replace('""', '"'), True) for quoted, plain in groups
    ]
