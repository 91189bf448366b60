"""Workers run real plans here: DuckDB over Parquet files, without Spark."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from sqe.config.sections.executor import ExecutorConfig
from sqe.errors import QueryCanceledError
from sqe.executor.failures import LocalExecutionError
from sqe.executor.plan import LocalPlan
from sqe.executor.pool import Capacity, LocalExecutor
from sqe.units import Size

CAPACITY = Capacity(memory=512 << 20, workers=2, cores=1, max_scan=1 << 30, spill=1 << 30, wait=60.0)
ENDLESS = "SELECT count(*) AS c0 FROM range(1000000000) a, range(1000000000) b WHERE a.range + b.range = -1"


@pytest.fixture(scope="module")
def executor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalExecutor]:
    made = LocalExecutor(CAPACITY, tmp_path_factory.mktemp("executor"))
    yield made
    made.close()


@pytest.fixture(scope="module")
def numbers(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A Parquet file with a column `n` of 100,000 numbers."""
    path = tmp_path_factory.mktemp("data") / "numbers.parquet"
    duckdb.execute(f"COPY (SELECT range AS n FROM range(100000)) TO '{path}' (FORMAT parquet)")
    return str(path)


def plan(sql: str, *files: str, can_fail: bool = True) -> LocalPlan:
    return LocalPlan(sql, files, size=1000, can_fail=can_fail)


def rows(executor: LocalExecutor, made: LocalPlan) -> list[dict[str, object]]:
    table = pa.Table.from_batches(list(executor.run(made, "q")))
    return [dict(row) for row in table.to_pylist()]


def test_a_plan_returns_its_rows(executor: LocalExecutor, numbers: str) -> None:
    made = plan(f"SELECT sum(n)::BIGINT AS c0 FROM read_parquet(['{numbers}'])", numbers)
    assert rows(executor, made) == [{"c0": 4999950000}]


@pytest.mark.parametrize("can_fail", [True, False])
def test_rows_keep_their_order_and_come_in_several_batches(
    executor: LocalExecutor, numbers: str, can_fail: bool
) -> None:
    sql = f"SELECT n AS c0 FROM read_parquet(['{numbers}']) ORDER BY n DESC"
    batches = list(executor.run(plan(sql, numbers, can_fail=can_fail), "q"))
    assert len(batches) > 3
    assert pa.Table.from_batches(batches).column(0).to_pylist() == list(range(99_999, -1, -1))


def test_a_plan_without_rows_has_columns(executor: LocalExecutor) -> None:
    made = list(executor.run(plan("SELECT 1::INTEGER AS c0 WHERE false"), "q"))
    assert [batch.num_rows for batch in made] == [0]
    assert made[0].schema == pa.schema([("c0", pa.int32())])


def test_a_plan_opens_its_own_files_only(executor: LocalExecutor, numbers: str, tmp_path: Path) -> None:
    other = tmp_path / "other.parquet"
    other.write_bytes(Path(numbers).read_bytes())
    with pytest.raises(LocalExecutionError) as error:
        rows(executor, plan(f"SELECT n AS c0 FROM read_parquet(['{other}'])", numbers))
    assert error.value.reason == "PermissionException"


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT content AS c0 FROM read_text('/etc/passwd')",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT getenv('HOME') AS c0",
        "SELECT 1 AS c0 FROM 'https://127.0.0.1:1/x.parquet'",
        "COPY (SELECT 1) TO '/tmp/written'",
        "ATTACH '/tmp/other.db'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "SET lock_configuration = false",
        "SET memory_limit = '1TB'",
    ],
)
def test_a_database_has_no_way_out(executor: LocalExecutor, sql: str) -> None:
    # Nobody but the renderer writes these texts; this is what is left if it were wrong.
    with pytest.raises(LocalExecutionError):
        rows(executor, plan(sql, can_fail=False))


def test_a_failure_has_no_values_in_it(executor: LocalExecutor) -> None:
    with pytest.raises(LocalExecutionError) as error:
        rows(executor, plan("SELECT CAST('secret-value' AS INTEGER) AS c0"))
    assert error.value.reason == "ConversionException"
    assert not error.value.delivered


def test_a_plan_that_can_fail_sends_no_row_before_its_end(executor: LocalExecutor, numbers: str) -> None:
    sql = f"SELECT CASE WHEN n = 99999 THEN error('last') ELSE n END AS c0 FROM read_parquet(['{numbers}'])"
    with pytest.raises(LocalExecutionError) as error:
        list(executor.run(plan(sql, numbers), "q"))
    assert not error.value.delivered


def test_a_file_that_is_gone_is_a_failure(executor: LocalExecutor, tmp_path: Path) -> None:
    gone = str(tmp_path / "gone.parquet")
    with pytest.raises(LocalExecutionError, match="Exception"):
        rows(executor, plan(f"SELECT n AS c0 FROM read_parquet(['{gone}'])", gone))


def test_memory_is_bounded(executor: LocalExecutor) -> None:
    with pytest.raises(LocalExecutionError, match="OutOfMemoryException"):
        rows(executor, plan("SELECT length(list(range)::VARCHAR) AS c0 FROM range(300000000)"))


