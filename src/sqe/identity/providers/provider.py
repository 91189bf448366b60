"""Define what the chain knows of an authentication provider."""

from __future__ import annotations

from typing import Protocol

from sqe.identity.credentials import PresentedCredentials
from sqe.model.identity import Principal


class Provider(Protocol):
    @property
    def name(self) -> str:
        """As in `auth.providers`, in metrics and in a Principal."""

    @property
    def challenge(self) -> str | None:
        """What a `WWW-Authenticate` header says for it; None when there is nothing that a client could send."""

    def authenticate(self, presented: PresentedCredentials) -> Principal | None:
        """Return the principal, or None when these credentials are not for this provider.

        Raises:
            AuthenticationError: they are for it, and wrong. No other provider is asked then.
        """
