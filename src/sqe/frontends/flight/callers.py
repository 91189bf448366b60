"""Who calls: credentials from headers, from the handshake or from a client's certificate.

A header is looked at when the call arrives, because only then can Flight refuse properly and the handshake answer with
a token. Where the peer is and what certificate it has is known only in the call itself. Nothing is answered to anybody
who has not been let in; see `Callers.admit`.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

import pyarrow as pa
import pyarrow.flight as fl

from sqe.common import loopback
from sqe.errors import AuthenticationError, TooManyQueriesError
from sqe.frontends.flight import messages
from sqe.frontends.flight.flight_errors import Translated, without_context
from sqe.frontends.flight.proto import Flight_pb2
from sqe.identity.chain import Authenticator
from sqe.identity.credentials import Password, PresentedCredentials, from_authorization
from sqe.identity.logins.session_tokens import SessionTokens
from sqe.identity.providers.client_certificate import ClientCertificate
from sqe.model.identity import Principal

AUTHORIZATION = "authorization"
MIDDLEWARE = "caller"
_TRANSLATED = Translated(without_context)

# Calls in which gRPC's thread waits for the client before we can know who it is. Whoever sends nothing keeps that
# thread, so that there may be only so many of them.
_WAITING = (fl.FlightMethod.HANDSHAKE, fl.FlightMethod.DO_PUT, fl.FlightMethod.DO_EXCHANGE)
_UNKNOWN_CALLS = 64


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody who was let in."""

    principal: Principal
    token: str | None  # of ours, that he presented
    peer: str
    password: bool  # whether he sent a password, and so would rather have a token


class Callers:
    """Lets people in, for all calls of one door."""

    def __init__(
        self,
        authenticator: Authenticator,
        tokens: SessionTokens,
        *,
        loopback_only: bool,
        certificates: bool,
    ) -> None:
        """Decide by `authenticator`.

        Args:
            authenticator: who decides.
            tokens: what a password is exchanged for.
            loopback_only: whether the door listens on a loopback address, so that nobody comes from elsewhere.
            certificates: whether clients have certificates; there is no handshake then.
        """
        self._authenticator = authenticator
        self._tokens = tokens
        self._loopback_only = loopback_only
        self._certificates = certificates
        # The handshake is given nothing but messages, and runs on the thread on which its headers arrived. That is no
        # thread of Python's, so that thread-local values would not last.
        self._handshakes: dict[int, _Arrival] = {}
        self._unknown = threading.BoundedSemaphore(_UNKNOWN_CALLS)

    @property
    def middleware(self) -> dict[str, fl.ServerMiddlewareFactory]:
        return {MIDDLEWARE: _Arrivals(self)}

    @property
    def handshake(self) -> fl.ServerAuthHandler | None:
        # With a handler, pyarrow keeps the certificate's name to itself.
        return None if self._certificates else _Handshake(self)

    def admit(self, context: fl.ServerCallContext) -> Caller:
        """Find out who makes this call. Raises AuthenticationError."""
        arrival: _Arrival = context.get_middleware(MIDDLEWARE)
        peer = context.peer()
        principal, token = arrival.principal, arrival.presented.bearer
        if principal is None:
            identity = context.peer_identity().decode("utf-8", errors="replace") or None
            token = None if self._certificates else identity
            principal = self._authenticator.authenticate(
                PresentedCredentials(
                    bearer=token,
                    certificate=ClientCertificate(identity) if self._certificates and identity else None,
                    loopback=is_local_peer(peer),
                    address=address(peer),
                )
            )
        ours = token if token is not None and self._tokens.principal(token) == principal else None
        return Caller(principal, ours, peer, arrival.presented.password is not None)

    def arrive(self, method: fl.FlightMethod, headers: Mapping[str, Sequence[str | bytes]]) -> _Arrival:
        """Look at a call's headers. Raises AuthenticationError for credentials that are wrong."""
        given = [
            value for name, values in headers.items() if name.lower() == AUTHORIZATION for value in values
        ]
        if len(given) > 1:
            raise AuthenticationError("There is more than one Authorization header.")
        header = given[0] if given and isinstance(given[0], str) else None
        presented = from_authorization(header, loopback=self._loopback_only)
        principal = self._authenticator.authenticate(presented) if presented.explicit else None
        minted = None
        if principal is not None and presented.password is not None and method == fl.FlightMethod.HANDSHAKE:
            minted = self._tokens.mint(principal)
        arrival = _Arrival(presented, principal, minted, self._guard(method, principal))
        if method == fl.FlightMethod.HANDSHAKE:
            self._handshakes[threading.get_ident()] = arrival
        return arrival

    def _guard(
        self, method: fl.FlightMethod, principal: Principal | None
    ) -> threading.BoundedSemaphore | None:
        """Raises TooManyQueriesError when too many calls of people unknown so far are under way."""
        if principal is not None or method not in _WAITING:
            return None
        if not self._unknown.acquire(blocking=False):
            raise TooManyQueriesError(
                "Too many calls without credentials are under way.", hint="Send an Authorization header."
            )
        return self._unknown

    def shake_hands(self, incoming: fl.ServerAuthReader, outgoing: fl.ServerAuthSender) -> None:
        """Log in by what the handshake's messages hold, unless the headers did. Raises AuthenticationError."""
        arrival = self._handshakes.pop(threading.get_ident())
        if arrival.principal is not None:
            return
        payload = _read(incoming)
        if not payload:
            self._authenticator.authenticate(arrival.presented)
            return
        basic = messages.parse(Flight_pb2.BasicAuth, payload, "handshake")
        principal = self._authenticator.authenticate(
            PresentedCredentials(
                password=Password(basic.username, basic.password), loopback=self._loopback_only
            )
        )
        outgoing.write(self._tokens.mint(principal).encode())


