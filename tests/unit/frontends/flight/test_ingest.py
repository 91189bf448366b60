"""Bulk ingestion over the wire; the tests of the service cover its statements."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from tests.unit.frontends.flight.conftest import Client, FlightFrontEnd, our_error

from sqe.errors import UnsupportedError, UsageError
from sqe.frontends.flight import messages
from sqe.frontends.flight.proto import FlightSql_pb2 as sql

OPTIONS = sql.CommandStatementIngest.TableDefinitionOptions
CREATE = OPTIONS(
    if_not_exist=OPTIONS.TABLE_NOT_EXIST_OPTION_CREATE, if_exists=OPTIONS.TABLE_EXISTS_OPTION_FAIL
)
ROWS = pa.table({"id": [1, 2, 3], "name": ["a", None, "c"]})


def ingest(client: Client, rows: pa.Table = ROWS, **fields: Any) -> int:
    given: dict[str, Any] = {"table": "t", "table_definition_options": CREATE, **fields}
    command = sql.CommandStatementIngest(**given)
    return messages.parse(sql.DoPutUpdateResult, client.put(command, rows), "answer").record_count


def test_rows_reach_the_engine_in_one_statement(front_end: FlightFrontEnd, ann: Client) -> None:
    assert ingest(ann) == 3
    [session] = front_end.engine.sessions
    [statement] = session.started
    assert statement.startswith("CREATE TABLE `iceberg`.`default`.`t` AS SELECT * FROM `sqe_ingest_")
    assert session.views == {}


def test_many_rows_wait_in_files_that_are_gone_afterwards(
    front_end: FlightFrontEnd, ann: Client, tmp_path: Path
) -> None:
    rows = pa.table({"id": pa.array(range(1_000_000), pa.int64())})
    assert ingest(ann, rows) == 1_000_000
    [session] = front_end.engine.sessions
    assert session.started[0] == "view of 1 uploaded files"
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_a_table_s_place_can_be_named(front_end: FlightFrontEnd, ann: Client) -> None:
    ingest(ann, catalog="lake", schema="a.b", table="x`y")
    assert "CREATE TABLE `lake`.`a`.`b`.`x``y` AS" in front_end.engine.sessions[0].started[0]


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"temporary": True}, UnsupportedError),
        ({"transaction_id": b"1"}, UnsupportedError),
        ({"options": {"a": "b"}}, UnsupportedError),
        ({"table": ""}, UsageError),
        ({"table_definition_options": OPTIONS()}, UsageError),
        (
            {
                "table_definition_options": OPTIONS(
                    if_not_exist=OPTIONS.TABLE_NOT_EXIST_OPTION_FAIL,
                    if_exists=OPTIONS.TABLE_EXISTS_OPTION_FAIL,
                )
            },
            UsageError,
        ),
    ],
)
def test_what_cannot_be_done_is_refused(
    front_end: FlightFrontEnd, ann: Client, fields: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(Exception) as caught:  # noqa: PT011 - what it is is checked below
        ingest(ann, **fields)
    assert type(our_error(caught.value)) is error
    assert [text for session in front_end.engine.sessions for text in session.started] == []


def test_no_rows_make_an_empty_table(front_end: FlightFrontEnd, ann: Client) -> None:
    assert ingest(ann, ROWS.slice(0, 0)) == 0
    assert front_end.engine.sessions[0].started[0].startswith("CREATE TABLE")


def test_rows_without_columns_are_refused(ann: Client) -> None:
    with pytest.raises(Exception, match="no columns"):
        ingest(ann, pa.table({}))
