"""Define the tokens of one login, and the protocol to renew them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens that a person's requests to catalogs and storage carry. Times are those of `time.time()`."""

    access: str = field(repr=False)
    expires_at: float
    refresh: str | None = field(default=None, repr=False)
    refresh_expires_at: float | None = None  # None: not known, or never


class Renewer(Protocol):
    def renew(self, tokens: Tokens) -> Tokens:
        """Get the tokens that follow these.

        Raises:
            AuthenticationError: they are refused, so that the login is over.
            IdentityProviderError: the identity provider does not answer; a later call may succeed.
        """
