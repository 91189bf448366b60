"""Trino's own Python client against a real HTTP server."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pyarrow as pa
import pytest
import trino
from tests.support.trino_front_end import Listening, Passwords, TrinoFrontEnd, listen
from trino.transaction import IsolationLevel

from sqe.errors import SqlSyntaxError
from sqe.identity.chain import Authenticator

NUMBERS = "SELECT fake('rows 3')"


def connect(listening: Listening, **options: Any) -> Any:
    given = {"host": listening.host, "port": listening.port, "user": "ann", "max_attempts": 1, **options}
    return trino.dbapi.connect(**given)  # type: ignore[no-untyped-call]


def rows(connection: Any, sql: str, parameters: Any = None) -> list[Any]:
    cursor = connection.cursor()
    cursor.execute(sql, parameters)
    found: list[Any] = cursor.fetchall()
    return found


def test_rows_and_description(listening: Listening) -> None:
    cursor = connect(listening).cursor()
    cursor.execute(NUMBERS)
    assert cursor.description[0][:2] == ("n", "bigint")
    assert cursor.fetchall() == [[0], [1], [2]]
    assert cursor.stats["state"] == "FINISHED"
    assert cursor.info_uri.startswith(f"http://127.0.0.1:{listening.port}/ui/query.html?q_")


def test_all_types(listening: Listening) -> None:
    table = pa.table(
        {
            "b": pa.array([True, None]),
            "i": pa.array([-(2**63), None], pa.int64()),
            "d": pa.array([math.inf, None]),
            "n": pa.array([Decimal("1.50"), None], pa.decimal128(10, 2)),
            "s": pa.array(['"\n漢', None]),
            "x": pa.array([b"\x00\xff", None], pa.binary()),
            "day": pa.array([date(1969, 12, 31), None]),
            "t": pa.array([datetime(2020, 1, 2, 3, 4, 5, 678901), None], pa.timestamp("us")),  # noqa: DTZ001
            "z": pa.array([datetime(2020, 7, 1, tzinfo=UTC), None], pa.timestamp("us", "UTC")),
            "interval": pa.array([timedelta(days=-1, milliseconds=5), None], pa.duration("us")),
            "l": pa.array([[1, None], None], pa.list_(pa.int32())),
            "m": pa.array([[("k", 1.0)], None], pa.map_(pa.string(), pa.float64())),
            "r": pa.array([{"a": 1, "b": "x"}, None], pa.struct([("a", pa.int32()), ("b", pa.string())])),
        }
    )
    listening.front_end.engine.answers["SELECT types"] = table
    [values, nulls] = rows(connect(listening, timezone="Europe/Berlin"), "SELECT types")
    assert values == [
        True,
        -(2**63),
        math.inf,
        Decimal("1.50"),
        '"\n漢',
        b"\x00\xff",
        date(1969, 12, 31),
        datetime(2020, 1, 2, 3, 4, 5, 678901),  # noqa: DTZ001
        datetime(2020, 7, 1, 2, tzinfo=ZoneInfo("Europe/Berlin")),
        timedelta(days=-1, milliseconds=5),
        [1, None],
        {"k": 1.0},
        (1, "x"),
    ]
    assert nulls == [None] * table.num_columns


@pytest.mark.parametrize(
    "encoding", ["json+zstd", "json", ["json+lz4", "json"], ["unheard", "json+zstd"], ["unheard"]]
)
def test_encodings(listening: Listening, encoding: str | list[str]) -> None:
    many = pa.table({"n": list(range(100_000)), "s": ["text"] * 100_000})
    listening.front_end.engine.answers["SELECT many"] = many
    found = rows(connect(listening, encoding=encoding), "SELECT many")
    assert found == [[number, "text"] for number in range(100_000)]
    assert rows(connect(listening, encoding=encoding), NUMBERS) == [[0], [1], [2]]


def test_lz4_segments_are_blocks_that_unpack_to_the_rows() -> None:
    """The client here may have no lz4; what it would do with a segment is done by hand."""
    import base64

    from sqe.frontends.trino.segments import segment_data

    text = b"[" + b",".join([b"[1]"] * 10_000) + b"]"
    [segment] = segment_data(text, 10_000, 7, "json+lz4")["segments"]
    metadata = segment["metadata"]
    assert (metadata["rowOffset"], metadata["rowsCount"]) == (7, 10_000)
    data = base64.b64decode(segment["data"])
    assert len(data) == metadata["segmentSize"] < metadata["uncompressedSize"] == len(text)
    assert pa.decompress(data, len(text), codec="lz4_raw", asbytes=True) == text


def test_parameters(listening: Listening) -> None:
    connection = connect(listening)
    assert rows(connection, "SELECT fake('rows 2') WHERE 1 = ?", [7]) == [[0], [1]]
    given = [
        values for session in listening.front_end.engine.sessions for values in session.parameters if values
    ]
    assert [[scalar.as_py() for scalar in values] for values in given] == [[7]]


def test_session_state_is_kept_by_the_client(listening: Listening) -> None:
    connection = connect(listening)
    rows(connection, "SET SESSION query_max_run_time = '10m'")
    shown = {row[0]: row[1] for row in rows(connection, "SHOW SESSION")}
    assert shown["query_max_run_time"] == "10m"
    rows(connection, "RESET SESSION query_max_run_time")
    assert connection._client_session.properties == {}


def test_an_error(listening: Listening) -> None:
    listening.front_end.engine.failure = SqlSyntaxError("What?")
    with pytest.raises(trino.exceptions.TrinoUserError) as raised:
        rows(connect(listening), "SELECT fake('fail')")
    assert (raised.value.error_name, raised.value.error_code) == ("SYNTAX_ERROR", 1)
    assert str(raised.value.query_id).startswith("q_")


def test_update_count(listening: Listening) -> None:
    listening.front_end.engine.changed = 3
    listening.front_end.engine.answers["INSERT INTO t SELECT 1"] = pa.table({})
    cursor = connect(listening).cursor()
    cursor.execute("INSERT INTO t SELECT 1")
    assert cursor.rowcount == 3
    assert cursor.update_type == "INSERT"


def test_cancel(listening: Listening) -> None:
    cursor = connect(listening).cursor()
    cursor.execute("SELECT fake('endless')")
    assert len(cursor.fetchmany(10)) == 10
    cursor.cancel()
    assert _soon(lambda: listening.front_end.engine.sessions[0].interrupted)


def test_a_transaction(listening: Listening) -> None:
    with connect(listening, isolation_level=IsolationLevel.READ_COMMITTED) as connection:
        assert rows(connection, NUMBERS) == [[0], [1], [2]]
        transaction = connection.transaction
        assert transaction is not None
        assert len(transaction.id) == 32


def test_passwords(make_front_end: Callable[..., TrinoFrontEnd]) -> None:
    front_end = make_front_end(Authenticator([Passwords({"ann": "right"})]))
    with listen(front_end) as listening:
        good = connect(
            listening, auth=trino.auth.BasicAuthentication("ann", "right"), allow_insecure_auth=True
        )
        assert rows(good, NUMBERS) == [[0], [1], [2]]
        bad = connect(
            listening, auth=trino.auth.BasicAuthentication("ann", "wrong"), allow_insecure_auth=True
        )
        with pytest.raises(trino.exceptions.HttpError, match="401"):
            rows(bad, NUMBERS)
        other = connect(
            listening,
            user="bob",
            auth=trino.auth.BasicAuthentication("ann", "right"),
            allow_insecure_auth=True,
        )
        with pytest.raises(trino.exceptions.HttpError, match="cannot impersonate user bob"):
            rows(other, NUMBERS)


def test_sqlalchemy(listening: Listening) -> None:
    import sqlalchemy

    engine = sqlalchemy.create_engine(f"trino://ann@{listening.host}:{listening.port}/iceberg/s")
    try:
        with engine.connect() as connection:
            assert connection.execute(sqlalchemy.text(NUMBERS)).fetchall() == [(0,), (1,), (2,)]
    finally:
        engine.dispose()


def _soon(condition: Callable[[], object]) -> bool:
    waited = threading.Event()
    return any(condition() or waited.wait(0.05) for _ in range(2400))
