"""Parse the functions of SQL/JSON, whose clauses become arguments that Spark's analyzer gets as text.

`sqe.spark.trino.SqlJson` knows the order of the arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sqlglot import exp
from sqlglot.tokenizer_core import TokenType

from sqe.sql.trino.type_text import type_text

_NESTED = frozenset({"json_array", "json_object", "json_query"})
"""Their result is JSON, and not text, in another value of JSON."""


class _Reader:
    """Reads clauses with sqlglot's parser."""

    def __init__(self, parser: Any) -> None:
        self.parser = parser

    def words(self, *words: str) -> bool:
        return bool(self.parser._match_text_seq(*words))  # noqa: SLF001  # a parser's functions are its own

    def symbol(self, kind: TokenType) -> bool:
        return bool(self.parser._match(kind))  # noqa: SLF001

    def is_next(self, kind: TokenType) -> bool:
        found = self.parser._curr  # noqa: SLF001
        return found is not None and found.token_type is kind

    def expression(self) -> exp.Expr:
        found: exp.Expr | None = self.parser._parse_disjunction()  # noqa: SLF001
        if found is None:
            self.parser.raise_error("Expected an expression")
            raise AssertionError
        return found

    def format(self) -> str:
        """Read `FORMAT JSON ENCODING UTF8`."""
        if not self.words("FORMAT", "JSON"):
            return ""
        if not self.words("ENCODING"):
            return "json"
        for name in ("UTF8", "UTF16", "UTF32"):
            if self.words(name):
                return f"json {name.lower()}"
        self.parser.raise_error("Expected an encoding")
        raise AssertionError

    def value(self) -> list[exp.Expr]:
        """Read a value with its format."""
        found = self.expression()
        written = self.format()
        if not written and _is_nested(found):
            written = "json"
        return [found, _text(written)]

    def path(self) -> tuple[list[exp.Expr], list[exp.Expr]]:
        """Read the input and the path, and the names, values and formats that PASSING gives to it."""
        arguments = [self.expression(), _text(self.format())]
        self.symbol(TokenType.COMMA)
        path = self.expression()
        if not (isinstance(path, exp.Literal) and path.is_string):
            self.parser.raise_error("Expected the text of a path")
        if self.words("AS"):
            self.parser._parse_id_var()  # noqa: SLF001
        passed: list[exp.Expr] = []
        if self.words("PASSING"):
            passed += self._passed()
            while self.symbol(TokenType.COMMA):
                passed += self._passed()
        return [*arguments, path], passed

    def _passed(self) -> list[exp.Expr]:
        value = self.value()
        self.words("AS")
        name = self.parser._parse_id_var()  # noqa: SLF001
        if not isinstance(name, exp.Identifier):
            self.parser.raise_error("Expected a name")
        return [_text(name.name if name.quoted else name.name.upper()), *value]

    def returning(self, *, formatted: bool) -> list[exp.Expr]:
        """Read `RETURNING varchar FORMAT JSON`: the type, and the format where there can be one."""
        kind = "varchar"
        written = ""
        if self.words("RETURNING"):
            found = self.parser._parse_types()  # noqa: SLF001
            if not isinstance(found, exp.DataType):
                self.parser.raise_error("Expected a type")
            kind = type_text(found)
            written = self.format() if formatted else ""
        return [_text(kind), _text(written)] if formatted else [_text(kind)]

    def behaviour(self, choices: tuple[str, ...], event: str, otherwise: str) -> str:
        """Read `NULL ON EMPTY` and its like."""
        for choice in choices:
            if self.words(*choice.split(), "ON", event):
                return choice.lower()
        return otherwise


def _text(value: str) -> exp.Expr:
    return exp.Literal.string(value)


def _is_nested(node: exp.Expr) -> bool:
    inner = node.unnest()
    return isinstance(inner, exp.Anonymous) and inner.name.lower() in _NESTED


def _call(name: str, arguments: list[exp.Expr]) -> exp.Anonymous:
    return exp.Anonymous(this=name, expressions=arguments)


def _exists(parser: Any) -> exp.Expr:
    reader = _Reader(parser)
    arguments, passed = reader.path()
    found = reader.behaviour(("TRUE", "FALSE", "UNKNOWN", "ERROR"), "ERROR", "false")
    return _call("json_exists", [*arguments, _text(found), *passed])


