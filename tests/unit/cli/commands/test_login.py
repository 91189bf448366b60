from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.fakes.idp import AUDIENCE, CLIENT, CLIENT_SECRET
from tests.fakes.idp_interactive import InteractiveIdp
from tests.support.pty import Terminal

from sqe.cli.command import command
from sqe.errors import AuthenticationError, ConfigError, IdentityProviderError, SqeError, UsageError

Run = Callable[..., str]


@pytest.fixture
def idp() -> Iterator[InteractiveIdp]:
    with InteractiveIdp() as made:
        made.device_interval = 1
        yield made


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "home" / "login"


@pytest.fixture
def settings(idp: InteractiveIdp, file: Path) -> dict[str, str]:
    return {
        "SQE_PATHS__HOME": str(file.parent),
        "SQE_OIDC__ISSUER": idp.issuer,
        "SQE_OIDC__AUDIENCE": AUDIENCE,
        "SQE_OIDC__CLIENT_ID": CLIENT,
        "SQE_OIDC__CLIENT_SECRET": CLIENT_SECRET,
        "SQE_OIDC__TIMEOUT": "2s",
    }


@pytest.fixture
def run(settings: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Run:
    for name, value in settings.items():
        monkeypatch.setenv(name, value)

    def run(*arguments: str, stdin: str = "") -> str:
        result = CliRunner().invoke(command, arguments, input=stdin, standalone_mode=False)
        if result.exception:
            raise result.exception
        return result.output

    return run


def _with_password(run: Run, user: str = "alice", password: str = "a-pw") -> str:
    return run("login", "--password-stdin", "--user", user, stdin=f"{password}\n")


def test_a_login_in_a_browser(run: Run, idp: InteractiveIdp, file: Path) -> None:
    idp.approve("bob")
    said = run("login")
    assert f"Open {idp.issuer}/device/page in a browser" in said
    assert "    ABCD-EFGH\n" in said
    assert f"or open {idp.issuer}/device/page?user_code=ABCD-EFGH, and check" in said
    assert "Logged in as bob, until 20" in said
    kept = json.loads(file.read_text())
    assert (kept["user"], kept["provider"], kept["issuer"]) == ("bob", "device_code", idp.issuer)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert kept["access_token"] not in said
    assert kept["refresh_token"] not in said


def test_a_login_that_is_denied_leaves_nothing(run: Run, idp: InteractiveIdp, file: Path) -> None:
    idp.deny()
    with pytest.raises(AuthenticationError, match="The login was denied"):
        run("login")
    assert not file.exists()


def test_the_browser_is_opened_when_wanted(
    run: Run, idp: InteractiveIdp, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []

    def no_browser(address: str) -> bool:
        opened.append(address)
        return False

    monkeypatch.setattr(webbrowser, "open", no_browser)
    idp.approve("alice")
    assert "No browser was found" in run("login", "--browser")
    assert opened == [f"{idp.issuer}/device/page?user_code=ABCD-EFGH"]


def test_a_login_with_a_password(run: Run, file: Path) -> None:
    assert _with_password(run).startswith("Logged in as alice, until 20")
    assert "a-pw" not in file.read_text()
    assert json.loads(file.read_text())["provider"] == "oidc_password"


def test_a_wrong_password_leaves_the_login_that_there_is(run: Run, file: Path) -> None:
    _with_password(run)
    with pytest.raises(AuthenticationError, match="The user or the password is wrong") as caught:
        _with_password(run, "bob", "wrong")
    assert "invalid_grant" in (caught.value.hint or "")
    assert json.loads(file.read_text())["user"] == "alice"


def test_the_token_is_printed_and_nothing_else(run: Run, file: Path) -> None:
    _with_password(run)
    assert run("token") == json.loads(file.read_text())["access_token"] + "\n"


def test_a_token_that_is_about_to_end_is_renewed_and_kept(run: Run, file: Path, idp: InteractiveIdp) -> None:
    idp.life = 30
    _with_password(run)
    before = json.loads(file.read_text())
    idp.life = 300
    assert run("token") != before["access_token"] + "\n"
    after = json.loads(file.read_text())
    assert after["refresh_token"] != before["refresh_token"]
    assert run("token") == after["access_token"] + "\n"


def test_a_token_that_is_still_good_does_when_nobody_answers(
    run: Run, file: Path, idp: InteractiveIdp
) -> None:
    idp.life = 30
    _with_password(run)
    idp.trouble = "down"
    assert run("token") == json.loads(file.read_text())["access_token"] + "\n"


def test_a_login_that_has_ended_says_what_to_do(run: Run, idp: InteractiveIdp, file: Path) -> None:
    idp.life = 30
    _with_password(run)
    idp.refuse_refresh = True
    with pytest.raises(AuthenticationError, match="The login of alice has ended") as caught:
        run("token")
    assert "Run `sqe login`." in (caught.value.hint or "")
    assert not file.exists()


@pytest.mark.parametrize("name", ["token", "whoami"])
def test_without_a_login_they_say_what_to_do(run: Run, name: str) -> None:
    with pytest.raises(AuthenticationError, match="You are not logged in") as caught:
        run(name)
    assert caught.value.hint == "Run `sqe login`."


def test_who_is_logged_in(run: Run, idp: InteractiveIdp) -> None:
    idp.claims["alice"] = {"groups": ["b", "a"], "email": "alice@example.com\x1b[31m"}
    _with_password(run)
    said = run("whoami")
    assert "User    alice\n" in said
    assert "Mail    alice@example.com\\x1b[31m\n" in said
    assert "Groups  a, b\n" in said
    assert f"At      {idp.issuer}\n" in said


def test_a_login_that_is_over_is_told_of(run: Run, file: Path) -> None:
    _with_password(run)
    kept = json.loads(file.read_text())
    file.write_text(json.dumps({**kept, "expires_at": time.time() - 10, "refresh_token": None}))
    with pytest.raises(AuthenticationError, match="The login of alice has ended"):
        run("whoami")


def test_a_logout_takes_the_tokens_back(run: Run, idp: InteractiveIdp, file: Path) -> None:
    _with_password(run)
    kept = json.loads(file.read_text())
    assert run("logout") == "Logged out alice.\n"
    assert idp.revoked == [kept["refresh_token"]]
    assert not file.exists()
    assert run("logout") == "You were not logged in.\n"


def test_a_logout_works_when_nobody_answers(run: Run, idp: InteractiveIdp, file: Path) -> None:
    _with_password(run)
    idp.trouble = "down"
    with pytest.raises(IdentityProviderError, match="alice is logged out on this machine, but maybe not at"):
        run("logout")
    assert not file.exists()


def test_a_logout_where_nothing_can_be_taken_back(run: Run, idp: InteractiveIdp, file: Path) -> None:
    idp.document = {}
    _with_password(run)
    assert run("logout") == "Logged out alice on this machine only.\n"
    assert not file.exists()


def test_a_logout_of_a_login_elsewhere_sends_its_tokens_nowhere(
    run: Run, idp: InteractiveIdp, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _with_password(run)
    with InteractiveIdp() as other:
        monkeypatch.setenv("SQE_OIDC__ISSUER", other.issuer)
        with pytest.raises(AuthenticationError, match="The login is for"):
            run("token")
        assert "on this machine only" in run("logout")
        assert not other.revoked
    assert not idp.revoked
    assert not file.exists()


def test_a_broken_login_can_be_removed(run: Run, file: Path) -> None:
    _with_password(run)
    file.write_text("nonsense")
    with pytest.raises(AuthenticationError, match="cannot be read"):
        run("logout")
    assert run("logout") == "You were not logged in.\n"


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (["--password-stdin"], UsageError, "needs --user"),
        (["--password"], UsageError, "needs a terminal"),
        (["--browser", "--password"], UsageError, "cannot be combined"),
        (["--user", "alice"], UsageError, "requires --password"),
        (["--password-stdin", "--user", "alice"], UsageError, "The password is empty"),
    ],
)
def test_what_makes_no_sense_is_refused(
    run: Run, arguments: list[str], error: type[SqeError], message: str
) -> None:
    with pytest.raises(error, match=message):
        run("login", *arguments)


def test_without_an_identity_provider_there_is_no_login(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SQE_OIDC__ISSUER")
    with pytest.raises(ConfigError, match=r"oidc\.issuer is not set"):
        run("login")


def test_a_silent_identity_provider_is_named(run: Run, idp: InteractiveIdp) -> None:
    idp.trouble = "down"
    with pytest.raises(IdentityProviderError, match="does not answer") as caught:
        run("login")
    assert idp.issuer in (caught.value.hint or "")


def test_on_a_terminal_it_shows_that_it_waits(idp: InteractiveIdp, settings: dict[str, str]) -> None:
    with Terminal.spawn([sys.executable, "-m", "sqe.cli.main", "login"], env=settings) as terminal:
        terminal.wait_for("ABCD-EFGH")
        terminal.wait_for("waiting for you to log in")
        idp.approve("alice")
        terminal.wait_for("Logged in as alice")
        assert "waiting for you" not in terminal.text


def test_on_a_terminal_the_password_is_asked_for_and_not_shown(
    idp: InteractiveIdp, settings: dict[str, str]
) -> None:
    with Terminal.spawn(
        [sys.executable, "-m", "sqe.cli.main", "login", "--password"], env=settings
    ) as terminal:
        terminal.wait_for("User:")
        terminal.line("alice")
        terminal.wait_for("Password of alice:")
        terminal.line("a-pw")
        terminal.wait_for("Logged in as alice")
        assert b"a-pw" not in terminal.raw


def test_logins_and_renewals_of_many_processes_do_not_burn_each_other(
    run: Run, idp: InteractiveIdp, file: Path, settings: dict[str, str]
) -> None:
    idp.life = 30
    _with_password(run)
    idp.life = 300
    start = threading.Barrier(3)
    printed: list[str] = []

    def ask() -> None:
        start.wait(120)
        done = subprocess.run(
            [sys.executable, "-m", "sqe.cli.main", "token"],
            env={**os.environ, **settings},
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        )
        printed.append(done.stdout)

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(90)
    assert len(printed) == 3
    assert set(printed) == {json.loads(file.read_text())["access_token"] + "\n"}
    assert sum(form.get("grant_type") == "refresh_token" for _, form in idp.requests) == 1
