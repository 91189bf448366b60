"""Build the identity service of a gateway from the configuration."""

from __future__ import annotations

import getpass
from collections.abc import Callable
from typing import TYPE_CHECKING

from sqe.config.schema import Config
from sqe.errors import AuthenticationError
from sqe.identity.chain import Authenticator
from sqe.identity.logins.session_tokens import SessionTokens
from sqe.identity.logins.store import Logins
from sqe.identity.logins.stored_login import StoredLogin
from sqe.identity.providers.registry import Providers, make_providers
from sqe.locations import locate
from sqe.model.identity import Principal

# What speaks to identity providers is loaded when there is one.
if TYPE_CHECKING:
    from sqe.identity.logins.external import ExternalLogins
    from sqe.identity.oidc.client import OidcClient


class IdentityService:
    """The providers, the logins and the session tokens of one gateway."""

    def __init__(self, config: Config, *, network: bool) -> None:
        """Build what `config` asks for, without a request to anything. Raises ConfigError.

        Args:
            config: all settings.
            network: whether clients come from the network, and so have to show credentials. The shells of this
                account have shown theirs to the operating system.
        """
        self._config = config
        auth = config.auth
        # The gateway sets these later: what they call does not exist yet.
        self.on_login_end: Callable[[Principal, AuthenticationError], None] = lambda principal, error: None
        self.on_renewal: Callable[[str], None] = lambda result: None
        self.tokens = SessionTokens(float(auth.token_lifetime), float(auth.token_idle))
        self.logins = Logins(
            ahead=float(auth.renew_ahead),
            lifetime=float(auth.login_lifetime),
            idle=float(auth.login_idle),
            at_most=auth.logins,
            on_end=self._ended,
            observe=self._renewed,
        )
        self._providers = make_providers(config, self.logins, self.tokens) if network else Providers((), None)
        self._own_client: OidcClient | None = None
        self._stored = StoredLogin(locate(config).login, self._client(), self.logins)

    def authenticator(self, observe: Callable[[str, bool], None]) -> Authenticator:
        """Return the authenticator for clients on the network; it calls `observe` with each decision."""
        return Authenticator((self.tokens, *self._providers.providers), observe, self.logins.alive)

    def external(self, observe: Callable[[str, bool], None]) -> ExternalLogins | None:
        """Return the logins in a browser; None when they are off."""
        if not self._config.oidc.external or self._providers.oidc is None:
            return None
        from sqe.identity.logins.external import ExternalLogins
        from sqe.identity.logins.oidc_login import OidcLogins

        return ExternalLogins(OidcLogins(self._providers.oidc, self.logins), self.tokens, observe)

    def local_principal(self) -> Principal:
        """Return the principal of this account's shells. Raises ConfigError, AuthenticationError."""
        return self._stored.principal(getpass.getuser())

    def refresh(self) -> None:
        """Read changed files again, renew tokens that are about to end, and report logins that have ended."""
        self._providers.refresh()
        self._stored.refresh()
        self.logins.keep_fresh()

    def close(self) -> None:
        self._providers.close()
        if self._own_client is not None:
            self._own_client.close()
        self.logins.close()

    def _ended(self, principal: Principal, error: AuthenticationError) -> None:
        if principal.login is not None:
            self.tokens.revoke_login(principal.login)
        self.on_login_end(principal, error)

    def _renewed(self, result: str) -> None:
        self.on_renewal(result)

    def _client(self) -> OidcClient | None:
        """Return the client of the identity provider where `sqe login` logs in."""
        if self._providers.oidc is not None or self._config.oidc.issuer is None:
            return self._providers.oidc
        from sqe.identity.oidc.client import oidc_client

        self._own_client = oidc_client(self._config)
        return self._own_client
