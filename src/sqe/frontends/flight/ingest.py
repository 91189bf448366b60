"""Handle bulk ingestion: CommandStatementIngest."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa

from sqe.errors import UnsupportedError, UsageError
from sqe.frontends.flight.proto import FlightSql_pb2
from sqe.frontends.flight.session import FlightSession
from sqe.frontends.flight.statements import ClientGone
from sqe.model.session import Dialect
from sqe.service.ingest import IfExists, IfMissing, Target, ingest
from sqe.service.service import QueryService
from sqe.sql import namespace

_Options = FlightSql_pb2.CommandStatementIngest.TableDefinitionOptions

_IF_MISSING = {
    _Options.TABLE_NOT_EXIST_OPTION_CREATE: IfMissing.CREATE,
    _Options.TABLE_NOT_EXIST_OPTION_FAIL: IfMissing.FAIL,
}
_IF_EXISTS = {
    _Options.TABLE_EXISTS_OPTION_FAIL: IfExists.FAIL,
    _Options.TABLE_EXISTS_OPTION_APPEND: IfExists.APPEND,
    _Options.TABLE_EXISTS_OPTION_REPLACE: IfExists.REPLACE,
}


class Ingestion:
    def __init__(self, service: QueryService, directory: Path, limit: int) -> None:
        self._service = service
        self._directory = directory
        self._limit = limit

    def run(
        self,
        session: FlightSession,
        command: FlightSql_pb2.CommandStatementIngest,
        schema: pa.Schema,
        batches: Iterable[pa.RecordBatch],
        gone: ClientGone,
    ) -> int:
        """Write the rows that the client sends, all or none, and return their number. Raises SqeError."""
        target = _target(session, command)
        return ingest(
            self._service,
            session.service_session(Dialect.SPARK),
            target,
            schema,
            batches,
            directory=self._directory,
            limit=self._limit,
            gone=gone,
        )


def _target(session: FlightSession, command: FlightSql_pb2.CommandStatementIngest) -> Target:
    if command.temporary:
        raise UnsupportedError(
            "Ingestion into temporary tables is not supported.", hint="Use a table and drop it."
        )
    if command.HasField("transaction_id"):
        raise UnsupportedError(
            "Transactions are not supported.", hint="An ingestion commits once, at its end."
        )
    if command.options:
        raise UnsupportedError(f"The ingestion option '{min(command.options)[:100]}' is not supported.")
    if not command.table:
        raise UsageError("The ingestion command has no table name.")
    definition = command.table_definition_options
    if definition.if_not_exist not in _IF_MISSING or definition.if_exists not in _IF_EXISTS:
        raise UsageError("The ingestion command has no valid if_exists or if_not_exist option.")
    catalog = command.catalog or session.catalog
    schema = command.schema or session.schema
    return Target(
        (*((catalog,) if catalog else ()), *namespace.split(schema), command.table),
        _IF_MISSING[definition.if_not_exist],
        _IF_EXISTS[definition.if_exists],
    )
