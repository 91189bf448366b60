"""Authenticate calls by their headers, the handshake or the client's certificate.

Middleware reads the headers when a call arrives, because only then can Flight refuse it properly and the handshake
answer with a token. The peer's address and certificate are known only in the call itself, so every call must call
`CallAuthenticator.authenticate` before it answers.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

import pyarrow as pa
import pyarrow.flight as fl

from sqe.common.loopback import is_loopback
from sqe.errors import AuthenticationError, TooManyQueriesError
from sqe.frontends.flight import messages
from sqe.frontends.flight.flight_errors import ErrorTranslator, error_without_context
from sqe.frontends.flight.proto import Flight_pb2
from sqe.identity.chain import Authenticator
from sqe.identity.credentials import Password, PresentedCredentials, from_authorization
from sqe.identity.logins.session_tokens import SessionTokens
from sqe.identity.providers.client_certificate import ClientCertificate
from sqe.model.identity import Principal

AUTHORIZATION = "authorization"
MIDDLEWARE = "caller"
_TRANSLATED = ErrorTranslator(error_without_context)

# Calls in which gRPC's thread waits for the client before the call is authenticated. A client that sends nothing keeps
# the thread, so that the number of such calls is limited.
_WAITING = (fl.FlightMethod.HANDSHAKE, fl.FlightMethod.DO_PUT, fl.FlightMethod.DO_EXCHANGE)
_UNAUTHENTICATED_CALLS = 64


@dataclass(frozen=True, slots=True)
class Caller:
    """The authenticated caller of one call."""

    principal: Principal
    token: str | None  # the session token that was presented
    peer: str
    password: bool  # whether a password was presented, which is exchanged for a session token


class CallAuthenticator:
    """Authenticates all calls of one endpoint."""

    def __init__(
        self,
        authenticator: Authenticator,
        tokens: SessionTokens,
        *,
        loopback_only: bool,
        certificates: bool,
    ) -> None:
        """Authenticate calls.

        Args:
            authenticator: checks the credentials.
            tokens: issues session tokens for passwords.
            loopback_only: whether the endpoint listens on a loopback address only.
            certificates: whether clients present certificates, which excludes the handshake.
        """
        self._authenticator = authenticator
        self._tokens = tokens
        self._loopback_only = loopback_only
        self._certificates = certificates
        # The handshake gets only messages, and runs on the thread on which its headers arrived. It is not a thread of
        # Python's, so that thread-local values would not last.
        self._handshakes: dict[int, _CallHeaders] = {}
        self._unauthenticated = threading.BoundedSemaphore(_UNAUTHENTICATED_CALLS)

    @property
    def middleware(self) -> dict[str, fl.ServerMiddlewareFactory]:
        return {MIDDLEWARE: _HeaderMiddleware(self)}

    @property
    def handshake(self) -> fl.ServerAuthHandler | None:
        # With a handler, pyarrow does not expose the certificate's name.
        return None if self._certificates else _Handshake(self)

    def authenticate(self, context: fl.ServerCallContext) -> Caller:
        """Return the caller of a call. Raises AuthenticationError."""
        headers: _CallHeaders = context.get_middleware(MIDDLEWARE)
        peer = context.peer()
        principal, token = headers.principal, headers.presented.bearer
        if principal is None:
            identity = context.peer_identity().decode("utf-8", errors="replace") or None
            token = None if self._certificates else identity
            principal = self._authenticator.authenticate(
                PresentedCredentials(
                    bearer=token,
                    certificate=ClientCertificate(identity) if self._certificates and identity else None,
                    loopback=is_loopback_peer(peer),
                    address=address(peer),
                )
            )
        own = token if token is not None and self._tokens.principal(token) == principal else None
        return Caller(principal, own, peer, headers.presented.password is not None)

    def read_headers(
        self, method: fl.FlightMethod, headers: Mapping[str, Sequence[str | bytes]]
    ) -> _CallHeaders:
        """Authenticate by a call's headers, if they have credentials. Raises AuthenticationError."""
        given = [
            value for name, values in headers.items() if name.lower() == AUTHORIZATION for value in values
        ]
        if len(given) > 1:
            raise AuthenticationError("The Authorization header was sent more than once.")
        header = given[0] if given and isinstance(given[0], str) else None
        presented = from_authorization(header, loopback=self._loopback_only)
        principal = self._authenticator.authenticate(presented) if presented.explicit else None
        minted = None
        if principal is not None and presented.password is not None and method == fl.FlightMethod.HANDSHAKE:
            minted = self._tokens.mint(principal)
        read = _CallHeaders(presented, principal, minted, self._slot(method, principal))
        if method == fl.FlightMethod.HANDSHAKE:
            self._handshakes[threading.get_ident()] = read
        return read

    def _slot(
        self, method: fl.FlightMethod, principal: Principal | None
    ) -> threading.BoundedSemaphore | None:
        """Reserve a slot for an unauthenticated call that can wait. Raises TooManyQueriesError."""
        if principal is not None or method not in _WAITING:
            return None
        if not self._unauthenticated.acquire(blocking=False):
            raise TooManyQueriesError(
                "The server has too many open calls without credentials.",
                hint="Send an Authorization header.",
            )
        return self._unauthenticated

    def answer_handshake(self, incoming: fl.ServerAuthReader, outgoing: fl.ServerAuthSender) -> None:
        """Authenticate by the handshake's messages, unless the headers did. Raises AuthenticationError."""
        headers = self._handshakes.pop(threading.get_ident())
        if headers.principal is not None:
            return
        payload = _read(incoming)
        if not payload:
            self._authenticator.authenticate(headers.presented)
            return
        basic = messages.parse(Flight_pb2.BasicAuth, payload, "handshake")
        principal = self._authenticator.authenticate(
            PresentedCredentials(
                password=Password(basic.username, basic.password), loopback=self._loopback_only
            )
        )
        outgoing.write(self._tokens.mint(principal).encode())


