"""What can be known of a statement before it runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from sqe.model.query import QueryId
from sqe.model.statement import StatementClass, StatementKind
from sqe.policy.governance.columns import COLUMNS
from sqe.service.session import GatewaySession
from sqe.service.statement import prepare, scope_of
from sqe.sql import policy_statement
from sqe.sql.classify import classify
from sqe.sql.lexer import TokenKind, tokens
from sqe.sql.virtual.reference import VirtualReference

_DESCRIBABLE = (StatementKind.QUERY, StatementKind.LISTING)


@dataclass(frozen=True, slots=True)
class Description:
    statement: StatementClass
    columns: pa.Schema | None  # None: it returns no rows, or only running it would tell
    parameters: tuple[pa.DataType, ...]


def describe(
    session: GatewaySession,
    tag: QueryId,
    sql: str,
    given: Sequence[pa.DataType | pa.Scalar] = (),
    *,
    max_depth: int,
) -> Description:
    """Ask the engine about a statement that is not run; `given` are its values, or their types. Raises SqeError."""
    statement = classify(sql, session.spec.dialect)
    if statement.kind is StatementKind.SESSION:
        return Description(statement, None, ())
    policy = policy_statement.read(sql, session.spec.dialect)
    if policy is not None:
        return Description(statement, COLUMNS.get(type(policy)), ())
    describable = statement.kind in _DESCRIBABLE
    if not describable and not statement.parameters:
        return Description(statement, None, ())
    engine = session.engine
    with prepare(session, tag, sql, lambda reference: _no_rows(session, reference), max_depth) as prepared:
        types: tuple[pa.DataType, ...] = ()
        if statement.parameters:
            # What is known of the values says more than what the text expects: `SELECT ?` takes anything.
            types = tuple(each.type if isinstance(each, pa.Scalar) else each for each in given)
            types = types or engine.parameter_types(prepared.text, tag, statement.parameters)
        known: Sequence[pa.DataType | pa.Scalar] | None = types
        if statement.parameters and _names_by_parameter(prepared.text):
            known = given if given and all(isinstance(each, pa.Scalar) for each in given) else None
        columns = engine.describe(prepared.text, tag, known) if describable and known is not None else None
    return Description(statement, columns, types)


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


def _no_rows(session: GatewaySession, reference: VirtualReference) -> pa.Table:
    """A virtual table's columns: to list what it holds could take long, and changes nothing here."""
    from sqe.sql.virtual.tables import columns

    return columns(reference, scope_of(session)).empty_table()
