"""The engine and its gateway: failures and orderly ends."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
from pathlib import Path

import pytest
from testing.command import ENDLESS, Done, Sqe, alive, until

pytestmark = pytest.mark.engine


def finish(process: subprocess.Popen[str]) -> Done:
    out, err = process.communicate(timeout=120)
    return Done(process.returncode, out, err)


def running(sqe: Sqe) -> int:
    return int(sqe.status().get("running", 0))


def test_an_engine_killed_in_the_middle_of_a_query_is_told_and_comes_back(alone: Sqe) -> None:
    alone.sql("CREATE TABLE t AS SELECT 1 AS id")
    engine = alone.status()["engine_pid"]
    query = alone.start(*alone.arguments(ENDLESS))
    until(lambda: running(alone) == 1, "the query runs")
    os.kill(engine, signal.SIGKILL)
    done = finish(query)
    assert done.code == 3, done.err
    assert "ENGINE_LOST" in done.err
    assert alone.sql("SELECT * FROM t").rows() == [["1"]]
    assert alone.status()["engine_pid"] not in (engine, None)


def test_killing_the_gateway_leaves_no_engine_behind(alone: Sqe) -> None:
    alone.sql("CREATE TABLE t AS SELECT 1 AS id")
    status = alone.status()
    os.kill(status["pid"], signal.SIGKILL)
    until(lambda: not alive(status["engine_pid"]), "the engine notices")
    assert alone.sql("SELECT * FROM t").rows() == [["1"]]
    assert alone.status()["pid"] != status["pid"]


def test_two_shells_at_once_start_one_gateway(alone: Sqe) -> None:
    both = [alone.start(*alone.arguments("SELECT 1 AS x")) for _ in range(2)]
    assert [finish(process).out for process in both] == ["x\n1\n"] * 2
    assert len(alone.run("engine", "status", "--json").out.splitlines()) == 1


def test_a_gateway_that_nobody_needs_ends_by_itself(alone: Sqe) -> None:
    brief = alone.having(engine__idle_timeout="10s")
    brief.sql("SELECT 1")
    status = brief.status()
    until(lambda: not alive(status["pid"]), "the gateway ends")
    until(lambda: not alive(status["engine_pid"]), "the engine ends")
    assert "No engine" in brief.run("engine", "status").out


def test_sigterm_lets_a_running_query_end(alone: Sqe) -> None:
    alone.sql("SELECT 1")
    gateway = alone.status()["pid"]
    query = alone.start(*alone.arguments("SELECT count(*) FROM range(300000000) WHERE hash(id) = 1"))
    until(lambda: running(alone) == 1, "the query runs")
    os.kill(gateway, signal.SIGTERM)
    done = finish(query)
    assert done.code == 0, done.err
    until(lambda: not alive(gateway), "the gateway ends")


def test_a_shell_that_is_killed_takes_its_query_with_it(own_engine: Sqe) -> None:
    own_engine.sql("SELECT 1")
    query = own_engine.start(*own_engine.arguments(ENDLESS))
    until(lambda: running(own_engine) == 1, "the query runs")
    query.kill()
    query.communicate(timeout=30)
    until(lambda: running(own_engine) == 0, "the query is stopped")
    until(lambda: own_engine.status()["sessions"] == 0, "the session is closed")


def test_interrupting_batch_mode_cancels_and_the_cores_are_free_again(own_engine: Sqe) -> None:
    own_engine.sql("SELECT 1")
    query = own_engine.start(*own_engine.arguments(ENDLESS))
    until(lambda: running(own_engine) == 1, "the query runs")
    query.send_signal(signal.SIGINT)
    assert finish(query).code == 130
    # Every core was busy with the first query: this one could not end if its tasks had not been stopped.
    assert own_engine.sql("SELECT count(*) FROM range(1000)").rows() == [["1000"]]


def test_stop_ends_gateway_and_engine_and_tables_survive(own_engine: Sqe) -> None:
    own_engine.sql("CREATE TABLE t AS SELECT 42 AS answer")
    status = own_engine.status()
    assert "Stopped 1" in own_engine.run("engine", "stop").out
    assert not alive(status["pid"])
    assert not alive(status["engine_pid"])
    assert own_engine.sql("SELECT * FROM t").rows() == [["42"]]


def test_no_secret_is_in_the_process_list_or_in_a_file_that_others_can_read(own_engine: Sqe) -> None:
    own_engine.sql("SELECT 1")
    status = own_engine.status()
    environ = Path(f"/proc/{status['engine_pid']}/environ").read_bytes().split(b"\0")
    token = next(
        part.partition(b"=")[2] for part in environ if part.startswith(b"SPARK_CONNECT_AUTHENTICATE_TOKEN=")
    )
    home = Path(own_engine.environment["SQE_PATHS__HOME"])
    tokens = [token, *(path.read_bytes() for path in home.rglob("token"))]
    assert len(tokens) == 2
    for pid in (status["pid"], status["engine_pid"]):
        arguments = Path(f"/proc/{pid}/cmdline").read_bytes()
        assert not any(secret in arguments for secret in tokens)
    for path in home.rglob("*"):
        if path.is_file() and any(secret in path.read_bytes() for secret in tokens):
            assert path.stat().st_mode & 0o077 == 0, path
            assert path.name == "token"


def test_a_stranger_without_the_token_is_refused(own_engine: Sqe) -> None:
    from sqe.errors import SqeError
    from sqe.frontends.flight.client import FlightConnection
    from sqe.model.session import SessionSpec

    own_engine.sql("SELECT 1")
    socket = next(Path(own_engine.environment["SQE_PATHS__HOME"]).rglob("socket"))
    connection = FlightConnection(f"grpc+unix://{socket}", "wrong")
    with pytest.raises(SqeError, match="does not answer"):
        connection.open(SessionSpec(()))
    connection.close()


@pytest.mark.skipif(os.getuid() == 0, reason="root can write to a read-only directory")
def test_a_read_only_home_as_a_normal_user(alone: Sqe) -> None:
    home = Path(alone.environment["SQE_PATHS__HOME"])
    home.chmod(0o500)
    try:
        assert alone.run("--memory", "-e", "SELECT 1 AS x", "--format", "csv").out == "x\n1\n"
    finally:
        home.chmod(0o700)


def test_a_home_that_cannot_be_made(alone: Sqe) -> None:
    nowhere = alone.having(paths__home="/proc/nowhere/sqe")
    done = nowhere.run("--memory", "-e", "SELECT 1 AS x", "--format", "csv")
    assert (done.code, done.out) == (0, "x\n1\n"), done.err
    nowhere.run("engine", "stop")


def test_small_file_limits_do_not_break_the_start(alone: Sqe) -> None:
    def limit() -> None:
        resource.setrlimit(
            resource.RLIMIT_FSIZE, (20_000_000, 20_000_000)
        )  # no room for a class data archive
        resource.setrlimit(resource.RLIMIT_NOFILE, (512, 512))

    process = alone.start("--memory", "-e", "SELECT 1 AS x", "--format", "csv", preexec_fn=limit)
    done = finish(process)
    assert (done.code, done.out) == (0, "x\n1\n"), done.err


def test_a_table_is_made_whole_or_not_at_all(alone: Sqe) -> None:
    """What is left of a statement that is canceled, or whose engine is killed, when it writes."""
    assert alone.warehouse is not None
    warehouse = alone.warehouse

    def files() -> set[Path]:
        return set(warehouse.rglob("*.parquet")) | set(warehouse.rglob("*.parquet.crc"))

    alone.sql("CREATE TABLE old AS SELECT 1 AS id", "CREATE OR REPLACE TABLE old AS SELECT 2 AS id")
    failed = alone.sql(
        "CREATE OR REPLACE TABLE old AS SELECT assert_true(id < 900) AS id FROM range(0, 1000, 1, 4)"
    )
    assert failed.code == 1
    assert alone.sql("SELECT id FROM old").rows() == [["2"]]
    before = files()
    endless = "SELECT id FROM range(0, 1000, 1, 4) UNION ALL " + ENDLESS.replace("count(*)", "id")
    query = alone.start(*alone.arguments(f"CREATE OR REPLACE TABLE old AS {endless}"))
    until(lambda: files() > before, "files are written")
    query.send_signal(signal.SIGINT)
    assert finish(query).code == 130
    canceled = files()
    query = alone.start(*alone.arguments(f"CREATE TABLE new AS {endless}"))
    until(lambda: files() - canceled, "files are written")
    os.kill(alone.status()["engine_pid"], signal.SIGKILL)
    assert finish(query).code == 3
    assert alone.sql("SHOW TABLES").out.count("new") == 0
    assert alone.sql("SELECT id FROM old").rows() == [["2"]]
    left = files() - before
    for path in left:
        os.utime(path, (0, 0))  # what is younger than three days may belong to a statement that still runs
    for directory in {path.parent for path in left}:
        done = alone.sql(
            f"CALL system.remove_orphan_files(table => 'default.old', location => '{directory}')"
        )
        assert done.code == 0, done.err
    assert files() == before
    assert alone.sql("CREATE TABLE new AS SELECT 3 AS id", "SELECT id FROM new").rows() == [["3"]]
