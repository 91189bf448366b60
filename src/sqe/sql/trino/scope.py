"""Where a statement is read: what unqualified names and the words for "me" and "here" stand for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scope:
    """The part of a session that the meaning of its SQL depends on."""

    catalog: str | None  # the current one
    namespace: str | None  # the current one; parts of a nested one are joined with dots
    user: str
    time_zone: str | None  # None: the engine's
