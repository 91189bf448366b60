"""Two gateways on one warehouse: as two people on one machine, or an old and a new version, would be."""

from __future__ import annotations

import pytest
from testing.command import Sqe

pytestmark = pytest.mark.engine


@pytest.fixture(scope="module")
def both(own_engine: Sqe) -> tuple[Sqe, Sqe]:
    """Return the command with two configurations, each of which has a gateway of its own."""
    return own_engine, own_engine.having(limits__concurrent_queries="15")


def test_two_processes_write_one_table_without_losing_a_row(both: tuple[Sqe, Sqe]) -> None:
    first, second = both
    first.sql("CREATE TABLE rows (writer STRING, n INT)")
    second.sql("SELECT 1")  # its gateway is up
    statements = [f"INSERT INTO rows VALUES ('%s', {n})" for n in range(8)]
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
    assert first.sql("SELECT count(*) FROM rows").rows() == [[str(committed)]]
    assert second.sql("SELECT count(*), count(DISTINCT writer, n) FROM rows").rows() == [[str(committed)] * 2]


def test_conflicting_updates_end_in_a_clean_error(both: tuple[Sqe, Sqe]) -> None:
    first, second = both
    first.sql("CREATE TABLE sums AS SELECT id, 0 AS n FROM range(10)")
    second.sql("SELECT 1")
    update = ["UPDATE sums SET n = n + 1"] * 6
    processes = [sqe.start(*sqe.arguments(*update)) for sqe in (first, second)]
    succeeded = 0
    for process in processes:
        _, err = process.communicate(timeout=180)
        failed = [line for line in err.splitlines() if line.startswith("error:")]
        assert all("COMMIT_CONFLICT" in line for line in failed), err
        succeeded += len(update) - len(failed)
    assert first.sql("SELECT DISTINCT n FROM sums").rows() == [[str(succeeded)]]
