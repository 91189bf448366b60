"""Quote names and text for Spark SQL, and split names at their dots."""

from __future__ import annotations

import re

_PLAIN = re.compile(r"[a-z_][a-z0-9_]*")
_TRINO_WORDS = """
    ALTER AND AS AUTO BETWEEN BY CASE CAST CONSTRAINT CREATE CROSS CUBE CURRENT_CATALOG CURRENT_DATE CURRENT_PATH
    CURRENT_ROLE CURRENT_SCHEMA CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER DEALLOCATE DELETE DESCRIBE DISTINCT DROP
    ELSE END ESCAPE EXCEPT EXISTS EXTRACT FALSE FOR FROM FULL GROUP GROUPING HAVING IN INNER INSERT INTERSECT INTO IS
    JOIN JSON_ARRAY JSON_EXISTS JSON_OBJECT JSON_QUERY JSON_TABLE JSON_VALUE LEFT LIKE LISTAGG LOCALTIME
    LOCALTIMESTAMP NATURAL NORMALIZE NOT NULL ON OR ORDER OUTER PREPARE RECURSIVE RIGHT ROLLUP SELECT SKIP TABLE THEN
    TRIM TRUE UESCAPE UNION UNNEST USING VALUES WHEN WHERE WITH
"""
_TRINO_RESERVED = frozenset(_TRINO_WORDS.split())


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


def trino_name(text: str) -> str:
    """Quote one part of a name in Trino's SQL.

    Example:
        >>> trino_name('a"b')
        '"a""b"'
    """
    return '"' + text.replace('"', '""') + '"'


def plain_trino_name(text: str) -> str:
    """Quote one part of a name in Trino's SQL where it has to be quoted.

    Example:
        >>> plain_trino_name("a"), plain_trino_name("select"), plain_trino_name("A")
        ('a', '"select"', '"A"')
    """
    plain = _PLAIN.fullmatch(text) is not None and text.upper() not in _TRINO_RESERVED
    return text if plain else trino_name(text)


def trino_text(text: str) -> str:
    """Quote text as a string literal of Trino's SQL, which has no escapes.

    Example:
        >>> trino_text("it's")
        "'it''s'"
    """
    return "'" + text.replace("'", "''") + "'"


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
