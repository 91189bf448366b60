"""What the chain knows of a provider."""

from __future__ import annotations

from typing import Protocol

from sqe.identity.credentials import Presented
from sqe.model.identity import Principal


class Provider(Protocol):
    @property
    def name(self) -> str:
        """As in `auth.providers`, in metrics and in a Principal."""

    @property
    def challenge(self) -> str | None:
        """What a `WWW-Authenticate` header says for it; None when there is nothing that a client could send."""

    def authenticate(self, presented: Presented) -> Principal | None:
        """Vouch for somebody, or return None when these credentials are none of this provider's business.

        Raises:
            AuthenticationError: they are its business, and they are wrong. Nobody else is asked then.
        """