class _CallHeaders(fl.ServerMiddleware):  # type: ignore[misc]  # pyarrow has no types
    """The credentials in a call's headers, and their principal."""

    def __init__(
        self,
        presented: PresentedCredentials,
        principal: Principal | None,
        minted: str | None,
        slot: threading.BoundedSemaphore | None,
    ) -> None:
        self.presented = presented
        self.principal = principal
        self.minted = minted
        self._slot = slot

    def sending_headers(self) -> dict[str, str]:
        return {AUTHORIZATION: f"Bearer {self.minted}"} if self.minted else {}

    def call_completed(self, exception: Exception | None) -> None:
        if self._slot is not None:
            self._slot.release()


class _HeaderMiddleware(fl.ServerMiddlewareFactory):  # type: ignore[misc]
    def __init__(self, authenticator: CallAuthenticator) -> None:
        self._authenticator = authenticator

    def start_call(self, info: fl.CallInfo, headers: Mapping[str, Sequence[str | bytes]]) -> _CallHeaders:
        with _TRANSLATED:
            return self._authenticator.read_headers(info.method, headers)


class _Handshake(fl.ServerAuthHandler):  # type: ignore[misc]
    def __init__(self, authenticator: CallAuthenticator) -> None:
        self._authenticator = authenticator

    def authenticate(self, outgoing: fl.ServerAuthSender, incoming: fl.ServerAuthReader) -> None:
        with _TRANSLATED:
            self._authenticator.answer_handshake(incoming, outgoing)

    def is_valid(self, token: bytes) -> bytes:
        return token  # becomes `peer_identity`, which `authenticate` checks


def _read(incoming: fl.ServerAuthReader) -> bytes:
    """Return the handshake's first message; empty if the client sends none, because its headers suffice."""
    try:
        return bytes(incoming.read())
    except (OSError, pa.ArrowException):
        return b""


def address(peer: str) -> str | None:
    """Return the host of a peer as gRPC writes it: `ipv4:1.2.3.4:5`, `ipv6:%5B::1%5D:5`, `unix:...`."""
    scheme, _, rest = peer.partition(":")
    if scheme not in ("ipv4", "ipv6"):
        return None
    return unquote(rest).rpartition(":")[0].strip("[]").partition("%")[0]


def is_loopback_peer(peer: str) -> bool:
    host = address(peer)
    return peer.startswith("unix:") if host is None else is_loopback(host)
