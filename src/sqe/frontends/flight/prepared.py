"""Prepared statements: describe them at creation, bind values, and run them.

The engine holds no state of them: a handle is a text and the values that were bound last. Values are sent to the engine
as values, never as SQL text.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass, field

import pyarrow as pa

from sqe.errors import SqeError, UsageError
from sqe.frontends.flight.columns import described
from sqe.frontends.flight.session import FlightSession
from sqe.frontends.flight.statements import ClientGone, Statement, Statements
from sqe.model.statement import StatementKind
from sqe.service.description import Description

_ROWS = 100_000  # of values, for one call

Row = tuple[pa.Scalar, ...]


@dataclass(slots=True)
class Prepared:
    sql: str
    description: Description
    bound: tuple[Row, ...] = ()
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def is_update(self) -> bool:
        return not self.description.kind.returns_rows

    @property
    def dataset_schema(self) -> bytes:
        """The columns as an IPC message; empty if there are none, or if they are known only after a run."""
        columns = self.description.columns
        return b"" if columns is None else _serialized(described(columns))

    @property
    def parameter_schema(self) -> bytes:
        types = self.description.parameters
        return _serialized(
            described(pa.schema([(f"parameter_{place}", kind) for place, kind in enumerate(types, 1)]))
        )

    def bind(self, rows: tuple[Row, ...]) -> None:
        """Replace the values. Raises UsageError."""
        wanted = len(self.description.parameters)
        for row in rows:
            if len(row) != wanted:
                raise UsageError(
                    f"The statement has {wanted} parameters, but the client sent {len(row)} values."
                )
        with self.lock:
            self.bound = rows

    def one_row(self) -> Row:
        """Return the values of a query. Raises UsageError."""
        with self.lock:
            rows = self.bound
        if not rows and not self.description.parameters:
            return ()
        if len(rows) != 1:
            raise UsageError(
                f"A query takes one row of parameters, but the client bound {len(rows)}.",
                hint="Bind one row and execute it, then the next.",
            )
        return rows[0]


def prepare(statements: Statements, session: FlightSession, sql: str) -> Prepared:
    """Describe a statement without running it. Raises SqeError."""
    return Prepared(sql, statements.describe(session, sql))


def plan(statements: Statements, session: FlightSession, prepared: Prepared, gone: ClientGone) -> Statement:
    """Prepare the statement for `fetch` with the values that are bound now. Raises SqeError."""
    row = prepared.one_row()
    kind = prepared.description.kind
    # Columns may depend on the types of the values, and a session statement depends on the current session.
    again = bool(row) or kind is StatementKind.SESSION
    return statements.plan(session, prepared.sql, gone, row, None if again else prepared.description)


def update(statements: Statements, session: FlightSession, prepared: Prepared, gone: ClientGone) -> int:
    """Run the statement for each bound row; return how many rows it changed, -1 if unknown. Raises SqeError."""
    if prepared.description.columns is not None:
        raise UsageError("This statement returns rows.", hint="Execute it as a query.")
    with prepared.lock:
        rows = prepared.bound
    if not prepared.description.parameters:
        rows = ((),)
    elif not rows:
        raise UsageError("The statement has parameters, but the client bound no values.")
    counts: list[int] = []
    for row in rows:
        try:
            counts.append(statements.update(session, prepared.sql, gone, row))
        except SqeError as error:
            if len(rows) > 1:  # each row commits by itself: the client must know how many did
                error.message += (
                    f" {len(counts)} of {len(rows)} rows of parameters were executed before this."
                )
            raise
    return -1 if -1 in counts else sum(counts)


def read_rows(batches: Iterable[pa.RecordBatch]) -> tuple[Row, ...]:
    """Read the rows of values that a client sent. Raises UsageError."""
    rows: list[Row] = []
    for batch in batches:
        if not batch.num_columns:
            continue  # the client sends no values
        if len(rows) + batch.num_rows > _ROWS:
            raise UsageError(
                f"The client sent more than {_ROWS} rows of parameters.", hint="Use bulk ingestion."
            )
        columns = [_plain(column) for column in batch.columns]
        rows += [tuple(column[place] for column in columns) for place in range(batch.num_rows)]
    return tuple(rows)


def _plain(column: pa.Array) -> pa.Array:
    if isinstance(column, pa.DictionaryArray):
        return column.dictionary_decode()
    return column


def _serialized(schema: pa.Schema) -> bytes:
    return bytes(schema.serialize().to_pybytes())
