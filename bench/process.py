"""Read the resources of a process from /proc."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Usage:
    rss: int  # bytes
    threads: int
    files: int

    def __str__(self) -> str:
        return f"{self.rss / 1e6:,.0f} MB, {self.threads} threads, {self.files} files"


def usage(pid: int) -> Usage:
    process = Path(f"/proc/{pid}")
    fields = dict(
        line.split(":", 1)
        for line in (process / "status").read_text(encoding="utf-8").splitlines()
        if ":" in line
    )
    return Usage(
        int(fields["VmRSS"].split()[0]) * 1024, int(fields["Threads"]), len(list((process / "fd").iterdir()))
    )


def cpu_seconds(pid: int) -> float:
    """Return the CPU time that a process has used, with that of the kernel for it."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def engine_of(gateway: int) -> int:
    """Return the process id of a gateway's JVM."""
    children = Path(f"/proc/{gateway}/task").glob("*/children")
    for child in " ".join(file.read_text(encoding="ascii") for file in children).split():
        if Path(f"/proc/{child}/comm").read_text(encoding="utf-8").strip() == "java":
            return int(child)
    raise AssertionError("the gateway has no engine")
