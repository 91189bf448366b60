"""What a translation gives: Spark's text, the virtual tables in it, and the way back for the places of errors."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqe.errors import SqeError
from sqe.sql.splice import Splice
from sqe.sql.trino.virtual.reference import VirtualReference


@dataclass(frozen=True, slots=True)
class Translation:
    """A statement as Spark gets it."""

    text: str
    virtual: tuple[VirtualReference, ...] = ()
    _splice: Splice | None = field(default=None, repr=False)  # None: the text is the client's
    _placed: bool = True  # False: another statement was written, in which places mean nothing to the client

    def place(self, error: SqeError) -> None:
        """Move an error's place from the text that Spark saw to the text that the client sent."""
        if error.position is None:
            return
        if not self._placed:
            error.position = None
        elif self._splice is not None:
            error.position = self._splice.original_position(error.position)
