from __future__ import annotations

import base64
from collections.abc import Callable
from urllib.parse import quote_plus, unquote_plus

import httpx
import pytest
import zstandard
from tests.support.trino_front_end import TrinoFrontEnd

from sqe.frontends.trino import prepared_text
from sqe.frontends.trino.effect_headers import effect_headers
from sqe.frontends.trino.endpoint import Refusal
from sqe.service import effects
from sqe.service.effects import Effect

NUMBERS = "SELECT fake('rows 3')"


def last(
    front_end: TrinoFrontEnd, sql: str, headers: dict[str, str] | list[tuple[str, str]] | None = None
) -> httpx.Response:
    """The response with the last page of a statement."""
    response = front_end.post(sql, headers)
    while "nextUri" in response.json():
        response = front_end.send("GET", response.json()["nextUri"])
    assert "error" not in response.json(), response.json()["error"]
    return response


def test_use_sets_catalog_and_schema(front_end: TrinoFrontEnd) -> None:
    # The fake lists nothing, so that the statement fails: a failed one changes nothing.
    response = front_end.post("USE nowhere.s")
    while "nextUri" in response.json():
        response = front_end.send("GET", response.json()["nextUri"])
    assert response.json()["error"]["errorName"] in ("CATALOG_NOT_FOUND", "SCHEMA_NOT_FOUND")
    assert "X-Trino-Set-Schema" not in response.headers


def test_set_session(front_end: TrinoFrontEnd) -> None:
    response = last(front_end, "SET SESSION query_max_run_time = '10m'")
    assert response.headers["X-Trino-Set-Session"] == "query_max_run_time=10m"
    page = response.json()
    assert (page["updateType"], page["columns"]) == ("SET SESSION", [])
    assert last(front_end, "RESET SESSION dialect").headers["X-Trino-Clear-Session"] == "dialect"


def test_every_pair_has_a_line_of_its_own() -> None:
    changes = [effects.SetProperty("a", "1 2"), effects.SetProperty("b", "x=y,z")]
    assert effect_headers(changes) == [
        ("X-Trino-Set-Session", "a=1+2"),
        ("X-Trino-Set-Session", "b=x%3Dy%2Cz"),
    ]


def test_effects_as_headers() -> None:
    expected: list[tuple[Effect, tuple[str, str]]] = [
        (effects.SetCatalog("c"), ("X-Trino-Set-Catalog", "c")),
        (effects.SetSchema("a b"), ("X-Trino-Set-Schema", "a b")),
        (effects.SetSchema("é"), ("X-Trino-Set-Schema", "%C3%A9")),
        (effects.SetPath("a.b"), ("X-Trino-Set-Path", "a.b")),
        (effects.SetTimeZone("Europe/Berlin"), ("X-Trino-Set-Session", "time_zone_id=Europe%2FBerlin")),
        (effects.SetTimeZone(None), ("X-Trino-Clear-Session", "time_zone_id")),
        (effects.SetRole("admin"), ("X-Trino-Set-Role", "system=ROLE%7B%22admin%22%7D")),
        (effects.SetRole("none"), ("X-Trino-Set-Role", "system=NONE")),
        (effects.DropPrepared("p q"), ("X-Trino-Deallocated-Prepare", "p+q")),
        (effects.StartTransaction("t1"), ("X-Trino-Started-Transaction-Id", "t1")),
        (effects.EndTransaction(), ("X-Trino-Clear-Transaction-Id", "true")),
    ]
    for change, header in expected:
        assert effect_headers([change]) == [header]


def test_prepare_execute_deallocate(front_end: TrinoFrontEnd) -> None:
    response = last(front_end, "PREPARE p FROM SELECT fake('rows 2') WHERE 1 = ?")
    name, _, value = response.headers["X-Trino-Added-Prepare"].partition("=")
    assert (name, unquote_plus(value)) == ("p", "SELECT fake('rows 2') WHERE 1 = ?")
    assert response.json()["updateType"] == "PREPARE"
    assert response.json()["columns"] == []
    prepared = {"X-Trino-Prepared-Statement": response.headers["X-Trino-Added-Prepare"]}
    assert front_end.rows("EXECUTE p USING 5", prepared) == [[0], [1]]
    [parameters] = [given for session in front_end.engine.sessions for given in session.parameters if given]
    assert [scalar.as_py() for scalar in parameters] == [5]
    gone = last(front_end, "DEALLOCATE PREPARE p", prepared)
    assert gone.headers["X-Trino-Deallocated-Prepare"] == "p"
    assert front_end.error("EXECUTE p USING 5")["errorType"] == "USER_ERROR"


