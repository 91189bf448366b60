"""Provide the pinned jars: fetch missing ones, and use none whose content is not the pinned one."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from sqe.engine.runtime.cache import Cache, install
from sqe.engine.runtime.ivy import Cause, FetchError
from sqe.engine.runtime.lockfile import Jar
from sqe.engine.runtime.report import Reporter
from sqe.errors import ChecksumError, OfflineError, SetupError

DIRECTORY = "jars"


class Fetcher(Protocol):
    def fetch(self, jars: Sequence[Jar], work: Path, lock: int, report: Reporter) -> None:
        """Bring `jars`, unchecked, to somewhere below `work`. Raises FetchError."""


@dataclass(frozen=True, slots=True)
class _Wrong:
    """A file with the right name and the wrong content."""

    path: Path
    jar: Jar
    found: str

    def error(self, hint: str) -> ChecksumError:
        return ChecksumError(
            f"{self.path.name} is not the pinned file: "
            f"expected SHA-256 {self.jar.sha256}, found {self.found}.",
            hint=hint,
            detail=str(self.path),
        )


def provide_jars(
    jars: Sequence[Jar],
    cache: Cache,
    fetcher: Fetcher,
    report: Reporter,
    *,
    offline: bool = False,
    verify: bool = False,
) -> tuple[Path, ...]:
    """Return where `jars` are, in their order, after fetching what is not there.

    With `offline` it fails instead of fetching. With `verify` it hashes every file again, instead of relying
    on size, time and the note that it was hashed before.

    Raises:
        OfflineError: some are missing and the network is off or cannot be reached.
        ChecksumError: what came, or what lies there and cannot be replaced, is not what was pinned.
        SetupError: they cannot be fetched for another reason.
    """
    found = {jar: _look(jar, cache, verify) for jar in jars}
    missing = [jar for jar, path in found.items() if not isinstance(path, Path)]
    if missing:
        wrong = [path for path in found.values() if isinstance(path, _Wrong)]
        if offline and wrong:
            raise wrong[0].error(f"Remove {wrong[0].path}, or put the right file there.")
        if offline:
            raise _offline(missing, cache, "and the network is off (engine.offline)")
        for one in wrong:
            report.note(f"{one.path} is not the pinned file; fetching it again.")
        found |= _fetch_missing(missing, cache, fetcher, report)
    return tuple(path for path in found.values() if isinstance(path, Path))


def _look(jar: Jar, cache: Cache, verify: bool) -> Path | _Wrong | None:
    wrong = None
    for place in cache.places():
        seen = _examine(place / DIRECTORY / jar.file_name, jar, verify)
        if isinstance(seen, Path):
            return seen
        wrong = wrong or seen
    return wrong


def _examine(path: Path, jar: Jar, verify: bool) -> Path | _Wrong | None:
    """Say whether `path` is `jar`. It is hashed once, even when put there by hand; a note remembers that."""
    try:
        size, modified = _size_and_time(path)
    except OSError:
        return None
    note = path.with_name(f"{path.name}.checked")
    remark = f"{jar.sha256} {size} {modified}\n"
    if size == jar.size and not verify:
        with suppress(OSError):
            if note.read_text(encoding="ascii", errors="replace") == remark:
                return path
    digest = _sha256(path)
    if digest != jar.sha256:
        return _Wrong(path, jar, digest)
    with suppress(OSError):  # a read-only cache: then it is hashed each time
        note.write_text(remark, encoding="ascii")
    return path


def _size_and_time(path: Path) -> tuple[int, int]:
    status = path.stat()
    # Whole seconds: images and archives keep no more.
    return status.st_size, int(status.st_mtime)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _fetch_missing(jars: Sequence[Jar], cache: Cache, fetcher: Fetcher, report: Reporter) -> dict[Jar, Path]:
    with cache.lock("fetching the engine's jars", report) as lock:
        target = cache.directory(DIRECTORY)
        have = _present(jars, cache)
        for leftover in cache.leftovers():
            have |= _take(_without(jars, have), leftover, target)[0]
            shutil.rmtree(leftover, ignore_errors=True)
        missing = _without(jars, have)
        if not missing:
            return have
        failure: FetchError | None = None
        names = ", ".join(jar.file_name for jar in missing)
        report.start(f"Fetching {names}", sum(jar.size for jar in missing))
        with cache.work() as work:
            try:
                fetcher.fetch(missing, work, lock, report)
            except FetchError as error:
                failure = error
            taken, wrong = _take(missing, work, target)  # also after a failure: the next run has less to do
        have |= taken
    missing = _without(jars, have)
    if wrong:
        raise wrong[0].error(
            "It was thrown away. Check the proxy and engine.ivy_settings, then run `sqe setup`."
        )
    if missing:
        raise _explain(failure, missing, cache) from failure
    report.finish()
    return have


def _present(jars: Iterable[Jar], cache: Cache) -> dict[Jar, Path]:
    # Hashed, because what was found wrong before may bear the note of better days.
    return {jar: path for jar in jars if isinstance(path := _look(jar, cache, verify=True), Path)}


def _without(jars: Iterable[Jar], have: dict[Jar, Path]) -> list[Jar]:
    return [jar for jar in jars if jar not in have]


def _take(jars: Sequence[Jar], work: Path, target: Path) -> tuple[dict[Jar, Path], list[_Wrong]]:
    """Move what came into place if it is what was pinned; return that, and what was not."""
    by_name = {jar.file_name: jar for jar in jars}
    taken: dict[Jar, Path] = {}
    wrong: dict[Jar, _Wrong] = {}
    for directory, _, files in os.walk(work):
        for name in files:
            jar = by_name.get(name)
            if jar is None or jar in taken:
                continue
            path = Path(directory, name)
            if (digest := _sha256(path)) != jar.sha256:
                wrong[jar] = _Wrong(path, jar, digest)
                continue
            install(path, target / name)
            taken[jar] = target / name
            _examine(target / name, jar, verify=False)  # leaves the note
    return taken, [one for jar, one in wrong.items() if jar not in taken]


def _explain(failure: FetchError | None, missing: Sequence[Jar], cache: Cache) -> SetupError:
    if failure is None:
        names = ", ".join(jar.file_name for jar in missing)
        return SetupError(f"Ivy ended without an error and without {names}.", hint=_by_hand(cache))
    if failure.cause is Cause.UNREACHABLE:
        return _offline(missing, cache, f"and cannot be fetched ({failure.reason})", failure.output)
    listing = _listing(missing)
    if failure.cause is Cause.UNTRUSTED:
        hint = f"Set tls.ca_bundle to a PEM file with your proxy's or mirror's certificate. {_by_hand(cache)}"
    else:
        hint = _by_hand(cache)
    return SetupError(
        f"Jars of the engine are missing, and {failure.cause.value} ({failure.reason}):\n{listing}",
        hint=hint,
        detail=failure.output,
    )


def _offline(missing: Sequence[Jar], cache: Cache, why: str, detail: str | None = None) -> OfflineError:
    return OfflineError(
        f"Jars of the engine are missing {why}:\n{_listing(missing)}", hint=_by_hand(cache), detail=detail
    )


def _listing(jars: Iterable[Jar]) -> str:
    return "\n".join(
        f"  {jar.file_name}  ({jar.coordinates}, {jar.size / 1e6:.1f} MB)\n    sha256 {jar.sha256}"
        for jar in jars
    )


def _by_hand(cache: Cache) -> str:
    return (
        f"Put the files into {cache.directory(DIRECTORY)}, or set engine.ivy_settings to the Ivy settings "
        "of a mirror, or HTTPS_PROXY to your proxy, and run `sqe setup`."
    )
