"""Decide on the size of the engine's heap."""

from __future__ import annotations

import os
from pathlib import Path

from sqe.config.sections.engine import EngineConfig

_SMALLEST = 1 << 30
_LARGEST = (
    30 << 30
)  # beyond about 32 GB the JVM loses its compressed pointers and needs more for the same data
_CGROUP_LIMITS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))


def machine_memory() -> int:
    """Return how many bytes this process may use at most: the machine's, or its container's if that is less."""
    physical = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    for limit in _CGROUP_LIMITS:
        try:
            text = limit.read_text().strip()
        except OSError:
            continue
        if text.isdigit():
            physical = min(physical, int(text))
    return physical


def heap_of(config: EngineConfig) -> int:
    """Return the configured size of the heap in bytes, or the default for this machine."""
    return int(config.memory) if config.memory is not None else default_heap(machine_memory())


def default_heap(memory: int) -> int:
    """Return half of the memory: the rest is for off-heap buffers, the page cache and the gateway."""
    return max(_SMALLEST, min(memory // 2, _LARGEST))


def available_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
