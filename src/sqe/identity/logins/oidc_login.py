"""Verify tokens from the identity provider and begin a login with them."""

from __future__ import annotations

from sqe.identity.credentials import wrong_credentials
from sqe.identity.logins.store import Logins
from sqe.identity.logins.token_set import Renewer, Tokens
from sqe.identity.oidc.claims import ClaimPaths, login_key, to_principal
from sqe.identity.oidc.client import OidcClient
from sqe.model.identity import Principal


class OidcLogins:
    """Logins with tokens that came from the identity provider itself a moment ago."""

    def __init__(self, client: OidcClient, logins: Logins, recheck_after: float = 300.0) -> None:
        """Begin `logins` with `client`; providers ask it again after `recheck_after` seconds."""
        self.client = client
        self.recheck_after = recheck_after
        self.logins = logins
        self.paths = ClaimPaths.of(client.config)

    def begin(
        self,
        provider: str,
        tokens: Tokens,
        *,
        named: str | None = None,
        fallback_name: str | None = None,
        renewer: Renewer | None = None,
    ) -> Principal:
        """Begin a login, or go on with the one that is there.

        Args:
            provider: the name of the authentication provider.
            tokens: what the identity provider gave.
            named: the name that was logged in with; the token has to be of that one.
            fallback_name: the name to take when the token has none.
            renewer: gets the next tokens. None: the refresh token does, if there is one.

        Raises:
            AuthenticationError: the token cannot be used.
            IdentityProviderError: there are no keys to check it with.
        """
        claims = self.client.verify(tokens.access, from_issuer=True)
        principal = to_principal(provider, claims, self.paths, fallback_name)
        if named is not None and not same_name(named, principal.user):
            raise wrong_credentials(f"logged in as {named[:128]!r}, but the token is of {principal.user}")
        if renewer is None and tokens.refresh is not None:
            renewer = self.client.renewer(claims)
        return self.logins.start(principal, login_key(provider, claims), tokens, renewer)


def same_name(given: str, user: str) -> bool:
    """Whether a name as typed means this user: identity providers do not look at the case."""
    return given.casefold() == user.casefold()
