"""Authenticate by user and password at the identity provider (OAuth's password grant)."""

from __future__ import annotations

import time
from collections.abc import Callable

from sqe.identity.credentials import PresentedCredentials
from sqe.identity.logins.oidc_login import OidcLogins
from sqe.identity.providers.failed_logins import FailedLogins
from sqe.identity.providers.password_login import PasswordLogin
from sqe.model.identity import Principal


class OidcPassword:
    name = "oidc_password"
    challenge: str | None = 'Basic realm="SQE"'

    def __init__(
        self, oidc: OidcLogins, failed_logins: FailedLogins, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._oidc = oidc
        self._login = PasswordLogin(oidc, failed_logins, clock)

    def authenticate(self, presented: PresentedCredentials) -> Principal | None:
        return self._login.principal(presented, self._log_in)

    def _log_in(self, user: str, secret: str) -> Principal:
        return self._oidc.begin(self.name, self._oidc.client.password(user, secret), named=user)
