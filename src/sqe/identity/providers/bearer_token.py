"""Authenticate by a JSON Web Token that the client got itself: as Bearer, or as the password of its user.

The same token goes on to catalogs and storage. The gateway cannot renew it; the client brings the next one.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from sqe.identity.credentials import PresentedCredentials, is_jwt, wrong_credentials
from sqe.identity.logins.oidc_login import same_name
from sqe.identity.logins.store import Logins
from sqe.identity.logins.token_set import Tokens
from sqe.identity.logins.verified_credentials import VerifiedCredentials
from sqe.identity.oidc.claims import ClaimPaths, login_key, to_principal
from sqe.identity.oidc.client import OidcClient
from sqe.identity.oidc.jwt import issuer_of, unverified_claims
from sqe.model.identity import Principal


class BearerToken:
    name = "bearer_token"
    challenge: str | None = 'Bearer realm="SQE"'

    def __init__(
        self,
        client: OidcClient,
        logins: Logins,
        clock: Callable[[], float] = time.time,
        *,
        own_only: bool = False,
    ) -> None:
        """Accept tokens of `client`'s issuer; with `own_only`, leave those for other audiences to the next provider."""
        self._client = client
        self._own_only = own_only
        self._logins = logins
        self._paths = ClaimPaths.of(client.config)
        self._verified: VerifiedCredentials[Principal] = VerifiedCredentials(clock)

    def authenticate(self, presented: PresentedCredentials) -> Principal | None:
        if presented.bearer is not None:
            token, named = presented.bearer, None
        elif presented.password is not None:
            token, named = presented.password.secret, presented.password.user
        else:
            return None
        # A token of another issuer may be for another provider, such as `token_exchange`.
        if not is_jwt(token) or issuer_of(token) != self._client.issuer:
            return None
        if self._own_only and not self._is_for_us(token):
            return None
        principal = self._verified.find(self.name, token)
        if principal is None or not self._logins.alive(principal):
            principal = self._log_in(token)
        if named is not None and not same_name(named, principal.user):
            raise wrong_credentials(f"the token is of {principal.user}, and not of {named[:128]!r}")
        return principal

    def _is_for_us(self, token: str) -> bool:
        """Whether the token names us, unverified: it only chooses the provider that verifies it."""
        audience, named = self._client.config.audience, unverified_claims(token).get("aud")
        return audience is None or audience == named or (isinstance(named, list) and audience in named)

    def _log_in(self, token: str) -> Principal:
        claims = self._client.verify(token)
        expires_at = float(claims["exp"])
        principal = self._logins.start(
            to_principal(self.name, claims, self._paths),
            login_key(self.name, claims),
            Tokens(token, expires_at),
            None,
        )
        self._verified.add(self.name, token, principal, until=expires_at)
        return principal
