from __future__ import annotations

import pytest

from sqe.cli.execution.progress import progress_text, short_number, short_time
from sqe.cli.shell.pager import LESS, pager_command
from sqe.model.query import Progress, QueryId, QueryState, QueryStatus


def status(state: QueryState, progress: Progress, note: str | None = None) -> QueryStatus:
    return QueryStatus(QueryId("q"), state, progress, 0.0, note)


@pytest.mark.parametrize(
    ("note", "known", "expected"),
    [
        ("starting the engine", None, "starting the engine  1.5 s"),
        (None, None, "sent  1.5 s"),
        (
            None,
            status(QueryState.QUEUED, Progress(), "waiting \x1bfor a slot"),
            "waiting \\x1bfor a slot  1.5 s",
        ),
        (None, status(QueryState.PLANNING, Progress()), "planning  1.5 s"),
        (
            None,
            status(QueryState.RUNNING, Progress(tasks=4, tasks_done=1, rows=1_234_567)),
            "running  ██████░░░░░░░░░░░░░░░░░░  25%  1/4 tasks  1.2M rows  1.5 s",
        ),
    ],
)
def test_text(note: str | None, known: QueryStatus | None, expected: str) -> None:
    assert progress_text(note, known, 1.5) == expected


def test_numbers_and_times() -> None:
    assert [short_number(n) for n in (0, 999, 1000, 123_456, 10**9, 10**13)] == [
        "0",
        "999",
        "1.0k",
        "123k",
        "1.0G",
        "10.0T",
    ]
    assert [short_time(s) for s in (0.04, 59.94, 75, 3725)] == ["0.0 s", "59.9 s", "1:15", "1:02:05"]


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"PAGER": "less"}, list(LESS)),
        ({"PAGER": "less -X"}, ["less", "-X"]),
        ({"PAGER": ""}, None),
        ({"PAGER": "/nowhere/pager"}, None),
        ({"PAGER": "'open quote"}, None),
        ({"PAGER": "cat", "SQE_PAGER": "head -5"}, ["head", "-5"]),
    ],
)
def test_pager(environ: dict[str, str], expected: list[str] | None) -> None:
    assert pager_command(environ) == expected
