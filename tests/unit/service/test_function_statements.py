from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any, cast

import pyarrow as pa
import pytest

from sqe.errors import (
    ColumnNotFoundError,
    DataError,
    DuplicateObjectError,
    FunctionNotFoundError,
    Position,
    SchemaNotFoundError,
    SqeError,
    SqlSyntaxError,
    StatementTooComplexError,
    UnsupportedError,
)
from sqe.model.query import QueryId
from sqe.model.session import Dialect
from sqe.service.function_statements import FunctionStatements, function_columns
from sqe.service.session import GatewaySession
from sqe.service.stored_functions import with_functions
from sqe.sql.statement import read
from sqe.sql.trino.scope import Scope
from sqe.sql.trino.stored_functions import property_name, property_value
from sqe.sql.trino.translate import translate

SCOPE = Scope("lake", "sales", "ada", None)
_CHANGE = re.compile(r"ALTER NAMESPACE `lake`.`s` (SET|UNSET) PROPERTIES \('([^']+)'(?: = '([^']+)')?\)")


class Engine:
    """Keeps the properties of the schema `lake.s`, and shows them as Spark does."""

    def __init__(self) -> None:
        self.properties: dict[str, str] = {"owner": "ada"}
        self.described: list[str] = []

    def stream(self, sql: str, *_: Any) -> list[Any]:
        change = _CHANGE.fullmatch(sql)
        if change is not None:
            if change[1] == "SET":
                self.properties[change[2]] = change[3]
            else:
                del self.properties[change[2]]
            return [pa.schema([])]
        if sql != "DESCRIBE NAMESPACE EXTENDED `lake`.`s`":
            raise SchemaNotFoundError(sql)
        shown = ", ".join(f"({key},{value})" for key, value in sorted(self.properties.items()))
        answer = pa.table({"info_name": ["Properties"], "info_value": [f"({shown})"]})
        return [answer.schema, *answer.to_batches()]

    def describe(self, sql: str, *_: Any) -> pa.Schema:
        self.described.append(sql)
        return pa.schema([])


@pytest.fixture
def engine() -> Engine:
    return Engine()


def session_of(engine: Engine) -> GatewaySession:
    spec = SimpleNamespace(
        catalogs=[SimpleNamespace(name="lake")], current_catalog="lake", namespace="s", time_zone=None
    )
    return cast(GatewaySession, SimpleNamespace(engine=engine, spec=spec, user="ada"))


def run(engine: Engine, sql: str) -> list[tuple[Any, ...]]:
    statements = FunctionStatements(session_of(engine), QueryId("q"), lambda: False)
    answer = statements.answer(read(sql, Dialect.TRINO))
    assert answer is not None
    return [tuple(row.values()) for row in answer.to_pylist()]


def translated(engine: Engine, sql: str) -> str:
    statement = read(sql, Dialect.TRINO)
    scope = with_functions(session_of(engine), QueryId("q"), statement, SCOPE)
    return " ".join(translate(statement, scope).text.split())


TWICE = "CREATE FUNCTION lake.s.twice(x bigint) RETURNS bigint COMMENT 'two' RETURN x * 2"
TWICE_OF_A = (
    "trino_coerced((trino_multiply(trino_coerced(a, 'bigint', 'Argument x of twice'), 2)), 'bigint', "
    "'Value of RETURN')"
)


def test_a_function_takes_the_place_of_its_calls(engine: Engine) -> None:
    run(engine, TWICE)
    assert len(engine.described) == 1  # Spark has analyzed a call
    for name in ("lake.s.twice", 'LAKE.S."twice"', "s.Twice"):
        assert translated(engine, f"SELECT {name}(a) AS b FROM t") == f"SELECT {TWICE_OF_A} AS b FROM t"


def test_only_names_with_their_schema_are_stored_functions(engine: Engine) -> None:
    run(engine, TWICE)
    for call in ("twice(a)", "lake.other.twice(a)", "other.twice(a)"):
        assert translated(engine, f"SELECT {call} AS b FROM t") == f"SELECT {call} AS b FROM t"


def test_a_built_in_function_is_not_hidden(engine: Engine) -> None:
    run(engine, "CREATE FUNCTION lake.s.abs(x bigint) RETURNS bigint RETURN x")
    assert translated(engine, "SELECT abs(a) AS b FROM t") == translated(
        Engine(), "SELECT abs(a) AS b FROM t"
    )


