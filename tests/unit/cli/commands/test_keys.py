from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from sqe.cli.command import command
from sqe.errors import ConfigError, UsageError
from sqe.identity.credentials import PresentedCredentials
from sqe.identity.providers.api_key import ApiKeys, read_keys

Run = Callable[..., Result]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "etc" / "keys"


@pytest.fixture
def run(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("SQE_PATHS__HOME", str(tmp_path / "home"))

    def run(*arguments: str, to: Path | None = file) -> Result:
        where = ["--file", str(to)] if to else []
        result = CliRunner().invoke(command, ["keys", *arguments, *where], standalone_mode=False)
        if result.exception:
            raise result.exception
        return result

    return run


def test_a_key_is_added_listed_used_and_removed(run: Run, file: Path) -> None:
    added = run(
        "add", "alice", "--group", "dev", "--role", "reader", "--expires", "90d", "--description", "etl"
    )
    key = added.stdout.strip()
    assert re.fullmatch(r"sqek_[0-9a-f]{12}_\S{43}", key)
    (kept,) = read_keys(file)[0].values()
    assert f"Added key {kept.id} of alice" in added.stderr
    assert key not in added.stderr
    principal = ApiKeys(file).authenticate(PresentedCredentials(bearer=key))
    assert principal is not None
    assert principal.user == "alice"
    assert principal.groups == {"dev"}
    assert principal.roles == {"reader"}
    listed = run("list").stdout
    assert re.fullmatch(
        rf"{kept.id}  alice  until \d{{4}}-\d\d-\d\d \d\d:\d\d UTC  groups dev  roles reader  etl\n", listed
    )
    assert run("remove", kept.id).stdout == f"Removed key {kept.id} of alice from {file}.\n"
    assert run("list").stdout == ""


def test_the_key_is_shown_once_and_kept_nowhere(run: Run, file: Path) -> None:
    key = run("add", "alice").stdout.strip()
    assert file.stat().st_mode & 0o777 == 0o600
    secret = key.rpartition(key[:18])[2]
    assert secret not in file.read_text()
    assert secret not in run("list").output
    assert "never expires" in run("list").output


def test_a_user_can_have_several(run: Run, file: Path) -> None:
    first, second = run("add", "alice").stdout.strip(), run("add", "alice").stdout.strip()
    provider = ApiKeys(file)
    assert provider.authenticate(PresentedCredentials(bearer=first))
    assert provider.authenticate(PresentedCredentials(bearer=second))
    assert len(run("list").stdout.splitlines()) == 2


def test_without_a_file_the_configured_one_is_used(run: Run, tmp_path: Path) -> None:
    run("add", "alice", to=None)
    assert len(read_keys(tmp_path / "home" / "keys")[0]) == 1


def test_an_expired_key_is_shown_as_such(run: Run, file: Path) -> None:
    run("add", "alice", "--expires", "1ms")
    assert "  expired 20" in run("list").stdout


@pytest.mark.parametrize("name", ["a b", "a:b", "", "-x"])
def test_names_that_cannot_be(run: Run, file: Path, name: str) -> None:
    with pytest.raises(UsageError, match="cannot be a name"):
        run("add", "--", name, to=None)
    for option in ("--group", "--role"):
        with pytest.raises(UsageError, match="cannot be a name"):
            run("add", "alice", f"{option}={name}")
    assert not file.exists()


@pytest.mark.parametrize("text", ["", "90", "tomorrow", "0s", "-1d", "99999999999d"])
def test_durations_that_cannot_be(run: Run, file: Path, text: str) -> None:
    with pytest.raises(UsageError, match="--expires"):
        run("add", "alice", f"--expires={text}")
    assert not file.exists()


def test_a_description_is_one_line(run: Run, file: Path) -> None:
    with pytest.raises(UsageError, match="description"):
        run("add", "alice", "--description", "a\nb:c")
    assert not file.exists()


def test_removing_takes_an_id_and_does_not_repeat_what_may_be_a_key(run: Run) -> None:
    key = run("add", "alice").stdout.strip()
    with pytest.raises(UsageError, match="no key with that id") as caught:
        run("remove", key)
    assert key not in caught.value.message


def test_a_file_that_is_open_to_others_is_not_added_to(run: Run, file: Path) -> None:
    run("add", "alice")
    file.chmod(0o644)
    with pytest.raises(ConfigError, match="others than its owner"):
        run("add", "bob")
