"""Renew the tokens of a program, which has no refresh token, by the client credentials grant."""

from __future__ import annotations

from sqe.identity.logins.token_set import Tokens
from sqe.identity.oidc.client import OidcClient
from sqe.units import Secret


class ServiceRenewer:
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
