from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from sqe.cli.shell.history import ShellHistory


def entries(path: Path, size: int = 100) -> list[str]:
    return list(ShellHistory(path, size).load_history_strings())


def test_entries_of_several_lines_survive_newest_first(tmp_path: Path) -> None:
    path = tmp_path / "new" / "history"
    history = ShellHistory(path, 100)
    for entry in ("SELECT 1;", "SELECT\n\n# not a mark\n+2;", "SELECT 1;", "SELECT 1;"):
        history.store_string(entry)
    assert entries(path) == ["SELECT 1;", "SELECT\n\n# not a mark\n+2;", "SELECT 1;"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    path = tmp_path / "history"
    path.touch(mode=0o644)
    ShellHistory(path, 10).store_string("x")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_size_is_capped(tmp_path: Path) -> None:
    path = tmp_path / "history"
    history = ShellHistory(path, 4)
    for number in range(10):
        history.store_string(f"SELECT {number};")
    assert entries(path, 4) == ["SELECT 9;", "SELECT 8;", "SELECT 7;", "SELECT 6;"]
    assert path.read_text().count("SELECT") == 4
    assert [file.name for file in tmp_path.iterdir()] == ["history"]


def test_no_file_no_trouble(tmp_path: Path) -> None:
    (tmp_path / "plain").touch()
    history = ShellHistory(tmp_path / "plain" / "history", 10)  # a file where a directory would have to be
    history.append_string("SELECT 1;")
    assert history.get_strings() == ["SELECT 1;"]
    assert entries(tmp_path / "nothing") == []


@pytest.mark.skipif(os.getuid() == 0, reason="root may write everywhere")
def test_a_read_only_home(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    history = ShellHistory(tmp_path / "history", 10)
    history.append_string("SELECT 1;")
    assert history.get_strings() == ["SELECT 1;"]


def test_size_zero_writes_nothing(tmp_path: Path) -> None:
    ShellHistory(tmp_path / "history", 0).store_string("secret")
    assert list(tmp_path.iterdir()) == []
