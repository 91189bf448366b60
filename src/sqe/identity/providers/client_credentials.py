"""Authenticate every client as the client of `[oidc]` itself, where the configuration names this provider."""

from __future__ import annotations

import time
from collections.abc import Callable

from sqe.identity.credentials import PresentedCredentials
from sqe.identity.logins.known_logins import KnownLogins
from sqe.identity.logins.oidc_login import OidcLogins
from sqe.identity.logins.service_tokens import ServiceRenewer
from sqe.model.identity import Principal


class ClientCredentials:
    name = "client_credentials"
    challenge: str | None = None

    def __init__(self, oidc: OidcLogins, clock: Callable[[], float] = time.monotonic) -> None:
        self._oidc = oidc
        self._known = KnownLogins(oidc.logins, clock, oidc.recheck_after)

    def authenticate(self, presented: PresentedCredentials) -> Principal | None:
        # A client with credentials of its own is never given another identity, also not when they are wrong.
        if presented.explicit or presented.certificate is not None:
            return None
        return self._known.principal(self.name, "", self._log_in)

    def _log_in(self) -> Principal:
        renewer = ServiceRenewer(self._oidc.client)
        return self._oidc.begin(
            self.name,
            renewer.first(),
            fallback_name=self._oidc.client.config.client_id,
            renewer=renewer,
        )
