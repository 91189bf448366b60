"""Quote names and text for Spark SQL, and split names at their dots."""

from __future__ import annotations

import re


def quote_identifier(name: str) -> str:
    """Quote one part of a name, whatever characters it has.

    Example:
        >>> quote_identifier("a`b")
        '`a``b`'
    """
    return "`" + name.replace("`", "``") + "`"


def quote_name(*parts: str) -> str:
    """Quote a name of several parts, such as catalog, namespace and table.

    Example:
        >>> quote_name("iceberg", "default", "t")
        '`iceberg`.`default`.`t`'
    """
    return ".".join(quote_identifier(part) for part in parts)


def quote_literal(text: str) -> str:
    r"""Quote text as a string literal of Spark SQL.

    Spark reads a backslash as an escape, so backslashes are doubled, and `\'` is a quote under every setting,
    which `''` is not.

    Example:
        >>> print(quote_literal("it's a \\"))
        'it\'s a \\'
    """
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def dotted_parts(part: re.Pattern[str], text: str) -> list[re.Match[str]] | None:
    """Return the matches of `part` with a dot between each two; None when the text is anything else.

    Example:
        >>> [match.group() for match in dotted_parts(re.compile("`[^`]+`|[^.`]+"), "a.`b.c`")]
        ['a', '`b.c`']
    """
    found: list[re.Match[str]] = []
    position = 0
    while match := part.match(text, position):
        found.append(match)
        position = match.end()
        if position == len(text):
            return found
        if text[position] != ".":
            return None
        position += 1
    return None
