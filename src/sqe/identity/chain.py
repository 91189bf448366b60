"""Ask the authentication providers in order; the first that accepts or refuses decides."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from sqe.errors import AuthenticationError
from sqe.identity.credentials import PresentedCredentials
from sqe.identity.providers.provider import Provider
from sqe.model.identity import Principal

_log = logging.getLogger(__name__)

NO_PROVIDER = "none"  # the provider's name, in metrics, when no provider knew what to do with the credentials


class Authenticator:
    """The one way from credentials to a Principal, for every protocol."""

    def __init__(
        self,
        providers: Sequence[Provider],
        observe: Callable[[str, bool], None] = lambda provider, accepted: None,
        alive: Callable[[Principal], bool] = lambda principal: True,
    ) -> None:
        """Ask these providers.

        Args:
            providers: asked in this order.
            observe: called with each decision: (provider's name, accepted).
            alive: whether a login still holds (`Logins.alive`). A token of ours can outlive the login it is for.
        """
        self._providers = tuple(providers)
        self._observe = observe
        self._alive = alive

    @property
    def challenge(self) -> str:
        """The value of a `WWW-Authenticate` header."""
        challenges = [provider.challenge for provider in self._providers if provider.challenge is not None]
        return ", ".join(dict.fromkeys(challenges)) or 'Bearer realm="SQE"'

    def authenticate(self, presented: PresentedCredentials) -> Principal:
        """Return the principal. Raises AuthenticationError, which does not say what exactly was wrong."""
        for provider in self._providers:
            try:
                principal = provider.authenticate(presented)
            except AuthenticationError as error:
                self._refused(provider.name, presented, error)
                raise
            if principal is not None:
                self._check_login(principal, presented)
                self._check_claim(principal, presented)
                self._observe(provider.name, True)
                return principal
        refusal = AuthenticationError(
            "The credentials are not accepted." if presented.explicit else "Credentials are needed here.",
            detail="no provider knows them",
        )
        self._refused(NO_PROVIDER, presented, refusal)
        raise refusal

    def _check_login(self, principal: Principal, presented: PresentedCredentials) -> None:
        if self._alive(principal):
            return
        error = AuthenticationError(
            "The login has ended.", hint="Log in again.", detail=f"the login of {principal.user} has ended"
        )
        self._refused(principal.provider, presented, error)
        raise error

    def _check_claim(self, principal: Principal, presented: PresentedCredentials) -> None:
        claimed = presented.claimed_user
        if claimed is None or claimed == principal.user:
            return
        error = AuthenticationError(
            f"{principal.user} cannot act as another user.",
            hint="Give the same name as user and in the credentials.",
        )
        self._refused(principal.provider, presented, error)
        raise error

    def _refused(self, provider: str, presented: PresentedCredentials, error: AuthenticationError) -> None:
        self._observe(provider, False)
        user = presented.password.user if presented.password else presented.claimed_user
        _log.info(
            "login refused: provider %s, user %.128r, address %s: %s",
            provider,
            user,
            presented.address,
            error.detail or error.message,
        )
