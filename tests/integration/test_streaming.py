"""Large results: they flow, and nothing holds them."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from testing.command import Sqe, until

pytestmark = [pytest.mark.engine, pytest.mark.by_itself]


def resident_megabytes(pid: int) -> float:
    fields = Path(f"/proc/{pid}/statm").read_text().split()
    return int(fields[1]) * 4096 / 1e6


def test_ten_million_rows_leave_the_gateways_memory_flat(sqe: Sqe) -> None:
    sqe.sql("SELECT count(*) FROM range(10)")
    gateway = sqe.status()["pid"]
    statement = "SELECT id, id * 2 AS twice, CAST(id AS STRING) AS text FROM range(10000000)"
    sqe.sql(
        "SELECT id, id * 2 AS twice, CAST(id AS STRING) AS text FROM range(500000)"
    )  # buffers have their size
    before = resident_megabytes(gateway)
    lines, peak, last = 0, before, ""
    with sqe.start(*sqe.arguments(statement)) as process:
        assert process.stdout is not None
        for line in process.stdout:
            lines, last = lines + 1, line
            if lines % 100_000 == 0:
                peak = max(peak, resident_megabytes(gateway))
    assert process.returncode == 0
    assert lines == 10_000_001
    assert last == "9999999,19999998,9999999\n"
    # The whole result is some 350 MB as Arrow; what may be on its way is limits.result_buffer and gRPC's own buffers.
    assert peak - before < 150, f"{before:.0f} MB before, {peak:.0f} MB at most"


def test_head_ends_a_large_result_at_once(sqe: Sqe) -> None:
    sqe.sql("SELECT 1")
    # In many partitions: Spark hands a result over partition by partition.
    endless = sqe.arguments("SELECT * FROM range(0, 10000000000, 1, 10000)")
    command = shlex.join([sys.executable, "-m", "sqe.cli.main", *endless])
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", f"{command} | head -3"],
        env=dict(sqe.environment),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stdout == "id\n0\n1\n"
    assert done.stderr == ""
    until(lambda: sqe.status()["running"] == 0, "the query is stopped", 10)
