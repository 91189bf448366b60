"""Parameters: bound as values, whatever is in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest
from tests.conformance.case_context import CATALOG, SHARED, CaseContext
from tests.conformance.cases.case import Case, case, cases_in
from tests.conformance.clients.base import Failed, Parameter
from tests.conformance.gaps import Gap, never
from tests.conformance.values import same

_NASTY = (
    "it's",
    "'; DROP TABLE trips; --",
    "\\",
    "\\'",
    'say "x"',
    "é \N{GRINNING FACE}",
    "",
    "?",
    "line\nbreak",
    "$zstd:x",
    "%s ${x} {{y}}",
)


def parameter_case(
    name: str, type_: str, sql_type: str, values: Sequence[Any], gaps: Mapping[str, Gap] | None = None
) -> Case:
    def run(context: CaseContext) -> None:
        for value in values:
            found = context.connection.prepared(
                f"SELECT CAST(? AS {sql_type}) AS v", [Parameter(type_, value)]
            )
            expected = context.client.shown_value(value, sql_type)
            assert same(found.rows[0][0], expected), f"got {found.rows!r}, expected {expected!r}"
            assert found.types == (context.client.shown_type(sql_type),)

    return Case("prepared", name, f"a parameter of type {sql_type}", run, ("prepared",), gaps or {})


boolean = parameter_case("boolean", "boolean", "boolean", [True, False])
integer = parameter_case("integer", "integer", "integer", [0, -2147483648, 2147483647])
bigint = parameter_case("bigint", "bigint", "bigint", [-(2**63) + 1, 2**63 - 1])
double = parameter_case("double", "double", "double", [0.1, -1.5e300, 4.9e-324])
decimal = parameter_case(
    "decimal",
    "decimal",
    "decimal(38,18)",
    [Decimal("-12345678901234567890.123456789012345678"), Decimal("0.500000000000000000")],
)
varchar = parameter_case("varchar", "varchar", "varchar", _NASTY)
varbinary = parameter_case("varbinary", "varbinary", "varbinary", [b"", b"\x00\xff'"])
a_date = parameter_case("date", "date", "date", [date(2024, 2, 29), date(1969, 12, 31)])
timestamp = parameter_case(
    "timestamp",
    "timestamp",
    "timestamp(6)",
    [datetime(2024, 2, 29, 12, 34, 56, 123456)],  # noqa: DTZ001 - it has none
    {
        "flight_jdbc": never(
            "the driver sends milliseconds as if they were microseconds", raises=AssertionError
        ),
        "trino_jdbc": never("the driver sends milliseconds only", raises=AssertionError),
    },
)


@case("prepared", "NULL as a parameter, of every type", needs=["prepared"])
def null(context: CaseContext) -> None:
    for type_, sql_type in [
        ("boolean", "boolean"),
        ("bigint", "bigint"),
        ("double", "double"),
        ("decimal", "decimal(38,18)"),
        ("varchar", "varchar"),
        ("varbinary", "varbinary"),
        ("date", "date"),
        ("timestamp", "timestamp(6)"),
    ]:
        found = context.connection.prepared(f"SELECT CAST(? AS {sql_type}) AS v", [Parameter(type_, None)])
        assert found.rows == [(None,)], type_


@case("prepared", "parameters in a WHERE, several of them", needs=["prepared"])
def where(context: CaseContext) -> None:
    sql = f"SELECT id FROM {CATALOG}.{SHARED}.trips WHERE city = ? AND id < ? ORDER BY id"
    assert context.connection.prepared(sql, [Parameter("varchar", "Delft"), Parameter("bigint", 3)]).rows == [
        (1,)
    ]
    hostile = Parameter("varchar", "Delft' OR '1'='1")
    assert context.connection.prepared(sql, [hostile, Parameter("bigint", 9)]).rows == []


@case("prepared", "INSERT with parameters, more than once", needs=["prepared", "update"])
def insert(context: CaseContext) -> None:
    table = context.own("inserted")
    context.connection.update(f"CREATE TABLE {table} (id bigint, name varchar)")
    rows = [
        [Parameter("bigint", number), Parameter("varchar", text)]
        for number, text in enumerate(("it's", "x'); DROP TABLE trips; --", None))
    ]
    assert context.connection.prepared_update(f"INSERT INTO {table} VALUES (?, ?)", rows) in (1, 3)
    found = context.connection.query(f"SELECT id, name FROM {table} ORDER BY id")
    assert found.rows == [(0, "it's"), (1, "x'); DROP TABLE trips; --"), (2, None)]
    context.connection.update(f"DROP TABLE {table}")


@case("prepared", "a question mark in a string or a comment is no parameter", needs=["prepared"])
def no_parameter(context: CaseContext) -> None:
    found = context.connection.prepared(
        "SELECT '?' AS q, CAST(? AS integer) AS v /* ? */ -- ?", [Parameter("integer", 7)]
    )
    assert found.rows == [("?", 7)]


@case("prepared", "types of parameters and columns are known before it runs", needs=["describe"])
def described(context: CaseContext) -> None:
    parameters, columns = context.connection.describe(
        f"SELECT id, km FROM {CATALOG}.{SHARED}.trips WHERE id = ? AND city = ?"
    )
    assert parameters == tuple(map(context.client.shown_parameter, ("bigint", "varchar"))), parameters
    assert columns.names == ("id", "km")
    assert columns.types == tuple(map(context.client.shown_type, ("bigint", "double")))


@case("prepared", "a statement that cannot be prepared fails at once", needs=["describe"])
def refused(context: CaseContext) -> None:
    with pytest.raises(Failed):
        context.connection.describe(f"SELECT nowhere FROM {CATALOG}.{SHARED}.trips WHERE id = ?")


CASES = cases_in(globals())