def test_a_canceled_plan_ends_and_its_worker_goes_on(executor: LocalExecutor) -> None:
    failures: list[BaseException] = []

    def run() -> None:
        try:
            list(executor.run(plan(ENDLESS), "endless"))
        except QueryCanceledError as error:
            failures.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    while thread.is_alive():  # it may not have begun when it is first told
        executor.interrupt("endless")
        thread.join(0.3)
    assert len(failures) == 1
    assert rows(executor, plan("SELECT 1 AS c0")) == [{"c0": 1}]


def test_a_reader_that_stops_gives_the_worker_back(executor: LocalExecutor, numbers: str) -> None:
    sql = f"SELECT n AS c0 FROM read_parquet(['{numbers}'])"
    for _ in range(2 * CAPACITY.workers):
        reading = executor.run(plan(sql, numbers, can_fail=False), "q")
        next(reading)
        reading.close()
    assert rows(executor, plan("SELECT 1 AS c0")) == [{"c0": 1}]


def test_a_killed_worker_is_replaced(executor: LocalExecutor) -> None:
    executor.keep_worker()
    for pid in executor.pids:
        os.kill(pid, signal.SIGKILL)
    for _ in executor.pids:
        with pytest.raises(LocalExecutionError, match="worker ended"):
            rows(executor, plan("SELECT 1 AS c0"))
    assert rows(executor, plan("SELECT 1 AS c0")) == [{"c0": 1}]


def test_a_plan_that_finds_no_worker_is_left_to_spark(tmp_path: Path) -> None:
    capacity = Capacity(memory=256 << 20, workers=1, cores=1, max_scan=1, spill=1 << 20, wait=0.0)
    executor = LocalExecutor(capacity, tmp_path)
    try:
        reading = executor.run(plan("SELECT range AS c0 FROM range(1000000)", can_fail=False), "first")
        next(reading)
        with pytest.raises(LocalExecutionError, match="busy"):
            rows(executor, plan("SELECT 1 AS c0"))
        reading.close()
        assert rows(executor, plan("SELECT 1 AS c0")) == [{"c0": 1}]
    finally:
        executor.close()


def test_workers_end_with_the_executor(tmp_path: Path) -> None:
    executor = LocalExecutor(CAPACITY, tmp_path)
    assert rows(executor, plan("SELECT 1 AS c0")) == [{"c0": 1}]
    (pid,) = executor.pids
    executor.close()
    assert not Path(f"/proc/{pid}").exists()
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(LocalExecutionError, match="closed"):
        rows(executor, plan("SELECT 1 AS c0"))


def test_a_worker_has_nothing_of_the_gateways_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "of the gateway")
    own = LocalExecutor(CAPACITY, tmp_path)
    try:
        rows(own, plan("SELECT 1 AS c0"))
        (pid,) = own.pids
        assert b"AWS" not in Path(f"/proc/{pid}/environ").read_bytes()
    finally:
        own.close()


@pytest.mark.parametrize(
    ("given", "scan", "share"),
    [
        ({}, 16 << 30, 256 << 20),
        ({"memory": Size("1GiB")}, 4 << 30, 256 << 20),
        ({"max_scan": Size("1GB")}, 10**9, 256 << 20),
    ],
)
def test_the_capacity_suits_the_machine(given: dict[str, Size], scan: int, share: int) -> None:
    capacity = Capacity.of(ExecutorConfig(**given), memory=32 << 30, cores=2)  # type: ignore[arg-type]
    assert capacity.max_scan == scan
    assert capacity.share(0) == share
    assert capacity.share(1 << 40) == capacity.memory // 2


def test_a_result_comes_again_for_the_same_plan_only(numbers: str, tmp_path: Path) -> None:
    capacity = replace(CAPACITY, result_cache=1 << 20)
    executor = LocalExecutor(capacity, tmp_path)
    copy = tmp_path / "copy.parquet"
    copy.write_bytes(Path(numbers).read_bytes())
    made = plan(f"SELECT max(n) AS c0 FROM read_parquet(['{copy}'])", str(copy))
    other = plan(f"SELECT min(n) AS c0 FROM read_parquet(['{copy}'])", str(copy))
    large = plan(f"SELECT n AS c0 FROM read_parquet(['{copy}'])", str(copy))
    try:
        assert rows(executor, made) == [{"c0": 99_999}]
        assert len(rows(executor, large)) == 100_000
        copy.unlink()
        assert rows(executor, made) == [{"c0": 99_999}]
        for gone in (other, large):  # `large` has more than its part of the cache
            with pytest.raises(LocalExecutionError):
                rows(executor, gone)
    finally:
        executor.close()


def test_a_plan_that_failed_is_not_kept(tmp_path: Path) -> None:
    executor = LocalExecutor(replace(CAPACITY, result_cache=1 << 20), tmp_path)
    made = plan("SELECT error('no') AS c0")
    try:
        for _ in range(2):
            with pytest.raises(LocalExecutionError):
                rows(executor, made)
    finally:
        executor.close()
