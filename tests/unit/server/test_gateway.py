from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.engine import FakeEngine
from tests.fakes.gateway import FakeCore, FakeSource, fake_gateway

from sqe.config.schema import Config
from sqe.errors import AccessDeniedError
from sqe.frontends.flight.client import FlightConnection
from sqe.frontends.flight.wire import Impersonation
from sqe.locations import private_directory
from sqe.model.gateway_principal import GatewayPrincipal
from sqe.model.identity import Principal
from sqe.model.session import SessionSpec
from sqe.server.gateway import PrivateGateway

SECONDS = 120.0
EVE = Impersonation("eve", frozenset({"analyst"}), frozenset({"staff"}))


class IdleCore(FakeCore):
    """One whose end can be waited for."""

    ended = False

    def close(self) -> None:
        super().close()
        self.ended = True


@contextmanager
def running(
    tmp_path: Path, *, stand_ins: bool = False, failed: bool = False, **engine: Any
) -> Iterator[tuple[IdleCore, threading.Thread]]:
    config = Config.model_validate({"paths": {"home": tmp_path / "home"}, "engine": engine})
    with tempfile.TemporaryDirectory(prefix="sqe-") as directory:
        core = IdleCore(FakeEngine(), config, private_directory(Path(directory) / "run"))
        assert isinstance(core.source, FakeSource)
        core.source.failed = failed
        gateway = PrivateGateway(config, core, stand_ins=stand_ins)
        thread = threading.Thread(target=gateway.run, daemon=True)
        thread.start()
        try:
            yield core, thread
        finally:
            core.stop(drain=0.0)
            thread.join(SECONDS)
            assert not thread.is_alive()


def connect(run_directory: Path) -> FlightConnection:
    for _ in range(int(SECONDS / 0.02)):
        if (run_directory / "socket").exists():
            break
        threading.Event().wait(0.02)
    token = (run_directory / "token").read_text()
    return FlightConnection(f"grpc+unix://{run_directory / 'socket'}", token)


def test_it_ends_when_no_client_has_needed_it_for_long(tmp_path: Path) -> None:
    with running(tmp_path, idle_timeout="1s") as (core, thread):
        thread.join(SECONDS)
        assert core.ended
        assert [path.name for path in core.run_directory.path.iterdir()] == ["lock"]


def test_it_ends_when_its_engine_has_failed_and_no_client_waits(tmp_path: Path) -> None:
    with running(tmp_path, failed=True) as (core, thread):
        thread.join(SECONDS)
        assert core.ended


def test_it_ends_when_it_is_told_to(tmp_path: Path) -> None:
    with running(tmp_path) as (core, thread):
        connection = connect(core.run_directory.path)
        connection.close()
        core.stop()
        thread.join(SECONDS)
        assert core.ended


def test_a_client_acts_as_another_principal_only_where_that_was_asked_for(tmp_path: Path) -> None:
    with running(tmp_path) as (core, _):
        connection = connect(core.run_directory.path)
        with pytest.raises(AccessDeniedError):
            connection.open(SessionSpec(()), EVE)
        connection.close()


def test_no_client_of_a_network_server_acts_as_another_principal(tmp_path: Path) -> None:
    config = Config.model_validate({"paths": {"home": tmp_path / "home"}, "server": {"listeners": []}})
    with fake_gateway(config) as gateway:
        connection = connect(gateway.run_directory)
        with pytest.raises(AccessDeniedError):
            connection.open(SessionSpec(()), EVE)
        connection.close()


def test_policies_take_a_stand_in_for_whom_it_acts_as(tmp_path: Path) -> None:
    with running(tmp_path, stand_ins=True) as (core, _):
        gateway = PrivateGateway(Config(), core, stand_ins=True)
        expected = Principal("eve", "policy test", frozenset({"staff"}), frozenset({"analyst"}))
        assert gateway._act_as(EVE) == expected
        trusted = gateway._act_as(Impersonation("setup", trusted=True))
        assert trusted == GatewayPrincipal("setup")
