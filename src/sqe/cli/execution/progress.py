"""Draw the line on stderr that shows the progress of a running statement."""

from __future__ import annotations

import time

from sqe.cli.execution.console import Console, screen_size
from sqe.cli.output.cells import cut
from sqe.cli.output.escape import visible
from sqe.model.query import QueryState, QueryStatus

DELAY = 0.5
REDRAW_SECONDS = 0.1
BAR = 24
_SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_STATES = {QueryState.QUEUED: "queued", QueryState.PLANNING: "planning", QueryState.RUNNING: "running"}


def short_number(number: int) -> str:
    """Write 1234567 as 1.2M."""
    size = float(number)
    for unit in ("", "k", "M", "G"):
        if size < 1000:
            return f"{size:.1f}{unit}" if unit and size < 100 else f"{size:.0f}{unit}"
        size /= 1000
    return f"{size:.1f}T"


def short_time(seconds: float) -> str:
    """Write 75.2 seconds as 1:15."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{rest:02d}" if minutes >= 60 else f"{minutes}:{rest:02d}"


def progress_text(note: str | None, status: QueryStatus | None, elapsed: float) -> str:
    """Describe the progress: the state or the reason for waiting, the bar, tasks, rows, and the time."""
    parts = []
    if status is None or status.note:
        parts.append(visible((status.note if status else None) or note or "sent"))
    else:
        parts.append(_STATES.get(status.state, status.state.value.lower()))
    if status is not None:
        progress = status.progress
        if progress.fraction is not None:
            full = int(BAR * min(progress.fraction, 1.0))
            parts.append(f"{'█' * full}{'░' * (BAR - full)} {progress.fraction:4.0%}")
            parts.append(f"{progress.tasks_done:,}/{progress.tasks:,} tasks")
        if progress.rows:
            parts.append(f"{short_number(progress.rows)} rows")
    parts.append(short_time(elapsed))
    return "  ".join(parts)


class ProgressLine:
    """A line that is redrawn in place and finally cleared. Short statements never show it."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._started = self._drawn = time.monotonic()
        self._shown = self._stopped = False
        self._step = 0

    @property
    def due(self) -> bool:
        """Whether the statement has run long enough to show the line."""
        return self._console.progress and time.monotonic() - self._started >= DELAY

    def update(self, note: str | None, status: QueryStatus | None) -> None:
        now = time.monotonic()
        if self._stopped or not self.due or (self._shown and now - self._drawn < REDRAW_SECONDS):
            return
        text = progress_text(note, status, now - self._started)
        columns, _ = screen_size()
        spin = _SPINNER[self._step % len(_SPINNER)]
        self._step += 1
        self._console.err.text(f"\r\x1b[K{self._console.paint('dim', cut(f'{spin} {text}', columns - 1))}")
        self._shown, self._drawn = True, now

    def stop(self) -> None:
        """Clear the line and never show it again."""
        self.clear()
        self._stopped = True

    def clear(self) -> None:
        if self._shown:
            self._console.err.text("\r\x1b[K")
            self._shown = False
