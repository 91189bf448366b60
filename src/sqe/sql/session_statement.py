"""Read the statements that the gateway answers itself: they concern the client's session and not the engine.

They are Trino's, and are read as Trino reads them in both dialects: a session that has switched itself to
Spark's SQL must find its way back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NoReturn

from sqe.errors import Position, UnsupportedError
from sqe.sql.lexer import Token, TokenKind, position_at
from sqe.sql.namespace import join
from sqe.sql.token_reader import TokenReader
from sqe.sql.trino.lexer import syntax_error


@dataclass(frozen=True, slots=True)
class Argument:
    """One value behind USING; `sqe.sql.trino.arguments.bind_arguments` reads it."""

    text: str
    position: Position  # of its first character in the statement


@dataclass(frozen=True, slots=True)
class Use:
    catalog: str | None
    schema: str


@dataclass(frozen=True, slots=True)
class SetSession:
    name: str  # a session property, or catalog.property
    value: str


@dataclass(frozen=True, slots=True)
class ResetSession:
    name: str


@dataclass(frozen=True, slots=True)
class ShowSession:
    like: str | None
    escape: str | None = None


@dataclass(frozen=True, slots=True)
class Prepare:
    name: str
    sql: str


@dataclass(frozen=True, slots=True)
class Execute:
    name: str
    arguments: tuple[Argument, ...]


@dataclass(frozen=True, slots=True)
class ExecuteImmediate:
    sql: str
    arguments: tuple[Argument, ...]


@dataclass(frozen=True, slots=True)
class Deallocate:
    name: str


@dataclass(frozen=True, slots=True)
class DescribeInput:
    name: str


@dataclass(frozen=True, slots=True)
class DescribeOutput:
    name: str


@dataclass(frozen=True, slots=True)
class StartTransaction:
    read_only: bool = False


@dataclass(frozen=True, slots=True)
class Commit:
    pass


@dataclass(frozen=True, slots=True)
class Rollback:
    pass


@dataclass(frozen=True, slots=True)
class SetTimeZone:
    zone: str | None  # None: the client's own, from before


@dataclass(frozen=True, slots=True)
class SetRole:
    role: str  # ALL and NONE in upper case; a name as it is written
    catalog: str | None = None


@dataclass(frozen=True, slots=True)
class SetPath:
    path: str


@dataclass(frozen=True, slots=True)
class Validate:
    sql: str  # behind EXPLAIN (TYPE VALIDATE)


@dataclass(frozen=True, slots=True)
class KillQuery:
    """CALL system.runtime.kill_query, with which tools such as Superset cancel a query."""

    query_id: str
    message: str | None = None


SessionStatement = (
    Use
    | SetSession
    | ResetSession
    | ShowSession
    | Prepare
    | Execute
    | ExecuteImmediate
    | Deallocate
    | DescribeInput
    | DescribeOutput
    | StartTransaction
    | Commit
    | Rollback
    | SetTimeZone
    | SetRole
    | SetPath
    | Validate
    | KillQuery
)

UPDATE_TYPES: Mapping[type, str | None] = {
    Use: "USE",
    SetSession: "SET SESSION",
    ResetSession: "RESET SESSION",
    ShowSession: None,
    Prepare: "PREPARE",
    Execute: None,
    ExecuteImmediate: None,
    Deallocate: "DEALLOCATE",
    DescribeInput: None,
    DescribeOutput: None,
    StartTransaction: "START TRANSACTION",
    Commit: "COMMIT",
    Rollback: "ROLLBACK",
    SetTimeZone: "SET TIME ZONE",
    SetRole: "SET ROLE",
    SetPath: "SET PATH",
    Validate: None,
    KillQuery: "CALL",
}
"""Trino's `updateType` of each; None for those that return rows, or run another statement."""

_SPACE = r"(?:\s++|--[^\r\n]*+|/\*(?:[^*]|\*(?!/))*+\*/)*+"
_LEADING = re.compile(rf"{_SPACE}(\w*+){_SPACE}(\w*+)")
_SECOND_WORDS: Mapping[str, frozenset[str]] = {
    "SET": frozenset({"SESSION", "TIME", "ROLE", "PATH"}),
    "RESET": frozenset({"SESSION"}),
    "SHOW": frozenset({"SESSION"}),
    "DESCRIBE": frozenset({"INPUT", "OUTPUT"}),
    "EXPLAIN": frozenset({""}),  # a parenthesis
    "CALL": frozenset({"SYSTEM"}),
}


