"""The Flight SQL front end over a real socket: statements, tickets, sessions, refusals."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence

import pyarrow as pa
import pyarrow.flight as fl
import pytest
from testing.command import until
from tests.fakes.engine import FakeSession
from tests.support.clock import skipping_time
from tests.unit.frontends.flight.conftest import Client, FlightFrontEnd, Opener, our_error

from sqe.config.sections.limits import LimitsConfig
from sqe.errors import (
    AccessDeniedError,
    QueryTimeoutError,
    SqeError,
    SqlSyntaxError,
    TableNotFoundError,
    UnsupportedError,
)
from sqe.frontends.flight import messages
from sqe.frontends.flight import session as flight_session
from sqe.frontends.flight.proto import Flight_pb2
from sqe.frontends.flight.proto import FlightSql_pb2 as sql
from sqe.service import session as service_session
from sqe.units import Duration

ROWS = "SELECT fake('rows 3')"
ERRORS = (fl.FlightError, pa.ArrowException)


def started(front_end: FlightFrontEnd) -> list[str]:
    return [text for session in front_end.engine.sessions for text in session.started]


# -- statements -------------------------------------------------------------------------------------------------------


def test_a_query_is_planned_by_its_info_and_runs_when_it_is_fetched(
    front_end: FlightFrontEnd, ann: Client
) -> None:
    info = ann.info(sql.CommandStatementQuery(query=ROWS))
    assert started(front_end) == []
    assert info.schema.names == ["n"]
    assert (info.total_records, info.total_bytes) == (-1, -1)
    assert [endpoint.locations for endpoint in info.endpoints] == [[]]
    table = ann.read(info)
    assert table.column("n").to_pylist() == [0, 1, 2]
    assert table.schema == info.schema
    assert front_end.service.queries("ann")[0].front_end == "flight"


def test_a_ticket_of_a_query_can_be_used_again(ann: Client) -> None:
    info = ann.info(sql.CommandStatementQuery(query=ROWS))
    assert ann.read(info) == ann.read(info)


def test_a_statement_that_changes_something_runs_with_its_info(
    front_end: FlightFrontEnd, ann: Client
) -> None:
    front_end.engine.changed = 7
    info = ann.info(sql.CommandStatementQuery(query="INSERT INTO t SELECT fake('rows 0')"))
    assert len(started(front_end)) == 1
    assert info.total_records == 7
    assert info.schema.names == []
    assert ann.read(info).num_rows == 0
    assert ann.read(info).num_rows == 0
    assert len(started(front_end)) == 1


def test_an_error_of_such_a_statement_is_raised_with_its_info(front_end: FlightFrontEnd, ann: Client) -> None:
    front_end.engine.failure = TableNotFoundError("There is no table t.")
    with pytest.raises(ERRORS, match="TABLE_NOT_FOUND: There is no table t"):
        ann.info(sql.CommandStatementQuery(query="INSERT INTO t SELECT fake('fail')"))


def test_rows_of_a_call_are_read_once(front_end: FlightFrontEnd, ann: Client) -> None:
    info = ann.info(sql.CommandStatementQuery(query="CALL lake.system.fake('rows 2')"))
    assert len(started(front_end)) == 1
    assert ann.read(info).num_rows == 2
    with pytest.raises(ERRORS, match="already read"):
        ann.read(info)


def test_columns_are_told_in_flight_sql_s_way(front_end: FlightFrontEnd, ann: Client) -> None:
    front_end.engine.schema = pa.schema(
        [("price", pa.decimal128(10, 2)), ("at", pa.timestamp("us", tz="UTC"))]
    )
    price, at = ann.info(sql.CommandStatementQuery(query=ROWS)).schema
    assert price.metadata[b"ARROW:FLIGHT:SQL:TYPE_NAME"] == b"decimal(10, 2)".replace(b", ", b",")
    assert price.metadata[b"ARROW:FLIGHT:SQL:PRECISION"] == b"10"
    assert price.metadata[b"ARROW:FLIGHT:SQL:SCALE"] == b"2"
    assert at.metadata[b"ARROW:FLIGHT:SQL:TYPE_NAME"] == b"timestamp(6) with time zone"
    assert at.metadata[b"ARROW:FLIGHT:SQL:IS_SEARCHABLE"] == b"1"


def test_the_schema_of_a_query_can_be_had_alone(front_end: FlightFrontEnd, ann: Client) -> None:
    descriptor = fl.FlightDescriptor.for_command(messages.pack(sql.CommandStatementQuery(query=ROWS)))
    assert ann.flight.get_schema(descriptor, ann.options).schema.names == ["n"]
    assert started(front_end) == []


@pytest.mark.parametrize(("changed", "counted"), [(5, 5), (None, -1)])
def test_an_update_tells_how_many_rows_it_changed(
    front_end: FlightFrontEnd, ann: Client, changed: int | None, counted: int
) -> None:
    front_end.engine.changed = changed
    assert ann.update("DELETE FROM t WHERE fake('rows 0')") == counted


def test_ddl_changes_no_rows(ann: Client) -> None:
    assert ann.update("DROP TABLE t") == 0


def test_an_update_that_returns_rows_is_refused(ann: Client) -> None:
    with pytest.raises(ERRORS, match="returns rows"):
        ann.update(ROWS)


def test_a_statement_waits_for_an_engine_that_boots(front_end: FlightFrontEnd, ann: Client) -> None:
    front_end.engine.up.clear()
    threading.Timer(0.3, front_end.engine.up.set).start()
    assert ann.query(ROWS).num_rows == 3


# -- session statements and options -----------------------------------------------------------------------------------


def options(client: Client) -> dict[str, str]:
    [answer] = client.act("GetSessionOptions", Flight_pb2.GetSessionOptionsRequest(), packed=False)
    result = messages.parse(Flight_pb2.GetSessionOptionsResult, answer, "answer")
    return {name: value.string_value for name, value in result.session_options.items()}


def set_options(client: Client, **values: str | int | None) -> dict[str, int]:
    request = Flight_pb2.SetSessionOptionsRequest()
    for name, value in values.items():
        if isinstance(value, str):
            request.session_options[name].string_value = value
        elif isinstance(value, int):
            request.session_options[name].int64_value = value
        else:
            request.session_options[name].SetInParent()
    [answer] = client.act("SetSessionOptions", request, packed=False)
    result = messages.parse(Flight_pb2.SetSessionOptionsResult, answer, "answer")
    return {name: error.value for name, error in result.errors.items()}


def test_options_start_with_the_server_s_own(ann: Client) -> None:
    assert options(ann).items() >= {"catalog": "iceberg", "schema": "default", "dialect": "trino"}.items()


def test_catalog_and_schema_are_where_statements_run(front_end: FlightFrontEnd, ann: Client) -> None:
    assert set_options(ann, schema="sales", catalog="LAKE", time_zone="Europe/Amsterdam") == {}
    assert options(ann)["catalog"] == "lake"
    ann.query(ROWS)
    spec = front_end.engine.sessions[-1].spec
    assert (spec.catalog, spec.namespace, spec.time_zone) == ("lake", "sales", "Europe/Amsterdam")
    assert set_options(ann, catalog=None) == {}
    assert (options(ann)["catalog"], options(ann)["schema"]) == ("iceberg", "sales")
    assert set_options(ann, schema=None) == {}
    assert options(ann)["schema"] == "default"


def test_an_option_that_cannot_be_set_is_told_and_the_others_are_set(ann: Client) -> None:
    result = Flight_pb2.SetSessionOptionsResult
    wrong = set_options(ann, nothing="x", catalog="elsewhere", dialect="cobol", time_zone="Mars", schema="s")
    assert wrong == {
        "nothing": result.INVALID_NAME,
        "catalog": result.INVALID_VALUE,
        "dialect": result.INVALID_VALUE,
        "time_zone": result.INVALID_VALUE,
    }
    assert options(ann)["schema"] == "s"


def test_the_dialect_can_be_spark_s(front_end: FlightFrontEnd, ann: Client) -> None:
    assert set_options(ann, dialect="spark") == {}
    ann.query("SELECT `fake('rows 1')`")
    assert started(front_end) == ["SELECT `fake('rows 1')`"]


def test_a_session_statement_changes_the_session(ann: Client) -> None:
    ann.query("SET SESSION dialect = 'spark'")
    assert options(ann)["dialect"] == "spark"
    assert ann.update("RESET SESSION dialect") == 0
    assert options(ann)["dialect"] == "trino"


def test_statements_can_be_prepared_in_sql_too(ann: Client) -> None:
    ann.update(f"PREPARE mine FROM {ROWS}")
    assert ann.query("EXECUTE mine").num_rows == 3
    ann.update("DEALLOCATE PREPARE mine")
    with pytest.raises(ERRORS, match="not found"):
        ann.query("EXECUTE mine")


def test_a_session_is_its_client_s_own(front_end: FlightFrontEnd, ann: Client) -> None:
    set_options(ann, schema="mine")
    assert options(front_end.client("ann"))["schema"] == "default"
    assert options(front_end.client("bob"))["schema"] == "default"
    assert options(ann)["schema"] == "mine"


def test_a_closed_session_is_gone_and_the_next_is_new(front_end: FlightFrontEnd, ann: Client) -> None:
    info = ann.info(sql.CommandStatementQuery(query=ROWS))
    set_options(ann, schema="mine")
    ann.query(ROWS)
    [answer] = ann.act("CloseSession", Flight_pb2.CloseSessionRequest(), packed=False)
    closed = messages.parse(Flight_pb2.CloseSessionResult, answer, "answer")
    assert closed.status == Flight_pb2.CloseSessionResult.CLOSED
    assert all(session.closed for session in front_end.engine.sessions)
    assert options(ann)["schema"] == "default"
    with pytest.raises(ERRORS, match="no such ticket"):
        ann.read(info)


def test_a_session_that_nobody_uses_ends(open_front_end: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    skipping = skipping_time(monkeypatch, flight_session, service_session)
    front_end = open_front_end(limits=LimitsConfig(session_idle=Duration("10min")))
    ann = front_end.client("ann")
    ann.query(ROWS)
    skipping.skip(1000)
    until(lambda: front_end.engine.sessions[0].closed)
    assert ann.query(ROWS).num_rows == 3


# -- prepared statements ----------------------------------------------------------------------------------------------

INSERT = "INSERT INTO t SELECT fake('rows 0'), ?, ?"
SELECT = "SELECT fake('rows 2') WHERE ? > 1"


def schema_of(data: bytes) -> pa.Schema:
    return pa.ipc.read_schema(pa.py_buffer(data))


def test_preparing_describes_and_runs_nothing(front_end: FlightFrontEnd, ann: Client) -> None:
    query, insert = ann.prepare(SELECT), ann.prepare(INSERT)
    assert started(front_end) == []
    assert schema_of(query.dataset_schema).names == ["n"]
    assert schema_of(query.parameter_schema).types == [pa.int64()]
    assert not query.is_update
    assert insert.dataset_schema == b""
    assert schema_of(insert.parameter_schema).types == [pa.int64(), pa.int64()]
    assert insert.is_update
    assert len(schema_of(ann.prepare("DROP TABLE t").parameter_schema)) == 0


NAMED = [
    "SELECT fake('rows 2') FROM IDENTIFIER(?)",
    "SELECT fake('rows 2') FROM identifier ( 'a.' || lower(?) )",
]


@pytest.mark.parametrize("text", NAMED)
def test_a_name_as_a_parameter_is_described_when_it_has_a_value(
    front_end: FlightFrontEnd, ann: Client, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    given: list[list[object]] = []

    def describe(
        session: FakeSession, sql: str, tag: str, parameters: Sequence[object], views: object
    ) -> pa.Schema:
        given.append(list(parameters))
        return front_end.engine.schema

    monkeypatch.setattr(FakeSession, "describe", describe)
    set_options(ann, dialect="spark")
    prepared = ann.prepare(text)
    assert given == []  # a null is no name
    assert prepared.dataset_schema == b""
    assert not prepared.is_update
    handle = prepared.prepared_statement_handle
    command = sql.CommandPreparedStatementQuery(prepared_statement_handle=handle)
    ann.put(command, pa.table({"p": ["t"]}))
    assert ann.get(command).num_rows == 2
    assert given == [[pa.scalar("t")]]
    ann.prepare("SELECT fake('rows 2') FROM t WHERE identifier = ?")
    assert given[1:] == [[pa.int64()]]


def test_values_are_bound_as_values_and_the_last_ones_hold(front_end: FlightFrontEnd, ann: Client) -> None:
    handle = ann.prepare(SELECT).prepared_statement_handle
    command = sql.CommandPreparedStatementQuery(prepared_statement_handle=handle)
    for text in ("'; DROP TABLE t; --", "second"):
        answer = ann.put(command, pa.table({"x": [text]}))
        bound = messages.parse(sql.DoPutPreparedStatementResult, answer, "answer")
        assert bound.prepared_statement_handle == handle
    assert ann.get(command).num_rows == 2
    assert front_end.engine.sessions[0].parameters == [(pa.scalar("second"),)]
    assert "second" not in started(front_end)[0]


def test_what_is_bound_later_does_not_change_what_was_planned(front_end: FlightFrontEnd, ann: Client) -> None:
    handle = ann.prepare(SELECT).prepared_statement_handle
    command = sql.CommandPreparedStatementQuery(prepared_statement_handle=handle)
    ann.put(command, pa.table({"x": [1]}))
    info = ann.info(command)
    ann.put(command, pa.table({"x": [2]}))
    ann.read(info)
    assert front_end.engine.sessions[0].parameters == [(pa.scalar(1),)]


def test_an_update_runs_for_each_row(front_end: FlightFrontEnd, ann: Client) -> None:
    front_end.engine.changed = 2
    handle = ann.prepare(INSERT).prepared_statement_handle
    command = sql.CommandPreparedStatementUpdate(prepared_statement_handle=handle)
    answer = ann.put(command, pa.table({"a": [1, 2, 3], "b": pa.array(["x", None, "z"]).dictionary_encode()}))
    assert messages.parse(sql.DoPutUpdateResult, answer, "answer").record_count == 6
    bound = [tuple(value.as_py() for value in row) for row in front_end.engine.sessions[0].parameters]
    assert bound == [(1, "x"), (2, None), (3, "z")]


def test_an_update_without_parameters_runs_once(front_end: FlightFrontEnd, ann: Client) -> None:
    handle = ann.prepare("DROP TABLE t").prepared_statement_handle
    ann.put(sql.CommandPreparedStatementUpdate(prepared_statement_handle=handle))
    assert len(started(front_end)) == 1


def test_a_prepared_statement_that_changes_something_can_be_executed_as_a_query(
    front_end: FlightFrontEnd, ann: Client
) -> None:
    front_end.engine.changed = 4
    handle = ann.prepare("DELETE FROM t").prepared_statement_handle
    info = ann.info(sql.CommandPreparedStatementQuery(prepared_statement_handle=handle))
    assert info.total_records == 4
    assert len(started(front_end)) == 1


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (pa.table({"a": [1], "b": [2]}), "has 1 parameters, but the client sent 2 values"),
        (pa.table({"a": [1, 2]}), "one row of parameters, but the client bound 2"),
        (None, "one row of parameters, but the client bound 0"),
    ],
)
def test_wrong_values_are_refused(ann: Client, rows: pa.Table | None, message: str) -> None:
    handle = ann.prepare(SELECT).prepared_statement_handle
    command = sql.CommandPreparedStatementQuery(prepared_statement_handle=handle)

    def attempt() -> None:
        ann.put(command, rows)
        ann.info(command)

    with pytest.raises(ERRORS, match=message):
        attempt()


def test_a_closed_prepared_statement_is_gone(ann: Client) -> None:
    handle = ann.prepare(SELECT).prepared_statement_handle
    close = sql.ActionClosePreparedStatementRequest(prepared_statement_handle=handle)
    assert ann.act("ClosePreparedStatement", close) == []
    with pytest.raises(ERRORS, match="no such prepared statement"):
        ann.info(sql.CommandPreparedStatementQuery(prepared_statement_handle=handle))


# -- other people's things --------------------------------------------------------------------------------------------


def test_another_user_s_ticket_and_handle_are_unknown(
    front_end: FlightFrontEnd, ann: Client, bob: Client
) -> None:
    info = ann.info(sql.CommandStatementQuery(query=ROWS))
    handle = ann.prepare(SELECT).prepared_statement_handle
    command = sql.CommandPreparedStatementQuery(prepared_statement_handle=handle)
    cancel = Flight_pb2.CancelFlightInfoRequest(info=Flight_pb2.FlightInfo.FromString(info.serialize()))
    for attempt in (
        lambda: bob.read(info),
        lambda: bob.info(command),
        lambda: bob.put(command, pa.table({"x": [1]})),
        lambda: bob.act("CancelFlightInfo", cancel, packed=False),
        lambda: front_end.client("ann").read(info),
        lambda: front_end.client().read(info),
    ):
        with pytest.raises(ERRORS, match="QUERY_NOT_FOUND: There is no such"):
            attempt()
    assert ann.read(info).num_rows == 3


# -- stopping ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("action", ["CancelFlightInfo", "CancelQuery"])
def test_a_running_query_can_be_canceled(front_end: FlightFrontEnd, ann: Client, action: str) -> None:
    info = ann.info(sql.CommandStatementQuery(query="SELECT fake('endless')"))
    reader = ann.reader(info)
    reader.read_chunk()
    until(lambda: front_end.service.counts()["running"] == 1)
    data = info.serialize()
    if action == "CancelQuery":
        [answer] = ann.act(action, sql.ActionCancelQueryRequest(info=data))
        result = messages.unpack_as(sql.ActionCancelQueryResult, answer, "answer")
        assert result.result == sql.ActionCancelQueryResult.CANCEL_RESULT_CANCELLED
    else:
        request = Flight_pb2.CancelFlightInfoRequest(info=Flight_pb2.FlightInfo.FromString(data))
        [answer] = ann.act(action, request, packed=False)
        status = messages.parse(Flight_pb2.CancelFlightInfoResult, answer, "answer").status
        assert status == Flight_pb2.CANCEL_STATUS_CANCELLED
    # Not read_all: where that is canceled, pyarrow takes it for Ctrl-C.
    with pytest.raises(fl.FlightCancelledError, match="QUERY_CANCELED"):
        list(reader)
    until(lambda: front_end.service.counts()["running"] == 0)
    with pytest.raises(fl.FlightCancelledError):
        list(ann.reader(info))


def test_a_statement_that_has_ended_cannot_be_canceled(ann: Client) -> None:
    info = ann.info(sql.CommandStatementQuery(query="DROP TABLE t"))
    request = Flight_pb2.CancelFlightInfoRequest(info=Flight_pb2.FlightInfo.FromString(info.serialize()))
    [answer] = ann.act("CancelFlightInfo", request, packed=False)
    status = messages.parse(Flight_pb2.CancelFlightInfoResult, answer, "answer").status
    assert status == Flight_pb2.CANCEL_STATUS_NOT_CANCELLABLE


def test_a_client_that_goes_away_stops_its_query(front_end: FlightFrontEnd) -> None:
    ann = front_end.client("ann")
    reader = ann.reader(ann.info(sql.CommandStatementQuery(query="SELECT fake('endless')")))
    reader.read_chunk()
    until(lambda: front_end.service.counts()["running"] == 1)
    reader.cancel()
    ann.close()
    until(lambda: front_end.service.counts()["running"] == 0)


def test_a_client_that_gives_up_waiting_stops_its_statement(front_end: FlightFrontEnd, ann: Client) -> None:
    descriptor = fl.FlightDescriptor.for_command(
        messages.pack(sql.CommandStatementQuery(query="INSERT INTO t SELECT fake('wait')"))
    )
    for seconds in (0.5, 5, 50):  # until the server has got the call before the client gives up
        with pytest.raises(fl.FlightTimedOutError):
            ann.flight.get_flight_info(descriptor, fl.FlightCallOptions(headers=ann.headers, timeout=seconds))
        if front_end.engine.sessions and front_end.engine.sessions[0].started:
            break
    until(lambda: front_end.service.counts()["running"] == 0)
    assert front_end.engine.sessions[0].interrupted


def test_an_endpoint_can_be_renewed(ann: Client, bob: Client) -> None:
    info = ann.info(sql.CommandStatementQuery(query=ROWS))
    endpoint = Flight_pb2.FlightEndpoint.FromString(info.endpoints[0].serialize())
    request = Flight_pb2.RenewFlightEndpointRequest(endpoint=endpoint)
    [answer] = ann.act("RenewFlightEndpoint", request, packed=False)
    renewed = messages.parse(Flight_pb2.FlightEndpoint, answer, "answer")
    assert renewed.ticket == endpoint.ticket
    assert renewed.expiration_time.seconds > time.time() + 1000
    with pytest.raises(ERRORS, match="no such ticket"):
        bob.act("RenewFlightEndpoint", request, packed=False)


def test_fifty_clients_share_one_connection(front_end: FlightFrontEnd, ann: Client) -> None:
    counts: list[int] = []

    def use() -> None:
        counts.extend(ann.query(f"SELECT fake('rows {number}')").num_rows for number in range(5))

    threads = [threading.Thread(target=use) for _ in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(counts) == sorted(list(range(5)) * 50)
    until(lambda: front_end.service.counts()["running"] == 0)


# -- errors -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("failure", "raised"),
    [
        (TableNotFoundError("No table.", hint="Look.", detail="secret"), fl.FlightInternalError),
        (SqlSyntaxError("Bad.", hint="Look.", detail="secret"), fl.FlightInternalError),
        (AccessDeniedError("Not you.", hint="Look.", detail="secret"), fl.FlightUnauthorizedError),
        (QueryTimeoutError("Too long.", hint="Look.", detail="secret"), fl.FlightTimedOutError),
        (SqeError("Odd.", hint="Look.", detail="secret"), fl.FlightInternalError),
    ],
)
def test_an_error_arrives_whole_and_without_its_detail(
    front_end: FlightFrontEnd, ann: Client, failure: SqeError, raised: type[Exception]
) -> None:
    front_end.engine.failure = failure
    with pytest.raises(raised) as caught:
        ann.query("SELECT fake('fail')")
    ours = our_error(caught.value)
    assert type(ours) is type(failure)
    assert (ours.message, ours.hint, ours.detail) == (failure.message, "Look.", None)
    assert f"{failure.code}: {failure.message} Look" in str(caught.value)
    assert "Traceback" not in str(caught.value)
    assert "secret" not in str(caught.value)


def test_an_error_inside_is_opaque(
    front_end: FlightFrontEnd, ann: Client, caplog: pytest.LogCaptureFixture
) -> None:
    front_end.engine.schema = 5
    with pytest.raises(ERRORS, match="internal error") as caught:
        ann.info(sql.CommandStatementQuery(query=ROWS))
    assert "Traceback" not in str(caught.value)
    assert "a Flight call failed with an internal error" in caplog.text


GARBAGE = [b"", b"\xff\xff\xff", b"nonsense", b"\x0a\x03abc", messages.pack(sql.DoPutUpdateResult())]


@pytest.mark.parametrize("data", GARBAGE)
def test_garbage_is_refused_wherever_it_is_put(ann: Client, data: bytes) -> None:
    descriptor = fl.FlightDescriptor.for_command(data)
    for attempt in (
        lambda: ann.info(data),
        lambda: ann.flight.get_schema(descriptor, ann.options),
        lambda: ann.flight.do_get(fl.Ticket(data), ann.options).read_all(),
        lambda: ann.put(data),
        lambda: ann.act("CreatePreparedStatement", data),
        lambda: ann.act("CancelQuery", data),
    ):
        with pytest.raises(ERRORS) as caught:
            attempt()
        assert "Traceback" not in str(caught.value)
        assert "internal error" not in str(caught.value)
    assert ann.query(ROWS).num_rows == 3


@pytest.mark.parametrize("action", ["CancelFlightInfo", "RenewFlightEndpoint", "SetSessionOptions"])
def test_a_body_that_is_no_message_is_refused(ann: Client, action: str) -> None:
    with pytest.raises(ERRORS, match="USAGE_ERROR"):
        ann.act(action, b"\xff\xff")


@pytest.mark.parametrize(
    "action",
    [
        "BeginTransaction",
        "EndTransaction",
        "BeginSavepoint",
        "EndSavepoint",
        "CreatePreparedSubstraitPlan",
        "DoSomething",
    ],
)
def test_what_is_not_there_says_so(ann: Client, action: str) -> None:
    with pytest.raises(ERRORS) as caught:
        ann.act(action, b"")
    assert type(our_error(caught.value)) is UnsupportedError


def test_commands_that_are_not_there_say_so(ann: Client) -> None:
    for attempt in (
        lambda: ann.info(sql.CommandStatementSubstraitPlan()),
        lambda: ann.put(sql.CommandStatementSubstraitPlan()),
        lambda: ann.info(sql.CommandStatementUpdate(query=ROWS)),
        lambda: ann.info(sql.CommandStatementQuery(query=ROWS, transaction_id=b"1")),
        lambda: ann.flight.get_flight_info(fl.FlightDescriptor.for_path("a"), ann.options),
        ann.exchange,
    ):
        with pytest.raises(ERRORS) as caught:
            attempt()
        assert type(our_error(caught.value)) is UnsupportedError


def test_a_statement_that_is_too_large_is_refused(ann: Client) -> None:
    with pytest.raises(ERRORS, match="STATEMENT_TOO_LARGE"):
        ann.info(sql.CommandStatementQuery(query="SELECT '" + "x" * 2_000_000 + "'"))
    assert ann.query(ROWS).num_rows == 3


def test_actions_are_listed_and_there_are_no_flights(ann: Client) -> None:
    names = {action.type for action in ann.flight.list_actions(ann.options)}
    assert {"CreatePreparedStatement", "CloseSession", "CancelFlightInfo"} <= names
    assert list(ann.flight.list_flights(options=ann.options)) == []
