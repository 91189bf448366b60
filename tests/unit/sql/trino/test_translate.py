from __future__ import annotations

import subprocess
import sys

import pytest

from sqe import __version__
from sqe.errors import (
    CastError,
    DataError,
    FunctionNotFoundError,
    Position,
    SqlSyntaxError,
    StatementTooComplexError,
    UnsupportedError,
)
from sqe.errors import TableNotFoundError as AnyError
from sqe.model.session import Dialect
from sqe.sql.lexer import tokens
from sqe.sql.statement import read
from sqe.sql.trino.scope import Scope
from sqe.sql.trino.translate import Translation, refuse_own_functions, translate
from sqe.sql.trino.virtual.reference import Like

SCOPE = Scope("lake", "sales", "ada", None)


def trino(sql: str) -> Translation:
    return translate(read(sql, Dialect.TRINO), SCOPE)


def test_sparks_sql_is_not_touched() -> None:
    sql = "SELECT \"a\", 'b\\n' FROM information_schema.tables ORDER BY x"
    assert translate(read(sql, Dialect.SPARK), SCOPE).text == sql


def test_what_needs_no_change_stays_as_it_is() -> None:
    sql = "SELECT  a ,\n\tb AS x -- why\n FROM t\nWHERE f(a, 'it''s') /* so */ AND b IN (SELECT c FROM u)"
    assert trino(sql).text == sql


def placed(sql: str, needle: str) -> tuple[int, int] | None:
    """Where an error that Spark sees at `needle` is told to be."""
    translation = trino(sql)
    offset = translation.text.index(needle)
    before = translation.text[:offset]
    error = AnyError("x", position=Position(before.count("\n") + 1, offset - before.rfind("\n")))
    translation.place(error)
    return (error.position.line, error.position.column) if error.position else None


def test_a_time_that_the_clocks_skip_is_refused() -> None:
    with pytest.raises(CastError, match="the clocks of Europe/Brussels skip this time"):
        trino("SELECT TIMESTAMP '2021-03-28 02:30:00 Europe/Brussels'")


def test_an_interval_that_spark_cannot_hold_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="more than 106751991 days"):
        trino("SELECT INTERVAL '999999999 23:59:59.999' DAY TO SECOND")


def test_place_in_text_that_did_not_change() -> None:
    assert placed("SELECT a\nFROM nope", "nope") == (2, 6)


def test_place_behind_changes() -> None:
    assert placed("SELECT strpos(a, 'x'), \"y z\",\n ARRAY[1] FROM nope ORDER BY b", "nope") == (2, 16)


def test_place_inside_a_change_is_its_start() -> None:
    assert placed("SELECT 1 AS x, strpos(a, 'y') AS z FROM t", "trino_strpos") == (1, 16)


def test_place_in_a_definition() -> None:
    assert placed('CREATE TABLE t AS SELECT "q", nope AS x FROM u', "nope") == (1, 31)


def test_place_is_unknown_in_a_statement_that_was_written_anew() -> None:
    assert placed("DESCRIBE nope", "nope") is None


def test_an_error_without_a_place_keeps_none() -> None:
    error = AnyError("x")
    trino("SELECT strpos(a, b) FROM t").place(error)
    assert error.position is None


@pytest.mark.parametrize(
    ("sql", "place"),
    [
        ("SELECT FROM t", (1, 8)),
        ("SELECT * FROM", (1, 14)),
        ("SELECT a b c FROM t", (1, 12)),
        ("SELECT *\nFROM t WHERE a = = b", (2, 18)),
        ("SELECT (1", (1, 10)),
        ("SELECT 'abc", (1, 8)),
        ('SELECT "abc', (1, 8)),
        ("SELECT 1 /* x", (1, 10)),
        ("SELECT a -> 1 FROM t", (1, 10)),
        ("SELECT a::int FROM t", (1, 9)),
        ("SELECT 1; SELECT 2", (1, 9)),
        ("INSERT INTO t SELECT FROM u", (1, 22)),
    ],
)
def test_syntax_error_has_its_place(sql: str, place: tuple[int, int]) -> None:
    with pytest.raises(SqlSyntaxError) as caught:
        trino(sql)
    assert caught.value.position is not None
    assert (caught.value.position.line, caught.value.position.column) == place


