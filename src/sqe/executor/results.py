"""Results of plans that have run, for plans that are the same to the letter.

A plan names its files, and files of an Iceberg table never change, so equal plans have equal results. The statement is
authorised and planned before each look-up: the filters and masks of policies are part of the plan.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator

import pyarrow as pa
from cachetools import LRUCache

from sqe.executor.plan import LocalPlan

_LARGEST = 8  # a result has at most this part of the whole


class ResultCache:
    """Keeps the batches of results, the least used of which go first. It is safe to use from any thread."""

    def __init__(self, memory: int) -> None:
        self._lock = threading.Lock()
        self._results: LRUCache[bytes, list[pa.RecordBatch]] = LRUCache(memory, getsizeof=_size)
        self._most = memory // _LARGEST

    def find(self, plan: LocalPlan) -> list[pa.RecordBatch] | None:
        """Return the batches of a plan that has run."""
        with self._lock:
            return self._results.get(_key(plan))

    def kept(self, plan: LocalPlan, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the batches of a plan, and keep them when all have come."""
        held: list[pa.RecordBatch] = []
        size = 0
        for batch in batches:
            size += batch.nbytes
            held = [*held, batch] if size <= self._most else []
            yield batch
        if size <= self._most and held:
            with self._lock:
                self._results[_key(plan)] = held


def _key(plan: LocalPlan) -> bytes:
    return hashlib.sha256(plan.sql.encode()).digest()


def _size(batches: list[pa.RecordBatch]) -> int:
    size = 1024
    for batch in batches:
        size += int(batch.nbytes)
    return size
