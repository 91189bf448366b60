"""Describe the machine that a benchmark runs on."""

from __future__ import annotations

import os
import platform
import shutil
import tempfile
from pathlib import Path


def describe_machine() -> str:
    """Return the machine in one line, to compare figures."""
    model = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
                break
    except OSError:
        pass
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    disk = shutil.disk_usage(tempfile.gettempdir()).total / 2**30
    return (
        f"{os.cpu_count()} cores ({model}), {memory:.0f} GiB memory, {disk:.0f} GiB disk, "
        f"{platform.system()} {platform.release()}, Python {platform.python_version()}"
    )
