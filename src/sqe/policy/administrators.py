"""Policy administrators: the users, roles and groups of `policy.admins`."""

from __future__ import annotations

from collections.abc import Iterable

from sqe.errors import ConfigError
from sqe.model.identity import Principal

_KINDS = ("user", "role", "group")


class Administrators:
    def __init__(self, entries: Iterable[str] = ()) -> None:
        """Take `user:x`, `role:x` and `group:x`. Raises ConfigError."""
        self._members: set[tuple[str, str]] = set()
        for entry in entries:
            kind, _, name = entry.partition(":")
            if kind not in _KINDS or not name:
                raise ConfigError(
                    f"policy.admins: '{entry}' is not an administrator.",
                    hint="Write user:name, role:name or group:name.",
                )
            self._members.add((kind, name))

    def include(self, principal: Principal) -> bool:
        return (
            ("user", principal.user) in self._members
            or any(("role", role) in self._members for role in principal.roles)
            or any(("group", group) in self._members for group in principal.groups)
        )
