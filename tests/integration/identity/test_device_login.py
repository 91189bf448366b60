"""`sqe login` at the real identity provider, with a person at a browser."""

from __future__ import annotations

import json
import re
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from stack import accounts
from stack.keycloak import RefusedError
from stack.running import Stack
from testing.command import clean_environment
from tests.support.browser import Browser

_SECONDS = 180.0


@dataclass(frozen=True)
class Person:
    """Somebody with an account of their own on this machine."""

    environment: Mapping[str, str]
    home: Path

    @property
    def file(self) -> Path:
        return self.home / "login"

    def having(self, settings: Mapping[str, str]) -> Person:
        """With more settings, as in the environment but without SQE_ and in lower case."""
        more = {f"SQE_{name.upper()}": value for name, value in settings.items()}
        return Person({**self.environment, **more}, self.home)

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "sqe.cli.main", *arguments],
            env=dict(self.environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, *arguments: str, stdin: str = "", code: int = 0) -> str:
        process = self.start(*arguments)
        said, _ = process.communicate(stdin, timeout=_SECONDS)
        assert process.returncode == code, said
        return said

    def log_in(self, account: accounts.Account, *, consent: bool = True) -> tuple[int, str]:
        """Run `sqe login`, and do in a browser what it says."""
        process = self.start("login")
        try:
            assert process.stdout is not None
            said = ""
            while not (found := re.search(r"or open (\S+),", said)):
                line = process.stdout.readline()
                assert line, said
                said += line
            Browser().log_in(found[1], account.user, account.password, consent=consent)
            rest, _ = process.communicate(timeout=_SECONDS)
            return process.returncode, said + rest
        finally:
            process.kill()
            process.wait(10)


@pytest.fixture
def person(stack: Stack) -> Iterator[Person]:
    with tempfile.TemporaryDirectory(prefix="sqe-test-") as home:
        yield Person(clean_environment(Path(home)), Path(home)).having(stack.settings())


def _who(stack: Stack, token: str) -> str | None:
    """Whom the identity provider itself takes the token for."""
    answer = httpx.get(
        f"{stack.keycloak.issuer}/protocol/openid-connect/userinfo",
        headers={"Authorization": f"Bearer {token}"},
        timeout=30,
        trust_env=False,
    )
    return str(answer.json()["preferred_username"]) if answer.status_code == 200 else None


def test_a_person_logs_in_with_a_browser_and_out_again(stack: Stack, person: Person) -> None:
    code, said = person.log_in(accounts.ALICE)
    assert code == 0, said
    assert "Logged in as alice, until " in said
    assert stat.S_IMODE(person.file.stat().st_mode) == 0o600
    shown = person.run("whoami")
    assert "User    alice\n" in shown
    assert "Groups  analysts\n" in shown
    token = person.run("token").strip()
    assert _who(stack, token) == "alice"
    kept = json.loads(person.file.read_text())
    assert kept["refresh_token"] not in said + shown
    assert person.run("logout") == "Logged out alice.\n"
    assert not person.file.exists()
    with pytest.raises(RefusedError):
        stack.keycloak.refresh(kept["refresh_token"])
    assert "You are not logged in" in person.run("token", code=1)


def test_a_person_who_denies_it_is_not_logged_in(person: Person) -> None:
    code, said = person.log_in(accounts.BOB, consent=False)
    assert code == 1
    assert "The login was denied." in said
    assert not person.file.exists()


def test_a_login_with_a_password(stack: Stack, person: Person) -> None:
    arguments = ("login", "--password-stdin", "--user", "bob")
    assert "Logged in as bob" in person.run(*arguments, stdin="bob-pw\n")
    assert _who(stack, person.run("token").strip()) == "bob"
    assert "The user or the password is wrong." in person.run(*arguments, stdin="wrong\n", code=1)
    assert "User    bob\n" in person.run("whoami")


def test_a_token_is_renewed_until_the_login_ends(stack: Stack, person: Person) -> None:
    person = person.having(stack.settings(client=accounts.SHORT))
    person.run("login", "--password-stdin", "--user", "alice", stdin="alice-pw\n")
    first, second = (person.run("token").strip() for _ in range(2))
    assert first != second  # each lives for a minute, and is renewed a minute ahead
    assert _who(stack, second) == "alice"
    stack.keycloak.logout("alice")
    said = person.run("token", code=1)
    assert "The login of alice has ended" in said
    assert "Run `sqe login`." in said
    assert not person.file.exists()


@pytest.fixture
def shell(stack: Stack, person: Person) -> Iterator[Person]:
    """With the catalog `lake`, and an engine of their own."""
    made = person.having({**stack.nessie.settings("lake"), "engine__memory": "2GB"})
    yield made
    made.run("engine", "stop", "--all")


@pytest.mark.engine
def test_a_shells_queries_run_as_who_has_logged_in(stack: Stack, shell: Person) -> None:
    namespaces = ("-e", "SHOW NAMESPACES IN lake", "--format", "csv")
    said = shell.run(*namespaces, code=1)
    assert "sqe login" in said
    assert "x\n1\n" in shell.run("-e", "SELECT 1 AS x", "--format", "csv")  # which needs no login
    for account in (accounts.ALICE, accounts.BOB):
        password = ("--password-stdin", "--user", account.user)
        shell.run("login", *password, stdin=f"{account.password}\n")
        mark = stack.nessie.mark()
        assert account.user in shell.run(*namespaces).splitlines()
        assert {line.user for line in stack.nessie.access_log(mark)} == {account.user}
    shell.run("logout")
    mark = stack.nessie.mark()
    assert "sqe login" in shell.run(*namespaces, code=1)
    assert stack.nessie.access_log(mark) == []
