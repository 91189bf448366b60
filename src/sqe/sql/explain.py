"""Read EXPLAIN as Trino writes it: what is to be shown, and of which statement."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from sqe.errors import UnsupportedError
from sqe.model.session import Dialect
from sqe.sql.lexer import position_at
from sqe.sql.statement import Statement, read
from sqe.sql.token_reader import TokenReader

_TYPES = ("DISTRIBUTED", "IO", "LOGICAL", "VALIDATE")
_FORMATS = ("GRAPHVIZ", "JSON", "TEXT")


class ExplainKind(Enum):
    TEXT = "text"  # Spark's EXPLAIN
    LOGICAL = "logical"  # JSON
    DISTRIBUTED = "distributed"  # JSON
    IO = "io"  # the tables that it reads and writes, as JSON
    ANALYZE = "analyze"  # it is run


@dataclass(frozen=True, slots=True)
class Explain:
    """An EXPLAIN of a statement."""

    kind: ExplainKind
    inner: Statement  # at the positions of the client's text
    verbose: bool = False


def read_explain(statement: Statement) -> Explain | None:
    """Return what an EXPLAIN asks for; None for other statements, and for EXPLAIN as only Spark writes it.

    Raises:
        SqlSyntaxError: its options are not Trino's.
        UnsupportedError: it asks for a form that SQE does not have.
    """
    tokens = statement.tokens
    if tokens[0].keyword != "EXPLAIN":
        return None
    reader = TokenReader(statement.text, tokens)
    reader.expect("EXPLAIN")
    trino = statement.dialect is Dialect.TRINO
    if reader.peek() == "ANALYZE" and (trino or reader.peek(1) not in ("TABLE", "TABLES")):
        reader.take()
        verbose = reader.accept("VERBOSE")
        return Explain(ExplainKind.ANALYZE, _inner(statement, reader), verbose)
    kind = ExplainKind.TEXT
    if reader.at_symbol("(") and reader.peek(1) in ("TYPE", "FORMAT"):
        kind = _options(reader)
    elif not trino:
        return None
    # What Trino shows as text is Spark's own EXPLAIN, of which nothing is to be read here.
    return Explain(kind, statement if kind is ExplainKind.TEXT else _inner(statement, reader))


def _options(reader: TokenReader) -> ExplainKind:
    place = position_at(reader.text, reader.offset)
    chosen = {"TYPE": "DISTRIBUTED", "FORMAT": "TEXT"}
    reader.expect_symbol("(")
    while True:
        option = reader.peek()
        known = {"TYPE": _TYPES, "FORMAT": _FORMATS}.get(option)
        if known is None:
            reader.mismatch("'FORMAT', 'TYPE'")
        reader.take()
        if reader.peek() not in known:
            reader.mismatch(", ".join(f"'{word}'" for word in known))
        chosen[option] = reader.take().keyword
        if not reader.accept_symbol(","):
            break
    reader.expect_symbol(")")
    if chosen["TYPE"] == "IO":
        return ExplainKind.IO
    if chosen["FORMAT"] == "GRAPHVIZ":
        raise UnsupportedError(
            "EXPLAIN (FORMAT GRAPHVIZ) is not supported.",
            hint="FORMAT TEXT and FORMAT JSON are.",
            position=place,
        )
    return ExplainKind.TEXT if chosen["FORMAT"] == "TEXT" else ExplainKind[chosen["TYPE"]]


def _inner(statement: Statement, reader: TokenReader) -> Statement:
    if not reader.left:
        reader.mismatch("<statement>")
    before = re.sub(r"[^\n]", " ", statement.text[: reader.offset])
    return read(before + statement.text[reader.offset :], statement.dialect)
