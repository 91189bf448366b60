"""Somebody whom `sqe policy test` acts as, on the wire. Only a gateway that it has started for itself takes one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqe.errors import UsageError

FIELD = "stand_in"  # of a session's opening


@dataclass(frozen=True, slots=True)
class StandIn:
    user: str
    roles: frozenset[str] = frozenset()
    groups: frozenset[str] = frozenset()
    trusted: bool = False  # prepares what is tested: no policy is asked


def encode(who: StandIn) -> dict[str, Any]:
    return {
        "user": who.user,
        "roles": sorted(who.roles),
        "groups": sorted(who.groups),
        "trusted": who.trusted,
    }


def decode(fields: Mapping[str, Any]) -> StandIn:
    """Read what `encode` wrote. Raises UsageError."""
    user, trusted = fields.get("user"), fields.get("trusted")
    if not isinstance(user, str) or not user or not isinstance(trusted, bool):
        raise UsageError("The request does not say whom it acts as.")
    return StandIn(user, _names(fields, "roles"), _names(fields, "groups"), trusted)


def _names(fields: Mapping[str, Any], key: str) -> frozenset[str]:
    found = fields.get(key)
    if not isinstance(found, list) or not all(isinstance(name, str) for name in found):
        raise UsageError(f"The request lacks the field '{key}'.")
    return frozenset(found)
