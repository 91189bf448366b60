"""Executors in another process, and a control endpoint behind mutual TLS: how the Java part learns where to ask."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from bench.spark_server import SparkServer
from testing.command import QUICK_JAVA, clean_environment
from testing.rest_catalog import RestCatalogFake, rest_catalog
from tests.fakes.control_endpoint import Answer, FakeControl, control_endpoint
from tests.support.class_data import archive_options
from tests.support.cluster import LOCAL, standalone_cluster

from sqe.config.load import load
from sqe.control.properties import iceberg_properties
from sqe.engine.control import ControlTls
from sqe.engine.launcher.supervisor import Supervisor
from sqe.engine.runtime.provision import provide
from sqe.engine.runtime.report import QuietReporter
from sqe.engine.sessions import EngineSessions
from sqe.engine.source import RemoteEngine
from sqe.errors import AccessDeniedError, SqeError
from sqe.locations import locate, private_directory
from sqe.model.identity import Principal
from sqe.model.session import RestCatalog, SessionSpec, Storage
from sqe.network.ephemeral import EphemeralTls

pytestmark = [pytest.mark.engine, pytest.mark.slow]


@pytest.fixture
def catalog() -> Iterator[RestCatalogFake]:
    with rest_catalog() as catalog:
        catalog.snapshot = False
        yield catalog


@pytest.fixture
def control() -> Iterator[FakeControl]:
    numbers = count()

    def keys(principal: Principal, catalog: str) -> Answer:
        # They end at once, so that each file takes new ones.
        keys = {"access_key_id": f"KEY{next(numbers)}", "secret_access_key": "x", "session_token": "y"}
        return 200, {**keys, "expires_in": 0.01}

    def token(principal: Principal, catalog: str) -> Answer:
        return 200, {"token": f"token-of-{principal.user}", "expires_in": 60}

    tls = EphemeralTls("127.0.0.1")
    pems = ControlTls(tls.client.key, tls.client.certificate, tls.client.authority)
    with control_endpoint(token, context=tls.context, tls=pems) as control:
        control.keys, control.properties = keys, iceberg_properties
        yield control


@pytest.fixture
def engine(
    control: FakeControl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[EngineSessions, Path]]:
    for name, value in LOCAL.items():
        monkeypatch.setenv(name, value)
    home = Path(tempfile.mkdtemp(prefix="sqe-test-"))
    environ = {**clean_environment(home), "SQE_ENGINE__MEMORY": "1GB"}
    with standalone_cluster(provide(load(None, environ), QuietReporter()), tmp_path) as (url, _):
        config = load(None, environ, {"engine.master": url})
        locations = locate(config)
        work = private_directory(locations.run / "test")
        supervisor = Supervisor(config, locations, work, control=control, locked=True)
        supervisor.start()
        try:
            yield EngineSessions(supervisor, private_directory(home / "memory"), control), work
        finally:
            supervisor.stop()
    shutil.rmtree(home, ignore_errors=True)


def test_executors_get_the_users_keys_themselves_and_again_when_they_have_ended(
    engine: tuple[EngineSessions, Path], control: FakeControl, catalog: RestCatalogFake, tmp_path: Path
) -> None:
    sessions, work = engine
    lake = RestCatalog(
        "lake",
        catalog.url,
        storage=Storage.WEB_IDENTITY,
        s3_endpoint=catalog.url,
        s3_path_style=True,
        sts_endpoint=catalog.url,
        options=(("rest.client.max-retries", "1"),),
    )
    session = sessions.open(SessionSpec((lake,)), Principal("alice", "a test", login="l1"))
    session.ready(lambda: False)
    with pytest.raises(SqeError):  # the catalog commits nothing
        for _ in session.stream(
            "INSERT INTO lake.default.t SELECT id FROM range(0, 4, 1, 4)", "q", lambda progress: None
        ):
            pass
    # Only tasks write data files, and the driver runs none.
    data = [asked for asked in catalog.of_store() if asked.method == "PUT" and "/lake/t/data/" in asked.path]
    assert len(data) == 4
    assert len({asked.key_id for asked in data}) == 4
    assert all(asked.key_id.startswith("KEY") for asked in data)
    assert control.count("/v1/credentials", "alice") >= 4
    assert {asked.authorization for asked in catalog.of_catalog()} == {"Bearer token-of-alice"}

    # The executor was told over Spark's own connection, and nowhere else.
    executors = [process for process in _commands() if b"CoarseGrainedExecutorBackend" in process[1]]
    assert executors
    for pid, command in executors:
        assert control.secret.encode() not in command + Path(f"/proc/{pid}/environ").read_bytes()
    for file in (*tmp_path.rglob("*"), *work.rglob("*")):
        if file.is_file() and file.suffix not in (".jar", ".jsa"):
            assert control.secret.encode() not in file.read_bytes(), file
    session.close()
    assert not control.bound


def test_a_server_that_others_started_finds_the_gateway_by_its_environment(
    catalog: RestCatalogFake, tmp_path: Path
) -> None:
    home = Path(tempfile.mkdtemp(prefix="sqe-test-"))
    environ = clean_environment(home)
    with control_endpoint(lambda principal, name: (200, {"token": "hers", "expires_in": 60})) as control:
        control.properties = iceberg_properties
        secret = tmp_path / "secret"
        secret.write_text(f"{control.secret}\n")
        runtime = provide(load(None, environ), QuietReporter())
        server = SparkServer(
            runtime,
            tmp_path / "server",
            java_options=[*QUICK_JAVA, *archive_options(runtime)],
            environment={"SQE_CONTROL_URL": control.url, "SQE_CONTROL_SECRET_FILE": str(secret)},
        )
        try:
            there = {
                "engine.url": server.url,
                "engine.token": server.token,
                "engine.control_secret": control.secret,
            }
            sessions = EngineSessions(RemoteEngine(load(None, environ, there)), tmp_path, control)
            lake = RestCatalog("lake", catalog.url)
            session = sessions.open(SessionSpec((lake,)), Principal("alice", "a test", login="l1"))
            session.ready(lambda: False)
            for _ in session.stream("SHOW TABLES IN lake.default", "q", lambda progress: None):
                pass
            assert {asked.authorization for asked in catalog.of_catalog()} == {"Bearer hers"}
            with pytest.raises(AccessDeniedError):  # people share it, so it is locked
                list(session.stream("SELECT reflect('java.lang.Math', 'random')", "q", lambda progress: None))
            session.close()
        finally:
            server.process.stop()
    shutil.rmtree(home, ignore_errors=True)


def _commands() -> Iterator[tuple[int, bytes]]:
    """The processes of this account and their command lines."""
    for process in Path("/proc").iterdir():
        if process.name.isdigit() and process.stat().st_uid == os.getuid():
            try:
                yield int(process.name), (process / "cmdline").read_bytes()
            except OSError:
                continue  # it has just ended
