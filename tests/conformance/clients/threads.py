"""A query that runs on a thread of its own, for clients whose calls block."""

from __future__ import annotations

import threading
from collections.abc import Callable

from tests.conformance.clients.base import Running


class Threaded(Running):
    def __init__(self, run: Callable[[], object], cancel: Callable[[], object]) -> None:
        self._cancel = cancel
        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._run, args=(run,), daemon=True)
        self._thread.start()

    def _run(self, run: Callable[[], object]) -> None:
        try:
            run()
        except Exception as error:  # noqa: BLE001 - handed to whoever waits
            self._error = error

    def cancel(self) -> None:
        self._cancel()

    def wait(self, seconds: float) -> None:
        self._thread.join(seconds)
        if self._thread.is_alive():
            raise TimeoutError(f"The query has not ended after {seconds:.0f} s.")
        if self._error is not None:
            raise self._error