def begins(text: str) -> bool:
    """Whether a text begins like one of these statements, so that it has to be lexed as Trino's and read here."""
    leading = _LEADING.match(text)
    first, second = (word.upper() for word in leading.groups()) if leading else ("", "")
    return first in _READERS and second in _SECOND_WORDS.get(first, (second,))


def read(text: str, tokens: Sequence[Token]) -> SessionStatement | None:
    """Return what a statement asks of the session; None when it is one for the engine.

    Args:
        text: a statement that `begins` like one of these.
        tokens: those of Trino's lexer, of one whole statement.

    Raises:
        SqlSyntaxError: it does not go on like one of these.
        UnsupportedError: it is one of Trino's that SQE does not have.

    Example:
        >>> read("USE lake.sales", statement_tokens("USE lake.sales"))
        Use(catalog='lake', schema='sales')
    """
    reader = _READERS.get(tokens[0].keyword)
    return reader(_Reader(text, tokens)) if reader is not None else None


class _Reader(TokenReader):
    """Reads one statement, whose first word has been seen."""

    def __init__(self, text: str, tokens: Sequence[Token]) -> None:
        super().__init__(text, tokens)
        self.index = 1

    def rest(self) -> str:
        """Return the text from the next token to the last one."""
        if not self.left:
            self.mismatch("<statement>")
        start, self.index = self.offset, len(self.tokens)
        return self.text[start : self.tokens[-1].end]

    def arguments(self) -> tuple[Argument, ...]:
        """Read the expressions between the commas from here to the end; commas inside brackets separate nothing."""
        found: list[Argument] = []
        while True:
            first = last = self.take()
            depth = 0
            while True:
                depth += (last.text in ("(", "[")) - (last.text in (")", "]"))
                if not self.left or (depth <= 0 and self.at_symbol(",")):
                    break
                last = self.take()
            found.append(Argument(self.text[first.start : last.end], position_at(self.text, first.start)))
            if not self.accept_symbol(","):
                return tuple(found)

    def unsupported(self, message: str, hint: str | None = None) -> NoReturn:
        raise UnsupportedError(message, hint=hint, position=position_at(self.text, self.tokens[0].start))


def _use(reader: _Reader) -> SessionStatement:
    if reader.peek() == "CATALOG" and reader.left == 2:
        reader.unsupported("USE CATALOG is not supported.", "Use `USE catalog.schema`.")
    if reader.peek() in ("NAMESPACE", "SCHEMA", "DATABASE") and reader.left > 1:
        reader.accept(reader.peek())
    parts = reader.qualified()
    reader.end()
    return (
        Use(None, parts[0])
        if len(parts) == 1
        else Use(parts[0], parts[1] if len(parts) == 2 else join(tuple(parts[1:])))
    )


def _set(reader: _Reader) -> SessionStatement | None:
    if reader.accept("SESSION"):
        if reader.accept("AUTHORIZATION"):
            reader.unsupported("SET SESSION AUTHORIZATION is not supported.", "Log in as the other user.")
        name = ".".join(reader.qualified())
        if not reader.accept_symbol("="):
            reader.mismatch("'='")
        value = _property_value(reader)
        reader.end()
        return SetSession(name, value)
    if reader.accept("TIME", "ZONE"):
        zone = _zone(reader)
        reader.end()
        return SetTimeZone(zone)
    if reader.accept("ROLE"):
        role = reader.peek() if reader.peek() in ("ALL", "NONE") else ""
        name = reader.name()
        catalog = reader.name() if reader.accept("IN") else None
        reader.end()
        return SetRole(role or name, catalog)
    if reader.accept("PATH"):
        return SetPath(reader.rest())
    return None


def _property_value(reader: _Reader) -> str:
    if reader.accept_symbol("-"):
        return "-" + _number(reader)
    if reader.peek() in ("TRUE", "FALSE"):
        return reader.take().text.lower()
    return _number(reader) if reader.at_kind(TokenKind.NUMBER) else reader.string()


def _number(reader: _Reader) -> str:
    token = reader.take()
    if token.kind is not TokenKind.NUMBER:
        raise syntax_error(reader.text, token.start, f"mismatched input '{token.text}'. Expecting: <number>")
    return token.text


_OFFSET = re.compile(r"([+-]?)(\d{1,2})(?::(\d{2}))?")


def _zone(reader: _Reader) -> str | None:
    if reader.accept("LOCAL"):
        return None
    if not reader.accept("INTERVAL"):
        return reader.string()
    sign = "-" if reader.accept_symbol("-") else "+"
    match = _OFFSET.fullmatch(reader.string())
    if match is None:
        return reader.mismatch("an offset such as INTERVAL '-08:00' HOUR TO MINUTE")
    reader.expect("HOUR")
    if match.group(3) is not None:
        reader.expect("TO", "MINUTE")
    negative = (match.group(1) == "-") != (sign == "-")
    return f"{'-' if negative else '+'}{match.group(2):0>2}:{match.group(3) or '00'}"


