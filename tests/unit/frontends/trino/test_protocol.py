from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

import pyarrow as pa
import pytest
from testing.command import until
from tests.support.clock import skipping_time
from tests.support.trino_front_end import LIMITS, Passwords, TrinoFrontEnd

from sqe.errors import Position, SqlSyntaxError, TableNotFoundError
from sqe.frontends.trino import protocol, statement, statements
from sqe.identity.chain import Authenticator
from sqe.units import Duration

NUMBERS = "SELECT fake('rows 3')"
WAIT = "SELECT fake('wait')"
ENDLESS = "SELECT fake('endless')"


def path(page: dict[str, Any]) -> str:
    return str(urlsplit(page["nextUri"]).path)


# -- pages ------------------------------------------------------------------------------------------------------------


def test_a_query_returns_its_rows(front_end: TrinoFrontEnd) -> None:
    pages = front_end.pages(NUMBERS)
    assert [row for page in pages for row in page.get("data", [])] == [[0], [1], [2]]
    last = pages[-1]
    assert last["columns"] == [
        {"name": "n", "type": "bigint", "typeSignature": {"rawType": "bigint", "arguments": []}}
    ]
    assert "nextUri" not in last
    assert "error" not in last
    assert "updateType" not in last
    assert last["stats"]["state"] == "FINISHED"
    assert last["stats"]["progressPercentage"] == 100.0


def test_columns_come_before_data_and_data_is_left_out_when_there_is_none(front_end: TrinoFrontEnd) -> None:
    front_end.engine.answers["SELECT 1 AS a"] = pa.table({"a": [1]})
    text = front_end.post("SELECT 1 AS a").text
    assert text.index('"columns"') < text.index('"data"')
    assert list(json.loads(text)) == ["id", "infoUri", "columns", "data", "stats", "warnings"]
    front_end.engine.answers["SELECT 2 AS a"] = pa.table({"a": pa.array([], pa.int64())})
    [*_, last] = front_end.pages("SELECT 2 AS a")
    assert "data" not in last
    assert [column["name"] for column in last["columns"]] == ["a"]


def test_a_page_can_be_had_again_and_older_ones_are_gone(front_end: TrinoFrontEnd) -> None:
    page = front_end.post(ENDLESS).json()
    first = path(page)
    one = front_end.send("GET", first)
    assert one.status_code == 200
    again = front_end.send("GET", first)
    assert again.content == one.content
    second = path(one.json())
    two = front_end.send("GET", second)
    assert two.status_code == 200
    assert two.content != one.content
    assert front_end.send("GET", first).status_code == 410
    assert front_end.send("GET", second.rsplit("/", 1)[0] + "/77").status_code == 410
    assert front_end.send("GET", second.rsplit("/", 1)[0] + "/9999999999").status_code == 404
    assert front_end.send("DELETE", second).status_code == 204


def test_pages_continue_where_the_last_one_ended(front_end: TrinoFrontEnd) -> None:
    table = pa.table({"n": list(range(200_000)), "s": ["some text that takes room"] * 200_000})
    front_end.engine.answers["SELECT big"] = table
    pages = front_end.pages("SELECT big")
    assert len([page for page in pages if "data" in page]) > 3
    rows = [row for page in pages for row in page.get("data", [])]
    assert [row[0] for row in rows] == list(range(200_000))


def test_two_requests_for_the_same_page_get_the_same(front_end: TrinoFrontEnd) -> None:
    page = front_end.post(WAIT).json()
    with ThreadPoolExecutor(2) as threads:
        futures = [threads.submit(front_end.send, "GET", path(page)) for _ in range(2)]
        front_end.engine.released.set()
        one, two = (future.result(120) for future in futures)
    assert one.content == two.content


