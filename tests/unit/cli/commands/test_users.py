from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from sqe.cli.command import command
from sqe.errors import ConfigError, UsageError
from sqe.identity.providers.users_file import read_users

Run = Callable[..., str]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "etc" / "users"


@pytest.fixture
def run(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("SQE_PATHS__HOME", str(tmp_path / "home"))

    def run(*arguments: str, stdin: str = "", to: Path | None = file) -> str:
        where = ["--file", str(to)] if to else []
        result = CliRunner().invoke(
            command, ["users", *arguments, *where], input=stdin, standalone_mode=False
        )
        if result.exception:
            raise result.exception
        return result.output

    return run


def test_a_user_is_added_changed_listed_and_removed(run: Run, file: Path) -> None:
    assert run("add", "alice", "--group", "dev", stdin="secret\n") == f"Added alice in {file}.\n"
    assert run("add", "bob", stdin="b\r\n") == f"Added bob in {file}.\n"
    users, _ = read_users(file)
    assert users["alice"].hash.matches("secret")
    assert users["bob"].hash.matches("b")
    assert run("list") == "alice  dev\nbob\n"
    assert run("add", "alice", stdin="new\n") == f"Changed alice in {file}.\n"
    changed = read_users(file)[0]["alice"]
    assert changed.hash.matches("new")
    assert changed.groups == {"dev"}
    assert run("remove", "bob") == f"Removed bob from {file}.\n"
    assert run("list") == "alice  dev\n"


def test_the_file_is_private_and_holds_no_password(run: Run, file: Path) -> None:
    run("add", "alice", stdin="hunter2\n")
    assert file.stat().st_mode & 0o777 == 0o600
    assert "hunter2" not in file.read_text()
    assert "$argon2id$" in file.read_text()


def test_without_a_file_the_configured_one_is_used(run: Run, tmp_path: Path) -> None:
    run("add", "alice", stdin="a\n", to=None)
    assert read_users(tmp_path / "home" / "users")[0].keys() == {"alice"}


@pytest.mark.parametrize("name", ["a b", "a:b", "", "-x"])
def test_names_that_cannot_be(run: Run, name: str) -> None:
    with pytest.raises(UsageError, match="cannot be a name"):
        run("add", "--", name, stdin="a\n", to=None)


def test_an_empty_password_and_an_unknown_user_are_refused(run: Run, file: Path) -> None:
    with pytest.raises(UsageError, match="empty"):
        run("add", "alice", stdin="\n")
    assert not file.exists()
    run("add", "alice", stdin="a\n")
    with pytest.raises(UsageError, match="no user 'bob'"):
        run("remove", "bob")


def test_a_file_that_is_open_to_others_is_not_added_to(run: Run, file: Path) -> None:
    run("add", "alice", stdin="a\n")
    file.chmod(0o644)
    with pytest.raises(ConfigError, match="others than its owner"):
        run("add", "bob", stdin="b\n")


def test_on_a_terminal_the_password_is_asked_for_twice(
    run: Run, monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    from sqe.cli.commands import users

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    asked: list[tuple[str, bool, object]] = []

    def prompt(text: str, *, hide_input: bool, confirmation_prompt: object, err: bool) -> str:
        asked.append((text, hide_input, confirmation_prompt))
        return "typed"

    monkeypatch.setattr(click, "prompt", prompt)
    monkeypatch.setattr(sys, "stdin", Terminal())
    assert users._password("alice") == "typed"
    assert asked == [("Password of alice", True, "Again")]
