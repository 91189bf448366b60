from __future__ import annotations

import socket
from pathlib import Path

import pytest
from testing.certificates import Authority

from sqe.config.sections.server import ServerConfig
from sqe.errors import ConfigError
from sqe.network.address import Address
from sqe.network.plan import plan_listeners
from sqe.network.tls import TlsFiles


def refusal(**settings: object) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        plan_listeners(ServerConfig.model_validate(settings))
    return caught.value


def test_the_defaults_are_plain_on_loopback() -> None:
    plan = plan_listeners(ServerConfig())
    assert [(item.name, item.address.host, item.address.port, item.encrypted) for item in plan.listeners] == [
        ("flight", "127.0.0.1", 50051, False),
        ("trino", "127.0.0.1", 8080, False),
        ("metrics", "127.0.0.1", 9090, False),
        ("health", "127.0.0.1", 9091, False),
    ]
    assert plan.tls is None


@pytest.mark.parametrize("listener", ["flight", "trino", "metrics", "health"])
@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1"])
def test_plain_text_beyond_this_machine_has_to_be_allowed_by_name(listener: str, host: str) -> None:
    error = refusal(**{f"{listener}_host": host})
    assert f"server.{listener}_host" in error.message
    assert f'"{listener}" into server.plain_text' in (error.hint or "")
    allowed = ServerConfig.model_validate({f"{listener}_host": host, "plain_text": [listener]})
    assert not any(item.encrypted for item in plan_listeners(allowed).listeners)


def test_a_certificate_encrypts_everything_that_is_not_named_plain(tmp_path: Path) -> None:
    pair = Authority(tmp_path).server()
    server = ServerConfig(
        trino_host="0.0.0.0",
        plain_text=("health",),
        tls_certificate=pair.certificate,
        tls_key=pair.key,
        tls_client_ca=tmp_path / "ca.pem",
        tls_client_auth="required",
        listeners=("trino", "health", "metrics", "trino"),
    )
    plan = plan_listeners(server)
    assert [(item.name, item.encrypted, item.ask_clients) for item in plan.listeners] == [
        ("trino", True, True),
        ("health", False, False),
        ("metrics", True, True),
    ]
    assert plan.tls == TlsFiles(pair.certificate, pair.key, tmp_path / "ca.pem", "required")


def test_health_never_asks_for_a_client_certificate(tmp_path: Path) -> None:
    server = ServerConfig(
        tls_certificate=tmp_path / "a",
        tls_key=tmp_path / "b",
        tls_client_ca=tmp_path,
        tls_client_auth="required",
    )
    asked = {item.name: item.ask_clients for item in plan_listeners(server).listeners}
    assert asked == {"flight": True, "trino": True, "metrics": True, "health": False}


def test_halves_are_refused(tmp_path: Path) -> None:
    assert "belong together" in refusal(tls_certificate=tmp_path).message
    assert "belong together" in refusal(tls_key=tmp_path).message
    assert "needs server.tls_certificate" in refusal(tls_client_auth="optional").message
    missing = refusal(tls_certificate=tmp_path, tls_key=tmp_path, tls_client_auth="required")
    assert "server.tls_client_ca" in missing.message


def test_a_taken_port_is_named() -> None:
    with Address("trino", "127.0.0.1", 0).listen() as taken:
        port = taken.getsockname()[1]
        for attempt in (
            Address("trino", "127.0.0.1", port).listen,
            Address("trino", "127.0.0.1", port).check_free,
        ):
            with pytest.raises(ConfigError) as caught:
                attempt()
            assert f"server.trino_port: the port {port} on 127.0.0.1 is taken." in caught.value.message
    Address("trino", "127.0.0.1", port).check_free()


def test_a_port_shared_the_way_grpc_does_counts_as_taken() -> None:
    with socket.socket() as greedy:
        greedy.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        greedy.bind(("127.0.0.1", 0))
        greedy.listen()
        with pytest.raises(ConfigError, match="is taken"):
            Address("flight", "127.0.0.1", greedy.getsockname()[1]).check_free()


def test_hosts_that_are_not_ours_are_named() -> None:
    with pytest.raises(ConfigError, match=r"server.trino_host: 192.0.2.1 is not an address"):
        Address("trino", "192.0.2.1", 0).listen()
    with pytest.raises(ConfigError, match=r"server.trino_host: the host 'no.such.host.invalid' is not known"):
        Address("trino", "no.such.host.invalid", 0).listen()


def test_urls() -> None:
    assert Address("trino", "127.0.0.1", 0).url("http", 5) == "http://127.0.0.1:5"
    assert Address("trino", "::1", 0).url("https", 5) == "https://[::1]:5"