def test_a_function_calls_another(engine: Engine) -> None:
    run(engine, TWICE)
    run(engine, "CREATE FUNCTION lake.s.four(y bigint) RETURNS bigint RETURN lake.s.twice(lake.s.twice(y))")
    assert translated(engine, "SELECT lake.s.four(a) AS b FROM t").count("trino_multiply") == 2


def test_a_function_that_calls_itself_is_refused(engine: Engine) -> None:
    with pytest.raises(UnsupportedError, match="Recursive"):
        run(engine, "CREATE FUNCTION lake.s.f(x bigint) RETURNS bigint RETURN lake.s.f(x)")
    run(engine, TWICE)
    run(engine, "CREATE FUNCTION lake.s.four(y bigint) RETURNS bigint RETURN lake.s.twice(y)")
    with pytest.raises(UnsupportedError, match="calls itself"):
        run(
            engine,
            "CREATE OR REPLACE FUNCTION lake.s.twice(x bigint) RETURNS bigint RETURN lake.s.four(x)",
        )


def test_functions_do_not_grow_without_end(engine: Engine) -> None:
    run(engine, "CREATE FUNCTION lake.s.f0(x bigint) RETURNS bigint RETURN x + x + x + x + x + x + x + x")
    for number in range(1, 4):
        calls = " + ".join([f"lake.s.f{number - 1}(x)"] * 4)
        run(engine, f"CREATE FUNCTION lake.s.f{number}(x bigint) RETURNS bigint RETURN {calls}")
    with pytest.raises(StatementTooComplexError):
        translated(engine, f"SELECT {', '.join(['lake.s.f3(1)'] * 500)}")


@pytest.mark.parametrize(
    ("sql", "error"),
    [
        ("CREATE FUNCTION f() RETURNS bigint RETURN 1", UnsupportedError),
        ("CREATE FUNCTION s.f() RETURNS bigint RETURN 1", UnsupportedError),
        ("CREATE FUNCTION a.lake.s.f() RETURNS bigint RETURN 1", SqlSyntaxError),
        ("CREATE FUNCTION lake.none.f() RETURNS bigint RETURN 1", SchemaNotFoundError),
        ("CREATE FUNCTION lake.s.f(x bigint) RETURNS bigint RETURN y", ColumnNotFoundError),
        ("CREATE FUNCTION lake.s.f(x bigint) RETURNS bigint RETURN (SELECT max(a) FROM t)", UnsupportedError),
        ("CREATE FUNCTION lake.s.f(x bigint) RETURNS bigint RETURN x IN (SELECT 1)", SqeError),
        ("CREATE FUNCTION lake.s.f(x bigint) RETURNS bigint RETURN trino_eq(x, 1)", FunctionNotFoundError),
        ("CREATE FUNCTION lake.s.f(x bigint) RETURNS bigint RETURN x SELECT 1", SqlSyntaxError),
        ("CREATE FUNCTION lake.s.f(x bigint) RETURNS bigint LANGUAGE PYTHON AS $$x$$", SqeError),
        ("CREATE FUNCTION lake.s.f(x bigint) RETURNS bigint", SqlSyntaxError),
        ("CREATE FUNCTION lake.s.f AS 'java.lang.String'", SqeError),
        ("DROP FUNCTION lake.s.f(bigint)", FunctionNotFoundError),
        ("DROP FUNCTION lake.s.f", FunctionNotFoundError),
        ("DROP FUNCTION lake.s.f x", SqlSyntaxError),
        ("SHOW CREATE FUNCTION lake.s.f", FunctionNotFoundError),
        ("SHOW FUNCTIONS FROM lake.none", SchemaNotFoundError),
        ("SHOW FUNCTIONS x", SqlSyntaxError),
        ("SHOW FUNCTIONS LIKE x", SqlSyntaxError),
        ("SHOW FUNCTIONS FROM s LIKE 'x' y", SqlSyntaxError),
    ],
)
def test_what_is_refused(engine: Engine, sql: str, error: type[SqeError]) -> None:
    with pytest.raises(error):
        run(engine, sql)
    assert engine.properties == {"owner": "ada"}


def test_a_wrong_escape_of_a_pattern_has_its_place(engine: Engine) -> None:
    with pytest.raises(DataError) as caught:
        run(engine, "SHOW FUNCTIONS LIKE 'a' ESCAPE '##'")
    assert caught.value.position == Position(1, 21)


