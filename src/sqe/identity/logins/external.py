"""Log in through a browser on behalf of a client, as Trino's external authentication does.

    client    challenge()           gets an id that only it knows; the browser gets no more than the id's hash
    browser   begin(hash)           goes to the identity provider with a state, and keeps a cookie
    browser   finish(state, code)   comes back; the code becomes tokens, and they a login
    client    take(id)              asks until there is a token of ours, and gets it once

The server keeps nothing before a login. Ids and states carry their own end and a seal of this process, and the PKCE
verifier is computed from the state. So no client can push out the logins of others by beginning many.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import re
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from cachetools import TTLCache

from sqe.errors import AuthenticationError, IdentityProviderError
from sqe.identity.logins.oidc_login import OidcLogins
from sqe.identity.logins.session_tokens import SessionTokens
from sqe.identity.oidc import pkce
from sqe.model.identity import Principal

_log = logging.getLogger(__name__)

PROVIDER = "external"
LIFETIME = 900.0  # seconds that a person has in the browser, and a client to fetch what came of it

_AT_MOST = 10_000  # logins that wait for their client; and as many that have failed
_HASH = re.compile(r"[0-9a-f]{64}")
_UNKNOWN = "This login is unknown or has timed out."
_AGAIN = "Start it again in your client."

# What an identity provider may say instead of giving a code (RFC 6749, 4.1.2.1). Anything else is not repeated.
_REFUSALS = {
    "access_denied": "The login was denied.",
    "server_error": "The identity provider has failed.",
    "temporarily_unavailable": "The identity provider is not available now.",
    "unauthorized_client": "The identity provider does not let this server log people in.",
    "invalid_scope": "The identity provider does not know the scopes that this server asks for.",
}


@dataclass(frozen=True, slots=True)
class Challenge:
    id: str = field(repr=False)  # for the client: it is exchanged for the token
    hash: str  # for the browser


@dataclass(frozen=True, slots=True)
class BrowserRedirect:
    """The address to which the browser goes, and the cookie with which it comes back."""

    url: str
    cookie_name: str
    cookie: str = field(repr=False)


@dataclass(slots=True)
class _Outcome:
    principal: Principal | None = None  # None: it is under way, or `error` says why there is none
    error: str | None = None


class ExternalLogins:
    def __init__(
        self,
        logins: OidcLogins,
        tokens: SessionTokens,
        observe: Callable[[str, bool], None] = lambda provider, accepted: None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Begin logins with `logins`, mint session tokens with `tokens`, and report each login to `observe`."""
        self._client = logins.client
        self._oidc = logins
        self._tokens = tokens
        self._observe = observe
        self._clock = clock
        self._key = secrets.token_bytes(32)
        self._lock = threading.Lock()
        # By hash. Failures are apart: every client can cause them, so they push out each other only.
        self._good: TTLCache[str, _Outcome] = TTLCache(_AT_MOST, LIFETIME, timer=clock)
        self._failed: TTLCache[str, _Outcome] = TTLCache(_AT_MOST, LIFETIME, timer=clock)
        self._under_way: set[str] = set()

    def challenge(self) -> Challenge:
        """Return a new challenge, without keeping it."""
        body = f"{self._end()}.{secrets.token_urlsafe(24)}"
        return _challenge(f"{body}.{self._seal('id', body)}")

    def begin(self, hashed: str, redirect_uri: str) -> BrowserRedirect:
        """Send a browser to the identity provider.

        Raises:
            AuthenticationError: that is no hash of a challenge.
            IdentityProviderError: its address cannot be found out now.
        """
        if not _HASH.fullmatch(hashed):
            raise AuthenticationError(_UNKNOWN, hint=_AGAIN)
        cookie = secrets.token_urlsafe(24)
        body = f"{hashed}.{self._end()}.{secrets.token_hex(8)}"
        state = f"{body}.{self._seal('state', body, cookie)}"
        url = self._client.authorize_url(
            redirect_uri=redirect_uri,
            state=state,
            code_challenge=pkce.challenge_of(self._verifier(state)),
            nonce=_nonce(cookie),
        )
        return BrowserRedirect(url, cookie_name(state), cookie)

    def finish(self, state: str, code: str, cookie: str, redirect_uri: str) -> Principal:
        """Make a login of the code that a browser came back with. A state is good for one attempt.

        Raises:
            AuthenticationError: the login cannot be made; the client is told so too, if it is known which one waits.
        """
        hashed = self._opened(state, cookie)
        with self._lock:
            if hashed in self._good or hashed in self._failed or hashed in self._under_way:
                raise AuthenticationError("This login was made already.", hint=_AGAIN)
            self._under_way.add(hashed)
        try:
            principal = self._login(state, code, cookie, redirect_uri)
            with self._lock:
                self._good[hashed] = _Outcome(principal)
        except AuthenticationError as error:
            self._refused(hashed, error)
            raise
        finally:
            with self._lock:
                self._under_way.discard(hashed)
        self._observe(PROVIDER, True)
        _log.info("%s has logged in at the identity provider", principal.user)
        return principal

    def refuse(self, state: str, cookie: str, said: str) -> AuthenticationError:
        """End a login for which the browser came back without a code. Returns the error for the person."""
        hashed = self._opened(state, cookie)
        error = AuthenticationError(
            _REFUSALS.get(said, "The identity provider has refused the login."),
            hint=_AGAIN,
            detail=f"the identity provider answered {said[:64]!r}",
        )
        self._refused(hashed, error)
        return error

    def take(self, client_id: str) -> str | None:
        """Return the token for the client, once; None while there is none.

        Raises:
            AuthenticationError: there will be none.
        """
        hashed = self._known(client_id)
        with self._lock:
            outcome = self._good.get(hashed) or self._failed.get(hashed)
            if outcome is None:
                return None
            if outcome.principal is None:
                raise AuthenticationError(outcome.error or _UNKNOWN)
            principal, outcome.principal = outcome.principal, None
            outcome.error = "The token was fetched already."
        return self._tokens.mint(principal)

    def drop(self, client_id: str) -> None:
        """Drop the login of a client that has its token or wants none. Harmless for an id that is unknown."""
        hashed = _challenge(client_id).hash
        with self._lock:
            found = self._good.get(hashed)
            if found is not None:
                found.principal, found.error = None, "The client has ended this login."

    def _login(self, state: str, code: str, cookie: str, redirect_uri: str) -> Principal:
        verifier = self._verifier(state)
        tokens = self._client.code_token(code, verifier, redirect_uri, nonce=_nonce(cookie))
        return self._oidc.begin(PROVIDER, tokens)

    def _refused(self, hashed: str, error: AuthenticationError) -> None:
        silent = isinstance(error, IdentityProviderError)
        text = error.message if error.hint is None or not silent else f"{error.message} {error.hint}"
        with self._lock:
            if hashed not in self._good:
                self._failed[hashed] = _Outcome(error=text)
        self._observe(PROVIDER, False)
        _log.info("login refused: provider %s: %s", PROVIDER, error.detail or error.message)

    def _opened(self, state: str, cookie: str) -> str:
        """Return the hash of the challenge that a state is for, if it was made for the browser with this cookie."""
        body, _, seal = state.rpartition(".")
        parts = body.split(".")
        if len(parts) != 3 or not self._is_seal(seal, "state", body, cookie) or self._is_over(parts[1]):
            raise AuthenticationError(
                _UNKNOWN, hint=_AGAIN, detail="the state or its cookie is not ours, or too old"
            )
        return parts[0]

    def _known(self, client_id: str) -> str:
        body, _, seal = client_id.rpartition(".")
        if not self._is_seal(seal, "id", body) or self._is_over(body.partition(".")[0]):
            raise AuthenticationError(_UNKNOWN)
        return _challenge(client_id).hash

    def _verifier(self, state: str) -> str:
        return self._seal("verifier", state)  # 64 characters, of those that it may have

    def _seal(self, kind: str, *parts: str) -> str:
        return hmac.digest(self._key, "\0".join((kind, *parts)).encode(), hashlib.sha256).hex()

    def _is_seal(self, given: str, kind: str, *parts: str) -> bool:
        return hmac.compare_digest(given.encode(), self._seal(kind, *parts).encode())

    def _end(self) -> str:
        return f"{int(self._clock() + LIFETIME):x}"

    def _is_over(self, end: str) -> bool:
        return int(end, 16) <= self._clock()


def cookie_name(state: str) -> str:
    """One for each login, so that two in one browser do not disturb each other. Nothing is checked here."""
    return f"sqe-login-{hashlib.sha256(state.encode()).hexdigest()[:12]}"


def _challenge(client_id: str) -> Challenge:
    return Challenge(client_id, hashlib.sha256(client_id.encode()).hexdigest())


def _nonce(cookie: str) -> str:
    return hashlib.sha256(cookie.encode()).hexdigest()
