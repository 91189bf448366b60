"""The interactive shell on a real pseudo-terminal, with a fake server behind it."""

from __future__ import annotations

import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.support.pty import Terminal

COMMAND = Path(__file__).parents[3] / "fakes" / "sqe_command.py"

Start = Callable[..., Terminal]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def start(home: Path) -> Iterator[Start]:
    """Start shells that all end with the test."""
    terminals: list[Terminal] = []

    def spawn(*arguments: str, columns: int = 100, lines: int = 40, **env: str) -> Terminal:
        environ = {"SQE_PATHS__HOME": str(home), "PAGER": "", "NO_COLOR": "", **env}
        command = [sys.executable, str(COMMAND), *arguments]
        terminals.append(Terminal.spawn(command, env=environ, columns=columns, lines=lines))
        return terminals[-1]

    yield spawn
    for terminal in terminals:
        terminal.close()


def test_a_statement_runs_when_its_semicolon_is_there(start: Start) -> None:
    shell = start()
    shell.wait_for("sqe>")
    shell.line("SELECT 1")
    shell.wait_for(r"\.\.\.>")
    assert "1 row" not in shell.text
    shell.line("AS x;")
    # The fake knows the statement only on one line: this shows that both lines were sent as one.
    shell.wait_for("There is nothing for: SELECT 1\nAS x")
    shell.line("SELECT 1 AS x;")
    screen = shell.wait_for("1 row\nsqe>")
    assert "│  x  │\n│ int │\n├─────┤\n│   1 │\n└─────┘\n1 row\nsqe>" in screen


def test_several_statements_of_one_line_run_in_order(start: Start) -> None:
    shell = start()
    shell.wait_for("sqe>")
    shell.line("SELECT 1; SELECT 2;")
    screen = shell.wait_for("1 row", count=2)
    assert screen.index("│  1  │") < screen.index("│  2  │")


def test_pasted_lines_are_one_input(start: Start) -> None:
    shell = start()
    shell.wait_for("sqe>")
    shell.key("paste-start")
    shell.send("SELECT 1;\nSELECT 2;\n")
    shell.key("paste-end")
    shell.wait_for("SELECT 2;")
    assert "1 row" not in shell.text
    shell.key("enter")
    shell.wait_for("1 row", count=2)


def test_banner_names_the_version_the_warehouse_and_help(start: Start, home: Path) -> None:
    screen = start().wait_for("sqe>")
    assert "SQE 0.1.0 on warehouse" in screen
    assert ".help" in screen
    assert str(home / "warehouse")[:40] in screen.replace("\n", "")


def test_the_prompt_does_not_wait_for_the_engine(start: Start) -> None:
    shell = start(FAKE_CONNECT_SECONDS="2")
    shell.wait_for("sqe> .*starting the engine")
    shell.line("SELECT 1;")
    shell.wait_raw(b"starting the engine  ")  # the progress line of the waiting statement
    screen = shell.wait_for("1 row")
    assert "starting the engine" not in screen


def test_an_engine_that_does_not_start_keeps_the_shell(start: Start) -> None:
    shell = start(FAKE_CONNECT_ERROR="1")
    shell.wait_for("sqe>")
    shell.line("SELECT 1;")
    screen = shell.wait_for("hint: Look at its log.\nsqe>")
    assert "error: ENGINE_START_FAILED [57P03]: The engine did not start." in screen


def test_ctrl_c_cancels_the_statement_and_keeps_the_shell(start: Start) -> None:
    shell = start()
    shell.wait_for("sqe>")
    shell.line("SELECT slow;")
    shell.wait_for(r"running +█+░+ +45% +90/200 tasks +12\.3k rows")
    shell.key("ctrl-c")
    screen = shell.wait_for(r"Canceled\.\nsqe>")
    assert "90/200" not in screen
    shell.line("SELECT 1;")
    shell.wait_for("1 row")


