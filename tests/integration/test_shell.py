"""The interactive shell at a real pseudo-terminal, with the real engine behind it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from testing.command import ENDLESS, Sqe
from tests.support.pty import Terminal
from tests.support.shell import ENGINE_SECONDS, STATEMENT_SECONDS, complete, leave, open_shell, run

pytestmark = pytest.mark.engine

Start = Callable[..., Terminal]


@pytest.fixture
def start(sqe: Sqe) -> Iterator[Start]:
    """Start shells on the shared engine and the test's own warehouse; they all end with the test."""
    with ExitStack() as shells:
        yield lambda **options: shells.enter_context(open_shell(sqe, **options))


def test_the_prompt_is_there_before_the_engine_and_the_first_statement_waits(
    alone: Sqe,
) -> None:
    alone = alone.having(engine__class_data_sharing="false")  # or it may be as quick as the shell
    shell = open_shell(alone)
    assert alone.status().get("engine") != "ready"
    shell.line("SELECT 40 + 2 AS answer;")
    shell.wait_raw(b"the engine is ", seconds=ENGINE_SECONDS)  # the progress line says why it waits
    screen = shell.wait_for("1 row", seconds=ENGINE_SECONDS)
    assert "│     42 │" in screen
    assert "the engine is" not in screen  # and is gone afterwards
    assert alone.status()["engine"] == "ready"
    leave(shell)


def test_statements_results_and_errors(start: Start, tmp_path: Path) -> None:
    shell = start()
    shell.line("SELECT id,")
    shell.wait_for(r"\.\.\.>")
    shell.line("       CASE WHEN id < 2 THEN concat('n', id) END AS name")
    shell.wait_for(r"\.\.\.>", count=2)
    assert "rows" not in shell.text
    shell.line("FROM range(3) ORDER BY id;")
    screen = shell.wait_for("3 rows\nsqe>", seconds=ENGINE_SECONDS)
    assert (
        "│   id   │  name  │\n"
        "│ bigint │ string │\n"
        "├────────┼────────┤\n"
        "│      0 │ n0     │\n"
        "│      1 │ n1     │\n"
        "│      2 │ NULL   │\n"
        "└────────┴────────┘\n"
        "3 rows\n" in screen
    )
    assert b"\x1b[2mNULL" in shell.raw  # dim: a NULL is not the text NULL

    answer = run(shell, "SELECT id, nope FROM range(3);", "COLUMN_NOT_FOUND")
    assert "LINE 1: SELECT id, nope FROM range(3)\n                   ^\n" in answer
    answer = run(shell, "SELECT 1 FORM t;", "SYNTAX_ERROR")
    place, caret = re.findall(r"^(?:LINE 1: .*| +\^)$", answer, re.MULTILINE)
    assert place[caret.index("^") :].startswith(("FORM", "t"))

    run(shell, ".timer on", "")
    run(shell, "SELECT 1 AS x;", r"1 row\nTime: \d+\.\d{3} s\n")
    run(shell, ".timer off", "")
    run(shell, ".format csv", "")
    run(shell, "SELECT id, concat('a,', id) AS t FROM range(2) ORDER BY id;", 'id,t\n0,"a,0"\n1,"a,1"\n')
    (tmp_path / "script.sql").write_text("SELECT 1 AS first;\nSELECT 2\nAS second")
    run(shell, ".read script.sql", "first\n1\nsecond\n2\n")
    (tmp_path / "broken.sql").write_text("SELECT 3 AS third;\n\nSELECT 4\n  + nope;\n")
    answer = run(shell, ".read broken.sql", "third\n3\n")
    assert "broken.sql:4:   + nope\n                  ^\n" in answer
    assert ".summarize TABLE" in run(shell, ".help", "Ctrl-C cancels")
    leave(shell)


