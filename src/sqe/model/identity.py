"""Principals: the identities that statements run as, once a provider has authenticated them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Principal:
    """A person or a program that has logged in. Every statement runs as one of these."""

    user: str
    provider: str  # the one that authenticated it, such as "users_file"
    groups: frozenset[str] = frozenset()
    roles: frozenset[str] = frozenset()
    subject: str | None = None  # the identity provider's own name for the principal, which never changes
    email: str | None = None
    login: str | None = None  # the login whose tokens act for it (identity.logins); None: it has no tokens

    def is_same_person(self, other: Principal) -> bool:
        """Return whether both are logins of the same person at the same provider."""
        return type(self) is type(other) and (
            (self.user, self.provider, self.subject) == (other.user, other.provider, other.subject)
        )