@pytest.mark.parametrize("sql", ["", "  ", "-- nothing", ";"])
def test_nothing_is_no_statement(sql: str) -> None:
    with pytest.raises(SqlSyntaxError, match="empty"):
        trino(sql)


def test_parameters_keep_their_order() -> None:
    assert trino("SELECT date_add('day', ?, d) AS x FROM t WHERE a = ? LIMIT ?").text.count("?") == 3
    with pytest.raises(UnsupportedError, match="order"):
        trino("VALUES 1, 2 OFFSET ? LIMIT ?")


def test_question_marks_in_texts_are_no_parameters() -> None:
    sql = "SELECT '?' AS a, ? AS b -- ?"
    assert trino(sql).text == sql


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT sum(a) OVER (ORDER BY b ROWS n PRECEDING) FROM t",
        "SELECT a FROM t UNION CORRESPONDING SELECT * FROM u",
        'SELECT * FROM "t$frob"',
        "SELECT CAST(a AS ipprefix) FROM t",
        "SELECT sum(a) OVER (ORDER BY a GROUPS 1.5 PRECEDING) FROM t",
        "SELECT sum(a) OVER (PARTITION BY b GROUPS 1 PRECEDING) FROM t",
        "SELECT sum(a) OVER w, max(a) OVER w FROM t WINDOW w AS (PARTITION BY a + ?)",
        "SELECT approx_set(a ORDER BY a) FROM t",
        "SELECT max(x) AS x FROM t GROUP BY x HAVING x > 1 ORDER BY sum(y)",
        "UPDATE information_schema.tables SET a = 1",
        "DELETE FROM system.runtime.queries",
    ],
)
def test_refused(sql: str) -> None:
    with pytest.raises(UnsupportedError):
        trino(sql)


def test_too_deep() -> None:
    with pytest.raises(StatementTooComplexError):
        trino("SELECT " + "(" * 3000 + "1" + ")" * 3000)


def test_the_virtual_tables_of_a_join() -> None:
    found = trino(
        "SELECT 1 AS x FROM information_schema.columns c JOIN Other.information_schema.tables t "
        "ON c.table_name = t.table_name WHERE c.table_schema = 'a' AND (t.table_schema = ?) "
        "AND c.table_name LIKE 'x#_%' ESCAPE '#' AND t.table_name LIKE 'y%' AND column_name = 'q' AND a = 1"
    ).virtual
    columns, tables = sorted(found, key=lambda reference: reference.table)
    assert (columns.catalog, columns.schema, columns.equals) == (
        "lake",
        "information_schema",
        {"table_schema": "a"},
    )
    assert columns.likes == {"table_name": Like("x#_%", "#")}
    assert (tables.catalog, tables.parameters) == ("other", {"table_schema": 0})
    assert tables.likes == {"table_name": Like("y%")}
    assert columns.view != tables.view
    assert columns.mentions is not None
    assert {"column_name", "table_name"} <= columns.mentions


def test_only_conjuncts_are_conditions() -> None:
    (found,) = trino("SELECT * FROM information_schema.tables WHERE table_schema = 'a' OR true").virtual
    assert found.equals == {}


def test_the_name_of_a_view_is_the_same_for_the_same_text() -> None:
    sql = "SELECT * FROM information_schema.tables"
    other = translate(read(sql, Dialect.TRINO), Scope("lake", "else", "bob", None))
    assert trino(sql).virtual[0].view == other.virtual[0].view
    assert trino(f"{sql} t").virtual[0].view != other.virtual[0].view


def test_a_session_in_the_system_catalog() -> None:
    scope = Scope("system", "jdbc", "ada", None)
    (found,) = translate(read("SELECT * FROM catalogs", Dialect.TRINO), scope).virtual
    assert (found.catalog, found.schema, found.table) == ("system", "jdbc", "catalogs")