def test_a_long_prepared_statement_is_compressed_and_comes_back(front_end: TrinoFrontEnd) -> None:
    sql = "SELECT fake('rows 1') WHERE 1 IN (" + ", ".join(["1"] * 2000) + ")"
    response = last(front_end, f"PREPARE p FROM {sql}")
    header = response.headers["X-Trino-Added-Prepare"]
    assert header.startswith("p=%24zstd%3A")
    assert front_end.rows("EXECUTE p", {"X-Trino-Prepared-Statement": header}) == [[0]]


def test_prepared_texts_that_are_bombs_or_damaged() -> None:
    bomb = zstandard.ZstdCompressor().compress(b" " * 10_000_000)
    silent = zstandard.ZstdCompressor(write_content_size=False).compress(b" " * 10_000_000)
    for data in (bomb, silent, b"nonsense", bomb[:20]):
        text = "$zstd:" + base64.urlsafe_b64encode(data).decode()
        with pytest.raises(Refusal):
            prepared_text.decode(text, 1000)
    with pytest.raises(Refusal):
        prepared_text.decode("$zstd:!!", 1000)
    assert prepared_text.decode("SELECT 1", 1000) == "SELECT 1"
    assert prepared_text.encode("x" * 3000) != "x" * 3000
    assert prepared_text.decode(prepared_text.encode("é" * 3000), 6000) == "é" * 3000


def test_headers_of_both_kinds_are_read(front_end: TrinoFrontEnd) -> None:
    """JDBC sends a line for each pair, Python one line for all."""
    statements = [("a", "SELECT fake('rows 1')"), ("b", "SELECT fake('rows 2')")]
    lines = [("X-Trino-Prepared-Statement", f"{name}={quote_plus(sql)}") for name, sql in statements]
    assert last(front_end, "EXECUTE b", lines).json()["data"] == [[0], [1]]
    line = {"X-Trino-Prepared-Statement": ",".join(value for _, value in lines)}
    assert front_end.rows("EXECUTE a", line) == [[0]]


def test_unknown_session_properties_are_refused(front_end: TrinoFrontEnd) -> None:
    error = front_end.error(NUMBERS, {"X-Trino-Session": "nothing=1"})
    assert (error["errorName"], error["errorCode"]) == ("INVALID_SESSION_PROPERTY", 14)
    assert (
        front_end.error(NUMBERS, {"X-Trino-Session": "dialect=klingon"})["errorName"]
        == "INVALID_SESSION_PROPERTY"
    )
    assert front_end.rows("rows 1", {"X-Trino-Session": "dialect=spark"}) == [[0]]
    assert front_end.rows(NUMBERS, {"X-Trino-Session": ""}) == [[0], [1], [2]]


def test_statements_that_make_no_sense_in_the_session(front_end: TrinoFrontEnd) -> None:
    prepared = {"X-Trino-Prepared-Statement": "p=SELECT+1+WHERE+1+%3D+%3F"}
    for sql, name in [
        ("SET SESSION nothing = 1", "INVALID_SESSION_PROPERTY"),
        ("EXECUTE q", "NOT_FOUND"),
        ("DEALLOCATE PREPARE q", "NOT_FOUND"),
        ("EXECUTE p", "INVALID_PARAMETER_USAGE"),
        ("EXECUTE IMMEDIATE 'SELECT 1' USING 5", "INVALID_PARAMETER_USAGE"),
        ("SELECT 1 WHERE 1 = ?", "INVALID_PARAMETER_USAGE"),
    ]:
        assert front_end.error(sql, prepared)["errorName"] == name, sql


def test_the_context_becomes_the_session(front_end: TrinoFrontEnd) -> None:
    headers = {"X-Trino-Catalog": "iceberg", "X-Trino-Schema": "s", "X-Trino-Time-Zone": "Europe/Berlin"}
    front_end.rows(NUMBERS, headers)
    front_end.rows(NUMBERS, headers)
    [session] = front_end.engine.sessions
    assert (session.spec.catalog, session.spec.namespace, session.spec.time_zone) == (
        "iceberg",
        "s",
        "Europe/Berlin",
    )
    assert session.user == "ann"
    front_end.rows(NUMBERS, {**headers, "X-Trino-Session": "time_zone_id=Asia%2FTokyo"})
    assert front_end.engine.sessions[1].spec.time_zone == "Asia/Tokyo"


