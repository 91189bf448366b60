"""User and password, checked by the identity provider (OAuth's password grant)."""

from __future__ import annotations

import time
from collections.abc import Callable

from sqe.errors import AuthenticationError, IdentityProviderError
from sqe.identity.attempts import Attempts
from sqe.identity.credentials import Presented, is_user_name
from sqe.identity.known_logins import KnownLogins
from sqe.identity.oidc_login import OidcLogins
from sqe.identity.shapes import belongs_elsewhere
from sqe.model.identity import Principal

_WRONG = "The user or the password is wrong."


class OidcPassword:
    name = "oidc_password"
    challenge: str | None = 'Basic realm="SQE"'

    def __init__(
        self, oidc: OidcLogins, attempts: Attempts, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._oidc = oidc
        self._attempts = attempts
        self._known = KnownLogins(oidc.logins, clock)

    def authenticate(self, presented: Presented) -> Principal | None:
        password = presented.password
        if password is None or belongs_elsewhere(password):
            return None
        if not is_user_name(password.user) or not password.secret:
            raise AuthenticationError(_WRONG, detail="that is not a user's name and a password")
        key = (password.user, presented.address)
        return self._known.principal(
            password.user, password.secret, lambda: self._log_in(password.user, password.secret, key)
        )

    def _log_in(self, user: str, secret: str, key: tuple[str, str | None]) -> Principal:
        self._attempts.check(key)
        try:
            tokens = self._oidc.client.password(user, secret)
        except IdentityProviderError:
            raise
        except AuthenticationError as error:
            if error.message == _WRONG:  # else this server was refused, not the person
                self._attempts.failed(key)
            raise
        self._attempts.succeeded(key)
        return self._oidc.begin(self.name, tokens, named=user)
