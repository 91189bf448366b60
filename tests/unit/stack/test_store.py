from __future__ import annotations

import threading
from pathlib import Path

import pytest
from stack.store import Store

from sqe.engine.runtime.report import QuietReporter
from sqe.errors import SetupError


def test_what_is_there_is_not_made_again(tmp_path: Path) -> None:
    made: list[Path] = []

    def make(target: Path, lock: int) -> None:
        made.append(target)
        target.mkdir()
        (target / "file").write_text("content")

    store = Store(tmp_path / "made")
    for _ in range(2):
        path = store.provide("thing", "Making a thing", make, QuietReporter())
        assert (path / "file").read_text() == "content"
    assert len(made) == 1
    assert not made[0].exists()


def test_what_failed_leaves_nothing(tmp_path: Path) -> None:
    def make(target: Path, lock: int) -> None:
        target.mkdir()
        raise SetupError("no")

    with pytest.raises(SetupError, match="no"):
        Store(tmp_path).provide("thing", "Making a thing", make, QuietReporter())
    assert [path.name for path in tmp_path.iterdir()] == ["thing.lock"]


def test_what_a_killed_run_left_is_removed(tmp_path: Path) -> None:
    (tmp_path / "work-thing-abc").mkdir()
    (tmp_path / "work-other-abc").mkdir()
    Store(tmp_path).provide("thing", "Making a thing", lambda target, lock: target.mkdir(), QuietReporter())
    assert {path.name for path in tmp_path.iterdir()} == {"thing", "thing.lock", "work-other-abc"}


def test_two_at_once_make_it_once(tmp_path: Path) -> None:
    made: list[str] = []
    inside, go_on = threading.Event(), threading.Event()

    def make(target: Path, lock: int) -> None:
        made.append(threading.current_thread().name)
        inside.set()
        assert go_on.wait(120)
        target.mkdir()

    class Waiting(QuietReporter):
        def note(self, text: str) -> None:
            assert text == "Making it: another process does that; waiting for it."
            go_on.set()

    def provide(report: QuietReporter) -> None:
        Store(tmp_path).provide("thing", "Making it", make, report)

    first = threading.Thread(target=provide, args=(QuietReporter(),), name="first")
    second = threading.Thread(target=provide, args=(Waiting(),), name="second")
    first.start()
    assert inside.wait(120)
    second.start()
    for thread in (first, second):
        thread.join(120)
    assert made == ["first"]
    assert (tmp_path / "thing").is_dir()
