"""Accept transactions from clients that insist on them, although each statement commits by itself, in Iceberg.

A transaction can always be committed. It can be rolled back only while no statement in it has changed anything.
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
        """Note that a statement that changes something was submitted in the transaction."""
        if transaction is not None:
            with self._lock:
                self._changed[transaction] = True

    def commit(self, transaction: str | None) -> None:
        with self._lock:
            self._changed.pop(transaction or "", None)

    def roll_back(self, transaction: str | None) -> None:
        """End the transaction. Raises UnsupportedError when a statement in it has changed something."""
        with self._lock:
            changed = self._changed.pop(transaction or "", False)
        if changed:
            raise UnsupportedError(
                "The transaction cannot be rolled back: each of its statements has committed by itself.",
                hint="Use autocommit; to undo a change, see Iceberg's rollback_to_snapshot.",
            )
