"""The tokens of one login, as an identity provider hands them out, and how to get the next ones."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Tokens:
    """What acts for a person towards catalogs and storage. Times are those of `time.time()`."""

    access: str = field(repr=False)
    expires_at: float
    refresh: str | None = field(default=None, repr=False)
    refresh_expires_at: float | None = None  # None: not known, or never


class Renewer(Protocol):
    def renew(self, tokens: Tokens) -> Tokens:
        """Get the tokens that follow these.

        Raises:
            AuthenticationError: they are refused, so that the login is over.
            IdentityProviderError: nobody answers; later is another chance.
        """
