"""Errors: the client's own exception, and name, SQLSTATE and place where the client shows them."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from tests.conformance.case_context import CATALOG, SHARED, CaseContext
from tests.conformance.cases.case import Case, case, cases_in
from tests.conformance.clients.base import Failed


@dataclass(frozen=True, slots=True)
class Expected:
    name: str
    """As SQE calls it; Flight SQL has that."""
    trino: str
    """As Trino calls it."""
    sqlstate: str
    says: str
    """Part of the message."""
    place: tuple[int, int] | None = None


def check(context: CaseContext, failed: Failed, expected: Expected) -> None:
    client = context.client
    assert expected.says.lower() in failed.message.lower(), failed
    name = expected.trino if client.front_end == "Trino" else expected.name
    if "name" in client.tells:
        assert failed.name == name, (failed.name, failed)
    if "sqlstate" in client.tells:
        assert failed.sqlstate == expected.sqlstate, (failed.sqlstate, failed)
    if "position" in client.tells and expected.place:
        assert (failed.line, failed.column) == expected.place, (failed.line, failed.column, failed)
    assert failed.kind in client.raises.get(name, client.raises["other"]), (failed.kind, failed)


def error_case(name: str, title: str, sql: str, expected: Expected) -> Case:
    def run(context: CaseContext) -> None:
        with pytest.raises(Failed) as caught:
            context.connection.query(sql)
        check(context, caught.value, expected)
        # The connection is as good as before.
        assert context.connection.query("SELECT 1 AS one").rows == [(1,)]

    return Case("errors", name, title, run)


syntax = error_case(
    "syntax",
    "a syntax error, with its place",
    "SELECT id,\n  FRM trips x y z",
    Expected("SYNTAX_ERROR", "SYNTAX_ERROR", "42601", "", (2, 13)),
)
missing_table = error_case(
    "missing_table",
    "a table that is not there",
    f"SELECT * FROM {CATALOG}.{SHARED}.nowhere",
    Expected("TABLE_NOT_FOUND", "TABLE_NOT_FOUND", "42P01", "nowhere"),
)
missing_column = error_case(
    "missing_column",
    "a column that is not there, with its place",
    f"SELECT id, kms FROM {CATALOG}.{SHARED}.trips",
    Expected("COLUMN_NOT_FOUND", "COLUMN_NOT_FOUND", "42703", "kms", (1, 12)),
)
missing_schema = error_case(
    "missing_schema",
    "a schema that is not there",
    f"SHOW TABLES FROM {CATALOG}.nowhere",
    Expected("SCHEMA_NOT_FOUND", "SCHEMA_NOT_FOUND", "3F000", "nowhere"),
)
missing_function = error_case(
    "missing_function",
    "a function that is not there",
    "SELECT no_such_function(1)",
    Expected("FUNCTION_NOT_FOUND", "FUNCTION_NOT_FOUND", "42883", "no_such_function"),
)
division = error_case(
    "division",
    "division by zero",
    f"SELECT 1 / (id - id) FROM {CATALOG}.{SHARED}.trips",
    Expected("DIVISION_BY_ZERO", "DIVISION_BY_ZERO", "22012", "zero"),
)
bad_cast = error_case(
    "bad_cast",
    "a text that is no number",
    f"SELECT CAST(city AS integer) FROM {CATALOG}.{SHARED}.trips WHERE id = 1",
    Expected("INVALID_CAST", "INVALID_CAST_ARGUMENT", "22018", "Delft"),
)
types_differ = error_case(
    "types_differ",
    "types that do not go together",
    f"SELECT id + ARRAY[1] FROM {CATALOG}.{SHARED}.trips",
    Expected("TYPE_MISMATCH", "TYPE_MISMATCH", "42K09", ""),
)


@case("errors", "an error in the middle of a large result is not taken for its end")
def in_the_middle(context: CaseContext) -> None:
    with pytest.raises(Failed) as caught:
        context.connection.scan("SELECT 10 / (900000 - id) AS v FROM range(1000000)")
    check(context, caught.value, Expected("DIVISION_BY_ZERO", "DIVISION_BY_ZERO", "22012", "zero"))
    assert context.connection.query("SELECT 1 AS one").rows == [(1,)]


@case("errors", "what is refused names no internals")
def discreet(context: CaseContext) -> None:
    with pytest.raises(Failed) as caught:
        context.connection.query(f"SELECT * FROM {CATALOG}.{SHARED}.nowhere")
    for word in ("Traceback", "py4j", "org.apache.spark", "site-packages", ".py"):
        assert word not in caught.value.message


CASES = cases_in(globals())