def test_a_function_is_replaced_and_dropped(engine: Engine) -> None:
    run(engine, TWICE)
    with pytest.raises(DuplicateObjectError):
        run(engine, TWICE)
    run(engine, TWICE.replace("CREATE", "CREATE OR REPLACE").replace("* 2", "+ x"))
    assert "trino_add" in translated(engine, "SELECT lake.s.twice(1)")
    with pytest.raises(FunctionNotFoundError):
        run(engine, "DROP FUNCTION lake.s.twice(integer)")
    run(engine, "DROP FUNCTION IF EXISTS lake.s.twice(integer)")
    run(engine, "DROP FUNCTION IF EXISTS lake.none.twice(integer)")
    run(engine, "DROP FUNCTION lake.s.twice(bigint)")
    assert engine.properties == {"owner": "ada"}
    run(engine, TWICE)
    run(engine, "DROP FUNCTION IF EXISTS lake.s.twice")  # as dbt sends it
    run(engine, "DROP FUNCTION IF EXISTS lake.s.twice")
    assert engine.properties == {"owner": "ada"}


def test_functions_of_one_name_differ_in_their_number_of_parameters(engine: Engine) -> None:
    run(engine, TWICE)
    run(engine, "CREATE FUNCTION lake.s.twice() RETURNS bigint RETURN 2")
    with pytest.raises(UnsupportedError, match="There are 2 functions"):
        run(engine, "DROP FUNCTION IF EXISTS lake.s.twice")
    with pytest.raises(UnsupportedError, match="parameters of other types"):
        run(engine, "CREATE FUNCTION lake.s.twice(x double) RETURNS double RETURN x * 2")
    with pytest.raises(FunctionNotFoundError, match="there are 2"):
        translated(engine, "SELECT lake.s.twice(1, 2)")
    assert "Argument" not in translated(engine, "SELECT lake.s.twice()")


def test_functions_are_shown(engine: Engine) -> None:
    run(engine, TWICE)
    run(
        engine,
        "CREATE FUNCTION lake.s.f() RETURNS varchar(3) NOT DETERMINISTIC RETURN cast(random() AS varchar(3))",
    )
    assert run(engine, "SHOW CREATE FUNCTION lake.s.twice") == [
        ("CREATE FUNCTION lake.s.twice(x bigint)\nRETURNS bigint\nCOMMENT 'two'\nRETURN x * 2",)
    ]
    assert run(engine, "SHOW FUNCTIONS FROM lake.s") == [
        ("f", "varchar(3)", "", "scalar", False, ""),
        ("twice", "bigint", "bigint", "scalar", True, "two"),
    ]
    assert [row[0] for row in run(engine, "SHOW FUNCTIONS IN s LIKE 't%'")] == ["twice"]


def test_built_in_functions_are_listed(engine: Engine) -> None:
    assert ("abs", "bigint", "bigint", "scalar", True, "") in run(engine, "SHOW FUNCTIONS")
    assert {row[0] for row in run(engine, "SHOW FUNCTIONS LIKE 'array\\_s%' ESCAPE '\\'")} == {"array_sort"}


def test_a_text_that_create_function_would_refuse_is_refused_when_it_is_called(engine: Engine) -> None:
    """Whoever may change the schema can write its properties with Spark's SQL."""
    for number, text in enumerate(
        (
            "FUNCTION f(x bigint) RETURNS bigint RETURN (SELECT max(a) FROM secrets)",
            "FUNCTION f(x bigint) RETURNS bigint RETURN trino_eq(x, 1)",
            "FUNCTION g(x bigint) RETURNS bigint RETURN x",
            "FUNCTION f() RETURNS bigint RETURN 1",
        )
    ):
        engine.properties = {property_name("f", 1): property_value(text)}
        with pytest.raises(UnsupportedError):
            translated(engine, f"SELECT lake.s.f({number})")


def test_properties_that_are_no_functions_are_left_out(engine: Engine) -> None:
    engine.properties["trino.function.zz.1"] = "00"
    engine.properties["trino.function.ff.1"] = "00"
    assert run(engine, "SHOW FUNCTIONS FROM lake.s") == []


def test_the_columns_are_known_before_a_statement_runs() -> None:
    columns = function_columns(read("SHOW FUNCTIONS", Dialect.TRINO))
    assert columns is not None
    assert columns.names[:2] == ["Function", "Return Type"]
    assert function_columns(read("SHOW FUNCTIONS", Dialect.SPARK)) is None
    assert function_columns(read("SHOW TABLES", Dialect.TRINO)) is None
