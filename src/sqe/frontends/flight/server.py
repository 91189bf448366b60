"""The gateway's side of the shell's private Flight protocol (see `wire`): translate calls to the query service."""

from __future__ import annotations

import hmac
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pyarrow.flight as fl

from sqe.errors import AccessDeniedError, UsageError
from sqe.frontends.flight import wire
from sqe.frontends.flight.flight_errors import ErrorTranslator, shell_error
from sqe.frontends.flight.wire import Impersonation, OpenRequest
from sqe.model.identity import Principal
from sqe.model.query import QueryId
from sqe.service.service import QueryService
from sqe.service.session import GatewaySession

_POLL_SECONDS = 0.2  # between checks whether the client is still connected
_TRANSLATED = ErrorTranslator(shell_error)


class GatewayControls:
    """The operations on the gateway itself that clients may call."""

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
        impersonate: Callable[[Impersonation], Principal] | None = None,
    ) -> None:
        """Serve shells of this account.

        Args:
            location: the address to listen on.
            token: the secret that clients present.
            service: runs the queries.
            controls: operations on the gateway itself.
            principal: returns the principal of the clients.
            impersonate: returns the principal of an impersonated user. None: impersonation is refused.
        """
        self._service = service
        self._controls = controls
        self._closing = threading.Event()
        self._principal = principal
        self._impersonate = impersonate
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
        """End the calls that hold sessions open, then stop listening."""
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
        request = OpenRequest.decode(body)
        session = self._service.open_session(self._principal_of(request), request.spec)
        try:
            yield wire.encode({"session": session.id})
            while not context.is_cancelled() and not self._closing.wait(_POLL_SECONDS):
                pass
        finally:
            self._service.close_session(session)

    def _principal_of(self, request: OpenRequest) -> Principal:
        if request.impersonation is None:
            return self._principal()
        if self._impersonate is None:
            raise AccessDeniedError("This gateway does not allow impersonation.")
        return self._impersonate(request.impersonation)

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
            raise UsageError("'drain' must be a number of seconds.")
        self._controls.stop(float(drain))
        yield wire.encode({})

    def _session(self, context: fl.ServerCallContext) -> GatewaySession:
        caller: _Caller = context.get_middleware("caller")
        return self._service.session(caller.session_id)


class _Caller(fl.ServerMiddleware):  # type: ignore[misc]
    def __init__(self, session_id: str) -> None:
        self.session_id = session_id


class _Authenticator(fl.ServerMiddlewareFactory):  # type: ignore[misc]
    """Requires the token, which is in a file that only this account can read."""

    def __init__(self, token: str) -> None:
        self._expected = f"Bearer {token}".encode()

    def start_call(self, info: fl.CallInfo, headers: Mapping[str, Sequence[str]]) -> _Caller:
        lower = {name.lower(): values for name, values in headers.items()}
        given = (lower.get(wire.AUTHORIZATION) or [""])[0]
        if not hmac.compare_digest(given.encode(), self._expected):
            raise fl.FlightUnauthenticatedError("The token is missing or wrong.")
        return _Caller((lower.get(wire.SESSION) or [""])[0])