def test_zones(front_end: TrinoFrontEnd) -> None:
    assert front_end.post(NUMBERS, {"X-Trino-Time-Zone": "Mars/Olympus"}).status_code == 400
    for zone in ("Z", "+02:00", "UTC", "GMT"):
        assert front_end.rows(NUMBERS, {"X-Trino-Time-Zone": zone}) == [[0], [1], [2]]


def test_odd_headers_are_refused(front_end: TrinoFrontEnd) -> None:
    for headers in (
        [("X-Trino-Catalog", "a"), ("X-Trino-Catalog", "b")],
        [("X-Trino-User", "ann"), ("X-Trino-User", "bob")],
        [("X-Trino-Source", "x" * 10_000)],
        [("X-Trino-Schema", "x" * 600)],
        [("X-Trino-Session", "nonsense")],
        [("X-Trino-Session", "=1")],
        [("X-Trino-Session", "dialect=trino"), ("X-Trino-Session", "dialect=spark")],
        [("X-Trino-Prepared-Statement", "p=%24zstd%3Axxx")],
        [("X-Trino-Source", "a%0ab".replace("%0a", "\t"))],
    ):
        assert front_end.post(NUMBERS, headers).status_code == 400, headers
    assert front_end.rows(NUMBERS) == [[0], [1], [2]]


def test_headers_of_the_other_name_are_ignored(front_end: TrinoFrontEnd) -> None:
    front_end.rows(NUMBERS, {"X-Presto-Schema": "other"})
    assert front_end.engine.sessions[0].spec.namespace is None


def test_names_that_are_not_ascii(front_end: TrinoFrontEnd) -> None:
    front_end.rows(NUMBERS, {"X-Trino-Schema": "%C3%A9"})
    assert front_end.engine.sessions[0].spec.namespace == "é"


def test_transactions_are_tolerated(front_end: TrinoFrontEnd) -> None:
    none = {"X-Trino-Transaction-Id": "NONE"}
    assert last(front_end, NUMBERS, none).json()["warnings"] == []
    started = last(front_end, "START TRANSACTION", none).headers["X-Trino-Started-Transaction-Id"]
    inside = {"X-Trino-Transaction-Id": started}
    [warning] = last(front_end, NUMBERS, inside).json()["warnings"]
    assert "runs by itself" in warning["message"]
    for end in ("COMMIT", "ROLLBACK"):
        assert last(front_end, end, inside).headers["X-Trino-Clear-Transaction-Id"] == "true"


def test_a_change_in_a_transaction_is_refused(front_end: TrinoFrontEnd) -> None:
    inside = {"X-Trino-Transaction-Id": "t1"}
    error = front_end.post("INSERT INTO other.s.t VALUES 1", inside).json()["error"]
    assert (error["errorName"], error["errorCode"]) == ("AUTOCOMMIT_WRITE_CONFLICT", 25)
    assert error["message"] == "Catalog only supports writes using autocommit: other"


def test_a_client_without_parametric_times(front_end: TrinoFrontEnd) -> None:
    import pyarrow as pa

    front_end.engine.answers["SELECT ts"] = pa.table({"t": pa.array([1500], pa.timestamp("us"))})
    old = last(front_end, "SELECT ts").json()
    assert old["columns"][0]["type"] == "timestamp"
    assert old["data"] == [["1970-01-01 00:00:00.002"]]
    new = last(front_end, "SELECT ts", {"X-Trino-Client-Capabilities": "PATH,PARAMETRIC_DATETIME"}).json()
    assert new["columns"][0]["type"] == "timestamp(6)"
    assert new["data"] == [["1970-01-01 00:00:00.001500"]]


def test_segments_can_be_turned_off(make_front_end: Callable[..., TrinoFrontEnd]) -> None:
    offer = {"X-Trino-Query-Data-Encoding": "json+zstd"}
    response = last(make_front_end(segments=False), NUMBERS, offer)
    assert response.json()["data"] == [[0], [1], [2]]
    assert "X-Trino-Query-Data-Encoding" not in response.headers
    assert last(make_front_end(), NUMBERS, offer).headers["X-Trino-Query-Data-Encoding"] == "json+zstd"
