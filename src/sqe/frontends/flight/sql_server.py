"""The Flight SQL listener: every call is let in or not, answered by `Handlers`, and its errors translated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.flight as fl

from sqe.errors import QueryCanceledError, UnsupportedError, UsageError
from sqe.frontends.flight.callers import AUTHORIZATION, Caller, Callers
from sqe.frontends.flight.flight_errors import for_clients
from sqe.frontends.flight.handlers import Handlers
from sqe.frontends.flight.proto import Flight_pb2
from sqe.frontends.flight.session import FlightSession, FlightSessions
from sqe.frontends.flight.stalls import Stalls
from sqe.model.arrow_batches import checked_in_full

CLOSE_SESSION = "CloseSession"


@dataclass(frozen=True, slots=True)
class Certificates:
    """PEM, as one set."""

    certificate: bytes
    key: bytes
    client_ca: bytes | None  # whose certificates clients must have; None: they need none


class FlightSqlServer(fl.FlightServerBase):  # type: ignore[misc]  # pyarrow has no types
    """Listens from the moment it is made. What outlives a listener is given to it: see `FlightDoor`."""

    def __init__(
        self,
        location: str,
        callers: Callers,
        sessions: FlightSessions,
        handlers: Handlers,
        stalls: Stalls,
        certificates: Certificates | None = None,
    ) -> None:
        self._callers = callers
        self._sessions = sessions
        self._handlers = handlers
        self._stalls = stalls
        client_ca = certificates.client_ca if certificates else None
        super().__init__(
            location,
            auth_handler=callers.handshake,
            tls_certificates=[(certificates.certificate, certificates.key)] if certificates else None,
            verify_client=client_ca is not None,
            root_certificates=client_ca,
            middleware=callers.middleware,
        )
        stalls.listening(self.port)

    def get_flight_info(
        self, context: fl.ServerCallContext, descriptor: fl.FlightDescriptor
    ) -> fl.FlightInfo:
        with for_clients(context):
            return self._handlers.info(self._session(context), descriptor, context.is_cancelled)

    def get_schema(self, context: fl.ServerCallContext, descriptor: fl.FlightDescriptor) -> fl.SchemaResult:
        with for_clients(context):
            return fl.SchemaResult(self._handlers.schema(self._session(context), descriptor))

    def do_get(self, context: fl.ServerCallContext, ticket: fl.Ticket) -> fl.GeneratorStream:
        translated = for_clients(context)
        with translated:
            schema, batches = self._handlers.stream(
                self._session(context), bytes(ticket.ticket), context.is_cancelled
            )
            return fl.GeneratorStream(
                schema, translated.iterate(self._stalls.sending(context.peer(), batches))
            )

    def do_put(
        self,
        context: fl.ServerCallContext,
        descriptor: fl.FlightDescriptor,
        reader: fl.MetadataRecordBatchReader,
        writer: fl.FlightMetadataWriter,
    ) -> None:
        with for_clients(context):
            session = self._session(context)
            schema = _uploaded_schema(reader)
            batches = self._stalls.receiving(context.peer(), _uploaded(reader))
            writer.write(self._handlers.put(session, descriptor, schema, batches, context.is_cancelled))

    def do_action(self, context: fl.ServerCallContext, action: fl.Action) -> Iterator[bytes]:
        with for_clients(context):
            body = action.body.to_pybytes()
            if action.type == CLOSE_SESSION:
                self._sessions.close(self._admit(context))
                closed = Flight_pb2.CloseSessionResult(status=Flight_pb2.CloseSessionResult.CLOSED)
                yield bytes(closed.SerializeToString())
                return
            answer = self._handlers.act(self._session(context), action.type, body)
            if answer is not None:
                yield answer

    def list_actions(self, context: fl.ServerCallContext) -> Sequence[tuple[str, str]]:
        with for_clients(context):
            self._admit(context)
            return [(name, "") for name in (*self._handlers.actions, CLOSE_SESSION)]

    def list_flights(self, context: fl.ServerCallContext, criteria: bytes) -> Iterator[fl.FlightInfo]:
        with for_clients(context):
            self._admit(context)
            return iter(())

    def do_exchange(
        self,
        context: fl.ServerCallContext,
        descriptor: fl.FlightDescriptor,
        reader: fl.MetadataRecordBatchReader,
        writer: fl.MetadataRecordBatchWriter,
    ) -> None:
        with for_clients(context):
            self._admit(context)
            raise UnsupportedError("DoExchange is not supported.")

    def _admit(self, context: fl.ServerCallContext) -> Caller:
        caller = self._callers.admit(context)
        if caller.password:
            context.add_header(AUTHORIZATION, f"Bearer {self._sessions.token(caller)}")
        return caller

    def _session(self, context: fl.ServerCallContext) -> FlightSession:
        return self._sessions.session(self._admit(context))


def _uploaded_schema(reader: fl.MetadataRecordBatchReader) -> pa.Schema:
    try:
        return reader.schema
    except pa.ArrowNotImplementedError as error:
        raise UnsupportedError("A type of what was uploaded is not supported.", detail=str(error)) from None
    except (pa.ArrowException, OSError) as error:
        raise UsageError("What was uploaded cannot be read as Arrow.", detail=str(error)) from None


def _uploaded(reader: fl.MetadataRecordBatchReader) -> Iterator[pa.RecordBatch]:
    try:
        for chunk in reader:
            if chunk.data is not None:
                yield checked_in_full(chunk.data)
    except (fl.FlightCancelledError, fl.FlightUnavailableError):
        raise QueryCanceledError("The client went away.") from None
    except pa.ArrowNotImplementedError as error:
        raise UnsupportedError("A type of what was uploaded is not supported.", detail=str(error)) from None
    except (pa.ArrowException, OSError) as error:
        raise UsageError("What was uploaded cannot be read as Arrow.", detail=str(error)) from None
