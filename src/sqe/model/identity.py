"""Who somebody is, once a provider has vouched for it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Principal:
    """A person or a program that has logged in. Everything that runs, runs as one of these."""

    user: str
    provider: str  # the one that vouched, such as "users_file"
    groups: frozenset[str] = frozenset()
    roles: frozenset[str] = frozenset()
    subject: str | None = None  # the identity provider's own name for the person, which never changes
    email: str | None = None
    login: str | None = (
        None  # names the login whose tokens act for it (identity.logins); None: there are none
    )

    def is_same_person(self, other: Principal) -> bool:
        """Whether the same one has logged in, perhaps once more."""
        return (self.user, self.provider, self.subject) == (other.user, other.provider, other.subject)
