from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from tests.fakes.connection import Answer, FakeConnection

from sqe.cli.client.background_connection import BackgroundConnection
from sqe.cli.execution.console import Console, Display
from sqe.cli.execution.runner import Runner
from sqe.cli.output.sink import Sink
from sqe.cli.shell.dot_commands import COMMANDS, DotContext, Quit, run_dot
from sqe.cli.shell.dot_sql import name_parts, relation, summarize_sql
from sqe.errors import SchemaNotFoundError, UnsupportedError, UsageError
from sqe.model.session import SessionSpec, WarehouseCatalog


class Shell:
    """A dot context whose output can be read."""

    def __init__(self, answers: dict[str, Answer | pa.Table], directory: Path) -> None:
        self._path = directory / "out"
        self._descriptor = os.open(self._path, os.O_CREAT | os.O_WRONLY)
        self.connection = FakeConnection(answers)
        self.display = Display(format="csv")
        self.read: list[str] = []
        console = Console(out=Sink(self._descriptor), err=Sink(self._descriptor))
        runner = Runner(BackgroundConnection(lambda on_wait: self.connection), self.display, console)
        spec = SessionSpec((WarehouseCatalog("iceberg", Path("/data/w")), WarehouseCatalog("tmp", None)))
        self.context = DotContext(runner, spec, self.read.append)

    def run(self, line: str) -> str:
        before = self._path.stat().st_size
        run_dot(line, self.context)
        return self._path.read_text()[before:]

    def close(self) -> None:
        os.close(self._descriptor)


def names(*rows: str) -> pa.Table:
    return pa.table(
        {
            "namespace": pa.array(["default"] * len(rows), pa.string()),
            "name": pa.array(rows, pa.string()),
            "isTemporary": pa.array([False] * len(rows), pa.bool_()),
        }
    )


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    made = Shell(
        {
            "SHOW TABLES": names("b", "a"),
            "SHOW VIEWS": names("v"),
            "SHOW TABLES LIKE 'a*'": names("a"),
            "SHOW VIEWS LIKE 'a*'": Answer(error=UnsupportedError("No views here.")),
            "SHOW TABLES IN `or`": Answer(error=SchemaNotFoundError("No such schema.")),
            "SHOW TABLES LIKE '*or*'": names("orders"),
            "SHOW VIEWS LIKE '*or*'": names(),
            "SHOW TABLES IN `x`.`y`": Answer(error=SchemaNotFoundError("No such schema.")),
            "SHOW CATALOGS": pa.table({"catalog": ["iceberg", "spark_catalog"]}),
            "DESCRIBE TABLE `a`.`b c`": pa.table({"col_name": ["id"], "data_type": ["int"]}),
            "DESCRIBE QUERY SELECT * FROM '/x.parquet'": pa.table({"col_name": ["f"]}),
            "SHOW CREATE TABLE `t`": pa.table({"createtab_stmt": ["CREATE TABLE t (\n  a INT)\n"]}),
        },
        tmp_path,
    )
    yield made
    made.close()


def test_tables(shell: Shell) -> None:
    assert shell.run(".tables") == "schema,name,type\ndefault,a,table\ndefault,b,table\ndefault,v,view\n"
    assert shell.run(".tables a%") == "schema,name,type\ndefault,a,table\n"
    assert shell.run(".tables or") == "schema,name,type\ndefault,orders,table\n"
    with pytest.raises(SchemaNotFoundError):
        shell.run(".tables x.y")


def test_catalogs_know_those_that_spark_has_not_loaded(shell: Shell) -> None:
    assert shell.run(".catalogs") == (
        "catalog,warehouse\niceberg,/data/w\ntmp,(ends with the session)\nspark_catalog,\n"
    )


def test_describe_and_schema(shell: Shell) -> None:
    assert shell.run('.d a."b c"') == "col_name,data_type\nid,int\n"
    assert shell.run(".describe '/x.parquet';") == "col_name\nf\n"
    assert shell.run(".schema t") == "CREATE TABLE t (\n  a INT);\n"


