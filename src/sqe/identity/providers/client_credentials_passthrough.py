"""Authenticate a program by its own client id and secret, sent as user and password."""

from __future__ import annotations

import time
from collections.abc import Callable

from sqe.identity.credentials import PresentedCredentials
from sqe.identity.logins.oidc_login import OidcLogins
from sqe.identity.logins.service_tokens import ServiceRenewer
from sqe.identity.providers.failed_logins import FailedLogins
from sqe.identity.providers.password_login import PasswordLogin
from sqe.model.identity import Principal
from sqe.units import Secret


class ClientCredentialsPassthrough:
    name = "client_credentials_passthrough"
    challenge: str | None = 'Basic realm="SQE"'

    def __init__(
        self, oidc: OidcLogins, failed_logins: FailedLogins, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._oidc = oidc
        self._login = PasswordLogin(oidc, failed_logins, clock)

    def authenticate(self, presented: PresentedCredentials) -> Principal | None:
        return self._login.principal(presented, self._log_in)

    def _log_in(self, client_id: str, secret: str) -> Principal:
        renewer = ServiceRenewer(self._oidc.client, client_id, Secret(secret))
        return self._oidc.begin(self.name, renewer.first(), fallback_name=client_id, renewer=renewer)
