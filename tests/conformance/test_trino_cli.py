"""Trino's command line as a person uses it: on a terminal."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator

import pexpect
import pytest
from tests.conformance.case_context import CATALOG, ENDLESS, SHARED, CaseContext
from tests.conformance.clients.base import Client, Setup
from tests.conformance.clients.trino_cli import TrinoCli, TrinoCliConnection

pytestmark = [
    pytest.mark.engine,
    # trino-python-client leaves the sockets of its connections to the garbage collector.
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture
def context(context_of: Callable[[type[Client]], CaseContext]) -> CaseContext:
    return context_of(TrinoCli)


@pytest.fixture
def terminal(context: CaseContext) -> Iterator[pexpect.spawn[str]]:
    connection = context.client.connect(Setup(catalog=CATALOG, schema=SHARED))
    assert isinstance(connection, TrinoCliConnection)
    assert isinstance(context.client, TrinoCli)
    command = [
        *(part for part in context.client.java_command if "terminal.dumb" not in part),
        *connection.arguments(None, ""),
    ]
    environment = connection.environment() | {"TERM": "xterm", "TRINO_HISTORY_FILE": os.devnull}
    child = pexpect.spawn(
        command[0],
        [*command[1:], "--history-file", os.devnull],
        env=environment,
        encoding="utf-8",
        timeout=60,
        dimensions=(40, 200),
    )
    child.expect(f"trino:{SHARED}> ")
    yield child
    child.kill(signal.SIGKILL)
    child.close()


def test_a_query_and_its_summary(terminal: pexpect.spawn[str]) -> None:
    terminal.sendline("SELECT count(*) AS n FROM trips;")
    terminal.expect("FINISHED")
    terminal.expect(r"Splits: \d+ total, \d+ done")


def test_progress_moves_and_ctrl_c_stops_the_query(
    context: CaseContext, terminal: pexpect.spawn[str]
) -> None:
    context.wait_for_running(0)
    terminal.sendline(f"{ENDLESS};")
    terminal.expect("RUNNING")
    context.wait_for_running(1)
    terminal.expect(r"\d+:\d\d \[")
    terminal.sendintr()
    terminal.expect(f"trino:{SHARED}> ")
    context.wait_for_running(0, 15)


def test_use_and_session_properties(terminal: pexpect.spawn[str]) -> None:
    terminal.sendline(f"USE lake.{SHARED};")
    terminal.expect("USE")
    terminal.expect(f"trino:{SHARED}> ")
    terminal.sendline("SELECT visitors FROM cities WHERE city = 'Leiden';")
    terminal.expect("3400")
    terminal.expect(f"trino:{SHARED}> ")
    terminal.sendline("SET SESSION dialect = 'spark';")
    terminal.expect("SET SESSION")
    terminal.expect(f"trino:{SHARED}> ")
    terminal.sendline('SELECT "text" AS v;')
    terminal.expect("text")
