"""Stored SQL functions: their form in the properties of a schema, and the names that a statement calls.

A catalog keeps a function as a property of its schema, so that the catalog and the policies decide who may make and see
it, as they do for the schema's other properties. The property is written in hexadecimal digits: Spark shows properties
as one text without quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqe.sql.lexer import Token, TokenKind
from sqe.sql.trino.lexer import unquote_name

_PREFIX = "trino.function"
_PROPERTY = re.compile(r"\(trino\.function\.([0-9a-f]+)\.(\d+),([0-9a-f]+)\)")
# Before the name of a table, a view or a procedure with a list in brackets.
_NO_CALL = frozenset({"INTO", "TABLE", "VIEW", "EXISTS", "CALL", "FUNCTION"})
_NO_SCHEMAS = frozenset({"system", "information_schema"})
_PARTS = (2, 3)  # of a name that is not plain: schema.f, catalog.schema.f


@dataclass(frozen=True, slots=True)
class StoredFunction:
    """One function of a schema, with its text: `FUNCTION f(x integer) RETURNS integer RETURN x + 1`."""

    catalog: str
    schema: str
    name: str
    count: int  # of parameters
    definition: str


def property_name(name: str, count: int) -> str:
    """Return the property of a schema that keeps the function of this name and number of parameters."""
    return f"{_PREFIX}.{name.encode().hex()}.{count}"


def property_value(definition: str) -> str:
    """Return a function's text as a property has it."""
    return definition.encode().hex()


def functions_in(catalog: str, schema: str, properties: str) -> list[StoredFunction]:
    """Return the functions among the properties of a schema as Spark shows them; what is no function is left out."""
    found: list[StoredFunction] = []
    for name, count, value in _PROPERTY.findall(properties):
        try:
            text, definition = bytes.fromhex(name).decode(), bytes.fromhex(value).decode()
        except ValueError:  # not the gateway's
            continue
        found.append(StoredFunction(catalog, schema, text, int(count), definition))
    return sorted(found, key=lambda function: (function.name, function.count))


def called_schemas(tokens: Sequence[Token], catalog: str | None) -> Iterator[tuple[str, str]]:
    """Yield the catalog and the schema of each name in front of a bracket that may be a function's.

    Args:
        tokens: of a statement, or of a function.
        catalog: the current one, in which `schema.f(1)` is.

    Example:
        >>> from sqe.sql.trino.lexer import statement_tokens
        >>> list(called_schemas(statement_tokens("SELECT a.b.f(1), b.f(2), f(3)"), "c"))
        [('a', 'b'), ('c', 'b')]
    """
    parts: list[str] = []
    before = ""  # the word before the name
    for place, token in enumerate(tokens):
        if token.is_symbol(".") and parts:
            continue
        follows = place > 0 and tokens[place - 1].is_symbol(".")
        if token.kind in (TokenKind.WORD, TokenKind.QUOTED_NAME):
            if not follows or not parts:
                parts, before = [], tokens[place - 1].keyword if place else ""
            name = unquote_name(token)
            parts.append(name if token.kind is TokenKind.QUOTED_NAME else name.lower())
            continue
        if token.is_symbol("(") and len(parts) in _PARTS and not follows and before not in _NO_CALL:
            *own, schema, _ = parts
            place_of = own[0] if own else catalog
            if place_of is not None and schema.lower() not in _NO_SCHEMAS:
                yield place_of, schema
        parts = []