def test_summarize_asks_for_the_columns_then_once_for_everything(shell: Shell) -> None:
    table = pa.table({"a": pa.array([1], pa.int32()), "l": [[1]]})
    sql = summarize_sql("`t`", table.schema)
    answers = {"SELECT * FROM `t` LIMIT 0": table.slice(0, 0), sql: pa.table({"column_name": ["a", "l"]})}
    shell.connection._answers = answers
    assert shell.run(".summarize t") == "column_name\na\nl\n"
    assert shell.connection.executed == ["SELECT * FROM `t` LIMIT 0", sql]
    assert sql == (
        "SELECT stack(2, 'a', 'int', n, d0, n - k0, a0, z0, 'l', 'array<bigint>', n, CAST(NULL AS BIGINT), n - k1,"
        " CAST(NULL AS STRING), CAST(NULL AS STRING))"
        " AS (column_name, column_type, count, approx_distinct, nulls, min, max)"
        " FROM (SELECT count(*) AS n, count(`a`) AS k0, approx_count_distinct(`a`) AS d0,"
        " CAST(min(`a`) AS STRING) AS a0, CAST(max(`a`) AS STRING) AS z0, count(`l`) AS k1 FROM `t`)"
    )


def test_settings(shell: Shell) -> None:
    for line in (".timer on", ".mode JSON", ".headers off", ".null -", ".maxrows all", ".pager off"):
        shell.run(line)
    expected = Display("json", "-", "-", header=False, timer=True, pager=False, max_rows=None)
    assert shell.display == expected
    shell.run(".maxrows 7")
    shell.run(".null ''")
    assert (shell.display.max_rows, shell.display.null) == (7, "")
    assert shell.run(".format").startswith("json (one of table, csv")


def test_read_passes_the_name_on(shell: Shell) -> None:
    shell.run(".read 'my file.sql'")
    shell.run(".read it's.sql")
    assert shell.read == ["my file.sql", "it's.sql"]


@pytest.mark.parametrize(
    ("line", "message", "hint"),
    [
        (".tabels", "There is no command .tabels.", "Did you mean .tables?"),
        (".zzzzzz", "There is no command .zzzzzz.", ".help lists all commands."),
        (".schema", ".schema needs an argument.", ".schema TABLE"),
        (".quit now", ".quit takes no argument.", None),
        (".timer maybe", ".timer takes on or off, not 'maybe'.", None),
        (
            ".format xml",
            "There is no format 'xml'.",
            "Use one of table, csv, tsv, json, jsonl, markdown, vertical.",
        ),
        (".maxrows 0", ".maxrows takes a number or all, not '0'.", None),
        (".cancel", "No statement is running in this shell.", None),
        (".d a..b", "'a..b' is not a name.", None),
    ],
)
def test_mistakes(shell: Shell, line: str, message: str, hint: str | None) -> None:
    with pytest.raises(UsageError) as caught:
        shell.run(line)
    assert caught.value.message == message
    if hint is not None:
        assert caught.value.hint == hint


def test_quit_by_every_name(shell: Shell) -> None:
    for line in (".quit", ".exit", ".q", "\\q", ".QUIT", ".quit;"):
        with pytest.raises(Quit):
            shell.run(line)


def test_help_lists_every_command_once(shell: Shell) -> None:
    text = shell.run(".help")
    for command in COMMANDS:
        assert sum(line.startswith(command.names[0] + " ") for line in text.splitlines()) == 1
    assert shell.run(".help mode").startswith(".format [FORMAT]")
    all_names = [name for command in COMMANDS for name in command.names]
    assert len(all_names) == len(set(all_names))


def test_names() -> None:
    assert name_parts('a.`b.``c`."d"') == ["a", "b.`c", "d"]
    assert relation("my-table;") == "`my-table`"
    for bad in ("", ".", "a.", "`a", 'a"b"'):
        with pytest.raises(UsageError):
            name_parts(bad)
