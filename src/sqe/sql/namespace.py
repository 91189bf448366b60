"""Write nested namespaces as one name, and read them back.

A client knows catalog, schema and table; a namespace of several parts is one schema to it, with dots between the parts.
A part that has a dot itself, or that would be taken for a quoted one, is written in backticks.
"""

from __future__ import annotations

import re

# A part in backticks, or one that does not start with a backtick and goes to the next dot.
_PART = re.compile(r"(?:`((?:[^`]|``)*)`|([^.`][^.]*|))(?:\.|\Z)")


def join(parts: tuple[str, ...]) -> str:
    """Write the parts of a namespace as a schema's name.

    Example:
        >>> join(("a", "b")), join(("a.b",))
        ('a.b', '`a.b`')
    """
    return ".".join(_quoted(part) if not part or "." in part or part[0] == "`" else part for part in parts)


def split(name: str) -> tuple[str, ...]:
    """Return the parts of a namespace from a schema's name, or from the text that Spark shows.

    A name that cannot be read so is a single part.

    Example:
        >>> split("a.b"), split("`a.b`.c")
        (('a', 'b'), ('a.b', 'c'))
    """
    parts: list[str] = []
    position = 0
    while position <= len(name):
        match = _PART.match(name, position)
        if match is None:
            return (name,)
        quoted, plain = match.groups()
        parts.append(quoted.replace("``", "`") if quoted is not None else plain)
        if match.end() == len(name) and not match.group().endswith("."):
            return tuple(parts)
        position = match.end()
    return (name,)


def _quoted(part: str) -> str:
    return "`" + part.replace("`", "``") + "`"
