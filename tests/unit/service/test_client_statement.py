from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa
import pytest
from tests.fakes.engine import FakeEngine
from tests.support.complex_texts import GROWING

from sqe.config.sections.limits import LimitsConfig
from sqe.errors import (
    DataError,
    SqeError,
    SqlSyntaxError,
    StatementTooComplexError,
    UnsupportedError,
    UsageError,
    UsageReason,
)
from sqe.model.identity import Principal
from sqe.model.query import QueryState
from sqe.model.session import Dialect, SessionSpec, WarehouseCatalog
from sqe.model.statement import StatementKind
from sqe.service import effects
from sqe.service.client_statement import ClientContext, Reply, describe_statement, submit_statement
from sqe.service.service import QueryService
from sqe.service.session import GatewaySession

SPEC = SessionSpec((WarehouseCatalog("iceberg", None),), dialect=Dialect.TRINO)


@dataclass
class Talk:
    engine: FakeEngine
    service: QueryService
    session: GatewaySession
    context: ClientContext

    def say(self, text: str) -> Reply:
        return submit_statement(self.service, self.session, text, self.context)

    def rows(self, text: str) -> list[dict[str, Any]]:
        stream = self.service.fetch(self.session, self.say(text).query_id)
        schema = stream.schema(lambda: False)
        rows: list[dict[str, Any]] = pa.Table.from_batches(stream.batches(lambda: False), schema).to_pylist()
        return rows


@pytest.fixture
def talk() -> Iterator[Talk]:
    engine = FakeEngine()
    service = QueryService(engine, LimitsConfig())
    session = service.open_session(Principal("ann", "test"), SPEC)
    prepared = {"p": "SELECT fake('rows 2') WHERE 1 = ?", "s": "SHOW SESSION", "e": "EXECUTE p USING 1"}
    yield Talk(engine, service, session, ClientContext(prepared=prepared))
    service.drain(0)


def test_a_query_goes_to_the_engine(talk: Talk) -> None:
    reply = talk.say("SELECT fake('rows 3')")
    assert (reply.kind, reply.update_type, reply.effects) == (StatementKind.QUERY, None, ())
    assert talk.rows("SELECT fake('rows 3')") == [{"n": 0}, {"n": 1}, {"n": 2}]


def test_execute_binds_values_and_pastes_nothing(talk: Talk) -> None:
    reply = talk.say("EXECUTE p USING 42")
    assert reply.kind is StatementKind.QUERY
    assert talk.service.wait(talk.session, reply.query_id, 120)
    [session] = talk.engine.sessions
    assert "?" in session.started[-1]
    assert [value.as_py() for value in session.parameters[-1]] == [42]
    assert [info.sql for info in talk.service.queries("ann")] == ["EXECUTE p USING 42"]


@pytest.mark.parametrize(
    "text",
    [
        "EXECUTE p USING length('?') + 1",
        "EXECUTE IMMEDIATE 'SELECT fake(''rows 2'') WHERE 1 = ?' USING length('?') + 1",
    ],
)
def test_execute_puts_a_constant_expression_into_the_text(talk: Talk, text: str) -> None:
    reply = talk.say(text)
    assert reply.kind is StatementKind.QUERY
    assert talk.service.wait(talk.session, reply.query_id, 120)
    [session] = talk.engine.sessions
    assert "length('?')" in session.started[-1]
    assert list(session.parameters[-1]) == []
    described = describe_statement(talk.service, talk.session, text, talk.context)
    assert described.parameters == ()


def test_execute_immediate_does_the_same(talk: Talk) -> None:
    reply = talk.say("EXECUTE IMMEDIATE 'SELECT fake(''rows 1'') WHERE ? = ?' USING 'it''s', NULL")
    assert talk.service.wait(talk.session, reply.query_id, 120)
    [session] = talk.engine.sessions
    assert [value.as_py() for value in session.parameters[-1]] == ["it's", None]


@pytest.mark.parametrize("text", ["EXECUTE p", "EXECUTE p USING 1, 2", "SELECT ?"])
def test_the_number_of_values_must_be_right(talk: Talk, text: str) -> None:
    with pytest.raises(UsageError, match="Incorrect number of parameters"):
        talk.say(text)


def test_a_prepared_session_statement_is_answered(talk: Talk) -> None:
    assert {row["Name"] for row in talk.rows("EXECUTE s")} >= {"dialect"}


def test_a_prepared_statement_cannot_execute_another(talk: Talk) -> None:
    with pytest.raises(UnsupportedError):
        talk.say("EXECUTE e")


@pytest.mark.parametrize("text", ["EXECUTE nobody", "DEALLOCATE PREPARE nobody"])
def test_what_was_never_prepared_is_not_found(talk: Talk, text: str) -> None:
    with pytest.raises(UsageError, match="not found: nobody"):
        talk.say(text)


