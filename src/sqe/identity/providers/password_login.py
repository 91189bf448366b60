"""Log in at the identity provider with a name and a secret: once, and not after too many failures."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable

from sqe.errors import AuthenticationError
from sqe.identity.credentials import PresentedCredentials, is_user_name, wrong_credentials
from sqe.identity.logins.known_logins import KnownLogins
from sqe.identity.logins.oidc_login import OidcLogins
from sqe.identity.providers.credential_kinds import has_own_provider
from sqe.identity.providers.failed_logins import FailedLogins
from sqe.model.identity import Principal


class PasswordLoginProvider(ABC):
    """A provider that logs a person or a program in with a user and a password."""

    name: str
    challenge: str | None = 'Basic realm="SQE"'

    def __init__(
        self, oidc: OidcLogins, failed_logins: FailedLogins, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._oidc = oidc
        self._failed_logins = failed_logins
        self._known = KnownLogins(oidc.logins, clock, oidc.recheck_after)

    @abstractmethod
    def _log_in(self, user: str, secret: str) -> Principal:
        """Begin a login at the identity provider. Raises as `authenticate` does."""

    def authenticate(self, presented: PresentedCredentials) -> Principal | None:
        """Return the principal of a known login or of a new one; None without a user and a password.

        Raises:
            AuthenticationError: they are wrong, or there were too many that were.
            IdentityProviderError: the identity provider does not answer.
        """
        password = presented.password
        if password is None or has_own_provider(password):
            return None
        user, secret = password.user, password.secret
        if not is_user_name(user) or not secret:
            raise wrong_credentials("that is not a name and a secret")
        return self._known.principal(
            user, secret, lambda: self._counted((user, presented.address), lambda: self._log_in(user, secret))
        )

    def _counted(self, key: tuple[str, str | None], log_in: Callable[[], Principal]) -> Principal:
        self._failed_logins.check(key)
        try:
            principal = log_in()
        except AuthenticationError as error:
            if error.wrong_credentials:  # else the identity provider refused this server, or did not answer
                self._failed_logins.add(key)
            raise
        self._failed_logins.clear(key)
        return principal
