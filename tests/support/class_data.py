"""Start the other JVMs of the tests with the engine's class data archive."""

from __future__ import annotations

import os
from pathlib import Path

from sqe.config.load import load
from sqe.engine.launcher.archive import ArchiveState, ClassDataArchive
from sqe.engine.launcher.class_path import class_path
from sqe.engine.launcher.command import JvmPlan
from sqe.engine.runtime.provision import Runtime
from sqe.locations import locate

_MASTER = "local[*]"


def path_with_archive(runtime: Runtime, *more: Path) -> tuple[Path, ...]:
    """Return a class path of all jars and of `more`, for which the archive of the engine is valid.

    The JVM uses an archive with every class path that begins with the one that it was made for.
    """
    first = class_path(runtime, _MASTER)
    return (*first, *(jar for jar in runtime.spark_jars if jar not in first), *more)


def archive_options(runtime: Runtime) -> list[str]:
    """Return the JVM options that use the archive, or none if there is no archive."""
    config = load(None, os.environ)
    archive = ClassDataArchive(locate(config), JvmPlan.of(runtime, _MASTER, 0, None))
    return archive.start_options() if archive.state is ArchiveState.USABLE else []
