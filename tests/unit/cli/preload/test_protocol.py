from __future__ import annotations

import os
from pathlib import Path

import pytest

from sqe.cli.preload.protocol import LENGTH_BYTES, build, pack, shell_directory, unpack
from sqe.config.load import load
from sqe.locations import locate


def test_a_request_holds_build_arguments_and_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPELLED", "a=b\nc")
    request = pack("sqe", ["-e", "SELECT 'ä', ''", "\udcff", ""])
    assert int.from_bytes(request[:LENGTH_BYTES], "big") == len(request) - LENGTH_BYTES
    assert unpack(request[LENGTH_BYTES:]) == (
        build(),
        ["sqe", "-e", "SELECT 'ä', ''", "\udcff", ""],
        dict(os.environ),
    )


@pytest.mark.parametrize(
    "body", [b"", b"x", b"1", b"0\x000\x000", b"0\x001\x00sqe", b"0\x001\x00sqe\x000\x00more"]
)
def test_a_request_that_is_cut_off_or_goes_on_is_refused(body: bytes) -> None:
    with pytest.raises(ValueError, match=r"request|invalid literal"):
        unpack(body)


def test_what_libraries_read_at_their_start_belongs_to_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    before = build()
    monkeypatch.setenv("SOMETHING_ELSE", "1")
    assert build() == before
    monkeypatch.setenv("PYTHONWARNINGS", "ignore")
    assert build() != before


def test_the_directory_is_in_the_home_of_the_gateways(tmp_path: Path) -> None:
    environ = {"SQE_PATHS__HOME": str(tmp_path / "home")}
    assert Path(shell_directory(environ)) == locate(load(None, environ)).home / "preloaded"
