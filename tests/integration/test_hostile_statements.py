"""Results and statements that once ended or blocked the gateway, through every front end of a real server."""

from __future__ import annotations

import concurrent.futures
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import adbc_driver_flightsql.dbapi as flight_sql
import pytest
import trino
from testing.command import Sqe, until
from testing.server import RunningServer, running_server

pytestmark = [
    pytest.mark.engine,
    pytest.mark.filterwarnings("ignore:Cannot disable autocommit"),  # as there are no transactions
]

SECONDS = 150.0
Ask = Callable[..., list[Any]]

# Trino's SQL for values of every type that has offsets somewhere; none of them has a row.
NESTED = [
    "split('a b', ' ')",
    "ARRAY[1]",
    "ARRAY[ARRAY['a']]",
    "MAP(ARRAY['a'], ARRAY[1])",
    "MAP(ARRAY['a'], ARRAY[ARRAY['b']])",
    "CAST(ROW('a', ARRAY['b']) AS ROW(a varchar, b array(varchar)))",
    "ARRAY[MAP(ARRAY['a'], ARRAY[ROW('b', X'01')])]",
    "X'01'",
    "'a'",
]
# What has rows, whose lists are all empty.
EMPTY = [
    "filter(ARRAY['a'], x -> false)",
    "filter(ARRAY[ARRAY['a']], x -> false)",
    "ARRAY[filter(ARRAY['a'], x -> false)]",
]


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as server:
        yield server


def ask_trino(server: RunningServer, sql: str, **properties: str) -> list[Any]:
    connection = trino.dbapi.connect(  # type: ignore[no-untyped-call]
        host="localhost",
        port=server.port("trino"),
        user="ann",
        session_properties=properties or None,
        request_timeout=SECONDS,
        max_attempts=1,
    )
    with closing(connection), closing(connection.cursor()) as cursor:
        cursor.execute(sql)
        return [tuple(row) for row in cursor.fetchall()]


def ask_flight(server: RunningServer, sql: str) -> list[Any]:
    with flight_sql.connect(server.flight) as connection, connection.cursor() as cursor:
        cursor.execute(sql)
        rows: list[Any] = cursor.fetchall()
        return rows


@pytest.mark.parametrize("ask", [ask_trino, ask_flight])
def test_a_nested_result_without_rows_or_of_empty_lists_arrives(server: RunningServer, ask: Ask) -> None:
    for value in NESTED:
        assert ask(server, f"SELECT {value} AS x WHERE false") == [], value
    for value in EMPTY:
        assert len(ask(server, f"SELECT {value} AS x")) == 1, value
    ask(server, f"DROP TABLE IF EXISTS {ask.__name__}")
    ask(
        server,
        f"CREATE TABLE {ask.__name__} AS SELECT 1 AS a, ARRAY['b'] AS arr, MAP(ARRAY['k'], ARRAY['v']) AS m",
    )
    assert ask(server, f"SELECT arr, m FROM {ask.__name__} WHERE a = 99") == []
    assert server.process.poll() is None


def test_a_nested_result_without_rows_arrives_in_the_shell(sqe: Sqe) -> None:
    for value in ("split('a b', ' ')", "map('a', 1)", "array(array('a'))", "named_struct('a', array('b'))"):
        assert sqe.run("--format", "csv", "-e", f"SELECT {value} AS x WHERE false").out.split() == ["x"]


@pytest.mark.parametrize("ask", [ask_trino, ask_flight])
def test_what_is_too_complex_is_refused_clearly_by_the_gateway_or_by_the_engine(
    server: RunningServer, ask: Ask
) -> None:
    for sql in (
        "SELECT " + "1+" * 20_000 + "1",
        "SELECT '\\', " + "1+" * 20_000 + "1, '\\'",
        "SELECT 1" + " UNION ALL SELECT 1" * 3_000,
        "SELECT CAST(NULL AS " + "array(" * 200 + "int" + ")" * 200 + ")",
        "SELECT " + "ARRAY[" * 60 + "1" + "]" * 60,
        "SELECT " + ", ".join(f"ARRAY[{f'a{n - 1}' if n else 1}] AS a{n}" for n in range(60)),
    ):
        with pytest.raises(
            Exception, match=r"QUERY_REJECTED|STATEMENT_TOO_COMPLEX|TOO_COMPLEX|COLUMN_NOT_FOUND"
        ) as caught:
            ask(server, sql)
        assert "StatusCode" not in str(caught.value)
        assert "internal error" not in str(caught.value)


