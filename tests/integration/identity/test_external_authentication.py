"""Trino's own clients log a person in with a browser, at the real identity provider."""

from __future__ import annotations

import os
import re
import subprocess
import threading
import urllib.parse
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import trino
from stack import accounts
from stack.accounts import Account
from stack.running import Stack
from testing.server import RunningServer, running_server
from tests.conformance.runtime import JavaClients, provide_java_clients
from tests.support.browser import Browser, Page

pytestmark = [
    pytest.mark.engine,
    # trino-python-client leaves the sockets of its connections to the garbage collector.
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
]

_SECONDS = 180.0


@pytest.fixture(scope="module")
def server(stack: Stack) -> Iterator[RunningServer]:
    with running_server(tls=True, settings={**stack.settings(), "oidc__external": "true"}) as running:
        running.wait_until_ready()
        yield running


@pytest.fixture(scope="module")
def java() -> JavaClients:
    return provide_java_clients()


class Person:
    """Opens each address that a client gives, and logs in there."""

    def __init__(self, server: RunningServer, account: Account) -> None:
        self._server = server
        self._account = account
        self.pages: list[Page] = []

    def __call__(self, address: str) -> None:
        page = Browser(self._server.ca).log_in(address, self._account.user, self._account.password)
        self.pages.append(page)


def _connect(server: RunningServer, user: str, handler: Callable[[str], None]) -> Any:
    return trino.dbapi.connect(  # type: ignore[no-untyped-call]
        host="localhost",
        port=server.port("trino"),
        http_scheme="https",
        verify=str(server.ca),
        user=user,
        auth=trino.auth.OAuth2Authentication(handler),  # type: ignore[arg-type]  # any function will do
    )


def _query(server: RunningServer, user: str, handler: Callable[[str], None], sql: str) -> Any:
    with _connect(server, user, handler) as connection:
        return connection.cursor().execute(sql).fetchall()


def test_trinos_python_client(server: RunningServer) -> None:
    alice = Person(server, accounts.ALICE)
    with _connect(server, "alice", alice) as connection:
        cursor = connection.cursor()
        assert cursor.execute("SELECT current_user").fetchall() == [["alice"]]
        assert cursor.execute("SELECT 1").fetchall() == [[1]]
    [page] = alice.pages  # one login for all of it
    assert (page.status, page.title) == (200, "Logged in as alice")
    assert "<script" not in page.html
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(page.url).query)
    assert {"state", "code"} <= query.keys()


def test_who_logs_in_as_somebody_else_is_refused(server: RunningServer) -> None:
    """The name that a client gives is not believed: the token says who it is."""
    with pytest.raises(trino.exceptions.HttpError, match="User bob cannot impersonate user alice"):
        _query(server, "alice", Person(server, accounts.BOB), "SELECT 1")


def test_a_person_does_not_get_anothers_login(server: RunningServer) -> None:
    """Both at the same time, and each is who they are."""
    found: dict[str, Any] = {}

    def ask(account: Account) -> None:
        found[account.user] = _query(server, account.user, Person(server, account), "SELECT current_user")

    threads = [threading.Thread(target=ask, args=(who,)) for who in (accounts.ALICE, accounts.BOB)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(_SECONDS)
    assert found == {"alice": [["alice"]], "bob": [["bob"]]}


def test_coming_back_a_second_time_logs_nobody_in(server: RunningServer) -> None:
    alice = Person(server, accounts.ALICE)
    _query(server, "alice", alice, "SELECT 1")
    again = Browser(server.ca).open(alice.pages[0].url)
    assert again.status == 400
    assert "This login is unknown or has timed out." in again.html


def test_trinos_command_line(server: RunningServer, java: JavaClients) -> None:
    process = subprocess.Popen(
        [
            str(java.java),
            *["-Xmx256m", "-jar", str(java.trino_cli), "--server", server.trino],
            *["--truststore-path", str(server.ca), "--user", "alice"],
            *["--external-authentication", "--external-authentication-redirect-handler=PRINT"],
            *["--execute", "SELECT current_user", "--output-format", "TSV", "--no-progress"],
        ],
        env=os.environ | {"HOME": str(server.home)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert process.stdout is not None
        said = ""
        while not (found := re.search(r"https://\S+/oauth2/token/initiate/\S+", said)):
            line = process.stdout.readline()
            assert line, said
            said += line
        alice = Person(server, accounts.ALICE)
        alice(found[0])
        rest, _ = process.communicate(timeout=_SECONDS)
    finally:
        process.kill()
        process.wait(10)
    assert process.returncode == 0, said + rest
    assert rest.splitlines()[-1] == "alice"
    assert alice.pages[0].title == "Logged in as alice"


def test_no_token_is_in_the_servers_log(server: RunningServer) -> None:
    alice = Person(server, accounts.ALICE)
    _query(server, "alice", alice, "SELECT 1")
    log = "\n".join(server.log)
    assert "alice has logged in" in log
    for secret in urllib.parse.parse_qs(urllib.parse.urlsplit(alice.pages[0].url).query)["code"]:
        assert secret not in log
    assert "sqe_" not in log
    assert "eyJ" not in log