class _Arrival(fl.ServerMiddleware):  # type: ignore[misc]  # pyarrow has no types
    """What a call's headers said."""

    def __init__(
        self,
        presented: PresentedCredentials,
        principal: Principal | None,
        minted: str | None,
        guard: threading.BoundedSemaphore | None,
    ) -> None:
        self.presented = presented
        self.principal = principal
        self.minted = minted
        self._guard = guard

    def sending_headers(self) -> dict[str, str]:
        return {AUTHORIZATION: f"Bearer {self.minted}"} if self.minted else {}

    def call_completed(self, exception: Exception | None) -> None:
        if self._guard is not None:
            self._guard.release()


class _Arrivals(fl.ServerMiddlewareFactory):  # type: ignore[misc]
    def __init__(self, callers: Callers) -> None:
        self._callers = callers

    def start_call(self, info: fl.CallInfo, headers: Mapping[str, Sequence[str | bytes]]) -> _Arrival:
        with _TRANSLATED:
            return self._callers.arrive(info.method, headers)


class _Handshake(fl.ServerAuthHandler):  # type: ignore[misc]
    def __init__(self, callers: Callers) -> None:
        self._callers = callers

    def authenticate(self, outgoing: fl.ServerAuthSender, incoming: fl.ServerAuthReader) -> None:
        with _TRANSLATED:
            self._callers.shake_hands(incoming, outgoing)

    def is_valid(self, token: bytes) -> bytes:
        return token  # becomes `peer_identity`; `admit` is where it is checked


def _read(incoming: fl.ServerAuthReader) -> bytes:
    """The handshake's first message; empty when the client sends none because its headers say it all."""
    try:
        return bytes(incoming.read())
    except (OSError, pa.ArrowException):
        return b""


def address(peer: str) -> str | None:
    """The host of a peer as gRPC writes it: `ipv4:1.2.3.4:5`, `ipv6:%5B::1%5D:5`, `unix:...`."""
    scheme, _, rest = peer.partition(":")
    if scheme not in ("ipv4", "ipv6"):
        return None
    return unquote(rest).rpartition(":")[0].strip("[]").partition("%")[0]


def is_local_peer(peer: str) -> bool:
    host = address(peer)
    return peer.startswith("unix:") if host is None else loopback.is_loopback(host)
