"""Reuse a login at the identity provider for later requests with the same credentials."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from sqe.errors import AuthenticationError, IdentityProviderError
from sqe.identity.logins.store import Logins
from sqe.identity.logins.verified_credentials import VerifiedCredentials
from sqe.model.identity import Principal

_log = logging.getLogger(__name__)

_ASK_AGAIN = 30.0  # when it did not answer
_REMEMBERED = 24 * 3600.0  # no longer than a login lives, which `Logins` decides
_LONGEST_WAIT = 60.0  # for another thread that asks with the same credentials


@dataclass(slots=True)
class _Known:
    principal: Principal
    fresh_until: float


class KnownLogins:
    """The logins by credentials. Right credentials begin a login again that has ended."""

    def __init__(
        self, logins: Logins, clock: Callable[[], float] = time.monotonic, recheck_after: float = 300.0
    ) -> None:
        """Ask the identity provider again `recheck_after` seconds after it said that credentials are right."""
        self._logins = logins
        self._recheck_after = recheck_after
        self._clock = clock
        self._known: VerifiedCredentials[_Known] = VerifiedCredentials(clock, _REMEMBERED)
        self._lock = threading.Lock()
        self._asking: dict[bytes, threading.Lock] = {}

    def principal(self, owner: str, secret: str, log_in: Callable[[], Principal]) -> Principal:
        """Return the principal of a live login, or that of `log_in`; one call at a time for the same credentials.

        Raises:
            AuthenticationError: `log_in` says no.
            IdentityProviderError: the identity provider does not answer, and no earlier login is alive.
        """
        fresh = self._fresh(owner, secret)
        if fresh is not None:
            return fresh
        with self._exclusive(owner, secret):
            fresh = self._fresh(owner, secret)
            return fresh if fresh is not None else self._ask(owner, secret, log_in)

    def _fresh(self, owner: str, secret: str) -> Principal | None:
        known = self._known.find(owner, secret)
        if known is None or known.fresh_until <= self._clock() or not self._logins.alive(known.principal):
            return None
        return known.principal

    def _ask(self, owner: str, secret: str, log_in: Callable[[], Principal]) -> Principal:
        try:
            principal = log_in()
        except IdentityProviderError as error:
            known = self._known.find(owner, secret)
            if known is None or not self._logins.alive(known.principal):
                raise
            _log.warning(
                "%s goes on with an earlier login: %s", known.principal.user, error.detail or error.message
            )
            known.fresh_until = self._clock() + _ASK_AGAIN
            return known.principal
        except AuthenticationError:
            self._known.forget(owner, secret)
            raise
        self._known.add(owner, secret, _Known(principal, self._clock() + self._recheck_after))
        return principal

    @contextmanager
    def _exclusive(self, owner: str, secret: str) -> Iterator[None]:
        digest = self._known.digest(owner, secret)
        with self._lock:
            lock = self._asking.setdefault(digest, threading.Lock())
        if not lock.acquire(timeout=_LONGEST_WAIT):
            raise IdentityProviderError(
                "The identity provider does not answer.", hint="Try again in a moment.", detail="for too long"
            )
        try:
            yield
        finally:
            with self._lock:
                # Who waits for it has it in hand, and looks first whether there is still something to ask.
                if self._asking.get(digest) is lock:
                    del self._asking[digest]
            lock.release()