def test_a_text_that_only_spark_parses_is_refused_clearly(server: RunningServer) -> None:
    chain = "1+" * 20_000 + "1"
    for sql in (
        f"EXECUTE IMMEDIATE 'SELECT {chain}'",
        f"SELECT from_json('1', '{'array<' * 200}int{'>' * 200}')",
    ):
        with pytest.raises(trino.exceptions.TrinoQueryError) as caught:
            ask_trino(server, sql, dialect="spark")
        assert caught.value.error_type in ("USER_ERROR", "INSUFFICIENT_RESOURCES"), str(caught.value)


def test_a_time_zone_that_does_not_exist_is_refused_and_changes_nothing(server: RunningServer) -> None:
    connection = trino.dbapi.connect(  # type: ignore[no-untyped-call]
        host="localhost", port=server.port("trino"), user="ann", request_timeout=SECONDS, max_attempts=1
    )
    with closing(connection):
        cursor = connection.cursor()
        with pytest.raises(trino.exceptions.TrinoUserError, match="Time zone 'x' does not exist"):
            cursor.execute("SET TIME ZONE 'x'").fetchall()
        assert connection.cursor().execute("SELECT 1").fetchall() == [[1]]


def test_clients_of_a_killed_engine_hear_so_and_go_on_without_connecting_again(server: RunningServer) -> None:
    server.wait_until_ready()
    numbers = "UNNEST(sequence(1, 3000))"
    long = f"SELECT count(*) FROM {numbers} a CROSS JOIN {numbers} b CROSS JOIN {numbers} c"
    connection = trino.dbapi.connect(  # type: ignore[no-untyped-call]
        host="localhost", port=server.port("trino"), user="ann", request_timeout=SECONDS, max_attempts=1
    )
    with (
        closing(connection),
        flight_sql.connect(server.flight) as flight,
        concurrent.futures.ThreadPoolExecutor(8) as pool,
    ):

        def over_trino(sql: str) -> list[Any]:
            return list(connection.cursor().execute(sql).fetchall())

        def over_flight(sql: str) -> list[Any]:
            with flight.cursor() as cursor:
                cursor.execute(sql)
                return list(cursor.fetchall())

        running = [pool.submit(over_trino, long) for _ in range(3)] + [pool.submit(over_flight, long)]
        metrics = f"{server.metrics}/metrics"
        until(lambda: "sqe_queries_running 4.0" in server.get(metrics)[1], "the queries run", SECONDS)
        os.kill(engine_pid(server), signal.SIGKILL)
        for each in running:
            failure = each.exception(SECONDS)
            assert failure is not None
            assert is_loss(failure), str(failure)
        for ask in (over_trino, over_flight):
            until(lambda ask=ask: works(ask), "the next statement works", SECONDS)  # type: ignore[misc]


def works(ask: Ask) -> bool:
    """Whether a statement works; the engine may be lost for one more that comes before that is noticed."""
    try:
        return [tuple(row) for row in ask("SELECT 1")] == [(1,)]
    except (trino.exceptions.TrinoQueryError, flight_sql.Error) as failure:
        if is_loss(failure):
            return False
        raise


def is_loss(failure: BaseException) -> bool:
    return any(word in str(failure) for word in ("REMOTE_HOST_GONE", "ENGINE_LOST"))


def engine_pid(server: RunningServer) -> int:
    """Return the process id of the server's only child that is a JVM."""
    tasks = Path(f"/proc/{server.process.pid}/task").iterdir()
    children = {int(pid) for task in tasks for pid in (task / "children").read_text().split()}
    [pid] = [pid for pid in children if "java" in Path(f"/proc/{pid}/exe").readlink().name]
    return pid
