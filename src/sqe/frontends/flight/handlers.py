"""Dispatch each command and action of Flight SQL to its handler.

The tables in `Handlers.__init__` list all that is supported. The caller is already authenticated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.flight as fl
from google.protobuf.message import Message

from sqe.config.sections.limits import LimitsConfig
from sqe.errors import UnsupportedError
from sqe.frontends.flight import cancel, messages, metadata, prepared, session_options, sql_info, xdbc
from sqe.frontends.flight.columns import described
from sqe.frontends.flight.ingest import Ingestion
from sqe.frontends.flight.prepared import Prepared
from sqe.frontends.flight.proto import Flight_pb2
from sqe.frontends.flight.proto import FlightSql_pb2 as sql
from sqe.frontends.flight.session import FlightSession
from sqe.frontends.flight.statements import ClientGone, Statement, Statements
from sqe.service.listing import Listing
from sqe.service.service import QueryService

Stream = tuple[pa.Schema, Iterator[pa.RecordBatch]]

_SUBSTRAIT = "Substrait plans are not supported."
_TRANSACTIONS = "Transactions are not supported: each statement commits by itself."


class Handlers:
    def __init__(self, service: QueryService, limits: LimitsConfig, directory: Path) -> None:
        """Answer with `service`; `directory` is private, for data that clients ingest."""
        self._service = service
        self._idle = float(limits.session_idle)
        self._statements = Statements(service)
        self._ingestion = Ingestion(service, directory, int(limits.result_spill))
        self._info = sql_info.values(sql_info.Limits(int(limits.sql_bytes), limits.sessions, self._idle))

        # Metadata: the schema of the answer, and the answer.
        self._metadata: Mapping[
            type[Message],
            tuple[Callable[[Any], pa.Schema], Callable[[FlightSession, Any], pa.Table]],
        ] = {
            sql.CommandGetCatalogs: (
                lambda _: metadata.CATALOGS,
                lambda session, _: metadata.catalogs(self._listing(session)),
            ),
            sql.CommandGetDbSchemas: (
                lambda _: metadata.SCHEMAS,
                lambda session, command: metadata.schemas(self._listing(session), command),
            ),
            sql.CommandGetTables: (
                metadata.tables_schema,
                lambda session, command: metadata.tables(self._listing(session), command),
            ),
            sql.CommandGetTableTypes: (lambda _: metadata.TABLE_TYPES, lambda *_: metadata.table_types()),
            sql.CommandGetPrimaryKeys: _no_keys(metadata.PRIMARY_KEYS),
            sql.CommandGetExportedKeys: _no_keys(metadata.FOREIGN_KEYS),
            sql.CommandGetImportedKeys: _no_keys(metadata.FOREIGN_KEYS),
            sql.CommandGetCrossReference: _no_keys(metadata.FOREIGN_KEYS),
            sql.CommandGetSqlInfo: (
                lambda _: sql_info.SCHEMA,
                lambda _, command: sql_info.table(self._info, command.info),
            ),
            sql.CommandGetXdbcTypeInfo: (
                lambda _: xdbc.SCHEMA,
                lambda _, command: xdbc.types(command.data_type if command.HasField("data_type") else None),
            ),
        }
        # Actions: the message in the body (packed, or plain as Flight's own are), and the answer.
        self._actions: Mapping[str, Callable[[FlightSession, bytes], Message | None]] = {
            "CreatePreparedStatement": self._create_prepared,
            "ClosePreparedStatement": self._close_prepared,
            "CancelQuery": self._cancel_query,
            "CancelFlightInfo": self._cancel_flight_info,
            "RenewFlightEndpoint": self._renew_endpoint,
            "SetSessionOptions": self._set_options,
            "GetSessionOptions": self._get_options,
            "CreatePreparedSubstraitPlan": _refuse(_SUBSTRAIT),
            "BeginTransaction": _refuse(_TRANSACTIONS),
            "EndTransaction": _refuse(_TRANSACTIONS),
            "BeginSavepoint": _refuse(_TRANSACTIONS),
            "EndSavepoint": _refuse(_TRANSACTIONS),
        }

    # -- GetFlightInfo and GetSchema ------------------------------------------------------------------------------

    def info(
        self, session: FlightSession, descriptor: fl.FlightDescriptor, gone: ClientGone
    ) -> fl.FlightInfo:
        """Plan a command. Raises SqeError."""
        message = _command(descriptor)
        if type(message) in self._metadata:
            schema, _ = self._metadata[type(message)]
            # Drivers require that the ticket of metadata is the command itself.
            return _info(schema(message), descriptor, bytes(descriptor.command), -1)
        statement = self._plan(session, message, gone)
        handle = session.tickets.add(statement)
        ticket = messages.pack(sql.TicketStatementQuery(statement_handle=handle))
        return _info(statement.columns, descriptor, ticket, statement.changed_rows)

    def schema(self, session: FlightSession, descriptor: fl.FlightDescriptor) -> pa.Schema:
        """Return the columns of a command without running it. Raises SqeError."""
        message = _command(descriptor)
        if type(message) in self._metadata:
            return self._metadata[type(message)][0](message)
        match message:
            case sql.CommandStatementQuery():
                _without_transaction(message)
                columns = self._statements.describe(session, message.query).columns
            case sql.CommandPreparedStatementQuery():
                columns = session.prepared.get(message.prepared_statement_handle).description.columns
            case _:
                raise _misplaced(message, "GetSchema")
        return described(columns if columns is not None else pa.schema([]))

    def _plan(self, session: FlightSession, message: Message, gone: ClientGone) -> Statement:
        match message:
            case sql.CommandStatementQuery():
                _without_transaction(message)
                return self._statements.plan(session, message.query, gone)
            case sql.CommandPreparedStatementQuery():
                known = session.prepared.get(message.prepared_statement_handle)
                return prepared.plan(self._statements, session, known, gone)
            case sql.CommandStatementSubstraitPlan():
                raise UnsupportedError(_SUBSTRAIT)
            case _:
                raise _misplaced(message, "GetFlightInfo")

    # -- DoGet ----------------------------------------------------------------------------------------------------

    def stream(self, session: FlightSession, ticket: bytes, gone: ClientGone) -> Stream:
        """Return the result of a ticket. Raises SqeError."""
        message = messages.unpack(ticket, "ticket")
        if isinstance(message, sql.TicketStatementQuery):
            return self._statements.fetch(session.tickets.get(message.statement_handle), gone)
        if type(message) not in self._metadata:
            raise _misplaced(message, "DoGet")
        table = self._metadata[type(message)][1](session, message)
        return table.schema, iter(table.to_batches())

    # -- DoPut ----------------------------------------------------------------------------------------------------

    def put(
        self,
        session: FlightSession,
        descriptor: fl.FlightDescriptor,
        schema: pa.Schema,
        batches: Iterator[pa.RecordBatch],
        gone: ClientGone,
    ) -> bytes:
        """Handle an upload, and return the answer. Raises SqeError."""
        message = _command(descriptor)
        match message:
            case sql.CommandStatementUpdate():
                _without_transaction(message)
                count = self._statements.update(session, message.query, gone)
            case sql.CommandPreparedStatementUpdate():
                known = session.prepared.get(message.prepared_statement_handle)
                rows = prepared.read_rows(batches)
                if len(schema):
                    known.bind(rows)
                count = prepared.update(self._statements, session, known, gone)
            case sql.CommandPreparedStatementQuery():
                handle = message.prepared_statement_handle
                session.prepared.get(handle).bind(prepared.read_rows(batches))
                answer = sql.DoPutPreparedStatementResult(prepared_statement_handle=handle)
                return bytes(answer.SerializeToString())
            case sql.CommandStatementIngest():
                count = self._ingestion.run(session, message, schema, batches, gone)
            case sql.CommandStatementSubstraitPlan():
                raise UnsupportedError(_SUBSTRAIT)
            case _:
                raise _misplaced(message, "DoPut")
        return bytes(sql.DoPutUpdateResult(record_count=count).SerializeToString())

    # -- DoAction -------------------------------------------------------------------------------------------------

    @property
    def actions(self) -> list[str]:
        return list(self._actions)

    def act(self, session: FlightSession, action: str, body: bytes) -> bytes | None:
        """Run an action, and return its answer if it has one. Raises SqeError."""
        handler = self._actions.get(action)
        if handler is None:
            raise UnsupportedError(f"The action '{action[:200]}' is not supported.")
        answer = handler(session, body)
        if answer is None:
            return None
        # Flight SQL's own messages are packed, Flight's are not.
        packed = answer.DESCRIPTOR.file is sql.DESCRIPTOR
        return messages.pack(answer) if packed else bytes(answer.SerializeToString())

    def _create_prepared(self, session: FlightSession, body: bytes) -> Message:
        request = messages.unpack_as(sql.ActionCreatePreparedStatementRequest, body, "action's body")
        _without_transaction(request)
        made: Prepared = prepared.prepare(self._statements, session, request.query)
        return sql.ActionCreatePreparedStatementResult(
            prepared_statement_handle=session.prepared.add(made),
            dataset_schema=made.dataset_schema,
            parameter_schema=made.parameter_schema,
            is_update=made.is_update,
        )

    @staticmethod
    def _close_prepared(session: FlightSession, body: bytes) -> None:
        request = messages.unpack_as(sql.ActionClosePreparedStatementRequest, body, "action's body")
        session.prepared.drop(request.prepared_statement_handle)

    def _cancel_query(self, session: FlightSession, body: bytes) -> Message:
        request = messages.unpack_as(sql.ActionCancelQueryRequest, body, "action's body")
        info = messages.parse(Flight_pb2.FlightInfo, request.info, "FlightInfo")
        kind = sql.ActionCancelQueryResult
        stopped = cancel.cancel(self._statements, session, info)
        return kind(result=kind.CANCEL_RESULT_CANCELLED if stopped else kind.CANCEL_RESULT_NOT_CANCELLABLE)

    def _cancel_flight_info(self, session: FlightSession, body: bytes) -> Message:
        request = messages.parse(Flight_pb2.CancelFlightInfoRequest, body, "action's body")
        stopped = cancel.cancel(self._statements, session, request.info)
        return Flight_pb2.CancelFlightInfoResult(
            status=Flight_pb2.CANCEL_STATUS_CANCELLED if stopped else Flight_pb2.CANCEL_STATUS_NOT_CANCELLABLE
        )

    def _renew_endpoint(self, session: FlightSession, body: bytes) -> Message:
        request = messages.parse(Flight_pb2.RenewFlightEndpointRequest, body, "action's body")
        return cancel.renew(session, request.endpoint, self._idle)

    @staticmethod
    def _set_options(session: FlightSession, body: bytes) -> Message:
        request = messages.parse(Flight_pb2.SetSessionOptionsRequest, body, "action's body")
        return session_options.set_options(session, request)

    @staticmethod
    def _get_options(session: FlightSession, body: bytes) -> Message:
        messages.parse(Flight_pb2.GetSessionOptionsRequest, body, "action's body")
        return session_options.get_options(session)

    def _listing(self, session: FlightSession) -> Listing:
        return self._service.listing(session.service_session())


def _no_keys(
    schema: pa.Schema,
) -> tuple[Callable[[Any], pa.Schema], Callable[[FlightSession, Any], pa.Table]]:
    return lambda _: schema, lambda *_: metadata.no_keys(schema)


def _refuse(text: str) -> Callable[[FlightSession, bytes], Message | None]:
    def refuse(*_: object) -> Message | None:
        raise UnsupportedError(text)

    return refuse


def _command(descriptor: fl.FlightDescriptor) -> Message:
    if descriptor.descriptor_type != fl.DescriptorType.CMD:
        raise UnsupportedError("Flights by path are not supported.", hint="Send a command of Flight SQL.")
    return messages.unpack(bytes(descriptor.command), "command")


def _misplaced(message: Message, call: str) -> UnsupportedError:
    return UnsupportedError(f"A {type(message).__name__} cannot be used with {call}.")


def _without_transaction(message: Any) -> None:
    if message.HasField("transaction_id"):
        raise UnsupportedError(_TRANSACTIONS)


def _info(schema: pa.Schema, descriptor: fl.FlightDescriptor, ticket: bytes, records: int) -> fl.FlightInfo:
    # Without a location the client fetches the ticket on the same connection.
    return fl.FlightInfo(schema, descriptor, [fl.FlightEndpoint(fl.Ticket(ticket), [])], records, -1)
