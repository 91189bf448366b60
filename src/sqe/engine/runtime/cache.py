"""Find and keep the engine's parts in the cache directory."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path

from sqe.common.filelock import hold
from sqe.config.schema import Config
from sqe.engine.runtime.report import Reporter
from sqe.errors import SetupError
from sqe.locations import locate

# Another process may be fetching 130 MB over a slow line.
_LOCK_SECONDS = 1800.0
_WORK = "work-"


class Cache:
    """The configured cache directory, and a private stand-in for when that one cannot be written."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self.wanted = _wanted(config)

    @cached_property
    def writable(self) -> Path:
        """The place for new files; asked for when something is missing, as a full cache may be read-only."""
        return locate(self._config).cache

    def places(self) -> Iterator[Path]:
        """Yield where to look, in order."""
        yield self.wanted
        if self.writable != self.wanted:
            yield self.writable

    def find(self, name: str) -> Path | None:
        """Return the file of that relative name, if it is there."""
        return next((place / name for place in self.places() if (place / name).is_file()), None)

    def directory(self, name: str) -> Path:
        """Return a directory for new files."""
        path = self.writable / name
        path.mkdir(mode=0o700, exist_ok=True)
        return path

    def put(self, name: str, content: bytes) -> Path:
        """Write a file of that relative name, whole or not at all; needs no lock."""
        target = self.directory(str(Path(name).parent)) / Path(name).name
        descriptor, new = tempfile.mkstemp(prefix=".new-", dir=target.parent)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
            install(Path(new), target)
        except BaseException:
            Path(new).unlink(missing_ok=True)
            raise
        return target

    @contextmanager
    def lock(self, what: str, report: Reporter, timeout: float = _LOCK_SECONDS) -> Iterator[int]:
        """Keep other processes from putting something in place; yields the lock's descriptor."""

        def waiting() -> None:
            report.note(f"Another process is {what}; waiting for it.")

        with hold(
            self.writable / "setup.lock", timeout=timeout, waiting=waiting, what="fetches the engine's parts"
        ) as descriptor:
            yield descriptor

    @contextmanager
    def work(self) -> Iterator[Path]:
        """Yield a private directory on the same file system, gone afterwards. Call it with the lock held."""
        path = Path(tempfile.mkdtemp(prefix=_WORK, dir=self.writable))
        try:
            yield path
        finally:
            shutil.rmtree(path, ignore_errors=True)

    def leftovers(self) -> list[Path]:
        """Return the work directories of killed runs. With the lock held, no process works in them."""
        return sorted(self.writable.glob(_WORK + "*"))

    def sweep(self) -> None:
        """Remove what a killed run left behind, unless another process works there or it cannot be written."""
        if not any(self.wanted.glob(_WORK + "*")):
            return
        with (
            suppress(SetupError, OSError),
            hold(self.wanted / "setup.lock", timeout=0, waiting=lambda: None),
        ):
            for path in self.wanted.glob(_WORK + "*"):
                shutil.rmtree(path, ignore_errors=True)


def install(source: Path, target: Path) -> None:
    """Move a finished file to its place on the same file system: whole or not at all."""
    source.chmod(0o644)
    source.replace(target)


def _wanted(config: Config) -> Path:
    if config.paths.cache is not None:
        return config.paths.cache.expanduser().absolute()
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "sqe"