def test_the_slug_is_needed_and_an_unknown_id_is_not_found(front_end: TrinoFrontEnd) -> None:
    good = path(front_end.post(WAIT).json())
    _, _, _, phase, query_id, slug, token = good.split("/")
    for wrong in (
        f"/v1/statement/{phase}/{query_id}/x{slug}/{token}",
        f"/v1/statement/{phase}/q_nothing/{slug}/{token}",
        f"/v1/statement/{phase}/{query_id}/{slug}/x",
        f"/v1/statement/{phase}/{query_id}/{slug}",
        f"/v1/statement/elsewhere/{query_id}/{slug}/{token}",
        "/v1/nothing",
    ):
        for method in ("GET", "DELETE", "HEAD"):
            assert front_end.send(method, wrong).status_code == 404, wrong
    other = "queued" if phase == "executing" else "executing"
    assert front_end.send("GET", f"/v1/statement/{other}/{query_id}/{slug}/{token}").status_code == 404
    assert front_end.send("DELETE", good).status_code == 204


def test_another_users_query_is_not_found(make_front_end: Callable[..., TrinoFrontEnd]) -> None:
    front_end = make_front_end(Authenticator([Passwords({"ann": "a", "bob": "b"})]))
    front_end.headers = {"Authorization": "Basic YW5uOmE="}
    address = path(front_end.post(WAIT).json())
    bob = {"Authorization": "Basic Ym9iOmI"}
    assert front_end.send("GET", address, headers=bob).status_code == 404
    assert front_end.send("HEAD", address, headers=bob).status_code == 404
    assert front_end.send("DELETE", address, headers=bob).status_code == 404
    query_id = address.split("/")[4]
    assert front_end.send("GET", f"/v1/query/{query_id}", headers=bob).status_code == 404
    assert front_end.send("DELETE", f"/v1/query/{query_id}", headers=bob).status_code == 404
    assert front_end.send("GET", f"/ui/query.html?{query_id}", headers=bob).status_code == 404
    assert front_end.send("GET", "/v1/query", headers=bob).json() == []
    assert front_end.send("GET", "/v1/query").json()[0]["queryId"] == query_id
    front_end.headers = {}
    assert (
        front_end.send("GET", address).status_code == 401
    )  # and without credentials the address is worth nothing


def test_a_long_poll_returns_in_time_and_the_next_one_has_the_rows(
    front_end: TrinoFrontEnd, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "_WAIT", 3600.0)
    monkeypatch.setattr(protocol, "_LONGEST_WAIT", 3600.0)
    page = front_end.post(WAIT).json()
    assert page["stats"]["state"] in ("QUEUED", "PLANNING", "RUNNING")
    until(lambda: front_end.engine.sessions and front_end.engine.sessions[0].started)
    page = front_end.send("GET", path(page) + "?maxWait=50ms").json()
    assert page["stats"]["state"] == "RUNNING"
    assert page["stats"]["totalSplits"] == 2
    assert page["stats"]["completedSplits"] == 1
    assert page["stats"]["rootStage"]["state"] == "RUNNING"
    front_end.engine.released.set()
    assert "nextUri" not in front_end.send("GET", path(page) + "?maxWait=1h").json()


def test_max_wait_has_to_be_a_duration(front_end: TrinoFrontEnd) -> None:
    page = front_end.post(WAIT).json()
    assert front_end.send("GET", path(page) + "?maxWait=soon").status_code == 400
    assert front_end.send("DELETE", path(page)).status_code == 204


def test_many_clients_wait_at_once(front_end: TrinoFrontEnd) -> None:
    def ask(number: int) -> dict[str, Any]:
        user = {"X-Trino-User": f"user{number}"}
        page = front_end.post(WAIT, user).json()
        answer: dict[str, Any] = front_end.send("GET", path(page), None, user).json()
        return answer

    began = time.monotonic()
    with ThreadPoolExecutor(100) as threads:
        pages = list(threads.map(ask, range(100)))
    assert time.monotonic() - began < 60  # and not a hundred times a second
    assert all("nextUri" in page for page in pages)
    front_end.engine.released.set()


