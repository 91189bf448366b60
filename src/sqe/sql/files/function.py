"""Parse a call of `read_csv(…)` and similar functions: a path or a list of paths, then named options, all literals."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from sqe.errors import SqeError, SqlSyntaxError, UsageError
from sqe.sql.files.formats import (
    COMPRESSION,
    DEFAULTS,
    FUNCTIONS,
    LAYOUT,
    SCHEMA,
    Kind,
    Option,
    check_codec,
    check_path,
    format_of,
    option_of,
)
from sqe.sql.files.table import FileTable
from sqe.sql.lexer import Token, TokenKind, placed, string_value


def read_function(sql: str, words: Sequence[Token], index: int) -> tuple[FileTable, int]:
    """Return the table of the call whose name is at `index`, and the index after its closing parenthesis."""
    call = _Call(sql, words, index)
    return call.table(), call.index


class _Call:
    """Parses one `read_…(…)`; afterwards `index` is after its closing parenthesis."""

    def __init__(self, sql: str, words: Sequence[Token], index: int) -> None:
        self._sql = sql
        self._words = words
        self._name = words[index]
        self._format = FUNCTIONS[self._name.keyword.lower()]
        self.index = index + 2

    def table(self) -> FileTable:
        paths = self._paths()
        given: dict[str, str] = {}
        while not self._take(")"):
            self._expect(",", "a comma or the closing parenthesis")
            name, option, value = self._option()
            if option.spark in given:
                raise self._error(UsageError(f"The option '{name.text}' occurs twice."), name)
            given[option.spark] = value
        end = self._words[self.index - 1].end
        schema = given.pop(SCHEMA, None)
        try:
            for path in paths:
                check_path(path)
            options = self._options(paths, given)
        except SqeError as error:
            raise self._error(error, self._name) from None
        if schema is not None:
            options.pop("inferSchema", None)
        return FileTable(self._name.start, end, self._format, paths, MappingProxyType(options), schema)

    def _options(self, paths: tuple[str, ...], given: dict[str, str]) -> dict[str, str]:
        compression = given.pop(COMPRESSION, "auto").lower()
        if self._format in ("csv", "json", "text"):
            for path in paths:
                by_name = check_codec(path)
                if compression not in ("auto", by_name or "none"):
                    raise UsageError(
                        f"'{path}' cannot be read as {compression}: the engine uses the file's extension, "
                        f"which means {by_name or 'no compression'}.",
                        hint="Rename the file, or leave out the option.",
                    )
        layout = given.pop(LAYOUT, "auto")
        options = dict(DEFAULTS.get(self._format, {}))
        if self._format == "csv":
            separators = {_separator(path) for path in paths}
            if len(separators) == 1:
                options["sep"] = separators.pop()
        if self._format == "json" and layout != "auto":
            options["multiLine"] = "true" if layout == "array" else "false"
        return options | given

    def _paths(self) -> tuple[str, ...]:
        token = self._next("a path")
        closing = None
        if token.keyword == "ARRAY" and self._take("("):
            closing = ")"
        elif token.is_symbol("["):
            closing = "]"
        if closing is None:
            return (self._string(token),)
        paths = [self._string(self._next("a path"))]
        while not self._take(closing):
            self._expect(",", "a comma or the end of the list")
            paths.append(self._string(self._next("a path")))
        return tuple(paths)

    def _option(self) -> tuple[Token, Option, str]:
        name = self._next("an option's name")
        if name.kind is not TokenKind.WORD or not (self._take("=>") or self._take("=")):
            raise self._error(
                UsageError(
                    f"{self._name.text} takes one path, or a list of paths, and named options.",
                    hint="Write options as name => value.",
                ),
                name,
            )
        try:
            option = option_of(self._format, name.text)
        except UsageError as error:
            raise self._error(error, name) from None
        token = self._next("the option's value")
        value = string_value(token) if token.kind is TokenKind.STRING else token.keyword.lower()
        good = {
            Kind.TEXT: token.kind is TokenKind.STRING,
            Kind.FLAG: value.lower() in ("true", "false"),
            Kind.CHOICE: value.lower() in option.choices,
        }[option.kind]
        if not good:
            wanted = " or ".join(f"'{choice}'" for choice in option.choices) or option.kind.value
            raise self._error(
                UsageError(f"The option '{name.text}' takes {wanted}.", hint="Write a literal."), token
            )
        if option.kind is Kind.CHOICE:
            value = option.choices[value.lower()]
        return name, option, value.lower() if option.kind is Kind.FLAG else value

    def _next(self, what: str) -> Token:
        if self.index >= len(self._words):
            raise self._error(
                SqlSyntaxError(f"{self._name.text}( ends where {what} is expected."), self._name
            )
        self.index += 1
        return self._words[self.index - 1]

    def _take(self, symbol: str) -> bool:
        if self.index < len(self._words) and self._words[self.index].is_symbol(symbol):
            self.index += 1
            return True
        return False

    def _expect(self, symbol: str, what: str) -> None:
        token = self._next(what)
        if not token.is_symbol(symbol):
            raise self._error(SqlSyntaxError(f"'{token.text[:20]}' stands where {what} is expected."), token)

    def _string(self, token: Token) -> str:
        if token.kind is not TokenKind.STRING:
            raise self._error(
                UsageError(
                    f"{self._name.text} takes its path as a string.",
                    hint=f"Write literals: {self._name.text}('a.x') or {self._name.text}(['a.x', 'b.x']).",
                ),
                token,
            )
        return string_value(token)

    def _error(self, error: SqeError, token: Token) -> SqeError:
        return placed(error, self._sql, token)


def _separator(path: str) -> str:
    """Return the delimiter of a file by its extension; a comma for any other extension."""
    try:
        return format_of(path).options.get("sep", ",")
    except SqeError:
        return ","
