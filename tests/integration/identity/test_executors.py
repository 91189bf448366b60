"""Executors in processes of their own ask for the person's keys themselves; programs have accounts of their own."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from stack import accounts
from stack.running import Stack
from testing.people import FRONT_ENDS, FrontEnd, Person, Refused
from testing.server import RunningServer, running_server
from tests.support import secret_recording_server
from tests.support.cluster import LOCAL, standalone_cluster
from tests.support.identity_server import lakes
from tests.support.lakes import Lake

from sqe.config.load import load
from sqe.engine.runtime.provision import provide
from sqe.engine.runtime.report import QuietReporter

pytestmark = pytest.mark.engine

SERVICE_USER = f"service-account-{accounts.SERVICE}"


@dataclass(frozen=True)
class Cluster:
    server: RunningServer
    work: Path
    """Where executors work."""
    generated: Path
    """The file with all secrets that the gateway has generated."""


@pytest.fixture(scope="module")
def cluster(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    environ = {name: value for name, value in os.environ.items() if name != "JAVA_HOME"}
    runtime = provide(load(None, environ), QuietReporter(), environ=environ)
    with (
        standalone_cluster(runtime, tmp_path_factory.mktemp("cluster")) as (master, work),
        pytest.MonkeyPatch.context() as environment,
    ):
        for name, value in LOCAL.items():
            environment.setenv(name, value)
        settings = {
            **stack.settings(),
            "auth__providers": '["client_credentials_passthrough", "bearer_token"]',
            "engine__master": master,
            "engine__memory": "1GB",
        }
        for lake in lakes(stack):
            settings |= lake.service.settings(lake.name, storage=lake.storage)
        generated = tmp_path_factory.mktemp("generated") / "generated"
        generated.touch(0o600)
        command = (sys.executable, secret_recording_server.__file__, str(generated))
        with running_server(tls=True, settings=settings, command=command) as server:
            yield Cluster(server, work, generated)


def test_executors_read_and_write_as_the_person(
    stack: Stack, cluster: Cluster, lake: Lake, all_orders: Callable[[Lake], str]
) -> None:
    orders = all_orders(lake)
    alice = Person(cluster.server, "alice", token=stack.keycloak.token("alice").access_token)
    with lake.watched() as seen:
        # More rows than a plan would answer by itself.
        assert alice.flight(f"SELECT city, sum(id) FROM {orders} GROUP BY city ORDER BY city") == [
            ("Delft", 4),
            ("Leiden", 2),
        ]
    assert {access.user for access in seen.catalog} == {"alice"}
    reads = [entry for entry in seen.files if entry.object.endswith(".parquet")]
    assert reads
    if lake.storage == "web_identity":
        assert {entry.user for entry in reads} == {"alice"}
    # The driver plans, and is in another process than those that read.
    assert list(cluster.work.glob("*/*/stderr"))


def test_executors_show_no_secret(cluster: Cluster) -> None:
    """The driver sends executors the control endpoint and its secret in a message of Spark's own connection."""
    generated = cluster.generated.read_text(encoding="ascii").split()
    made = {text.encode() for text in generated if len(text) == len(secrets.token_urlsafe(32))}
    assert made
    processes = [path for path in Path("/proc").glob("[0-9]*") if cluster.work in _directory(path).parents]
    assert processes
    shown = [file for process in processes for file in (process / "cmdline", process / "environ")]
    written = [path for path in cluster.work.rglob("*") if path.is_file() and path.suffix != ".jar"]
    assert written
    for file in (*shown, *written):
        text = _read(file)
        assert not any(secret in text for secret in made), f"there is a secret of the gateway in {file}"


def _directory(process: Path) -> Path:
    """In which a process works: of an executor, one below the worker's."""
    try:
        return (process / "cwd").readlink()
    except OSError:  # it has just gone
        return Path("/")


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:  # it has just gone
        return b""


@pytest.mark.parametrize("front_end", FRONT_ENDS)
def test_a_program_comes_with_its_own_account(
    stack: Stack, cluster: Cluster, all_orders: Callable[[Lake], str], front_end: FrontEnd
) -> None:
    program = Person(cluster.server, accounts.SERVICE, accounts.SERVICE_SECRET, known_as=SERVICE_USER)
    assert program.ask(front_end, "SELECT current_user") == [(SERVICE_USER,)]
    lake = Lake(stack, stack.nessie, "vended")
    orders = all_orders(lake)
    with lake.watched() as seen, pytest.raises(Refused) as refused:
        program.ask(front_end, f"SELECT * FROM {orders}")
    assert refused.value.code in ("ACCESS_DENIED", "PERMISSION_DENIED")  # nobody gave it anything
    assert {access.user for access in seen.catalog} == {SERVICE_USER}
    with pytest.raises(Refused, match="The user or the password is wrong"):
        Person(cluster.server, accounts.SERVICE, "wrong", known_as=SERVICE_USER).ask(front_end, "SELECT 1")