def _value(parser: Any) -> exp.Expr:
    reader = _Reader(parser)
    arguments, passed = reader.path()
    arguments += reader.returning(formatted=False)
    behaviours = {"EMPTY": "null", "ERROR": "null"}
    defaults: dict[str, exp.Expr] = {"EMPTY": exp.Null(), "ERROR": exp.Null()}
    for event in behaviours:
        found = reader.behaviour(("NULL", "ERROR"), event, "")
        if found:
            behaviours[event] = found
            continue
        start = parser._index  # noqa: SLF001
        if reader.words("DEFAULT"):
            value = reader.expression()
            if reader.words("ON", event):
                behaviours[event], defaults[event] = "default", value
            else:
                parser._retreat(start)  # noqa: SLF001
    return _call("json_value", [*arguments, *map(_text, behaviours.values()), *defaults.values(), *passed])


def _query(parser: Any) -> exp.Expr:
    reader = _Reader(parser)
    arguments, passed = reader.path()
    returning = reader.returning(formatted=True)
    wrapper = "without"
    if reader.words("WITHOUT"):
        reader.words("ARRAY")
        reader.words("WRAPPER")
    elif reader.words("WITH"):
        conditional = reader.words("CONDITIONAL")
        if not conditional:
            reader.words("UNCONDITIONAL")
        wrapper = "conditional" if conditional else "unconditional"
        reader.words("ARRAY")
        reader.words("WRAPPER")
    quotes = "keep" if reader.words("KEEP", "QUOTES") else "omit" if reader.words("OMIT", "QUOTES") else ""
    if quotes:
        reader.words("ON", "SCALAR", "STRING")
    choices = ("ERROR", "NULL", "EMPTY ARRAY", "EMPTY OBJECT")
    empty = reader.behaviour(choices, "EMPTY", "null")
    error = reader.behaviour(choices, "ERROR", "null")
    clauses = map(_text, (wrapper, quotes, empty, error))
    return _call("json_query", [*arguments, *clauses, *returning, *passed])


def _array(parser: Any) -> exp.Expr:
    reader = _Reader(parser)
    values: list[exp.Expr] = []
    nulls = "absent"
    if not _is_over(reader):
        values += reader.value()
        while reader.symbol(TokenType.COMMA):
            values += reader.value()
        nulls = reader.behaviour(("NULL", "ABSENT"), "NULL", nulls)
    return _call("json_array", [_text(nulls), *reader.returning(formatted=True), *values])


def _object(parser: Any) -> exp.Expr:
    reader = _Reader(parser)
    members: list[exp.Expr] = []
    nulls, unique = "null", ""
    if not _is_over(reader):
        members += _member(reader)
        while reader.symbol(TokenType.COMMA):
            members += _member(reader)
        nulls = reader.behaviour(("NULL", "ABSENT"), "NULL", nulls)
        if reader.words("WITH", "UNIQUE"):
            unique = "unique"
            reader.words("KEYS")
        elif reader.words("WITHOUT", "UNIQUE"):
            reader.words("KEYS")
    return _call("json_object", [_text(nulls), *reader.returning(formatted=True), _text(unique), *members])


def _is_over(reader: _Reader) -> bool:
    return reader.is_next(TokenType.R_PAREN) or reader.is_next(TokenType.RETURNING)


def _member(reader: _Reader) -> list[exp.Expr]:
    """Read `KEY 'a' VALUE 1`, `'a' VALUE 1` or `'a' : 1`."""
    start = reader.parser._index  # noqa: SLF001
    if reader.words("KEY") and (reader.is_next(TokenType.COLON) or reader.words("VALUE")):
        reader.parser._retreat(start)  # noqa: SLF001  # a column of this name
    key = reader.expression()
    if not reader.symbol(TokenType.COLON) and not reader.words("VALUE"):
        reader.parser.raise_error("Expected VALUE or a colon")
    return [key, *reader.value()]


PARSERS: Mapping[str, Callable[[Any], exp.Expr]] = {
    "JSON_ARRAY": _array,
    "JSON_EXISTS": _exists,
    "JSON_OBJECT": _object,
    "JSON_QUERY": _query,
    "JSON_VALUE": _value,
}
