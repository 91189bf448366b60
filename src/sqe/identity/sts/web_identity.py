"""Exchange a person's token at the store's STS for keys of their own (AssumeRoleWithWebIdentity).

The store then knows the person, and decides by its own policies; its log names the person.
"""

from __future__ import annotations

import hashlib
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from sqe.errors import AccessDeniedError, AuthenticationError, IdentityProviderError
from sqe.identity.logins.token_set import Tokens
from sqe.identity.provider_http import provider_http_client
from sqe.identity.sts.sts_response import MalformedResponseError, Refusal, read_credentials, read_refusal
from sqe.model.identity import Principal
from sqe.model.session import RestCatalog

# Loaded with the first exchange: httpx is slow to load, and most catalogs vend.
if TYPE_CHECKING:
    from sqe.common.http_client import HttpClient, Response

_LAST_MOMENT = 2.0  # keys that end so soon are of no use
_NO_NAME = re.compile(r"[^\w+=,.@-]", re.ASCII)  # what a RoleSessionName must not hold
# Refusals that are none: STS cannot tell now.
_TROUBLE = frozenset({"IDPCommunicationError", "RequestTimeout", "Throttling", "ThrottlingException"})
_LONGEST_DETAIL = 300


@dataclass(frozen=True, slots=True)
class S3Credentials:
    access_key_id: str
    secret_access_key: str = field(repr=False)
    session_token: str = field(repr=False)
    expires_at: float  # as `time.time()` counts; no later than the token's for which they were given


class TokenSource(Protocol):
    """The part of `identity.logins.Logins` that is used here."""

    def tokens(self, login: str) -> Tokens: ...


class _Key(NamedTuple):
    login: str
    endpoint: str
    role: str | None


@dataclass(slots=True)
class _Entry:
    exchanging: threading.Lock = field(default_factory=threading.Lock)
    keys: S3Credentials | None = None
    token: bytes = b""  # the digest of the one that they were given for


class WebIdentity:
    def __init__(
        self,
        logins: TokenSource,
        timeout: float,
        *,
        ca_bundle: Path | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Exchange the tokens of `logins`; an STS has `timeout` seconds to answer."""
        self._logins = logins
        self._timeout = timeout
        self._ca_bundle = ca_bundle
        self._clock = clock
        self._lock = threading.Lock()
        self._entries: dict[_Key, _Entry] = {}
        self._clients: dict[str, HttpClient] = {}  # one for each STS, which knows when that one is silent

    def credentials(self, principal: Principal, catalog: RestCatalog) -> S3Credentials:
        """Return the person's keys for the files of a catalog; new ones when those at hand are about to end.

        Raises:
            AuthenticationError: the login has ended, or there is none.
            AccessDeniedError: STS gives this person no keys.
            IdentityProviderError: STS, or who could renew the token, does not answer, and there are no good keys.
        """
        if principal.login is None:
            raise AuthenticationError(
                f"{principal.user} logged in by {principal.provider}, which gives no token for a store's STS."
            )
        if catalog.sts_endpoint is None:
            raise AccessDeniedError(f"The catalog {catalog.name} has no sts_endpoint.")
        # Asked for each time, so that keys which are still good end with the login.
        tokens = self._logins.tokens(principal.login)
        token = hashlib.sha256(tokens.access.encode()).digest()
        with self._lock:
            key = _Key(principal.login, catalog.sts_endpoint, catalog.sts_role)
            entry = self._entries.setdefault(key, _Entry())
        if (keys := self._good(entry, token)) is not None:
            return keys
        with entry.exchanging:
            if (keys := self._good(entry, token)) is not None:  # another thread was faster
                return keys
            try:
                keys = self._exchange(principal, catalog, catalog.sts_endpoint, tokens)
            except IdentityProviderError:
                if entry.keys is not None and self._left(entry.keys) > _LAST_MOMENT:
                    return entry.keys
                raise
            entry.keys, entry.token = keys, token
            return keys

    def forget(self, login: str) -> None:
        """Drop a login's keys: no session needs them any more."""
        with self._lock:
            for key in [key for key in self._entries if key.login == login]:
                del self._entries[key]

    def close(self) -> None:
        with self._lock:
            self._entries.clear()
            for client in self._clients.values():
                client.close()
            self._clients.clear()

    def _good(self, entry: _Entry, token: bytes) -> S3Credentials | None:
        """Keys last as long as the token that they were given for; the next token comes well ahead of that."""
        keys = entry.keys
        good = keys is not None and token == entry.token and self._left(keys) > _LAST_MOMENT
        return keys if good else None

    def _left(self, keys: S3Credentials) -> float:
        return keys.expires_at - self._clock()

    def _exchange(
        self, principal: Principal, catalog: RestCatalog, endpoint: str, tokens: Tokens
    ) -> S3Credentials:
        form = {
            "Action": "AssumeRoleWithWebIdentity",
            "Version": "2011-06-15",
            "WebIdentityToken": tokens.access,
        }
        if catalog.sts_role is not None:
            name = _NO_NAME.sub("-", principal.user)[:64]
            form |= {"RoleArn": catalog.sts_role, "RoleSessionName": name.ljust(2, "-")}
        try:
            answer = self._client(endpoint).post(endpoint, form, accept="text/xml")
            refusal = _refusal(answer)
            if refusal is None:
                access, secret, session, end = _keys(answer)
                return S3Credentials(access, secret, session, min(end, tokens.expires_at))
        except IdentityProviderError as error:
            raise IdentityProviderError(
                f"The STS of the catalog {catalog.name} does not answer.",
                hint="Try again in a moment.",
                detail=f"STS at {endpoint}: {error.detail}",
            ) from None
        said = refusal.message.replace(tokens.access, "...")[:_LONGEST_DETAIL]
        raise AccessDeniedError(
            f"The STS of the catalog {catalog.name} refuses keys for {principal.user}.",
            hint="The operator of the store decides which users it knows, and what they may do.",
            detail=f"STS at {endpoint} refuses {principal.user}: {refusal.code}: {said}",
        )

    def _client(self, endpoint: str) -> HttpClient:
        with self._lock:
            if endpoint not in self._clients:
                self._clients[endpoint] = provider_http_client(self._timeout, self._ca_bundle)
            return self._clients[endpoint]


def _refusal(answer: Response) -> Refusal | None:
    """None when there are keys in the answer. Raises IdentityProviderError when it is neither."""
    if answer.status == 200:
        return None
    try:
        refusal = read_refusal(answer.body)
    except MalformedResponseError as error:
        raise _trouble(f"the answer {answer.status} makes no sense: {error}") from None
    if refusal.code in _TROUBLE:
        raise _trouble(f"{answer.status} {refusal.code}")
    return refusal


def _keys(answer: Response) -> tuple[str, str, str, float]:
    try:
        return read_credentials(answer.body)
    except MalformedResponseError as error:
        raise _trouble(f"the answer {answer.status} makes no sense: {error}") from None


def _trouble(detail: str) -> IdentityProviderError:
    return IdentityProviderError("STS does not answer.", detail=detail)
