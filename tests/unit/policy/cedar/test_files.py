from __future__ import annotations

import os
from pathlib import Path

import pytest

from sqe.errors import ConfigError
from sqe.policy.cedar.files import CedarFiles


def test_a_directory_is_read_in_order(tmp_path: Path) -> None:
    for name in ("b.cedar", "a.cedar", "notes.txt"):
        (tmp_path / name).write_text(name, encoding="utf-8")
    entities = tmp_path / "entities.json"
    entities.write_text("[]", encoding="utf-8")
    policies, more = CedarFiles(tmp_path, entities).read()
    assert [(path.name, content) for path, content in policies.items()] == [
        ("a.cedar", b"a.cedar"),
        ("b.cedar", b"b.cedar"),
    ]
    assert more == (entities, b"[]")


def test_a_file_is_read_whatever_it_is_called(tmp_path: Path) -> None:
    file = tmp_path / "policies"
    file.write_bytes(b"x")
    assert CedarFiles(file, None).read() == ({file: b"x"}, None)


def test_a_file_that_was_just_changed_has_no_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.cedar"
    file.write_bytes(b"one")
    changed = max(file.stat().st_mtime_ns, file.stat().st_ctime_ns)
    for later, known in ((0, False), (10**8, False), (10**9, True)):
        monkeypatch.setattr("sqe.common.file_stamp.time_ns", lambda now=changed + later: now)
        assert (CedarFiles(tmp_path, None).state() is not None) is known


def test_every_kind_of_change_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sqe.common.file_stamp.time_ns", lambda: 2**62)
    file = tmp_path / "a.cedar"
    file.write_bytes(b"one")
    files = CedarFiles(tmp_path, None)
    states = {files.state()}
    assert files.state() in states
    before = file.stat()
    file.write_bytes(b"three")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    states.add(files.state())
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns + 1))
    states.add(files.state())
    new = tmp_path / "new"
    new.write_bytes(b"three")
    os.utime(new, ns=(before.st_atime_ns, before.st_mtime_ns + 1))
    new.replace(file)
    states.add(files.state())
    (tmp_path / "b.cedar").write_bytes(b"")
    states.add(files.state())
    assert len(states) == 5
    assert None not in states


def test_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="without a file"):
        CedarFiles(tmp_path, None).state()
    missing = CedarFiles(tmp_path / "missing.cedar", None)
    for ask in (missing.state, missing.read):
        with pytest.raises(ConfigError, match=r"missing\.cedar cannot be read: No such file"):
            ask()
