"""The listeners of a server, with real sockets and a fake engine."""

from __future__ import annotations

import logging
import shutil
import socket
import ssl
import threading
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from testing.certificates import Authority
from testing.command import until
from testing.server import write_users
from tests.fakes.engine import FakeEngine
from tests.fakes.gateway import FakeGateway, fake_gateway

from sqe.config.schema import Config
from sqe.errors import ConfigError, SessionError
from sqe.model.identity import Principal
from sqe.model.query import QueryState
from sqe.model.session import Dialect, SessionSpec, WarehouseCatalog
from sqe.server.listeners import Listeners, base_spec

SECONDS = 120.0


def settings(tmp_path: Path, server: dict[str, Any] | None = None, **sections: dict[str, Any]) -> Config:
    ports = {f"{name}_port": 0 for name in ("flight", "trino", "metrics", "health")}
    server = {"listeners": ["metrics", "health"], **ports, **(server or {})}
    return Config.model_validate({"paths": {"home": tmp_path / "home"}, "server": server, **sections})


def get(url: str, authority: Authority | None = None) -> httpx.Response:
    context = ssl.create_default_context(cafile=str(authority.certificate)) if authority else True
    return httpx.get(url.replace("127.0.0.1", "localhost"), verify=context, timeout=SECONDS)


def url(gateway: FakeGateway, name: str) -> str:
    return gateway.open_listeners[name].url


def test_a_server_is_ready_when_its_engine_is(tmp_path: Path) -> None:
    engine = FakeEngine()
    engine.note = "the engine is starting"
    with fake_gateway(settings(tmp_path), engine) as gateway:
        ready = url(gateway, "health")
        assert get(ready).status_code == 503
        assert get(ready).json()["reason"] == "the engine is starting"
        assert get(ready.replace("readyz", "healthz")).status_code == 200
        assert "sqe_engine_up 0.0" in get(url(gateway, "metrics")).text
        engine.note = None
        assert get(ready).status_code == 200
        assert "sqe_engine_up 1.0" in get(url(gateway, "metrics")).text
        assert "sqe_engine_restarts_total 2.0" in get(url(gateway, "metrics")).text


def test_stopping_is_not_ready_first_then_no_new_queries_then_drained_then_closed(tmp_path: Path) -> None:
    with fake_gateway(settings(tmp_path)) as gateway:
        service = gateway.service
        session = service.open_session(Principal("alice", "test"), SessionSpec(()))
        query = service.submit(session, service.read(session, "wait"))
        until(lambda: service.poll(session, query).state is QueryState.RUNNING, "the query runs")
        ready, metrics = url(gateway, "health"), url(gateway, "metrics")
        gateway.stop(drain=SECONDS)
        until(lambda: get(ready).status_code == 503, "not ready")
        assert get(ready).json()["reason"] == "the server is shutting down"

        def refused() -> bool:
            try:
                service.submit(session, service.read(session, "SELECT 1"))
            except SessionError:
                return True
            return False

        until(refused, "new queries are refused")
        assert service.poll(session, query).state is QueryState.RUNNING
        assert "sqe_queries_running" in get(metrics).text
        gateway.engine.released.set()
        assert service.wait(session, query, SECONDS)
        until(lambda: not answers(ready), "the listeners close")


def answers(address: str) -> bool:
    try:
        get(address)
    except httpx.TransportError:
        return False
    return True


def test_tls_on_every_listener_and_new_certificates_without_a_restart(tmp_path: Path) -> None:
    authority, other = Authority(tmp_path / "tls"), Authority(tmp_path / "other")
    pair = authority.server()
    config = settings(tmp_path, {"tls_certificate": pair.certificate, "tls_key": pair.key})
    with fake_gateway(config) as gateway:
        for name in ("health", "metrics"):
            assert url(gateway, name).startswith("https://")
            assert get(url(gateway, name), authority).status_code == 200
            with pytest.raises(httpx.ConnectError):
                get(url(gateway, name), other)
        fresh = other.server()
        shutil.copy(fresh.certificate, pair.certificate)
        shutil.copy(fresh.key, pair.key)

        def changed(name: str) -> bool:
            try:
                return get(url(gateway, name), other).status_code == 200
            except httpx.ConnectError:
                return False

        for name in ("health", "metrics"):  # each takes it by itself
            until(partial(changed, name), f"{name} uses the new certificate")
        pair.certificate.write_text("broken")
        gateway.reload()
        gateway.listeners.refresh()
        assert get(url(gateway, "health"), other).status_code == 200