def test_ctrl_c_cancels_an_endless_result(start: Start) -> None:
    shell = start()
    shell.wait_for("sqe>")
    shell.line("SELECT endless;")
    shell.wait_for("running")
    shell.key("ctrl-c")
    shell.wait_for(r"Canceled\.\nsqe>")


def test_ctrl_c_clears_the_line(start: Start) -> None:
    shell = start()
    shell.wait_for("sqe>")
    shell.send("SELECT nonsense")
    shell.wait_for("nonsense")
    shell.key("ctrl-c")
    shell.wait_for("sqe>", count=2)
    shell.line("SELECT 1;")
    shell.wait_for("1 row")


def test_ctrl_d_and_quit_leave(start: Start) -> None:
    shell = start()
    shell.wait_for("sqe>")
    shell.key("ctrl-d")
    assert shell.wait_exit() == 0
    for command in (".quit", ".exit", ".q", r"\q"):
        shell = start()
        shell.wait_for("sqe>")
        shell.line(command)
        assert shell.wait_exit() == 0


def test_errors_have_a_caret_below_the_place(start: Start) -> None:
    shell = start()
    shell.wait_for("sqe>")
    shell.line("SELECT 1 FORM t;")
    screen = shell.wait_for("hint:")
    assert (
        "error: SYNTAX_ERROR [42601]: Syntax error at or near 'FORM'.\n"
        "LINE 1: SELECT 1 FORM t\n"
        "                 ^\n"
        "hint: Did you mean FROM?" in screen
    )
    assert b"\x1b[1;31merror:" in shell.raw


def test_no_color_is_honoured(start: Start) -> None:
    shell = start(NO_COLOR="1")
    shell.wait_for("sqe>")
    shell.line("SELECT 1 FORM t;")
    shell.wait_for("hint:")
    assert b"\x1b[1;31merror:" not in shell.raw


def test_a_value_cannot_send_escape_sequences(start: Start) -> None:
    shell = start()
    shell.wait_for("sqe>")
    shell.line("SELECT evil;")
    screen = shell.wait_for("1 row")
    assert r"\x1b]0;owned\x07\x1b[31mred" in screen
    assert b"\x1b]0;owned" not in shell.raw
    for format_ in ("csv", "tsv", "json", "jsonl", "markdown", "vertical"):
        shell.line(f".format {format_}")
        shell.line("SELECT evil;")
    shell.line(".format")
    shell.wait_for(r"vertical \(one of")
    assert b"\x1b]0;owned" not in shell.raw


def test_null_is_dim(start: Start) -> None:
    shell = start()
    shell.wait_for("sqe>")
    shell.line("SELECT NULL AS n;")
    shell.wait_for("1 row")
    assert b"\x1b[2mNULL" in shell.raw


def test_a_long_result_shows_its_ends(start: Start) -> None:
    shell = start(lines=60)
    shell.wait_for("sqe>")
    shell.line("SELECT many;")
    screen = shell.wait_for(r"100 rows \(40 shown\)")
    assert "│     19 │\n│      · │\n│      · │\n│      · │\n│     80 │" in screen
    shell.line(".maxrows 2")
    shell.line("SELECT many;")
    shell.wait_for(r"100 rows \(2 shown\)")


def test_a_wide_result_is_fitted_without_a_pager(start: Start) -> None:
    shell = start(columns=80)
    shell.wait_for("sqe>")
    shell.line("SELECT wide;")
    screen = shell.wait_for(r"1 row, 12 columns \(\d shown\)")
    assert "│ … │" in screen


def test_a_wide_result_goes_to_the_pager(start: Start) -> None:
    shell = start(PAGER="less")
    shell.wait_for("sqe>")
    shell.line("SELECT wide;")
    shell.wait_for(r"\(END\)|:$")
    assert "value number 2 of a wide row" in shell.text
    shell.send("\x1b)")  # scrolls right by half a screen
    shell.wait_for("column_4")
    shell.send("q")
    shell.wait_for("1 row\nsqe>")


