"""A program logs in with its own client id and secret, as user and password. Our configuration holds none of it."""

from __future__ import annotations

import time
from collections.abc import Callable

from sqe.errors import AuthenticationError, IdentityProviderError
from sqe.identity.attempts import Attempts
from sqe.identity.credentials import Presented, is_user_name
from sqe.identity.known_logins import KnownLogins
from sqe.identity.oidc_login import OidcLogins
from sqe.identity.service_tokens import ServiceRenewer
from sqe.identity.shapes import belongs_elsewhere
from sqe.model.identity import Principal
from sqe.units import Secret

_WRONG = "The user or the password is wrong."


class ClientCredentialsPassthrough:
    name = "client_credentials_passthrough"
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
            raise AuthenticationError(_WRONG, detail="that is not the id and the secret of a client")
        key = (password.user, presented.address)
        return self._known.principal(
            password.user, password.secret, lambda: self._log_in(password.user, password.secret, key)
        )

    def _log_in(self, client_id: str, secret: str, key: tuple[str, str | None]) -> Principal:
        self._attempts.check(key)
        renewer = ServiceRenewer(self._oidc.client, client_id, Secret(secret))
        try:
            tokens = renewer.first()
        except IdentityProviderError:
            raise
        except AuthenticationError:
            self._attempts.failed(key)
            raise
        self._attempts.succeeded(key)
        return self._oidc.begin(self.name, tokens, fallback_name=client_id, renewer=renewer)