def test_commands_about_tables_and_completion_of_their_names(start: Start, tmp_path: Path) -> None:
    shell = start(columns=120)
    statement = "CREATE TABLE parcels (parcel_id BIGINT, weight_in_grams INT, sent_to STRING);"
    run(shell, statement, "OK", seconds=ENGINE_SECONDS)
    run(shell, "INSERT INTO parcels VALUES (1, 250, 'Ghent'), (2, NULL, 'Delft');", "OK")
    run(shell, "CREATE VIEW heavy AS SELECT * FROM parcels WHERE weight_in_grams > 200;", "OK")
    answer = run(shell, ".tables", "2 rows")
    assert re.search("│ default │ heavy +│ view ", answer)
    assert re.search("│ default │ parcels +│ table ", answer)
    assert "USING iceberg" in run(shell, ".schema parcels", r"CREATE TABLE iceberg\.default\.parcels")
    assert re.search(
        r"│ weight_in_grams +│ int +│", run(shell, ".describe parcels", r"│ parcel_id +│ bigint +│")
    )
    answer = run(shell, ".summarize parcels", "3 rows")
    assert re.search(r"│ weight_in_grams +│ int +│ +2 │ +1 │ +1 │ 250 +│ 250 +│", answer)
    assert str(tmp_path / "warehouse")[:30] in run(shell, ".catalogs", r"│ iceberg +│ /")

    complete(shell, "SELECT parcel_id, sent_to FROM parc", "sent_to FROM parcels")
    complete(shell, "SELECT parcel_id, sent_to FROM parcels p WHERE p.wei", r"WHERE p\.weight_in_grams")
    shell.line(" = 250;")
    shell.wait_for(r"│ +1 │ Ghent", seconds=STATEMENT_SECONDS)
    leave(shell)


def test_history_is_there_in_the_next_shell(start: Start) -> None:
    first = start()
    run(first, "SELECT 'remember' AS me;", "1 row", seconds=ENGINE_SECONDS)
    leave(first)
    second = start()
    second.key("up")
    second.key("up")  # over `.quit`
    second.wait_for("SELECT 'remember' AS me;")
    second.key("enter")
    second.wait_for("│ remember │", seconds=STATEMENT_SECONDS)
    leave(second)


def test_ctrl_c_cancels_a_running_statement_and_the_shell_goes_on(start: Start) -> None:
    shell = start()
    run(shell, "SELECT 1;", "1 row", seconds=ENGINE_SECONDS)
    shell.line(ENDLESS + ";")
    shell.wait_for(r"running +░+ +0% +0/\d+ tasks +\d+\.\d s", seconds=STATEMENT_SECONDS)
    shell.key("ctrl-c")
    screen = shell.wait_for(r"Canceled\.\nsqe>")
    assert "tasks" not in screen
    # Every core was busy with it: this one could not end if its tasks had not been stopped.
    run(shell, "SELECT count(*) AS n FROM range(0, 1000, 1, 8);", "│ +1000 │")
    leave(shell)


def test_a_wide_result_goes_to_the_pager(start: Start) -> None:
    shell = start(lines=30, PAGER="less")
    columns = ", ".join(f"'value {n} of a wide row' AS column_{n}" for n in range(12))
    shell.line(f"SELECT {columns};")
    shell.wait_for(r"\(END\)|:$", seconds=ENGINE_SECONDS)
    assert re.search("│ +column_0 +│", shell.text)
    assert not re.search("│ +column_11 +│", shell.text)
    shell.wait_until(lambda: shell.send("\x1b)"), "│ +column_11 +│")  # half a screen to the right each time
    shell.send("q")
    shell.wait_for("1 row\nsqe>")
    leave(shell)


def test_two_shells_share_tables_but_neither_their_use_nor_their_views(start: Start) -> None:
    one, two = start(), start()
    run(one, "CREATE TABLE shared AS SELECT 7 AS n;", "OK", seconds=ENGINE_SECONDS)
    run(two, "SELECT n FROM shared;", "│ +7 │", seconds=ENGINE_SECONDS)
    run(two, "INSERT INTO shared VALUES (8);", "OK")
    run(one, "SELECT sum(n) AS n FROM shared;", "│ +15 │")

    run(one, "CREATE SCHEMA other;", "OK")
    run(one, "USE other;", "OK")
    run(one, "CREATE TEMPORARY VIEW mine AS SELECT 1 AS n;", "OK")
    run(one, "SELECT current_schema() AS here, n FROM mine;", r"│ other +│ +1 │")
    run(two, "SELECT current_schema() AS here;", r"│ default │")
    run(two, "SELECT * FROM mine;", "TABLE_NOT_FOUND")
    run(one, "CREATE TABLE there AS SELECT 9 AS n;", "OK")
    run(two, "SELECT n FROM other.there;", "│ +9 │")
    leave(one)
    run(two, "SELECT n FROM shared WHERE n = 7;", "│ +7 │")  # not the other's end
    leave(two)