@pytest.mark.parametrize(
    ("text", "update_type", "effect"),
    [
        ("SET SESSION dialect = 'spark'", "SET SESSION", effects.SetProperty("dialect", "spark")),
        ("RESET SESSION dialect", "RESET SESSION", effects.ClearProperty("dialect")),
        ("PREPARE q FROM SELECT 1", "PREPARE", effects.AddPrepared("q", "SELECT 1")),
        ("DEALLOCATE PREPARE p", "DEALLOCATE", effects.DropPrepared("p")),
        ("COMMIT", "COMMIT", effects.EndTransaction()),
        ("ROLLBACK", "ROLLBACK", effects.EndTransaction()),
        ("SET TIME ZONE 'Asia/Tokyo'", "SET TIME ZONE", effects.SetTimeZone("Asia/Tokyo")),
    ],
)
def test_session_statements_have_effects(
    talk: Talk, text: str, update_type: str, effect: effects.Effect
) -> None:
    reply = talk.say(text)
    assert (reply.kind, reply.update_type, reply.effects) == (StatementKind.SESSION, update_type, (effect,))
    assert talk.rows(text) == []
    assert talk.engine.sessions[0].started == []


def test_a_property_that_is_not_known_is_refused(talk: Talk) -> None:
    with pytest.raises(UsageError, match="does not exist"):
        talk.say("SET SESSION colour = 'red'")
    with pytest.raises(UsageError, match="no value"):
        talk.say("SET SESSION dialect = 'klingon'")


@pytest.mark.parametrize(
    "zone", ["x", "Europe/Nowhere", "+99:00", "+18:01", "-19", "localtime", "posixrules", "../etc/passwd", ""]
)
def test_a_time_zone_that_does_not_exist_is_refused_where_it_is_set(talk: Talk, zone: str) -> None:
    with pytest.raises(UsageError, match=r"Time zone .* does not exist"):
        talk.say(f"SET TIME ZONE '{zone}'")
    with pytest.raises(UsageError, match="no value"):
        talk.say(f"SET SESSION time_zone_id = '{zone}'")


@pytest.mark.parametrize(
    ("zone", "known"),
    [
        ("utc", "UTC"),
        ("+2", "+02:00"),
        ("GMT-08:00", "-08:00"),
        ("+18:00", "+18:00"),
        ("-18:00", "-18:00"),
        ("+14:30", "+14:30"),
    ],
)
def test_a_time_zone_is_kept_as_the_engine_spells_it(talk: Talk, zone: str, known: str) -> None:
    assert talk.say(f"SET TIME ZONE '{zone}'").effects == (effects.SetTimeZone(known),)


@pytest.mark.parametrize("form", ["PREPARE q FROM {}", "EXECUTE IMMEDIATE '{}'"])
def test_a_statement_that_grows_without_end_is_refused_in_whatever_form(talk: Talk, form: str) -> None:
    for make in GROWING.values():
        sql = make(5_000)
        text = form.format(sql.replace("'", "''") if "IMMEDIATE" in form else sql)
        with pytest.raises(StatementTooComplexError):
            talk.say(text)
        with pytest.raises(StatementTooComplexError):
            describe_statement(talk.service, talk.session, text, talk.context)


def test_a_text_that_cannot_be_read_is_not_kept(talk: Talk) -> None:
    with pytest.raises(SqlSyntaxError):
        talk.say("PREPARE q FROM SELECT 'unclosed")


def test_use_of_a_schema_that_is_not_there_fails(talk: Talk) -> None:
    reply = talk.say("USE nowhere.sales")
    assert talk.service.wait(talk.session, reply.query_id, 120)
    status = talk.service.poll(talk.session, reply.query_id)
    assert status.state is QueryState.FAILED
    assert isinstance(status.error, SqeError)
    assert status.error.code == "CATALOG_NOT_FOUND"


def test_nothing_is_changed_in_a_transaction(talk: Talk) -> None:
    [started] = talk.say("START TRANSACTION").effects
    assert isinstance(started, effects.StartTransaction)
    talk.context = replace(talk.context, transaction=started.id)
    for change in ("INSERT INTO t VALUES (1)", "EXECUTE IMMEDIATE 'INSERT INTO t VALUES (1)'"):
        with pytest.raises(UsageError, match="autocommit"):
            talk.say(change)
    with pytest.raises(UnsupportedError, match="Nested transactions"):
        talk.say("START TRANSACTION")
    assert talk.say("ROLLBACK").effects == (effects.EndTransaction(),)


def test_a_change_tells_how_many_rows(talk: Talk) -> None:
    talk.engine.changed = 7
    reply = talk.say("INSERT INTO t SELECT fake('rows 0')")
    assert (reply.kind, reply.update_type) == (StatementKind.CHANGE, "INSERT")
    assert talk.service.wait(talk.session, reply.query_id, 120)
    assert talk.service.poll(talk.session, reply.query_id).changed_rows == 7


