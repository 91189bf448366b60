"""Prepared statements: described when they are made, bound to values, run when they are asked for.

Nothing of them is in the engine: a handle stands for a text and the values that were bound last. Values stay values;
no text is made of them.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass, field

import pyarrow as pa

from sqe.errors import SqeError, UsageError
from sqe.frontends.flight.columns import described
from sqe.frontends.flight.session import FlightSession
from sqe.frontends.flight.statements import Gone, Statement, Statements
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
        """The columns as an IPC message; nothing when it has none, or only running it would tell."""
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
                raise UsageError(f"The statement has {wanted} parameters, and {len(row)} values were given.")
        with self.lock:
            self.bound = rows

    def one_row(self) -> Row:
        """The values of a query. Raises UsageError."""
        with self.lock:
            rows = self.bound
        if not rows and not self.description.parameters:
            return ()
        if len(rows) != 1:
            raise UsageError(
                f"A query takes one row of parameters, and {len(rows)} were bound.",
                hint="Bind one row and execute it, then the next.",
            )
        return rows[0]


def prepare(statements: Statements, session: FlightSession, sql: str) -> Prepared:
    """Describe a statement; nothing is run. Raises SqeError."""
    return Prepared(sql, statements.describe(session, sql))


def plan(statements: Statements, session: FlightSession, prepared: Prepared, gone: Gone) -> Statement:
    """Make it ready to be fetched, with the values that are bound now. Raises SqeError."""
    row = prepared.one_row()
    kind = prepared.description.kind
    # Columns may depend on the types of the values, and what a session statement means on the session of this moment.
    again = bool(row) or kind is StatementKind.SESSION
    return statements.plan(session, prepared.sql, gone, row, None if again else prepared.description)


def update(statements: Statements, session: FlightSession, prepared: Prepared, gone: Gone) -> int:
    """Run it once for each row that is bound; how many rows that changed, -1 if unknown. Raises SqeError."""
    if prepared.description.columns is not None:
        raise UsageError("This statement returns rows.", hint="Execute it as a query.")
    with prepared.lock:
        rows = prepared.bound
    if not prepared.description.parameters:
        rows = ((),)
    elif not rows:
        raise UsageError("The statement has parameters, and no values were bound.")
    counts: list[int] = []
    for row in rows:
        try:
            counts.append(statements.update(session, prepared.sql, gone, row))
        except SqeError as error:
            if len(rows) > 1:  # each row commits by itself; whoever sent several must know how far it came
                error.message += (
                    f" {len(counts)} of {len(rows)} rows of parameters were executed before this."
                )
            raise
    return -1 if -1 in counts else sum(counts)


def read_rows(batches: Iterable[pa.RecordBatch]) -> tuple[Row, ...]:
    """The rows of values that a client sent. Raises UsageError."""
    rows: list[Row] = []
    for batch in batches:
        if not batch.num_columns:
            continue  # how a client says that there are none
        if len(rows) + batch.num_rows > _ROWS:
            raise UsageError(f"There are more than {_ROWS} rows of parameters.", hint="Use bulk ingestion.")
        columns = [_plain(column) for column in batch.columns]
        rows += [tuple(column[place] for column in columns) for place in range(batch.num_rows)]
    return tuple(rows)


def _plain(column: pa.Array) -> pa.Array:
    if isinstance(column, pa.DictionaryArray):
        return column.dictionary_decode()
    return column


def _serialized(schema: pa.Schema) -> bytes:
    return bytes(schema.serialize().to_pybytes())
