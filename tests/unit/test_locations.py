from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from sqe.config.load import load
from sqe.config.schema import Config
from sqe.errors import SetupError
from sqe.locations import grants_file, locate, private_directory, write_private


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., Config]:
    def config(home: Path | str) -> Config:
        return load(None, {}, {"paths.home": str(home), "paths.cache": str(tmp_path / "cache")})

    return config


def test_directories_are_private(make: Callable[..., Config], tmp_path: Path) -> None:
    found = locate(make(tmp_path / "h"))
    assert found.home == tmp_path / "h"
    assert found.run.stat().st_mode & 0o777 == 0o700


def test_a_home_that_cannot_be_made_has_the_same_private_stand_in_each_time(
    make: Callable[..., Config],
) -> None:
    first, again = locate(make("/proc/none/a")), locate(make("/proc/none/a"))
    assert first.home == again.home
    assert first.home != locate(make("/proc/none/b")).home
    assert first.home.stat().st_mode & 0o777 == 0o700
    assert first.home.stat().st_uid == os.getuid()


def test_a_long_home_has_a_short_place_for_sockets(make: Callable[..., Config], tmp_path: Path) -> None:
    home = tmp_path / ("long" * 25)
    found = locate(make(home))
    assert found.home == home
    assert len(os.fsencode(found.run / ("0" * 16) / "socket")) <= 103


def test_a_directory_that_others_can_enter_is_refused(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o755)
    with pytest.raises(SetupError, match="not a private directory"):
        private_directory(tmp_path / "open")


def test_a_symbolic_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(tmp_path / "theirs")
    with pytest.raises(SetupError, match="not a private directory"):
        private_directory(tmp_path / "link")


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a directory away")
def test_somebody_elses_directory_is_refused(tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir(mode=0o700)
    os.chown(tmp_path / "theirs", 65534, 65534)
    with pytest.raises(SetupError, match="not a private directory"):
        private_directory(tmp_path / "theirs")


def test_a_private_file_replaces_an_open_one(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("old")
    file.chmod(0o644)
    write_private(file, "new")
    assert file.read_text() == "new"
    assert file.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [file]


def test_grants_are_never_kept_in_a_stand_in(tmp_path: Path) -> None:
    config = Config.model_validate({"paths": {"home": str(tmp_path / "nowhere")}})
    assert grants_file(config) == tmp_path / "nowhere" / "grants.db"
