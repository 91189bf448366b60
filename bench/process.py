"""Read the resources of a process from /proc."""

from __future__ import annotations

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