def test_while_the_engine_boots_queries_wait_and_are_told(front_end: TrinoFrontEnd) -> None:
    front_end.engine.up.clear()
    front_end.engine.note = "the engine is starting"
    page = front_end.post(NUMBERS).json()
    first = page["stats"]["elapsedTimeMillis"]
    assert "/v1/statement/queued/" in page["nextUri"]
    page = front_end.send("GET", path(page) + "?maxWait=20ms").json()
    assert page["stats"]["state"] == "QUEUED"
    assert page["stats"]["queued"] is True
    assert page["stats"]["elapsedTimeMillis"] > first
    assert [item["message"] for item in page["warnings"]] == ["The query waits: the engine is starting."]
    assert front_end.send("GET", "/v1/info").json()["starting"] is True
    assert front_end.send("GET", "/v1/info/state").json() == "STARTING"
    assert "the engine is starting" in front_end.send("GET", "/ui").text
    front_end.engine.note = None
    front_end.engine.up.set()
    rows: list[Any] = []
    while "nextUri" in page:
        page = front_end.send("GET", path(page)).json()
        rows += page.get("data", [])
    assert rows == [[0], [1], [2]]
    assert page["warnings"] == []


# -- ends -------------------------------------------------------------------------------------------------------------


def test_delete_cancels(front_end: TrinoFrontEnd) -> None:
    page = front_end.post(WAIT).json()
    until(lambda: front_end.engine.sessions and front_end.engine.sessions[0].started)
    assert front_end.send("DELETE", path(page)).status_code == 204
    until(lambda: front_end.engine.sessions[0].interrupted)
    error = front_end.send("GET", path(page)).json()["error"]
    assert (error["errorName"], error["errorCode"], error["errorType"]) == ("USER_CANCELED", 3, "USER_ERROR")
    assert front_end.send("DELETE", path(page)).status_code == 204


def test_partial_cancel_cancels(front_end: TrinoFrontEnd) -> None:
    page = front_end.post(WAIT).json()
    _, _, _, _, query_id, slug, token = path(page).split("/")
    address = f"/v1/statement/executing/partialCancel/{query_id}/0/{slug}/{token}"
    assert front_end.send("DELETE", address).status_code == 204
    assert front_end.send("GET", path(page)).json()["error"]["errorName"] == "USER_CANCELED"


def test_delete_of_a_query_by_its_id(front_end: TrinoFrontEnd) -> None:
    page = front_end.post(WAIT).json()
    assert front_end.send("DELETE", f"/v1/query/{page['id']}").status_code == 204
    assert front_end.send("GET", path(page)).json()["error"]["errorName"] == "USER_CANCELED"
    assert front_end.send("DELETE", "/v1/query/q_nothing").status_code == 404


def test_an_abandoned_query_is_canceled(make_front_end: Callable[..., TrinoFrontEnd]) -> None:
    front_end = make_front_end(unread_seconds=0.2)
    page = front_end.post(WAIT).json()
    until(lambda: front_end.service.counts()["running"] == 0)
    assert front_end.send("GET", path(page)).status_code == 404


def test_a_heartbeat_keeps_a_query_alive(
    make_front_end: Callable[..., TrinoFrontEnd], monkeypatch: pytest.MonkeyPatch
) -> None:
    skipping, swept = skipping_time(monkeypatch, statement, statements), threading.Event()
    forget_old = statements.Statements.forget_old

    def sweep(self: statements.Statements, now: float) -> None:
        forget_old(self, now)
        swept.set()

    monkeypatch.setattr(statements.Statements, "forget_old", sweep)
    monkeypatch.setattr(statements, "_SWEEP_SECONDS", 0.05)
    front_end = make_front_end(unread_seconds=600)
    page = front_end.post(WAIT).json()
    for _ in range(4):
        response = front_end.send("HEAD", path(page))
        assert (response.status_code, response.content) == (200, b"")
        skipping.skip(400)
        swept.clear()
        assert swept.wait(120)
    assert front_end.service.counts()["running"] == 1


