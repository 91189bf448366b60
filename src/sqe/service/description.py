"""Describe a statement that is not run: its kind, columns and parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from sqe.model.query import QueryId
from sqe.model.statement import StatementKind
from sqe.policy.governance.result_columns import COLUMNS
from sqe.service.engine_text import engine_text, scope_of
from sqe.service.explain import COLUMNS as EXPLAIN_COLUMNS
from sqe.service.explain import renamed
from sqe.service.function_statements import function_columns
from sqe.service.listing import Listing
from sqe.service.metadata_tables import is_metadata_table, metadata_rows
from sqe.service.session import GatewaySession
from sqe.service.show_create import create_columns
from sqe.sql.explain import ExplainKind, read_explain
from sqe.sql.lexer import TokenKind, tokens
from sqe.sql.statement import Statement
from sqe.sql.trino.virtual.reference import VirtualReference

_DESCRIBABLE = (StatementKind.QUERY, StatementKind.LISTING)


@dataclass(frozen=True, slots=True)
class Description:
    """The kind, columns and parameters of a statement, as far as they are known before it runs."""

    kind: StatementKind
    columns: pa.Schema | None  # None: it returns no rows, or its columns are known only once it has run
    parameters: tuple[pa.DataType, ...]


def describe(
    session: GatewaySession,
    tag: QueryId,
    statement: Statement,
    given: Sequence[pa.DataType | pa.Scalar] = (),
    *,
    max_depth: int,
) -> Description:
    """Ask the engine about a statement that is not run; `given` are its values, or their types. Raises SqeError."""
    kind = statement.kind
    if statement.session is not None:
        return Description(kind, None, ())
    if statement.policy is not None:
        return Description(kind, COLUMNS.get(type(statement.policy)), ())
    explain = read_explain(statement)
    if explain is not None and explain.kind is not ExplainKind.TEXT:
        asked = tuple(each.type if isinstance(each, pa.Scalar) else each for each in given)
        unknown = (pa.string(),) * (statement.parameters - len(asked))
        return Description(kind, EXPLAIN_COLUMNS, asked + unknown)
    definition = create_columns(statement) or function_columns(statement)
    if definition is not None:
        return Description(kind, definition, ())
    describable = kind in _DESCRIBABLE
    if not describable and not statement.parameters:
        return Description(kind, None, ())
    engine = session.engine
    columns: pa.Schema | None = None
    types: tuple[pa.DataType, ...] = ()
    with engine_text(session, tag, statement, lambda item: _no_rows(session, item, tag), max_depth) as text:
        if statement.parameters:
            # What is known of the values says more than what the text expects: `SELECT ?` takes anything.
            types = tuple(each.type if isinstance(each, pa.Scalar) else each for each in given)
            if not types:
                with text.with_lasting_views(session, tag) as sql:
                    types = engine.parameter_types(sql, tag, statement.parameters)
        known: Sequence[pa.DataType | pa.Scalar] | None = types
        if statement.parameters and _names_by_parameter(text.sql):
            known = given if given and all(isinstance(each, pa.Scalar) for each in given) else None
        if known is not None and describable:
            values = _with_counts(text.sql, known)
            columns = renamed(explain, engine.describe(text.sql, tag, values, text.views))
    return Description(kind, columns, types)


def _with_counts(text: str, known: Sequence[pa.DataType | pa.Scalar]) -> list[pa.DataType | pa.Scalar]:
    """Give the parameters of LIMIT and OFFSET a number: Spark refuses the null that stands for an unknown value."""
    given = list(known)
    number, before = 0, ""
    for token in tokens(text) if given else ():
        if token.is_symbol("?"):
            unknown = number < len(given) and not isinstance(given[number], pa.Scalar)
            if unknown and before in ("LIMIT", "OFFSET"):
                given[number] = pa.scalar(0, pa.int32())
            number += 1
        before = token.text.upper()
    return given


def _names_by_parameter(text: str) -> bool:
    """Whether a value is a name, as in `FROM IDENTIFIER(?)`: without it nothing is known of the columns."""
    depth = 0  # of parentheses since IDENTIFIER
    word = False
    for token in tokens(text):
        if depth:
            if token.is_symbol("?"):
                return True
            depth += token.is_symbol("(") - token.is_symbol(")")
        elif word and token.is_symbol("("):
            depth = 1
        word = token.kind is TokenKind.WORD and token.text.upper() == "IDENTIFIER"
    return False


def _no_rows(session: GatewaySession, reference: VirtualReference, tag: QueryId) -> pa.Table:
    """Return a virtual table with its columns and no rows: listing them could take long, and changes nothing here."""
    from sqe.sql.trino.virtual.tables import columns

    if is_metadata_table(reference):
        return metadata_rows(reference, Listing(session.engine, session.spec, tag), empty=True)
    return columns(reference, scope_of(session)).empty_table()
