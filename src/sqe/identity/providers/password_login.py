"""Logs somebody in at the identity provider with a name and a secret: once, and not after too many failures."""

from __future__ import annotations

import time
from collections.abc import Callable

from sqe.errors import AuthenticationError
from sqe.identity.credentials import Presented, is_user_name, wrong_credentials
from sqe.identity.logins.known_logins import KnownLogins
from sqe.identity.logins.store import Logins
from sqe.identity.providers.attempts import Attempts
from sqe.identity.providers.credential_kinds import belongs_elsewhere
from sqe.model.identity import Principal


class PasswordLogin:
    """What people and programs have in common who bring a user and a password."""

    def __init__(
        self, logins: Logins, attempts: Attempts, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._attempts = attempts
        self._known = KnownLogins(logins, clock)

    def principal(self, presented: Presented, log_in: Callable[[str, str], Principal]) -> Principal | None:
        """Who it is by `log_in(user, secret)`, unless that is known; None when there is nothing to log in with.

        Raises:
            AuthenticationError: they are wrong, or there were too many that were.
            IdentityProviderError: nobody answers who could tell.
        """
        password = presented.password
        if password is None or belongs_elsewhere(password):
            return None
        user, secret = password.user, password.secret
        if not is_user_name(user) or not secret:
            raise wrong_credentials("that is not a name and a secret")
        return self._known.principal(
            user, secret, lambda: self._counted((user, presented.address), lambda: log_in(user, secret))
        )

    def _counted(self, key: tuple[str, str | None], log_in: Callable[[], Principal]) -> Principal:
        self._attempts.check(key)
        try:
            principal = log_in()
        except AuthenticationError as error:
            if error.wrong_credentials:  # else the identity provider refused this server, or did not answer
                self._attempts.failed(key)
            raise
        self._attempts.succeeded(key)
        return principal
