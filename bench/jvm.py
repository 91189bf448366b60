"""Measure what a JVM holds with its own tools."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bench.process import usage

from sqe.engine.runtime.provision import Runtime

_SECONDS = 120.0
# Of pools that grow with the load, to a hundred threads, or give theirs up when there is nothing to do.
_POOLS = (
    "block-manager-",
    "shuffle-exch",
    "broadcast-exch",
    "query-stage",
    "result-stage",
    "subquery",
    "dynamic-prun",
)
_LINE = re.compile(r"\s*\d+:\s+(\d+)\s+(\d+)\s+(\S+)")
_TOTAL = re.compile(r"^Total\s+\d+\s+(\d+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class JvmUsage:
    """One measurement of a JVM."""

    heap: int  # bytes of objects that are reachable
    threads: int  # without those of Spark's pools
    sockets: int
    files: int  # all that is open, sockets included
    objects: Mapping[str, tuple[int, int]]  # by class: how many, and their bytes

    def __str__(self) -> str:
        return f"{self.heap / 1e6:,.1f} MB of heap, {self.threads} threads, {self.sockets} sockets, {self.files} files"

    def grown(self, before: JvmUsage, most: int = 12) -> list[str]:
        """Return the classes that grew by most bytes since `before`."""
        more = {
            name: (count - before.objects.get(name, (0, 0))[0], size - before.objects.get(name, (0, 0))[1])
            for name, (count, size) in self.objects.items()
        }
        largest = sorted(more.items(), key=lambda item: item[1][1], reverse=True)[:most]
        return [f"{size / 1e3:+10,.0f} kB {count:+8,}  {name}" for name, (count, size) in largest if size > 0]


def measure(runtime: Runtime, pid: int) -> JvmUsage:
    """Count open files and sockets, then let the JVM collect its garbage and count what is left.

    In this order: the collection closes what the code does not close, which may be hours later.
    """
    running, connected, opened = threads(pid), sockets(pid), usage(pid).files
    for _ in range(2):  # what is only weakly held goes with the first, and what that held with the second
        _ask(runtime, pid, "GC.run")
    text = _ask(runtime, pid, "GC.class_histogram")
    total = _TOTAL.search(text)
    assert total is not None, text[-1000:]
    objects: dict[str, tuple[int, int]] = {}
    for found in filter(None, map(_LINE.match, text.splitlines())):
        # Generated classes have a number each; together they are one kind.
        name = re.sub(r"0x[0-9a-f]+|\d{2,}", "#", found[3])
        count, size = objects.get(name, (0, 0))
        objects[name] = (count + int(found[1]), size + int(found[2]))
    return JvmUsage(int(total[1]), running, connected, opened, objects)


def threads(pid: int) -> int:
    found = 0
    for entry in Path(f"/proc/{pid}/task").iterdir():
        try:
            found += not (entry / "comm").read_text(encoding="utf-8").startswith(_POOLS)
        except OSError:  # ended since it was listed
            continue
    return found


def sockets(pid: int) -> int:
    found = 0
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        try:
            found += str(entry.readlink()).startswith("socket:")
        except OSError:  # closed since it was listed
            continue
    return found


def _ask(runtime: Runtime, pid: int, command: str) -> str:
    jcmd = runtime.java.with_name("jcmd")
    asked = [str(jcmd), "-J-XX:-UsePerfData", str(pid), command]
    done = subprocess.run(asked, capture_output=True, text=True, timeout=_SECONDS, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