def test_a_login_at_one_front_end_is_good_at_the_other(tmp_path: Path) -> None:
    import pyarrow.flight as fl

    authority = Authority(tmp_path / "tls")
    pair = authority.server()
    users = write_users(tmp_path / "users", {"alice": "a"})
    config = settings(
        tmp_path,
        {
            "listeners": ["flight", "trino", "health"],
            "tls_certificate": pair.certificate,
            "tls_key": pair.key,
        },
        auth={"providers": ["users_file"], "users_file": users},
    )
    with fake_gateway(config) as gateway:
        location = url(gateway, "flight").replace("127.0.0.1", "localhost")
        assert location.startswith("grpc+tls://")
        client = fl.FlightClient(location, tls_root_certs=authority.certificate.read_text())
        name, token = client.authenticate_basic_token("alice", "a")
        assert name == b"authorization"
        with pytest.raises(fl.FlightUnauthenticatedError):
            client.authenticate_basic_token("alice", "wrong")
        client.close()
        statement = url(gateway, "trino").replace("127.0.0.1", "localhost") + "/v1/statement"
        context = ssl.create_default_context(cafile=str(authority.certificate))
        with httpx.Client(verify=context, timeout=SECONDS) as http:
            assert http.head(statement, headers={"authorization": token.decode()}).status_code == 200
            assert http.head(statement, auth=("alice", "a")).status_code == 200
            for refused in (
                http.head(statement, auth=("alice", "wrong")),
                http.head(statement, headers={"authorization": "Bearer sqe_made_up"}),
                http.head(statement, headers={"x-trino-user": "alice"}),
            ):
                assert refused.status_code == 401
                assert refused.headers["www-authenticate"] == 'Basic realm="SQE"'


def test_who_can_reach_a_server_but_not_log_in_is_warned_of(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    far = {"trino_host": "0.0.0.0", "plain_text": ["trino"], "listeners": ["trino"]}
    with caplog.at_level(logging.WARNING):
        Listeners(settings(tmp_path, far)).close()
    assert "server.trino_host can be reached from other machines" in caplog.text
    caplog.clear()
    users = write_users(tmp_path / "users", {"alice": "a"})
    auth = {"providers": ["users_file", "anonymous"], "users_file": users}
    with caplog.at_level(logging.WARNING):
        Listeners(settings(tmp_path, far, auth=auth)).close()
        Listeners(settings(tmp_path)).close()
    assert caplog.text == ""


def test_plain_text_for_one_listener(tmp_path: Path) -> None:
    pair = Authority(tmp_path / "tls").server()
    tls = {"tls_certificate": pair.certificate, "tls_key": pair.key, "plain_text": ["health"]}
    with fake_gateway(settings(tmp_path, tls)) as gateway:
        assert url(gateway, "health").startswith("http://")
        assert url(gateway, "metrics").startswith("https://")


def test_a_taken_port_is_told_before_anything_is_started(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        for name in ("flight", "trino", "metrics", "health"):
            config = settings(tmp_path, {"listeners": ["health", name], f"{name}_port": port})
            with pytest.raises(ConfigError, match=rf"server.{name}_port: the port {port}"):
                Listeners(config)


def test_what_does_not_go_together_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="can be reached from other machines"):
        Listeners(settings(tmp_path, {"metrics_host": "0.0.0.0"}))
    with pytest.raises(ConfigError, match="no listener asks for one"):
        Listeners(settings(tmp_path, auth={"providers": ["mtls"]}))
    with pytest.raises(ConfigError, match=r"users file .* cannot be read"):
        Listeners(settings(tmp_path, auth={"providers": ["users_file"]}))


def test_closing_leaves_no_thread_and_no_port(tmp_path: Path) -> None:
    before = {thread for thread in threading.enumerate() if thread.name.startswith("http-")}
    with fake_gateway(settings(tmp_path)) as gateway:
        ports = [int(url(gateway, name).split(":")[2].split("/")[0]) for name in ("metrics", "health")]
    assert {thread for thread in threading.enumerate() if thread.name.startswith("http-")} == before
    for port in ports:
        with socket.socket() as again:
            again.bind(("127.0.0.1", port))


def test_no_listeners_is_allowed(tmp_path: Path) -> None:
    with fake_gateway(settings(tmp_path, {"listeners": []})) as gateway:
        assert gateway.open_listeners == {}


def test_the_catalogs_of_the_network_s_sessions(tmp_path: Path) -> None:
    default = base_spec(settings(tmp_path))
    assert default.catalogs == (WarehouseCatalog("iceberg", tmp_path / "home" / "warehouse"),)
    assert default.directory is None  # nobody on the network reads files of this machine by their names
    assert default.dialect is Dialect.TRINO
    lake, more = ({"type": "warehouse", "path": tmp_path / name} for name in ("a", "b"))
    named = base_spec(settings(tmp_path, catalogs={"lake": lake, "more": more}))
    assert [catalog.name for catalog in named.catalogs] == ["lake", "more"]


def test_a_user_who_is_removed_loses_his_tokens(tmp_path: Path) -> None:
    users = write_users(tmp_path / "users", {"alice": "a", "bob": "b"})
    config = settings(tmp_path, auth={"providers": ["users_file"], "users_file": users})
    listeners = Listeners(config)
    try:
        alice, bob = (
            listeners.identity.tokens.mint(Principal(name, "users_file")) for name in ("alice", "bob")
        )
        users.write_text("".join(line for line in users.read_text().splitlines(True) if "alice" not in line))
        listeners.identity.refresh()
        assert listeners.identity.tokens.principal(alice) is None
        assert listeners.identity.tokens.principal(bob) is not None
    finally:
        listeners.close()
