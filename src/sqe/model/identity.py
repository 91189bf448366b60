"""Who somebody is, once a provider has vouched for it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Principal:
    """A person or a program that has logged in. Everything that runs, runs as one of these."""

    user: str
    provider: str  # the one that vouched, such as "users_file"
    groups: frozenset[str] = frozenset()
