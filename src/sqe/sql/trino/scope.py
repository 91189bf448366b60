"""Hold the part of a session that decides on the meaning of its SQL."""

from __future__ import annotations

from dataclasses import dataclass

from sqe.sql.trino.stored_functions import StoredFunction


@dataclass(frozen=True, slots=True)
class Scope:
    """The values of unqualified names, `current_user` and the like."""

    catalog: str | None  # the current one
    namespace: str | None  # the current one; parts of a nested one are joined with dots
    user: str
    time_zone: str | None  # None: the engine's
    functions: tuple[StoredFunction, ...] = ()  # those that the statement may call, and those that they call
