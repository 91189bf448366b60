"""Two gateways on one warehouse: as two people on one machine, or an old and a new version, would be."""

from __future__ import annotations

import pytest
from testing.command import Sqe

pytestmark = pytest.mark.engine


def test_two_processes_write_one_table_without_losing_a_row(alone: Sqe) -> None:
    first, second = alone, alone.having(limits__concurrent_queries="15")
    first.sql("CREATE TABLE t (writer STRING, n INT)")
    second.sql("SELECT 1")  # its gateway is up
    statements = [f"INSERT INTO t VALUES ('%s', {n})" for n in range(8)]
    writers = {
        name: sqe.start(*sqe.arguments(*(statement % name for statement in statements)))
        for name, sqe in (("first", first), ("second", second))
    }
    committed = 0
    for process in writers.values():
        _, err = process.communicate(timeout=180)
        failed = [line for line in err.splitlines() if line.startswith("error:")]
        assert all("COMMIT_CONFLICT" in line for line in failed), err
        committed += len(statements) - len(failed)
    assert len(first.run("engine", "status", "--json").out.splitlines()) == 2
    assert first.sql("SELECT count(*) FROM t").rows() == [[str(committed)]]
    assert second.sql("SELECT count(*), count(DISTINCT writer, n) FROM t").rows() == [[str(committed)] * 2]


def test_conflicting_updates_end_in_a_clean_error(alone: Sqe) -> None:
    first, second = alone, alone.having(limits__concurrent_queries="15")
    first.sql("CREATE TABLE t AS SELECT id, 0 AS n FROM range(10)")
    second.sql("SELECT 1")
    update = ["UPDATE t SET n = n + 1"] * 6
    processes = [sqe.start(*sqe.arguments(*update)) for sqe in (first, second)]
    succeeded = 0
    for process in processes:
        _, err = process.communicate(timeout=180)
        failed = [line for line in err.splitlines() if line.startswith("error:")]
        assert all("COMMIT_CONFLICT" in line for line in failed), err
        succeeded += len(update) - len(failed)
    assert first.sql("SELECT DISTINCT n FROM t").rows() == [[str(succeeded)]]
