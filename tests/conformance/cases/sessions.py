"""Sessions: the state of a connection, and its isolation from others."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime

import pytest
from testing.command import until
from tests.conformance.case_context import CATALOG, ENDLESS, OTHER_CATALOG, SHARED, CaseContext
from tests.conformance.cases.case import case, cases_in
from tests.conformance.clients.base import ALICE, BOB, Failed, Running, User
from tests.conformance.gaps import never, notimpl


@case("sessions", "who is asking")
def who(context: CaseContext) -> None:
    assert context.connection.query("SELECT current_user AS me").rows == [("alice",)]
    with context.connect(BOB) as connection:
        assert connection.query("SELECT current_user AS me").rows == [("bob",)]


@case("sessions", "a wrong password, and a user who is not there, are refused alike")
def wrong_password(context: CaseContext) -> None:
    messages = []
    for user in (User("alice", "gu3ssed"), User("mallory", "gu3ssed")):
        with pytest.raises(Failed) as caught, context.connect(user) as connection:
            connection.query("SELECT 1")
        assert user.password not in caught.value.message
        messages.append(caught.value.message.replace(user.name, "somebody"))
    assert messages[0] == messages[1]
    assert context.connection.query("SELECT 1 AS one").rows == [(1,)]


@case("sessions", "catalog and schema of the connection", needs=["schema"])
def schema(context: CaseContext) -> None:
    with context.connect(catalog=OTHER_CATALOG, schema=SHARED) as connection:
        assert connection.query("SELECT visitors FROM cities WHERE city = 'Delft'").rows == [(1200,)]
    with context.connect(catalog=CATALOG, schema=SHARED) as connection:
        assert connection.query("SELECT count(*) AS n FROM trips").rows == [(3,)]


@case("sessions", "USE lasts for the connection, and only for that one", needs=["keeps", "update"])
def use(context: CaseContext) -> None:
    with context.session() as one, context.session() as other:
        one.update(f"USE {OTHER_CATALOG}.{SHARED}")
        assert one.query("SELECT count(*) AS n FROM cities").rows == [(2,)]
        with pytest.raises(Failed):
            other.query("SELECT count(*) AS n FROM cities")


@case("sessions", "USE of a schema that is not there is refused", needs=["keeps", "update", "schema"])
def use_nowhere(context: CaseContext) -> None:
    with context.session(catalog=CATALOG, schema=SHARED) as connection:
        with pytest.raises(Failed):
            connection.update(f"USE {CATALOG}.nowhere")
        assert connection.query("SELECT count(*) AS n FROM trips").rows == [(3,)]


@case(
    "sessions",
    "session properties of the connection",
    needs=["properties"],
    gaps={
        "flight_jdbc": notimpl(
            "the driver sends properties that it does not know as headers, which SQE does not read",
            raises=Failed,
        )
    },
)
def properties(context: CaseContext) -> None:
    with context.connect(properties={"dialect": "spark"}) as connection:
        assert connection.query('SELECT "text" AS v, stack(1, 7) AS w').rows == [("text", 7)]


@case("sessions", "SET SESSION and RESET SESSION, in one connection only", needs=["keeps", "update"])
def set_session(context: CaseContext) -> None:
    with context.session() as one, context.session() as other:
        one.update("SET SESSION dialect = 'spark'")
        assert one.query('SELECT "text" AS v').rows == [("text",)]
        with pytest.raises(Failed):
            other.query('SELECT "text" AS v')
        one.update("RESET SESSION dialect")
        with pytest.raises(Failed):
            one.query('SELECT "text" AS v')


@case("sessions", "a session property that is not there is refused", needs=["update"])
def unknown_property(context: CaseContext) -> None:
    with pytest.raises(Failed, match="no_such_property"):
        context.connection.update("SET SESSION no_such_property = 'x'")


@case("sessions", "the time zone of the connection", needs=["zone"])
def zone(context: CaseContext) -> None:
    with context.connect(time_zone="Asia/Kolkata") as connection:
        assert connection.query("SELECT current_timezone() AS z").rows == [("Asia/Kolkata",)]
        instant = "TIMESTAMP '2024-07-01 12:00:00 UTC'"
        found = connection.query(f"SELECT to_unixtime({instant}) AS s").rows
        assert found == [(datetime(2024, 7, 1, 12, tzinfo=UTC).timestamp(),)]


@case("sessions", "SET TIME ZONE, in one connection only", needs=["keeps", "update"])
def set_zone(context: CaseContext) -> None:
    with context.session() as one, context.session() as other:
        before = other.query("SELECT current_timezone() AS z").rows
        one.update("SET TIME ZONE 'America/New_York'")
        assert one.query("SELECT current_timezone() AS z").rows == [("America/New_York",)]
        assert other.query("SELECT current_timezone() AS z").rows == before


@case(
    "sessions",
    "PREPARE, EXECUTE and DEALLOCATE as statements",
    needs=["keeps", "update"],
    gaps={
        name: never(
            "the client goes on sending a statement that it was told to forget", raises=pytest.fail.Exception
        )
        for name in ("trino_python", "sqlalchemy")
    },
)
def prepare_statements(context: CaseContext) -> None:
    with context.session() as connection:
        connection.update("PREPARE plus FROM SELECT ? + 1 AS v")
        assert connection.query("EXECUTE plus USING 41").rows == [(42,)]
        connection.update("DEALLOCATE PREPARE plus")
        with pytest.raises(Failed):
            connection.query("EXECUTE plus USING 41")


@case("sessions", "the connection says whether it is alive", needs=["valid"])
def valid(context: CaseContext) -> None:
    assert context.connection.valid()


@case("sessions", "eight connections at once, each with its own answers")
def concurrent(context: CaseContext) -> None:
    start = threading.Barrier(8)
    rounds = 1 if "keeps" in context.client.lacks else 3

    def work(number: int) -> list[tuple[int, int]]:
        with context.connect() as connection:
            start.wait(60)
            return [
                connection.query(
                    f"SELECT {number} AS a, sum(id) AS b FROM range({(number + 1) * 1000})"
                ).rows[0]
                for _ in range(rounds)
            ]

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(work, range(8)))
    for number, rows in enumerate(found):
        count = (number + 1) * 1000
        assert rows == [(number, count * (count - 1) // 2)] * rounds


@case(
    "sessions",
    "closing and connecting again leaves nothing behind",
    gaps={
        "flight_jdbc": never(
            "the driver ends its session only if it was given a catalog; it ends by itself when idle",
            raises=AssertionError,
        )
    },
)
def reconnect(context: CaseContext) -> None:
    assert context.connection.query("SELECT 1 AS one").rows == [(1,)]
    before = context.metric("sqe_sessions")
    for _ in range(5):
        with context.connect() as connection:
            assert connection.query("SELECT 1 AS one").rows == [(1,)]
    until(lambda: context.metric("sqe_sessions") <= before, "the sessions are gone", 8)


@case("sessions", "a query of somebody else is not seen")
def somebody_else(context: CaseContext) -> None:
    marker = f"secret of {context.client.name}"
    text = f"SELECT '{marker}' AS text"
    assert context.connection.query(text).rows == [(marker,)]
    listed = "SELECT count(*) AS n FROM system.runtime.queries WHERE query = "
    quoted = text.replace("'", "''")
    assert context.connection.query(f"{listed}'{quoted}'").rows[0][0] >= 1
    with context.connect(BOB) as connection:
        assert connection.query(f"{listed}'{quoted}'").rows == [(0,)]


def _cancel_until_ended(running: Running) -> None:
    """The server may know of a query before its client does; until then a client has nothing to cancel."""
    for _ in range(10):
        running.cancel()
        with suppress(TimeoutError):
            return running.wait(3)
    return running.wait(3)


@case("cancel", "a canceled query stops, in the engine too", needs=["cancel"])
def cancel(context: CaseContext) -> None:
    context.wait_for_running(0)
    with context.connect(ALICE) as connection:
        running = connection.start(ENDLESS)
        context.wait_for_running(1)
        with pytest.raises(Failed):
            _cancel_until_ended(running)
        context.wait_for_running(0, 15)
        assert connection.query("SELECT 1 AS one").rows == [(1,)]


CASES = cases_in(globals())
