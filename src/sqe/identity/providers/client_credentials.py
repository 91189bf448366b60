"""Authenticate programs by OAuth's client credentials grant: with their own id and secret, or all as one client.

A program has no refresh token: its next tokens come as the first did.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from sqe.identity.credentials import PresentedCredentials
from sqe.identity.logins.known_logins import KnownLogins
from sqe.identity.logins.oidc_login import OidcLogins
from sqe.identity.logins.token_set import Tokens
from sqe.identity.oidc.client import OidcClient
from sqe.identity.providers.password_login import PasswordLoginProvider
from sqe.model.identity import Principal
from sqe.units import Secret


class ClientCredentials:
    """Every client is the client of `[oidc]` itself, where the configuration names this provider."""

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
        renewer = ClientCredentialsRenewer(self._oidc.client)
        name = self._oidc.client.config.client_id
        return self._oidc.begin(self.name, renewer.first(), fallback_name=name, renewer=renewer)


class ClientCredentialsPassthrough(PasswordLoginProvider):
    """A program sends its own client id and secret as user and password; the configuration holds neither."""

    name = "client_credentials_passthrough"

    def _log_in(self, user: str, secret: str) -> Principal:
        renewer = ClientCredentialsRenewer(self._oidc.client, user, Secret(secret))
        return self._oidc.begin(self.name, renewer.first(), fallback_name=user, renewer=renewer)


class ClientCredentialsRenewer:
    """A `token_set.Renewer`. Id and secret are in its memory only."""

    def __init__(
        self, client: OidcClient, client_id: str | None = None, secret: Secret | None = None
    ) -> None:
        """Ask as this client, or without an id as the one in `[oidc]`."""
        self._client = client
        self._id = client_id
        self._secret = secret

    def first(self) -> Tokens:
        """Get the first tokens. Raises AuthenticationError or IdentityProviderError, as `renew` does."""
        secret = self._secret.reveal() if self._secret is not None else None
        return self._client.client_credentials(self._id, secret)

    def renew(self, tokens: Tokens) -> Tokens:
        fresh = self.first()
        self._client.verify(fresh.access, from_issuer=True)
        return fresh
