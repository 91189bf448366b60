"""Define the interface of authentication providers."""

from __future__ import annotations

from typing import Protocol

from sqe.identity.credentials import PresentedCredentials
from sqe.model.identity import Principal


class Provider(Protocol):
    @property
    def name(self) -> str:
        """The name in `auth.providers`, in metrics and in a Principal."""

    @property
    def challenge(self) -> str | None:
        """The value of the `WWW-Authenticate` header; None when a client has nothing to send."""

    def authenticate(self, presented: PresentedCredentials) -> Principal | None:
        """Return the principal, or None when these credentials are not for this provider.

        Raises:
            AuthenticationError: they are for it, and wrong. No other provider is asked then.
        """