def test_scopes_are_not_mixed_up() -> None:
    sql = "SELECT current_user AS u"
    assert translate(read(sql, Dialect.TRINO), Scope(None, None, "bob", None)).text.count("'bob'") == 1
    assert trino(sql).text == "SELECT trino_cast('ada', 'varchar') AS u"


def test_a_user_with_a_quote() -> None:
    scope = Scope(None, None, "o'\\", None)
    assert (
        translate(read("SELECT current_user AS u", Dialect.TRINO), scope).text
        == "SELECT trino_cast('o\\'\\\\', 'varchar') AS u"
    )


def test_the_version_begins_with_trinos() -> None:
    assert (
        trino("SELECT version() AS v").text == f"SELECT trino_cast('484-sqe-{__version__}', 'varchar') AS v"
    )


def test_many_rows_of_constants() -> None:
    rows = ", ".join(f"({number}, 'x\\{number}', NULL, -1.5)" for number in range(5000))
    text = trino(f"INSERT INTO t VALUES {rows}").text
    assert len(list(tokens(text))) == 3 + 5000 * 11
    assert "'x\\\\4999'" in text


def test_a_large_query() -> None:
    columns = ", ".join(f"strpos(a, 'x{number}') AS c{number}" for number in range(2000))
    assert trino(f"SELECT {columns} FROM t").text.count("trino_strpos(") == 2000


def test_sqlglot_is_loaded_by_the_first_query_only() -> None:
    code = (
        "import sys, sqe.sql.trino.translate, sqe.sql.statement\n"
        "assert 'sqlglot' not in sys.modules, 'too early'\n"
    )
    subprocess.run(
        [sys.executable, "-c", code], check=True, timeout=120, env={"PYTHONPATH": ":".join(sys.path)}
    )


@pytest.mark.parametrize("dialect", list(Dialect))
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT trino_eq(1, 1)",
        "SELECT `trino_eq` (1, 1)",
        "SELECT system.builtin.TRINO_CAST/* */('1', 'integer')",
        "CREATE TABLE t AS SELECT trino_eq(1, 1) AS x",
    ],
)
def test_the_functions_of_the_translation_are_not_there_for_users(sql: str, dialect: Dialect) -> None:
    with pytest.raises(FunctionNotFoundError):
        refuse_own_functions(read(sql, dialect))


@pytest.mark.parametrize(
    "sql", ["CREATE OR REPLACE VIEW v AS SELECT trino_eq(a, 1) AS x FROM t", "SELECT trino_eq, trino_mine(1)"]
)
def test_other_names_and_the_texts_of_views_pass(sql: str) -> None:
    refuse_own_functions(read(sql, Dialect.SPARK))


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ("start => 1", "stop of the table function sequence is missing"),
        ("1, stop => 2", "all by name, or all by position"),
        ("1, 2, 3, 4", "three arguments"),
        ("start => 1, start => 2, stop => 3", "twice"),
        ("start => 1, stop => 2, stride => 3", "no argument stride"),
        ("1, 2, -3", "Step must be positive"),
        ("1, 2, 0", "Step must be positive"),
        ("3, 2", "Step must be negative"),
        ("NULL, 3", "is null"),
        ("1, 1.5", "not a bigint"),
        ("1, '3'", "not a bigint"),
    ],
)
def test_arguments_of_the_table_function_sequence_are_checked(arguments: str, problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        trino(f"SELECT * FROM TABLE(sequence({arguments}))")


@pytest.mark.parametrize("arguments", ["1, a", "1, (SELECT 3)", "1, a + 1", "1, 9223372036854775807"])
def test_arguments_of_the_table_function_sequence_that_are_not_supported(arguments: str) -> None:
    with pytest.raises(UnsupportedError):
        trino(f"SELECT * FROM TABLE(sequence({arguments}))")


@pytest.mark.parametrize("last", ["3", "1234567890123456789"])
def test_a_bound_of_a_frame_has_a_direction(last: str) -> None:
    with pytest.raises(SqlSyntaxError, match="PRECEDING or FOLLOWING"):
        trino(f"SELECT sum(a) OVER (ORDER BY a ROWS BETWEEN 1 PRECEDING AND {last}) FROM t")
