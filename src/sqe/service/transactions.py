"""Transactions in name: some clients insist on them, but each statement commits by itself, in Iceberg.

What was begun can be committed. It can be rolled back only while nothing has been changed: all else would be a lie.
"""

from __future__ import annotations

import secrets
import threading

from cachetools import FIFOCache

from sqe.errors import UnsupportedError

_REMEMBERED = 10_000


class Transactions:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._changed: FIFOCache[str, bool] = FIFOCache(_REMEMBERED)

    def begin(self) -> str:
        transaction = secrets.token_hex(16)
        with self._lock:
            self._changed[transaction] = False
        return transaction

    def note_change(self, transaction: str | None) -> None:
        """A statement that changes something was submitted in it."""
        if transaction is not None:
            with self._lock:
                self._changed[transaction] = True

    def commit(self, transaction: str | None) -> None:
        with self._lock:
            self._changed.pop(transaction or "", None)

    def roll_back(self, transaction: str | None) -> None:
        """Raises UnsupportedError when something was changed in it."""
        with self._lock:
            changed = self._changed.pop(transaction or "", False)
        if changed:
            raise UnsupportedError(
                "The transaction cannot be rolled back: each of its statements has committed by itself.",
                hint="Use autocommit; to undo a change, see Iceberg's rollback_to_snapshot.",
            )
