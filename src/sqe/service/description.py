"""Describe a statement that is not run: its kind, columns and parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from sqe.model.query import QueryId
from sqe.model.statement import StatementKind
from sqe.policy.governance.result_columns import COLUMNS
from sqe.service.engine_text import engine_text, scope_of
from sqe.service.session import GatewaySession
from sqe.sql.statement import Statement
from sqe.sql.trino.virtual.reference import VirtualReference

_DESCRIBABLE = (StatementKind.QUERY, StatementKind.LISTING)


@dataclass(frozen=True, slots=True)
class Description:
    """What the gateway knows of a statement before it runs."""

    kind: StatementKind
    columns: pa.Schema | None  # None: it returns no rows, or its columns are known only once it has run
    parameters: tuple[pa.DataType, ...]


def describe(
    session: GatewaySession,
    tag: QueryId,
    statement: Statement,
    given: Sequence[pa.DataType] = (),
    *,
    max_depth: int,
) -> Description:
    """Ask the engine about a statement that is not run; `given` are the types of its values. Raises SqeError."""
    kind = statement.kind
    if statement.session is not None:
        return Description(kind, None, ())
    if statement.policy is not None:
        return Description(kind, COLUMNS.get(type(statement.policy)), ())
    describable = kind in _DESCRIBABLE
    if not describable and not statement.parameters:
        return Description(kind, None, ())
    engine = session.engine
    with engine_text(session, tag, statement, lambda item: _no_rows(session, item), max_depth) as text:
        types: tuple[pa.DataType, ...] = ()
        if statement.parameters:
            # What is known of the values says more than what the text expects: `SELECT ?` takes anything.
            types = tuple(given) or engine.parameter_types(text, tag, statement.parameters)
        columns = engine.describe(text, tag, types) if describable else None
    return Description(kind, columns, types)


def _no_rows(session: GatewaySession, reference: VirtualReference) -> pa.Table:
    """Return a virtual table with its columns and no rows: listing them could take long, and changes nothing here."""
    from sqe.sql.trino.virtual.tables import columns

    return columns(reference, scope_of(session)).empty_table()