def _reset(reader: _Reader) -> SessionStatement | None:
    if not reader.accept("SESSION"):
        return None
    if reader.accept("AUTHORIZATION"):
        reader.unsupported("RESET SESSION AUTHORIZATION is not supported.")
    name = ".".join(reader.qualified())
    reader.end()
    return ResetSession(name)


def _show(reader: _Reader) -> SessionStatement | None:
    if not reader.accept("SESSION"):
        return None
    like = escape = None
    if reader.accept("LIKE"):
        like = reader.string()
        if reader.accept("ESCAPE"):
            escape = reader.string()
    reader.end()
    return ShowSession(like, escape)


def _explain(reader: _Reader) -> SessionStatement | None:
    options = [token.keyword for token in reader.bracketed()] if reader.at_symbol("(") else []
    if ("TYPE", "VALIDATE") not in pairwise(options):
        return None
    # Blanks in the place of what is before, so that positions in errors are those in the client's text.
    before = re.sub(r"[^\n]", " ", reader.text[: reader.offset])
    return Validate(before + reader.rest())


def _call(reader: _Reader) -> SessionStatement | None:
    if reader.qualified() != ["system", "runtime", "kill_query"]:
        return None
    given: dict[str, str] = {}
    reader.expect_symbol("(")
    for name in ("query_id", "message"):
        named = reader.at_kind(TokenKind.WORD) and reader.name().lower()
        if named and not reader.accept_symbol("=>"):
            reader.expect_symbol("=")
            reader.expect_symbol(">")
        given[named or name] = reader.string()
        if not reader.accept_symbol(","):
            break
    reader.expect_symbol(")")
    reader.end()
    if "query_id" not in given or not given.keys() <= {"query_id", "message"}:
        reader.unsupported("kill_query takes the arguments query_id and message.")
    return KillQuery(given["query_id"], given.get("message"))


def _prepare(reader: _Reader) -> SessionStatement:
    name = reader.name()
    reader.expect("FROM")
    return Prepare(name, reader.rest())


def _execute(reader: _Reader) -> SessionStatement:
    if reader.accept("IMMEDIATE"):
        sql = reader.string()
        return ExecuteImmediate(sql, _using(reader))
    name = reader.name()
    return Execute(name, _using(reader))


def _using(reader: _Reader) -> tuple[Argument, ...]:
    if reader.accept("USING"):
        return reader.arguments()
    reader.end()
    return ()


def _deallocate(reader: _Reader) -> SessionStatement:
    if reader.left > 1:
        reader.expect("PREPARE")
    name = reader.name()
    reader.end()
    return Deallocate(name)


def _describe(reader: _Reader) -> SessionStatement | None:
    kind = reader.peek()
    if kind not in ("INPUT", "OUTPUT") or reader.left != 2:
        return None  # a table
    reader.take()
    name = reader.name()
    return DescribeInput(name) if kind == "INPUT" else DescribeOutput(name)


_MODES = frozenset(
    {"ISOLATION", "LEVEL", "READ", "ONLY", "WRITE", "COMMITTED", "UNCOMMITTED", "REPEATABLE", "SERIALIZABLE"}
)


def _start(reader: _Reader) -> SessionStatement:
    reader.expect("TRANSACTION")
    words = []
    while reader.left:
        if reader.peek() in _MODES:
            words.append(reader.take().keyword)
        elif not (words and reader.accept_symbol(",")):
            reader.mismatch("<transaction mode>")
    return StartTransaction(read_only="ONLY" in words)


def _commit(reader: _Reader) -> SessionStatement:
    reader.accept("WORK")
    reader.end()
    return Commit()


def _rollback(reader: _Reader) -> SessionStatement:
    reader.accept("WORK")
    reader.end()
    return Rollback()


_READERS: Mapping[str, Callable[[_Reader], SessionStatement | None]] = {
    "USE": _use,
    "SET": _set,
    "RESET": _reset,
    "SHOW": _show,
    "PREPARE": _prepare,
    "EXECUTE": _execute,
    "DEALLOCATE": _deallocate,
    "DESCRIBE": _describe,
    "START": _start,
    "COMMIT": _commit,
    "ROLLBACK": _rollback,
    "EXPLAIN": _explain,
    "CALL": _call,
}