def test_the_last_page_can_be_had_again_after_the_end(front_end: TrinoFrontEnd) -> None:
    page = front_end.post(WAIT).json()
    last = path(page)
    front_end.engine.released.set()
    while "nextUri" in page:
        last = path(page)
        page = front_end.send("GET", last).json()
    assert front_end.send("GET", last).json() == page
    token = int(last.rsplit("/", 1)[1])
    assert front_end.send("GET", f"{last.rsplit('/', 1)[0]}/{token + 1}").status_code == 410


# -- errors -----------------------------------------------------------------------------------------------------------


def test_an_error_has_trinos_shape(front_end: TrinoFrontEnd) -> None:
    front_end.engine.failure = TableNotFoundError("There is no t.", hint="Make one.", position=Position(2, 7))
    error = front_end.error("SELECT fake('fail')", {"X-Trino-Session": "dialect=spark"})  # the place stays
    assert error == {
        "message": "line 2:7: There is no t. Make one.",
        "sqlState": "42P01",
        "errorCode": 46,
        "errorName": "TABLE_NOT_FOUND",
        "errorType": "USER_ERROR",
        "errorLocation": {"lineNumber": 2, "columnNumber": 7},
        "failureInfo": {
            "type": "io.trino.spi.TrinoException",
            "message": "line 2:7: There is no t. Make one.",
            "suppressed": [],
            "stack": [],
            "errorInfo": {"code": 46, "name": "TABLE_NOT_FOUND", "type": "USER_ERROR"},
            "errorLocation": {"lineNumber": 2, "columnNumber": 7},
        },
    }
    assert front_end.rows(NUMBERS) == [[0], [1], [2]]


def test_a_statement_that_cannot_be_read_fails_at_once(front_end: TrinoFrontEnd) -> None:
    response = front_end.post("SELECT 'open")
    page = response.json()
    assert response.status_code == 200
    assert "nextUri" not in page
    assert page["stats"]["state"] == "FAILED"
    assert page["error"]["errorName"] == "SYNTAX_ERROR"


def test_an_error_of_the_parser_is_a_parsing_exception(front_end: TrinoFrontEnd) -> None:
    front_end.engine.failure = SqlSyntaxError("What?")
    assert (
        front_end.error("SELECT fake('fail')")["failureInfo"]["type"]
        == "io.trino.sql.parser.ParsingException"
    )


def test_too_many_queries_is_told_as_a_full_queue(make_front_end: Callable[..., TrinoFrontEnd]) -> None:
    front_end = make_front_end(
        limits=LIMITS.model_copy(update={"concurrent_queries": 1, "queued_queries": 0})
    )
    page = front_end.post(WAIT).json()
    assert front_end.error(NUMBERS)["errorName"] == "QUERY_QUEUE_FULL"
    front_end.engine.released.set()
    while "nextUri" in page:
        page = front_end.send("GET", path(page)).json()
    until(lambda: front_end.service.counts()["running"] == 0)
    assert front_end.rows(NUMBERS) == [[0], [1], [2]]


def test_a_run_time_limit(make_front_end: Callable[..., TrinoFrontEnd]) -> None:
    front_end = make_front_end(limits=LIMITS.model_copy(update={"run_time": Duration("100ms")}))
    assert front_end.error(WAIT)["errorName"] == "EXCEEDED_TIME_LIMIT"


def test_a_result_that_trino_has_no_type_for(front_end: TrinoFrontEnd) -> None:
    union = pa.UnionArray.from_sparse(pa.array([0], pa.int8()), [pa.array([1])])
    front_end.engine.answers["SELECT odd"] = pa.table({"u": union})
    assert front_end.error("SELECT odd")["errorName"] == "NOT_SUPPORTED"


# -- statements that change something ---------------------------------------------------------------------------------


def test_an_insert_tells_how_many_rows(front_end: TrinoFrontEnd) -> None:
    front_end.engine.changed = 42
    insert = "INSERT INTO t SELECT 1"
    front_end.engine.answers[insert] = pa.table({})
    last = front_end.pages(insert)[-1]
    assert (last["updateType"], last["updateCount"]) == ("INSERT", 42)
    assert [column["name"] for column in last["columns"]] == ["rows"]
    assert last["data"] == [[42]]


