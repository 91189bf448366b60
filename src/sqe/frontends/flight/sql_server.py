"""The Flight SQL listener: authenticate each call, answer it with `Handlers`, and translate its errors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.flight as fl

from sqe.errors import QueryCanceledError, UnsupportedError, UsageError
from sqe.frontends.flight.call_authenticator import AUTHORIZATION, CallAuthenticator, Caller
from sqe.frontends.flight.flight_errors import error_translator
from sqe.frontends.flight.handlers import Handlers
from sqe.frontends.flight.proto import Flight_pb2
from sqe.frontends.flight.session import FlightSession, FlightSessions
from sqe.frontends.flight.stall_watchdog import StallWatchdog
from sqe.model.arrow_batches import checked_in_full

CLOSE_SESSION = "CloseSession"


@dataclass(frozen=True, slots=True)
class Certificates:
    """A set of certificates in PEM."""

    certificate: bytes
    key: bytes
    client_ca: bytes | None  # the CA of client certificates; None: clients need no certificate


class FlightSqlServer(fl.FlightServerBase):  # type: ignore[misc]  # pyarrow has no types
    """Listens from its construction. `FlightSqlEndpoint` owns the state that outlives a listener."""

    def __init__(
        self,
        location: str,
        authenticator: CallAuthenticator,
        sessions: FlightSessions,
        handlers: Handlers,
        watchdog: StallWatchdog,
        certificates: Certificates | None = None,
    ) -> None:
        self._authenticator = authenticator
        self._sessions = sessions
        self._handlers = handlers
        self._watchdog = watchdog
        client_ca = certificates.client_ca if certificates else None
        super().__init__(
            location,
            auth_handler=authenticator.handshake,
            tls_certificates=[(certificates.certificate, certificates.key)] if certificates else None,
            verify_client=client_ca is not None,
            root_certificates=client_ca,
            middleware=authenticator.middleware,
        )
        watchdog.watch(self.port)

    def get_flight_info(
        self, context: fl.ServerCallContext, descriptor: fl.FlightDescriptor
    ) -> fl.FlightInfo:
        with error_translator(context):
            return self._handlers.info(self._session(context), descriptor, context.is_cancelled)

    def get_schema(self, context: fl.ServerCallContext, descriptor: fl.FlightDescriptor) -> fl.SchemaResult:
        with error_translator(context):
            return fl.SchemaResult(self._handlers.schema(self._session(context), descriptor))

    def do_get(self, context: fl.ServerCallContext, ticket: fl.Ticket) -> fl.GeneratorStream:
        translated = error_translator(context)
        with translated:
            schema, batches = self._handlers.stream(
                self._session(context), bytes(ticket.ticket), context.is_cancelled
            )
            return fl.GeneratorStream(
                schema, translated.iterate(self._watchdog.sending(context.peer(), batches))
            )

    def do_put(
        self,
        context: fl.ServerCallContext,
        descriptor: fl.FlightDescriptor,
        reader: fl.MetadataRecordBatchReader,
        writer: fl.FlightMetadataWriter,
    ) -> None:
        with error_translator(context):
            session = self._session(context)
            schema = _uploaded_schema(reader)
            batches = self._watchdog.receiving(context.peer(), _uploaded(reader))
            writer.write(self._handlers.put(session, descriptor, schema, batches, context.is_cancelled))

    def do_action(self, context: fl.ServerCallContext, action: fl.Action) -> Iterator[bytes]:
        with error_translator(context):
            body = action.body.to_pybytes()
            if action.type == CLOSE_SESSION:
                self._sessions.close(self._caller(context))
                closed = Flight_pb2.CloseSessionResult(status=Flight_pb2.CloseSessionResult.CLOSED)
                yield bytes(closed.SerializeToString())
                return
            answer = self._handlers.act(self._session(context), action.type, body)
            if answer is not None:
                yield answer

    def list_actions(self, context: fl.ServerCallContext) -> Sequence[tuple[str, str]]:
        with error_translator(context):
            self._caller(context)
            return [(name, "") for name in (*self._handlers.actions, CLOSE_SESSION)]

    def list_flights(self, context: fl.ServerCallContext, criteria: bytes) -> Iterator[fl.FlightInfo]:
        with error_translator(context):
            self._caller(context)
            return iter(())

    def do_exchange(
        self,
        context: fl.ServerCallContext,
        descriptor: fl.FlightDescriptor,
        reader: fl.MetadataRecordBatchReader,
        writer: fl.MetadataRecordBatchWriter,
    ) -> None:
        with error_translator(context):
            self._caller(context)
            raise UnsupportedError("DoExchange is not supported.")

    def _caller(self, context: fl.ServerCallContext) -> Caller:
        caller = self._authenticator.authenticate(context)
        if caller.password:
            context.add_header(AUTHORIZATION, f"Bearer {self._sessions.token(caller)}")
        return caller

    def _session(self, context: fl.ServerCallContext) -> FlightSession:
        return self._sessions.session(self._caller(context))


def _uploaded_schema(reader: fl.MetadataRecordBatchReader) -> pa.Schema:
    with _upload_errors():
        return reader.schema


def _uploaded(reader: fl.MetadataRecordBatchReader) -> Iterator[pa.RecordBatch]:
    with _upload_errors():
        for chunk in reader:
            if chunk.data is not None:
                yield checked_in_full(chunk.data)


@contextmanager
def _upload_errors() -> Iterator[None]:
    """Translate the errors of reading an upload."""
    try:
        yield
    except (fl.FlightCancelledError, fl.FlightUnavailableError):
        raise QueryCanceledError("The client disconnected.") from None
    except pa.ArrowNotImplementedError as error:
        raise UnsupportedError("The uploaded data has an unsupported type.", detail=str(error)) from None
    except (pa.ArrowException, OSError) as error:
        raise UsageError("The uploaded data is not valid Arrow.", detail=str(error)) from None
