"""The shell's own door: translates its calls (see `wire`) to the query service and nothing else."""

from __future__ import annotations

import hmac
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pyarrow.flight as fl

from sqe.errors import AccessDeniedError, UsageError
from sqe.frontends.flight import wire
from sqe.frontends.flight.flight_errors import Translated, for_shell
from sqe.frontends.flight.stand_in import StandIn
from sqe.model.identity import Principal
from sqe.model.query import QueryId
from sqe.service.service import QueryService
from sqe.service.session import GatewaySession

_LOOK_EVERY = 0.2  # seconds between looks whether the client is still there
_TRANSLATED = Translated(for_shell)


class GatewayControls:
    """What a client may ask of the gateway itself."""

    def __init__(self, status: Callable[[], Mapping[str, Any]], stop: Callable[[float], None]) -> None:
        self.status = status
        self.stop = stop


class FlightGateway(fl.FlightServerBase):  # type: ignore[misc]  # pyarrow has no types
    def __init__(
        self,
        location: str,
        token: str,
        service: QueryService,
        controls: GatewayControls,
        principal: Callable[[], Principal],
        stand_in: Callable[[StandIn], Principal] | None = None,
    ) -> None:
        """Serve shells of this account.

        Args:
            location: where.
            token: what they have to know.
            service: who does the work.
            controls: what they may ask of the gateway itself.
            principal: tells who they are to others.
            stand_in: tells who somebody is whom they act as. None: nobody may.
        """
        self._service = service
        self._controls = controls
        self._closing = threading.Event()
        self._principal = principal
        self._stand_in = stand_in
        self._actions: dict[str, Callable[[fl.ServerCallContext, bytes], Iterator[bytes]]] = {
            wire.SESSION_OPEN: self._open_session,
            wire.QUERY_SUBMIT: self._submit,
            wire.QUERY_STATUS: self._status,
            wire.QUERY_CANCEL: self._cancel,
            wire.GATEWAY_STATUS: self._gateway_status,
            wire.GATEWAY_STOP: self._gateway_stop,
        }
        super().__init__(location, middleware={"caller": _Authenticator(token)})  # it listens from here on

    def close(self) -> None:
        """Let the calls that hold sessions open return, then stop listening."""
        self._closing.set()
        self.shutdown()

    # -- Flight's own calls ---------------------------------------------------------------------------------------

    def list_actions(self, context: fl.ServerCallContext) -> Sequence[tuple[str, str]]:
        return [(name, "") for name in self._actions]

    def do_action(self, context: fl.ServerCallContext, action: fl.Action) -> Iterator[bytes]:
        with _TRANSLATED:
            handler = self._actions.get(action.type)
            if handler is None:
                raise UsageError(f"There is no action '{action.type}'.")
            yield from handler(context, action.body.to_pybytes())

    def do_get(self, context: fl.ServerCallContext, ticket: fl.Ticket) -> fl.GeneratorStream:
        with _TRANSLATED:
            query_id = QueryId(ticket.ticket.decode("ascii", errors="replace"))
            result = self._service.fetch(self._session(context), query_id)
            schema = result.schema(context.is_cancelled)
            return fl.GeneratorStream(schema, _TRANSLATED.iterate(result.batches(context.is_cancelled)))

    # -- actions --------------------------------------------------------------------------------------------------

    def _open_session(self, context: fl.ServerCallContext, body: bytes) -> Iterator[bytes]:
        session = self._service.open_session(self._who(body), wire.decode_spec(body))
        try:
            yield wire.encode({"session": session.id})
            while not context.is_cancelled() and not self._closing.wait(_LOOK_EVERY):
                pass
        finally:
            self._service.close_session(session)

    def _who(self, body: bytes) -> Principal:
        wanted = wire.decode_stand_in(body)
        if wanted is None:
            return self._principal()
        if self._stand_in is None:
            raise AccessDeniedError("Nobody may act as somebody else here.")
        return self._stand_in(wanted)

    def _submit(self, context: fl.ServerCallContext, body: bytes) -> Iterator[bytes]:
        session = self._session(context)
        statement = self._service.read(session, wire.text(wire.decode(body), "sql"))
        query_id = self._service.submit(session, statement)
        yield wire.encode({"query": query_id})

    def _status(self, context: fl.ServerCallContext, body: bytes) -> Iterator[bytes]:
        query_id = QueryId(wire.text(wire.decode(body), "query"))
        yield wire.encode_status(self._service.poll(self._session(context), query_id))

    def _cancel(self, context: fl.ServerCallContext, body: bytes) -> Iterator[bytes]:
        self._service.cancel(self._session(context), QueryId(wire.text(wire.decode(body), "query")))
        yield wire.encode({})

    def _gateway_status(self, context: fl.ServerCallContext, body: bytes) -> Iterator[bytes]:
        yield wire.encode(self._controls.status())

    def _gateway_stop(self, context: fl.ServerCallContext, body: bytes) -> Iterator[bytes]:
        drain = wire.decode(body).get("drain", 0)
        if not isinstance(drain, int | float):
            raise UsageError("'drain' is a number of seconds.")
        self._controls.stop(float(drain))
        yield wire.encode({})

    def _session(self, context: fl.ServerCallContext) -> GatewaySession:
        caller: _Caller = context.get_middleware("caller")
        return self._service.session(caller.session_id)


class _Caller(fl.ServerMiddleware):  # type: ignore[misc]
    def __init__(self, session_id: str) -> None:
        self.session_id = session_id


class _Authenticator(fl.ServerMiddlewareFactory):  # type: ignore[misc]
    """Lets nobody past who does not know the token: it lies in a file that only this user can read."""

    def __init__(self, token: str) -> None:
        self._expected = f"Bearer {token}".encode()

    def start_call(self, info: fl.CallInfo, headers: Mapping[str, Sequence[str]]) -> _Caller:
        lower = {name.lower(): values for name, values in headers.items()}
        given = (lower.get(wire.AUTHORIZATION) or [""])[0]
        if not hmac.compare_digest(given.encode(), self._expected):
            raise fl.FlightUnauthenticatedError("The token is missing or wrong.")
        return _Caller((lower.get(wire.SESSION) or [""])[0])
