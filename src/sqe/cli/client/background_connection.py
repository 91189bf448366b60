"""Open the shell's connection in the background, so that the user can type at once."""

from __future__ import annotations

import threading
from collections.abc import Callable

from sqe.cli.client.connection import Connection

CLOSE_SECONDS = 2.0

# Opens a connection; calls its argument with messages such as "starting the engine".
Opener = Callable[[Callable[[str], None]], Connection]


class _Attempt:
    def __init__(self) -> None:
        self.done = threading.Event()
        self.connection: Connection | None = None
        self.failure: BaseException | None = None
        self.note: str | None = None


class BackgroundConnection:
    """Opens on `start` or on the first `wait`; after a failure or `close` the next `wait` opens again."""

    def __init__(self, opener: Opener) -> None:
        self._opener = opener
        self._attempt: _Attempt | None = None
        self._lock = threading.Lock()
        # Called in another thread when note or state changed.
        self.on_change: Callable[[], None] = lambda: None

    @property
    def note(self) -> str | None:
        """The reason why the connection is not open yet."""
        attempt = self._attempt
        return attempt.note if attempt and not attempt.done.is_set() else None

    @property
    def current(self) -> Connection | None:
        """The connection if it is open, else None."""
        attempt = self._attempt
        return attempt.connection if attempt and attempt.done.is_set() else None

    def start(self) -> None:
        with self._lock:
            if self._attempt is None:
                self._attempt = _Attempt()
                threading.Thread(
                    target=self._open, args=(self._attempt,), name="connect", daemon=True
                ).start()

    def wait(self, timeout: float) -> Connection | None:
        """Return the connection, or None if it is not open in time. Raises the opener's error."""
        self.start()
        attempt = self._attempt
        if attempt is None or not attempt.done.wait(timeout):
            return None
        if attempt.failure is not None:
            self._attempt = None
            raise attempt.failure
        return attempt.connection

    def close(self) -> None:
        """Close the session, waiting at most CLOSE_SECONDS for the server."""
        with self._lock:
            attempt, self._attempt = self._attempt, None
        if attempt is not None and attempt.connection is not None:
            closing = threading.Thread(target=attempt.connection.close, name="disconnect", daemon=True)
            closing.start()
            closing.join(CLOSE_SECONDS)

    def _open(self, attempt: _Attempt) -> None:
        def set_note(note: str) -> None:
            attempt.note = note
            self.on_change()

        try:
            attempt.connection = self._opener(set_note)
        except BaseException as failure:  # noqa: BLE001 - `wait` raises it in the waiting thread
            attempt.failure = failure
        finally:
            attempt.done.set()
            self.on_change()
