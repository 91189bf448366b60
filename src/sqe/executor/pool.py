"""The local executor: workers that run rendered plans, and the memory that they share."""

from __future__ import annotations

import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from sqe.config.sections.executor import ExecutorConfig
from sqe.executor.failures import LocalExecutionError
from sqe.executor.plan import LocalPlan
from sqe.executor.process import WorkerProcess

_IDLE_SECONDS = 60.0  # until a worker that nobody needs is ended; one stays
_SMALLEST = 128 << 20  # DuckDB needs some for each thread, whatever it reads
_MEMORY_FOR_BYTE = 6  # a compressed byte of a file, in hash tables and sorts
_SCAN_FOR_MEMORY = 4
_SCAN_FOR_CORE = 8 << 30


@dataclass(frozen=True, slots=True)
class Capacity:
    """What the workers may use together."""

    memory: int
    workers: int
    cores: int
    max_scan: int
    spill: int
    wait: float

    @classmethod
    def of(cls, config: ExecutorConfig, memory: int, cores: int) -> Capacity:
        """Return the configured capacity, or what suits a machine with this memory and these cores."""
        share = int(config.memory) if config.memory is not None else max(memory // 4, 2 * _SMALLEST)
        scan = min(_SCAN_FOR_MEMORY * share, _SCAN_FOR_CORE * cores)
        return cls(
            memory=share,
            workers=config.workers or max(4, 2 * cores),
            cores=cores,
            max_scan=int(config.max_scan) if config.max_scan is not None else scan,
            spill=int(config.spill),
            wait=float(config.wait),
        )

    def share(self, scan: int) -> int:
        """Return the memory of a plan that reads so many bytes: at most half, so that a second one can run."""
        return min(max(_SMALLEST, _MEMORY_FOR_BYTE * scan), max(self.memory // 2, _SMALLEST))


class LocalExecutor:
    """Runs plans on worker processes, which it starts when they are needed. It is safe to use from any thread."""

    def __init__(self, capacity: Capacity, directory: Path) -> None:
        """Make an executor without workers.

        Args:
            capacity: bounds of all workers together.
            directory: a private one, for temporary files.
        """
        self._capacity = capacity
        self._directory = Path(tempfile.mkdtemp(prefix="executor-", dir=directory))
        self._condition = threading.Condition()
        self._idle: list[WorkerProcess] = []
        self._running: dict[str, WorkerProcess] = {}
        self._taken = 0  # workers that run something, or are about to
        self._free_memory = capacity.memory
        self._closed = False

    @property
    def max_scan(self) -> int:
        return self._capacity.max_scan

    def run(self, plan: LocalPlan, tag: str) -> Iterator[pa.RecordBatch]:
        """Run a plan as the query `tag`; yield its batches, the first of which may have no rows.

        Raises:
            LocalExecutionError: Spark has to run the statement.
            SqeError: it was canceled.
        """
        share = self._capacity.share(plan.size)
        with self._worker(share) as worker:
            with self._condition:
                self._running[tag] = worker
            try:
                yield from worker.run(plan, share, self._capacity.spill, self._capacity.cores)
            finally:
                with self._condition:
                    del self._running[tag]

    def interrupt(self, tag: str) -> None:
        """Stop the plan of a query, if it runs here."""
        with self._condition:
            worker = self._running.get(tag)
        if worker is not None:
            worker.cancel()

    def keep_worker(self) -> None:
        """Have one worker ready, and end those that have been idle for long; the gateway calls this when it is idle."""
        with self._condition:
            if self._closed or self._taken:
                return
            if not self._idle:
                self._idle.append(WorkerProcess(self._directory))
            long_idle = time.monotonic() - _IDLE_SECONDS
            gone = [worker for worker in self._idle[1:] if worker.idle_since < long_idle]
            self._idle = [worker for worker in self._idle if worker not in gone]
        for worker in gone:
            worker.close()

    def close(self) -> None:
        """End all workers."""
        with self._condition:
            self._closed = True
            workers = [*self._idle, *self._running.values()]
            self._idle = []
        for worker in workers:
            worker.close()
        shutil.rmtree(self._directory, ignore_errors=True)

    @contextmanager
    def _worker(self, memory: int) -> Iterator[WorkerProcess]:
        """Provide a worker of the caller's own, once there are one and its memory."""
        with self._condition:
            free = self._condition.wait_for(
                lambda: (
                    self._closed or (self._taken < self._capacity.workers and self._free_memory >= memory)
                ),
                self._capacity.wait,
            )
            if self._closed or not free:
                raise LocalExecutionError("closed" if self._closed else "all workers are busy")
            self._taken += 1
            self._free_memory -= memory
            worker = self._idle.pop() if self._idle else None
        try:
            worker = worker or WorkerProcess(self._directory)
            yield worker
        except OSError as error:
            raise LocalExecutionError("no worker can be started") from error
        finally:
            with self._condition:
                self._taken -= 1
                self._free_memory += memory
                keep = worker is not None and worker.alive and not self._closed
                if keep and worker is not None:
                    self._idle.append(worker)
                self._condition.notify()
            if not keep and worker is not None:
                worker.close()
