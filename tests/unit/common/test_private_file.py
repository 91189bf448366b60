from __future__ import annotations

import logging
import os
from pathlib import Path

import pytest

from sqe.common import private_file as module
from sqe.common.private_file import Stamp, WatchedFile, entries, read_private
from sqe.errors import ConfigError


def private(path: Path, text: str = "text") -> Path:
    path.touch(0o600)
    path.write_text(text)
    return path


def read(path: Path) -> tuple[str, Stamp]:
    return read_private(path, "file of things", "Make one.")


def refused(path: Path) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        read(path)
    return caught.value


def test_a_private_file_is_read(tmp_path: Path) -> None:
    text, stamp = read(private(tmp_path / "file"))
    assert text == "text"
    assert read(private(tmp_path / "other"))[1] != stamp


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o602, 0o601])
def test_a_file_that_others_can_do_anything_with_is_refused(tmp_path: Path, mode: int) -> None:
    file = private(tmp_path / "file")
    file.chmod(mode)
    assert "others than its owner" in refused(file).message


def test_what_a_link_leads_to_is_what_counts(tmp_path: Path) -> None:
    file = private(tmp_path / "file")
    link = tmp_path / "link"
    link.symlink_to(file)
    assert read(link)[0] == "text"
    file.chmod(0o644)
    assert "others than its owner" in refused(link).message
    file.unlink()
    assert "cannot be read" in refused(link).message


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_file_of_somebody_else_is_refused(tmp_path: Path) -> None:
    file = private(tmp_path / "file")
    os.chown(file, 12345, 12345)
    assert "others than its owner" in refused(file).message


@pytest.mark.timeout(120)
def test_nobody_waits_for_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe", 0o600)
    assert "others than its owner" in refused(tmp_path / "pipe").message


def test_a_directory_a_device_and_nothing_are_refused(tmp_path: Path) -> None:
    assert "cannot be read" in refused(tmp_path).message
    assert "others than its owner" in refused(Path("/dev/zero")).message
    error = refused(tmp_path / "none")
    assert "cannot be read: No such file" in error.message
    assert error.hint == "Make one."


def test_descriptors_are_closed(tmp_path: Path) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(20):
        refused(tmp_path)
        refused(Path("/dev/zero"))
    assert len(list(Path("/proc/self/fd").iterdir())) <= before + 1


def test_what_is_too_large_or_not_text_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_LARGEST", 10)
    assert "larger than 10 bytes" in refused(private(tmp_path / "large", "x" * 11)).message
    binary = private(tmp_path / "binary")
    binary.write_bytes(b"\xff\xfe\x00")
    assert "not UTF-8" in refused(binary).message


def test_lines_that_say_something() -> None:
    assert list(entries("# a\n\n  b \n #c\nd")) == [(3, "b"), (5, "d")]


def test_a_change_is_noticed_and_a_broken_file_is_not_taken(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = private(tmp_path / "file", "one")
    watched = WatchedFile(file, read, "things")
    assert watched.refresh() is None
    private(tmp_path / "new", "two").replace(file)
    assert watched.refresh() == "one"
    assert watched.content == "two"
    file.chmod(0o644)
    file.write_text("stolen")
    with caplog.at_level(logging.ERROR):
        assert watched.refresh() is None
        assert watched.refresh() is None
    assert watched.content == "two"
    assert len(caplog.records) == 1
    assert "The things stay as they were." in caplog.text
    file.unlink()
    assert watched.refresh() is None
    private(file, "three")
    assert watched.refresh() == "two"
