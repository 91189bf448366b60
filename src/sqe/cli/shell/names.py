"""Table names as people type them after a dot command."""

from __future__ import annotations

import re

from sqe.errors import UsageError
from sqe.sql.quote import quote_name

_PART = re.compile(r"`((?:[^`]|``)+)`|\"((?:[^\"]|\"\")+)\"|([^.`\"]+)")


def name_parts(text: str) -> list[str]:
    """Take `a.b."c d"` apart. Raises UsageError."""
    parts, position = [], 0
    while match := _PART.match(text, position):
        back, double, bare = match.groups()
        if back is not None:
            parts.append(back.replace("``", "`"))
        elif double is not None:
            parts.append(double.replace('""', '"'))
        else:
            parts.append(bare)
        position = match.end()
        if position == len(text):
            return parts
        if text[position] != ".":
            break
        position += 1
    raise UsageError(
        f"'{text}' is not a name.", hint="Write it as table, schema.table or catalog.schema.table."
    )


def relation(text: str) -> str:
    """Quote what may stand after FROM: a name in parts, or a file in quotes. Raises UsageError."""
    text = text.strip().rstrip(";").rstrip()
    if len(text) > 2 and text[0] == text[-1] == "'":
        return text
    return quote_name(*name_parts(text))


def is_file(relation_text: str) -> bool:
    return relation_text.startswith("'")