def test_the_client_s_own_time_limit_stops_a_query(talk: Talk) -> None:
    talk.context = replace(talk.context, properties={"query_max_run_time": "50ms"})
    reply = talk.say("SELECT fake('wait')")
    assert talk.service.wait(talk.session, reply.query_id, 120)
    status = talk.service.poll(talk.session, reply.query_id)
    assert status.error is not None
    assert status.error.code == "QUERY_TIMEOUT"
    assert "query_max_run_time" in status.error.message


def test_kill_query_ends_a_query_of_the_user(talk: Talk) -> None:
    running = talk.say("SELECT fake('wait')").query_id
    assert talk.rows(f"CALL system.runtime.kill_query(query_id => '{running}', message => 'enough')") == []
    assert talk.service.wait(talk.session, running, 120)
    status = talk.service.poll(talk.session, running)
    assert status.error is not None
    assert (status.error.code, "enough" in status.error.message) == ("QUERY_CANCELED", True)
    for query_id, code in ((running, "NOT_SUPPORTED"), ("q_unknown", "QUERY_NOT_FOUND")):
        reply = talk.say(f"CALL system.runtime.kill_query('{query_id}')")
        assert talk.service.wait(talk.session, reply.query_id, 120)
        error = talk.service.poll(talk.session, reply.query_id).error
        assert error is not None
        assert error.code == code


def test_describe_input_and_output(talk: Talk) -> None:
    assert talk.rows("DESCRIBE INPUT p") == [{"Position": 0, "Type": "bigint"}]
    [column] = talk.rows("DESCRIBE OUTPUT p")
    assert (column["Column Name"], column["Type"], column["Type Size"]) == ("n", "bigint", 8)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("SHOW SESSION", ["Name", "Value", "Default", "Type", "Description"]),
        ("DESCRIBE INPUT p", ["Position", "Type"]),
        ("EXECUTE p USING 1", ["n"]),
        ("SELECT 1", ["n"]),
    ],
)
def test_columns_are_known_without_running(talk: Talk, text: str, names: list[str]) -> None:
    description = describe_statement(talk.service, talk.session, text, talk.context)
    assert description.columns is not None
    assert description.columns.names == names
    assert talk.engine.sessions[0].started == []


@pytest.mark.parametrize(
    "clauses", ["LIMIT ? OFFSET ?", "OFFSET ? LIMIT ?", "OFFSET ? ROWS FETCH FIRST ? ROWS ONLY"]
)
def test_parameters_of_limit_and_offset_are_described_with_a_number(talk: Talk, clauses: str) -> None:
    text = f"SELECT a FROM t WHERE a = ? {clauses}"
    description = describe_statement(talk.service, talk.session, text, talk.context)
    assert description.parameters == (pa.int64(),) * 3
    zero = pa.scalar(0, pa.int32())
    assert talk.engine.sessions[0].described == [[pa.int64(), zero, zero]]


def test_a_change_has_no_columns_but_parameters(talk: Talk) -> None:
    description = describe_statement(talk.service, talk.session, "INSERT INTO t VALUES (?, ?)", talk.context)
    assert description.columns is None
    assert description.parameters == (pa.int64(), pa.int64())


@pytest.mark.parametrize(
    ("pattern", "shown"),
    [
        (
            "LIKE 'query_max_%_time'",
            [
                "query_max_cpu_time",
                "query_max_execution_time",
                "query_max_planning_time",
                "query_max_run_time",
            ],
        ),
        ("LIKE 'iceberg.merge%'", ["iceberg.merge_manifests_on_write"]),
        ("LIKE 'query#_max#_run#_time' ESCAPE '#'", ["query_max_run_time"]),
        ("LIKE 'dial#%' ESCAPE '#'", []),
        ("LIKE '[d]ialect'", []),
    ],
)
def test_show_session_takes_a_pattern(talk: Talk, pattern: str, shown: list[str]) -> None:
    assert [row["Name"] for row in talk.rows(f"SHOW SESSION {pattern}")] == shown


def test_show_session_refuses_an_escape_of_two_characters(talk: Talk) -> None:
    reply = talk.say("SHOW SESSION LIKE 'a' ESCAPE '##'")
    assert talk.service.wait(talk.session, reply.query_id, 10)
    assert isinstance(talk.service.poll(talk.session, reply.query_id).error, DataError)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("SET SESSION colour = 'red'", UsageReason.SESSION_PROPERTY),
        ("SET SESSION dialect = 'cobol'", UsageReason.SESSION_PROPERTY),
        ("EXECUTE nobody", UsageReason.PREPARED_STATEMENT),
        ("DEALLOCATE PREPARE nobody", UsageReason.PREPARED_STATEMENT),
        ("EXECUTE p", UsageReason.PARAMETERS),
        ("EXECUTE IMMEDIATE 'SELECT ?'", UsageReason.PARAMETERS),
        ("SELECT ?", UsageReason.PARAMETERS),
        ("SET TIME ZONE 'Mars/Olympus'", None),
    ],
)
def test_a_usage_error_has_its_reason(talk: Talk, text: str, reason: UsageReason | None) -> None:
    with pytest.raises(UsageError) as caught:
        talk.say(text)
    assert caught.value.reason is reason
