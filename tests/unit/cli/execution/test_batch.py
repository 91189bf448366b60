"""Batch mode as scripts use it: a process, its output and its exit code."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

COMMAND = [sys.executable, str(Path(__file__).parents[3] / "fakes" / "sqe_command.py")]
SECONDS = 120.0

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {**os.environ, "SQE_PATHS__HOME": str(tmp_path / "home"), "PYTHONUNBUFFERED": "1"}


@pytest.fixture
def sqe(environ: dict[str, str], tmp_path: Path) -> Run:
    def run(*arguments: str, stdin: str = "", **env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*COMMAND, *arguments],
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            timeout=SECONDS,
            env={**environ, **env},
            cwd=tmp_path,
            check=False,
        )

    return run


def test_csv_of_one_statement(sqe: Run) -> None:
    done = sqe("-e", "SELECT 1 AS x", "--format", "csv")
    assert (done.returncode, done.stdout, done.stderr) == (0, "x\n1\n", "")


def test_a_failing_statement(sqe: Run) -> None:
    done = sqe("-e", "SELECT 1;\n\nSELECT 1\n  FORM t; SELECT 2", "--format", "csv")
    assert done.returncode == 1
    assert done.stdout == "1\n1\n2\n2\n"
    assert done.stderr == (
        "error: SYNTAX_ERROR [42601]: Syntax error at or near 'FORM'.\n"
        "LINE 4:   FORM t\n"
        "          ^\n"
        "hint: Did you mean FROM?\n"
    )


def test_stop_on_error(sqe: Run) -> None:
    done = sqe("-e", "SELECT 1 FORM t; SELECT 2", "-e", "SELECT 1", "--format", "csv", "--stop-on-error")
    assert (done.returncode, done.stdout) == (1, "")


def test_sources_run_in_the_order_given(sqe: Run, tmp_path: Path) -> None:
    (tmp_path / "a.sql").write_text("\ufeffSELECT 2;\n")
    done = sqe(
        "-e",
        "SELECT 1",
        "-f",
        "a.sql",
        "--execute=SELECT 1 AS x",
        "-f",
        "-",
        "--format",
        "tsv",
        stdin="SELECT 1",
    )
    assert (done.returncode, done.stdout) == (0, "1\n1\n2\n2\nx\n1\n1\n1\n")


def test_an_error_in_a_file_names_file_and_line(sqe: Run, tmp_path: Path) -> None:
    (tmp_path / "a.sql").write_text("SELECT 1;\nSELECT\tFORM;\nSELECT nothing;")
    done = sqe("-f", "a.sql")
    assert done.returncode == 1
    assert "a.sql:2: SELECT FORM\n                ^\n" in done.stderr
    assert "nothing\n  at a.sql:3\n" in done.stderr


def test_a_script_on_stdin_with_dot_commands(sqe: Run) -> None:
    done = sqe(
        stdin="-- a comment\n.format csv\nSELECT 1;\n/* .quit */\n  .format jsonl\n"
        "SELECT\n.5;\nSELECT 2;\n.q\nSELECT 1;"
    )
    assert done.stdout == '1\n1\n{"2":2}\n'
    assert "SELECT\n.5" in done.stderr  # a line inside a statement is no dot command
    assert done.returncode == 1


def test_statements_from_a_pipe_run_as_they_come(environ: dict[str, str]) -> None:
    with subprocess.Popen(
        [*COMMAND, "--format", "csv"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environ
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"SELECT 1;\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"1\n"
        assert process.stdout.readline() == b"1\n"
        process.stdin.write(b"SELECT 2")
        assert process.communicate(timeout=SECONDS)[0] == b"2\n2\n"
        assert process.returncode == 0


def test_read_and_its_limits(sqe: Run, tmp_path: Path) -> None:
    (tmp_path / "loop.sql").write_text("SELECT 1;\n.read loop.sql\n")
    done = sqe("-e", ".read loop.sql", "-e", ".read 'nowhere.sql'", "--format", "csv")
    assert done.stdout == "1\n1\n" * 16
    assert "Scripts read each other more than 16 levels deep" in done.stderr
    assert "The script 'nowhere.sql' cannot be read: No such file or directory." in done.stderr
    assert done.returncode == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--nonsense"], "No such option"),
        (["--warehouse", "x", "--memory", "-e", "SELECT 1"], "cannot be combined"),
        (["--catalog", "x", "-e", "SELECT 1"], "--catalog x is not NAME=PATH."),
        (["--catalog", "iceberg=x", "-e", "SELECT 1"], "'iceberg' is given twice"),
        (["--catalog", "a b=x", "-e", "SELECT 1"], "cannot be a catalog's name"),
        (["-f", "nowhere.sql"], "The script 'nowhere.sql' does not exist"),
        (["--format", "xml"], "'xml' is not one of"),
        (["--config", "nowhere.toml", "-e", "SELECT 1"], "nowhere.toml"),
        (["nonsense"], "No such command 'nonsense'"),
        (["-e", "SELECT 1", "config"], "cannot be used with"),
    ],
)
def test_misuse_exits_with_2(sqe: Run, arguments: list[str], message: str) -> None:
    done = sqe(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_an_engine_that_does_not_start_exits_with_3(sqe: Run) -> None:
    done = sqe("-e", "SELECT 1; SELECT 2", FAKE_CONNECT_ERROR="1")
    assert done.returncode == 3
    assert (
        done.stderr
        == "error: ENGINE_START_FAILED [57P03]: The engine did not start.\nhint: Look at its log.\n"
    )


def test_interrupt_exits_with_130(environ: dict[str, str]) -> None:
    command = [*COMMAND, "--format", "csv", "-e", "SELECT 1; SELECT slow"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"1\n"
        assert process.stdout.readline() == b"1\n"
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=SECONDS)
        assert process.returncode == 130
        assert b"Traceback" not in errors


@pytest.mark.parametrize("format_", ["table", "csv", "tsv", "json", "jsonl", "markdown", "vertical"])
def test_head_ends_an_endless_result_quietly(environ: dict[str, str], format_: str) -> None:
    """A real pipe to a real head."""
    with subprocess.Popen(
        [*COMMAND, "-e", "SELECT endless", "--format", format_],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environ,
    ) as process:
        assert process.stdout is not None
        head = subprocess.run(
            ["head", "-3"], stdin=process.stdout, capture_output=True, timeout=SECONDS, check=True
        )
        process.stdout.close()
        assert process.stderr is not None
        errors = process.stderr.read()
        assert process.wait(SECONDS) == 0
    assert len(head.stdout.splitlines()) == 3
    assert errors == b""


def test_a_statement_without_columns_writes_nothing(sqe: Run) -> None:
    for format_ in ("table", "csv", "json"):
        done = sqe("-e", "CREATE TABLE t (a int)", "--format", format_)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_header_null_and_timer(sqe: Run) -> None:
    done = sqe("-e", "SELECT NULL AS n", "--format", "csv", "--no-header", "--null", "nix", "--timer")
    assert done.stdout == "nix\n"
    assert done.stderr.startswith("Time: 0.")


def test_configuration_gives_the_defaults(sqe: Run) -> None:
    done = sqe("-e", "SELECT NULL AS n", SQE_SHELL__FORMAT="vertical", SQE_SHELL__NULL="-")
    assert done.stdout.splitlines()[1] == "n │ -"


def test_the_session_has_the_catalogs_that_were_asked_for(sqe: Run, tmp_path: Path) -> None:
    spec = tmp_path / "spec"
    home = tmp_path / "home"
    sqe("-e", "SELECT 1", FAKE_SPEC_FILE=str(spec))
    assert f"name='iceberg', path=PosixPath('{home / 'warehouse'}')" in spec.read_text()
    assert f"directory=PosixPath('{tmp_path}')" in spec.read_text()
    sqe("-e", "SELECT 1", "--memory", "--catalog", "lake=data", FAKE_SPEC_FILE=str(spec))
    assert "name='iceberg', path=None" in spec.read_text()
    assert f"name='lake', path=PosixPath('{tmp_path / 'data'}')" in spec.read_text()


def test_help_has_examples_and_exit_codes(sqe: Run) -> None:
    for flag in ("-h", "--help"):
        done = sqe(flag)
        assert done.returncode == 0
        assert "Examples:" in done.stdout
        assert "130  interrupted" in done.stdout
        assert "engine" in done.stdout
    assert sqe("--version").stdout.startswith("sqe, version 0.1.0")


def test_the_batch_path_imports_nothing_heavy(environ: dict[str, str]) -> None:
    program = (
        "import runpy, sys\n"
        f"sys.argv = [{COMMAND[1]!r}, '-e', 'SELECT 1 AS x', '--format', 'csv']\n"
        "try:\n    runpy.run_path(sys.argv[0], run_name='__main__')\n"
        "except SystemExit:\n    pass\n"
        "heavy = {'pyspark', 'numpy', 'pandas', 'prompt_toolkit', 'pygments', 'rich', 'httpx', 'sqlglot', 'wcwidth'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, env=environ, timeout=SECONDS, check=True
    )
    assert done.stdout == b"x\n1\n[]\n"


def test_a_full_disk_is_an_error(environ: dict[str, str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, "-e", "SELECT 1"],
            stdout=full,
            stderr=subprocess.PIPE,
            env=environ,
            timeout=SECONDS,
            check=False,
        )
    assert done.returncode == 1
    assert (
        done.stderr == b"error: USAGE_ERROR [22023]: The output cannot be written: No space left on device.\n"
    )
