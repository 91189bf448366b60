"""Store the parts of the services below SQE's cache; each is made once, atomically."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from sqe.common.filelock import hold
from sqe.engine.runtime.report import Reporter

# MinIO takes six minutes of a processor, and another process may be at it on a busy machine.
_LOCK_SECONDS = 3600.0

Make = Callable[[Path, int], None]
"""Makes a directory at the path given. What it starts is to inherit the lock's descriptor: should this process be
killed, they do not disturb each other."""


class Store:
    def __init__(self, root: Path) -> None:
        self.root = root

    def provide(self, name: str, what: str, make: Make, report: Reporter) -> Path:
        """Return the directory of that name, made by `make` if it is missing; `what` is the step for the report."""
        target = self.root / name
        if target.is_dir():
            return target
        self.root.mkdir(mode=0o700, parents=True, exist_ok=True)

        def waiting() -> None:
            report.note(f"{what}: another process does that; waiting for it.")

        with hold(
            self.root / f"{name}.lock", timeout=_LOCK_SECONDS, waiting=waiting, what="prepares the stack"
        ) as lock:
            if target.is_dir():
                return target
            for left in self.root.glob(f"work-{name}-*"):  # of a killed run: this process holds the lock
                shutil.rmtree(left, ignore_errors=True)
            work = Path(tempfile.mkdtemp(prefix=f"work-{name}-", dir=self.root))
            try:
                report.start(what)
                make(work / "new", lock)
                (work / "new").replace(target)
                report.finish()
            finally:
                shutil.rmtree(work, ignore_errors=True)
        return target
