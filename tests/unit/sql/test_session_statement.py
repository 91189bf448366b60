from __future__ import annotations

import pytest

from sqe.errors import Position, SqlSyntaxError, UnsupportedError
from sqe.sql import session_statement
from sqe.sql.session_statement import (
    UPDATE_TYPES,
    Argument,
    Commit,
    Deallocate,
    DescribeInput,
    DescribeOutput,
    Execute,
    ExecuteImmediate,
    KillQuery,
    Prepare,
    ResetSession,
    Rollback,
    SessionStatement,
    SetPath,
    SetRole,
    SetSession,
    SetTimeZone,
    ShowSession,
    StartTransaction,
    Use,
    begins,
)
from sqe.sql.trino.lexer import statement_tokens


def read(sql: str) -> SessionStatement | None:
    return session_statement.read(sql, statement_tokens(sql)) if begins(sql) else None


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("USE sales", Use(None, "sales")),
        ('use Lake."My Schema" ;', Use("lake", "My Schema")),
        ("USE lake.a.b", Use("lake", "a.b")),
        ("USE SCHEMA sales", Use(None, "sales")),
        ("-- x\n/* y */ SET SESSION dialect = 'spark'", SetSession("dialect", "spark")),
        ("SET SESSION lake.x = -1.5", SetSession("lake.x", "-1.5")),
        ("SET SESSION x = 10", SetSession("x", "10")),
        ("SET SESSION x = TRUE", SetSession("x", "true")),
        ("SET SESSION x = 'it''s'", SetSession("x", "it's")),
        ("RESET SESSION lake.x", ResetSession("lake.x")),
        ("SHOW SESSION", ShowSession(None)),
        ("SHOW SESSION LIKE 'a#%' ESCAPE '#'", ShowSession("a#%", "#")),
        ("PREPARE s FROM SELECT ? -- x", Prepare("s", "SELECT ?")),
        ('PREPARE "My s" FROM INSERT INTO t VALUES (?) ;', Prepare("My s", "INSERT INTO t VALUES (?)")),
        ("EXECUTE s", Execute("s", ())),
        (
            "EXECUTE s USING 1, ARRAY[1, 2]",
            Execute("s", (Argument("1", Position(1, 17)), Argument("ARRAY[1, 2]", Position(1, 20)))),
        ),
        ("EXECUTE IMMEDIATE 'SELECT ''a'''", ExecuteImmediate("SELECT 'a'", ())),
        (
            "EXECUTE IMMEDIATE 'SELECT ?'\nUSING 'a,b'",
            ExecuteImmediate("SELECT ?", (Argument("'a,b'", Position(2, 7)),)),
        ),
        ("DEALLOCATE PREPARE s", Deallocate("s")),
        ("DESCRIBE INPUT s", DescribeInput("s")),
        ("DESCRIBE OUTPUT s", DescribeOutput("s")),
        ("START TRANSACTION", StartTransaction()),
        ("START TRANSACTION ISOLATION LEVEL READ COMMITTED, READ ONLY", StartTransaction(read_only=True)),
        ("COMMIT", Commit()),
        ("COMMIT WORK", Commit()),
        ("ROLLBACK", Rollback()),
        ("SET TIME ZONE LOCAL", SetTimeZone(None)),
        ("SET TIME ZONE 'Europe/Amsterdam'", SetTimeZone("Europe/Amsterdam")),
        ("SET TIME ZONE INTERVAL '-08:00' HOUR TO MINUTE", SetTimeZone("-08:00")),
        ("SET TIME ZONE INTERVAL '2' HOUR", SetTimeZone("+02:00")),
        ("SET TIME ZONE INTERVAL - '2' HOUR", SetTimeZone("-02:00")),
        ("SET ROLE admin", SetRole("admin")),
        ("SET ROLE none IN lake", SetRole("NONE", "lake")),
        ("SET PATH a.b, c", SetPath("a.b, c")),
        ("CALL system.runtime.kill_query('q1')", KillQuery("q1")),
        ("CALL System.Runtime.kill_query(message => 'b', query_id => 'a')", KillQuery("a", "b")),
        ("CALL system.runtime.kill_query('q1', 'too slow')", KillQuery("q1", "too slow")),
    ],
)
def test_read(sql: str, expected: SessionStatement) -> None:
    assert read(sql) == expected
    assert type(expected) in UPDATE_TYPES


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1",
        "",
        "-- USE x",
        "SET spark.x = 'it\\'s'",
        "SET",
        "RESET spark.x",
        "SHOW TABLES",
        "DESCRIBE t",
        "DESCRIBE input",
        "DESCRIBE output.t",
        '"USE" x',
        "used",
    ],
)
def test_not_for_the_session(sql: str) -> None:
    assert read(sql) is None


@pytest.mark.parametrize(
    ("sql", "place"),
    [
        ("USE", (1, 4)),
        ("USE a b", (1, 7)),
        ("SET SESSION x", (1, 14)),
        ("SET SESSION x = y", (1, 17)),
        ("SET SESSION x = 'a' 'b'", (1, 21)),
        ("PREPARE s", (1, 10)),
        ("PREPARE s FROM", (1, 15)),
        ("EXECUTE", (1, 8)),
        ("EXECUTE s 1", (1, 11)),
        ("EXECUTE s USING", (1, 16)),
        ("EXECUTE s USING 1,", (1, 19)),
        ("EXECUTE IMMEDIATE x", (1, 19)),
        ("START", (1, 6)),
        ("START TRANSACTION x", (1, 19)),
        ("COMMIT x", (1, 8)),
        ("SET TIME ZONE x", (1, 15)),
        ("SET TIME ZONE INTERVAL 'x' HOUR", (1, 28)),
        ("USE 'a", (1, 5)),
    ],
)
def test_syntax_error_has_its_place(sql: str, place: tuple[int, int]) -> None:
    with pytest.raises(SqlSyntaxError) as caught:
        read(sql)
    assert caught.value.position == Position(*place)


@pytest.mark.parametrize(
    "sql", ["USE CATALOG x", "SET SESSION AUTHORIZATION x", "RESET SESSION AUTHORIZATION"]
)
def test_refused(sql: str) -> None:
    with pytest.raises(UnsupportedError):
        read(sql)