def test_a_change_of_unknown_size_has_no_count(front_end: TrinoFrontEnd) -> None:
    front_end.engine.changed = None
    front_end.engine.answers["DELETE FROM t"] = pa.table({})
    last = front_end.pages("DELETE FROM t")[-1]
    assert last["updateType"] == "DELETE"
    assert "updateCount" not in last
    assert "data" not in last


def test_a_definition_has_no_columns_but_says_so(front_end: TrinoFrontEnd) -> None:
    front_end.engine.answers["CREATE TABLE t (a INT)"] = pa.table({})
    last = front_end.pages("CREATE TABLE t (a INT)")[-1]
    assert last["updateType"] == "CREATE TABLE"
    assert last["columns"] == []
    assert "data" not in last
    assert "updateCount" not in last


# -- bodies -----------------------------------------------------------------------------------------------------------


def test_a_statement_of_twenty_megabytes_gets_a_clear_error(front_end: TrinoFrontEnd) -> None:
    page = front_end.post("SELECT '" + "x" * 20_000_000 + "'").json()
    assert page["error"]["errorName"] == "QUERY_TEXT_TOO_LARGE"
    assert "limits.sql_bytes" in page["error"]["message"]
    assert front_end.rows(NUMBERS) == [[0], [1], [2]]


def test_absurd_bodies_are_refused(front_end: TrinoFrontEnd) -> None:
    assert front_end.send("POST", "/v1/statement", b"x", {"Content-Length": "99999999999"}).status_code == 413
    assert front_end.send("POST", "/v1/statement", b"SELECT '\xff'").status_code == 400
    assert front_end.send("POST", "/v1/statement", b"  ").status_code == 400
    assert front_end.send("POST", "/v1/statement", b"x", {"Content-Encoding": "gzip"}).status_code == 415


def test_methods_that_are_not_there(front_end: TrinoFrontEnd) -> None:
    assert front_end.send("PUT", "/v1/statement", b"x").status_code == 405
    assert front_end.send("HEAD", "/v1/statement").status_code == 200
    assert front_end.send("POST", "/v1/info", b"x").status_code == 405


def test_what_goes_wrong_inside_stays_inside(
    front_end: TrinoFrontEnd, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(protocol, "submit_statement", broken)
    response = front_end.post(NUMBERS)
    assert response.status_code == 500
    assert "secret" not in response.text


# -- info -------------------------------------------------------------------------------------------------------------


def test_info(front_end: TrinoFrontEnd) -> None:
    info = front_end.send("GET", "/v1/info").json()
    assert info["nodeVersion"] == {"version": "484"}
    assert (info["coordinator"], info["starting"]) == (True, False)
    assert info["uptime"].endswith("s")
    assert front_end.send("GET", "/v1/info/state").json() == "ACTIVE"
    assert front_end.send("GET", "/v1/status").json()["coordinator"] is True


def test_a_query_can_be_looked_at(front_end: TrinoFrontEnd) -> None:
    headers = {
        "X-Trino-Source": "test",
        "X-Trino-Client-Tags": "a,b",
        "X-Trino-Client-Info": "who",
        "X-Trino-Schema": "s",
    }
    page = front_end.pages(NUMBERS, headers)[-1]
    found = front_end.send("GET", f"/v1/query/{page['id']}").json()
    assert found["state"] == "FINISHED"
    assert found["query"] == NUMBERS
    assert found["self"] == f"http://localhost:8080/v1/query/{page['id']}"
    session = found["session"]
    assert (session["user"], session["source"], session["clientTags"]) == ("ann", "test", ["a", "b"])
    assert (session["clientInfo"], session["schema"]) == ("who", "s")
    assert [info["queryId"] for info in front_end.send("GET", "/v1/query").json()] == [page["id"]]
    failed = front_end.pages("SELECT fake('fail')")[-1]
    assert (
        front_end.send("GET", f"/v1/query/{failed['id']}").json()["errorCode"]["name"]
        == "GENERIC_INTERNAL_ERROR"
    )
