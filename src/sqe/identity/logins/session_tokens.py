"""Mint and verify session tokens, which stand for a login so that a client need not send its password again.

Only their hashes are kept. A token ends a fixed time after it was minted, or earlier when it is not used.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection
from dataclasses import dataclass

from sqe.errors import AuthenticationError
from sqe.identity.credentials import PresentedCredentials
from sqe.model.identity import Principal

# So that another provider's tokens can be told from ours, and a leaked one can be recognised.
PREFIX = "sqe_"

_OF_ONE_USER = 1_000
_OF_ALL = 50_000


@dataclass(slots=True)
class _Token:
    principal: Principal
    minted: float
    used: float


class SessionTokens:
    """The session tokens, and the provider that accepts them with every protocol."""

    name = "token"
    challenge: str | None = None

    def __init__(self, lifetime: float, idle: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._lifetime = lifetime
        self._idle = idle
        self._clock = clock
        self._lock = threading.Lock()
        self._tokens: OrderedDict[bytes, _Token] = OrderedDict()  # the least recently used first
        self._of_user: Counter[str] = Counter()

    def mint(self, principal: Principal) -> str:
        """Return a new token. When there are too many of the user or of all, the least recently used one ends."""
        token = PREFIX + secrets.token_urlsafe(32)
        now = self._clock()
        with self._lock:
            self._drop_ended(now)
            if self._of_user[principal.user] >= _OF_ONE_USER:
                self._drop(
                    next(key for key, kept in self._tokens.items() if kept.principal.user == principal.user)
                )
            if len(self._tokens) >= _OF_ALL:
                self._drop(next(iter(self._tokens)))
            self._tokens[_key(token)] = _Token(principal, now, now)
            self._of_user[principal.user] += 1
        return token

    def principal(self, token: str) -> Principal | None:
        """Return the principal of a token, or None when it is unknown or has ended."""
        key, now = _key(token), self._clock()
        with self._lock:
            kept = self._tokens.get(key)
            if kept is None:
                return None
            if self._ended(kept, now):
                self._drop(key)
                return None
            kept.used = now
            self._tokens.move_to_end(key)
            return kept.principal

    def revoke(self, token: str) -> None:
        with self._lock:
            self._drop(_key(token))

    def revoke_users(self, provider: str, users: Collection[str]) -> None:
        """End the tokens of these users of a provider: they are gone, or their passwords are others now."""
        self._revoke(lambda principal: principal.provider == provider and principal.user in users)

    def revoke_subjects(self, provider: str, subjects: Collection[str]) -> None:
        """End the tokens of these subjects of a provider, such as API keys, of which a user can have several."""
        self._revoke(lambda principal: principal.provider == provider and principal.subject in subjects)

    def revoke_login(self, login: str) -> None:
        """End the tokens of a login that is over."""
        self._revoke(lambda principal: principal.login == login)

    def _revoke(self, chosen: Callable[[Principal], bool]) -> None:
        with self._lock:
            for key in [key for key, kept in self._tokens.items() if chosen(kept.principal)]:
                self._drop(key)

    def authenticate(self, presented: PresentedCredentials) -> Principal | None:
        if presented.bearer is None or not presented.bearer.startswith(PREFIX):
            return None
        principal = self.principal(presented.bearer)
        if principal is None:
            raise AuthenticationError("The token has ended or is unknown.", hint="Log in again.")
        return principal

    def _ended(self, token: _Token, now: float) -> bool:
        return now - token.minted >= self._lifetime or now - token.used >= self._idle

    def _drop_ended(self, now: float) -> None:
        # In order of use: what comes after one that is still in use may be too old, but not for long unnoticed.
        while self._tokens and self._ended(next(iter(self._tokens.values())), now):
            self._drop(next(iter(self._tokens)))

    def _drop(self, key: bytes) -> None:
        kept = self._tokens.pop(key, None)
        if kept is not None:
            self._of_user[kept.principal.user] -= 1
            if not self._of_user[kept.principal.user]:
                del self._of_user[kept.principal.user]


def _key(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
