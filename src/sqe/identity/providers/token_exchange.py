"""Authenticate by any token that the identity provider exchanges for one of ours (RFC 8693).

Nothing is checked here: the identity provider decides, and what it gives is checked. It takes every token, and so has
to come last.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from sqe.errors import AuthenticationError, IdentityProviderError
from sqe.identity.credentials import PresentedCredentials
from sqe.identity.logins.known_logins import KnownLogins
from sqe.identity.logins.oidc_login import OidcLogins
from sqe.identity.logins.session_tokens import PREFIX
from sqe.identity.logins.token_set import Tokens
from sqe.identity.logins.verified_credentials import VerifiedCredentials
from sqe.identity.oidc.client import OidcClient
from sqe.identity.providers.credential_kinds import is_api_key
from sqe.identity.providers.failed_logins import FailedLogins
from sqe.model.identity import Principal

_REFUSED_FOR = 60.0  # seconds in which a token that was refused is not sent again


class TokenExchange:
    name = "token_exchange"
    challenge: str | None = 'Bearer realm="SQE"'

    def __init__(
        self, oidc: OidcLogins, failed_logins: FailedLogins, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._oidc = oidc
        self._failed_logins = failed_logins
        self._known = KnownLogins(oidc.logins, clock, oidc.recheck_after)
        self._refused: VerifiedCredentials[bool] = VerifiedCredentials(clock, _REFUSED_FOR)

    def authenticate(self, presented: PresentedCredentials) -> Principal | None:
        token = presented.bearer
        # Tokens and keys of our own are never sent to the identity provider.
        if token is None or token.startswith(PREFIX) or is_api_key(token):
            return None
        if self._refused.find(self.name, token):
            raise AuthenticationError("The token is not accepted.", detail="it was refused a moment ago")
        return self._known.principal(self.name, token, lambda: self._log_in(token, presented.address))

    def _log_in(self, token: str, address: str | None) -> Principal:
        key = (f"({self.name})", address)  # the user is not known yet
        if address is not None:  # or else one client would keep all others out
            self._failed_logins.check(key)
        try:
            tokens = self._oidc.client.exchange(token)
            # Without a refresh token the same exchange is made again, for as long as the client's own token is good.
            renewer = _ExchangeAgain(self._oidc.client, token, tokens) if tokens.refresh is None else None
            return self._oidc.begin(self.name, tokens, renewer=renewer)
        except IdentityProviderError:
            raise
        except AuthenticationError:
            self._refused.add(self.name, token, value=True)
            if address is not None:
                self._failed_logins.add(key)
            raise


class _ExchangeAgain:
    """A `token_set.Renewer`. The client's token is in its memory only."""

    def __init__(self, client: OidcClient, token: str, first: Tokens) -> None:
        """Exchange `token` again; `first` is what it was exchanged for before. Raises as `OidcClient.verify` does."""
        self._client = client
        self._token = token
        self._subject = client.verify(first.access, from_issuer=True).get("sub")

    def renew(self, tokens: Tokens) -> Tokens:
        fresh = self._client.exchange(self._token)
        if self._client.verify(fresh.access, from_issuer=True).get("sub") != self._subject:
            raise AuthenticationError(
                "The login cannot be renewed.", detail="the new token is of another person"
            )
        return fresh