def test_ctrl_c_in_the_pager_does_not_end_the_shell(start: Start) -> None:
    shell = start(PAGER="less")
    shell.wait_for("sqe>")
    shell.line("SELECT wide;")
    shell.wait_for("value number 2")
    shell.key("ctrl-c")
    shell.wait_until(
        lambda: shell.send("q"), "1 row\nsqe>"
    )  # less throws away what is typed while it is interrupted


def test_a_pager_that_cannot_start_is_no_loss(start: Start) -> None:
    shell = start(PAGER="/nowhere/pager")
    shell.wait_for("sqe>")
    shell.line("SELECT wide;")
    shell.wait_for("1 row, 12 columns")


def test_statements_without_a_result_say_ok(start: Start) -> None:
    shell = start()
    shell.wait_for("sqe>")
    shell.line("CREATE TABLE t (a int);")
    shell.wait_for("OK\nsqe>")


def test_timer(start: Start) -> None:
    shell = start()
    shell.wait_for("sqe>")
    shell.line(".timer on")
    shell.line("SELECT 1;")
    shell.wait_for(r"1 row\nTime: \d\.\d{3} s\nsqe>")


def test_completion_of_names_keywords_and_commands(start: Start) -> None:
    shell = start()
    shell.wait_for("sqe>")
    shell.send("SELECT * FROM iceberg.sal")
    shell.wait_for("iceberg.sal")
    _complete(shell, "iceberg.sales")
    shell.send(".ord")
    _complete(shell, "iceberg.sales.orders")
    shell.send(" o WHERE o.")
    _complete(shell, r"o\.order_")
    shell.send("k")
    _complete(shell, r"o\.order_key")
    _drop_line(shell, prompts=2)
    shell.send("SELECT appr")
    _complete(shell, "approx_count_distinct")
    _drop_line(shell, prompts=3)
    shell.send("descr")
    _complete(shell, "describe")
    _drop_line(shell, prompts=4)
    shell.send(".summ")
    _complete(shell, r"\.summarize")


def _drop_line(shell: Terminal, prompts: int) -> None:
    shell.key("ctrl-c")
    shell.wait_for("sqe>", count=prompts)  # what is typed before the prompt is written over it


def _complete(shell: Terminal, expected: str) -> None:
    """Names arrive in the background, some time after the shell has started."""
    shell.wait_until(lambda: shell.key("tab"), expected)


def test_history_survives_and_is_private(start: Start, home: Path) -> None:
    shell = start()
    shell.wait_for("sqe>")
    shell.line("SELECT 1 AS x;")
    shell.wait_for("1 row")
    shell.wait_for("sqe>", count=2)  # without a prompt the terminal itself takes a Ctrl-D
    shell.key("ctrl-d")
    assert shell.wait_exit() == 0
    assert stat.S_IMODE((home / "history").stat().st_mode) == 0o600
    again = start()
    again.wait_for("sqe>")
    again.key("up")
    again.wait_for("SELECT 1 AS x;")
    again.key("enter")
    again.wait_for("1 row")


def test_dot_commands(start: Start) -> None:
    shell = start(lines=60)
    shell.wait_for("sqe>")
    shell.line(".tables")
    shell.wait_for("│ default │ v +│ view +│")
    shell.line(".schema t")
    shell.wait_for("CREATE TABLE iceberg.default.t \\(\n  a INT\\)\nUSING iceberg;")
    shell.line(".cancel")
    shell.wait_for("No statement is running in this shell")
    shell.line(".tabels")
    shell.wait_for("hint: Did you mean .tables?")
    shell.line("EXPLAIN SELECT 1;")
    shell.wait_for(r"│ == Physical Plan == +│\n│ \*\(1\) Project \[1 AS 1#0\] │\n│ \+- Scan +│")


def test_read_runs_a_script(start: Start, tmp_path: Path) -> None:
    script = tmp_path / "it's a script.sql"
    script.write_text("SELECT 1;\n.timer on\nSELECT 2")
    shell = start()
    shell.wait_for("sqe>")
    shell.line(f".read {script}")
    shell.wait_for("1 row", count=2)
    shell.wait_for("Time: ", count=1)
