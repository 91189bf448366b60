"""Privileges in a catalog of the stack: namespaces and tables of a user, and exceptions."""

from __future__ import annotations

from collections.abc import Iterator

from stack import accounts

from sqe.errors import SetupError


class Grants:
    def __init__(self) -> None:
        self._granted = {user: set(namespaces) for user, namespaces in accounts.NAMESPACES.items()}
        self._revoked: dict[str, set[str]] = {user: set() for user in self._granted}

    @property
    def users(self) -> tuple[str, ...]:
        return tuple(self._granted)

    def granted(self, user: str) -> list[str]:
        """Return namespaces and tables in which everything is allowed ..."""
        return sorted(self._granted[user])

    def revoked(self, user: str) -> list[str]:
        """Return the exceptions: tables in granted namespaces."""
        return sorted(self._revoked[user])

    def grant(self, user: str, what: str) -> None:
        self._known(user)
        self._revoked[user].discard(what)
        if not any(what.startswith(f"{name}.") for name in self._granted[user]):
            self._granted[user].add(what)

    def revoke(self, user: str, what: str) -> None:
        """Revoke a grant. Raises SetupError when there is none: a test would prove nothing."""
        self._known(user)
        if what in self._granted[user]:
            self._granted[user].remove(what)
        elif any(what.startswith(f"{name}.") for name in self._granted[user]):
            self._revoked[user].add(what)
        else:
            raise SetupError(f"{user} has no right to {what} that could be revoked.")

    def namespaces(self) -> Iterator[tuple[str, str]]:
        """Yield each granted namespace, with one user who has it."""
        seen: set[str] = set()
        for user, names in self._granted.items():
            for name in sorted(names):
                if "." not in name and name not in seen:
                    seen.add(name)
                    yield name, user

    def _known(self, user: str) -> None:
        if user not in self._granted:
            raise SetupError(f"The stack knows no {user}.")
