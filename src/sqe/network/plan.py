"""Plan the listeners and their encryption, and refuse plain text that other machines can reach."""

from __future__ import annotations

from dataclasses import dataclass

from sqe.config.sections.server import ServerConfig
from sqe.errors import ConfigError
from sqe.network.address import Address
from sqe.network.tls import TlsFiles

# Probes come from machines that have no certificate, and learn only whether the server lives.
_NEVER_ASK_CLIENTS = frozenset({"health"})


@dataclass(frozen=True, slots=True)
class PlannedListener:
    address: Address
    encrypted: bool
    ask_clients: bool  # for a certificate

    @property
    def name(self) -> str:
        return self.address.listener


@dataclass(frozen=True, slots=True)
class ListenerPlan:
    listeners: tuple[PlannedListener, ...]
    tls: TlsFiles | None


def plan_listeners(server: ServerConfig) -> ListenerPlan:
    """Plan every listener. Raises ConfigError naming the key."""
    places = {
        "flight": (server.flight_host, server.flight_port),
        "trino": (server.trino_host, server.trino_port),
        "metrics": (server.metrics_host, server.metrics_port),
        "health": (server.health_host, server.health_port),
    }
    tls = _tls_files(server)
    return ListenerPlan(
        tuple(
            _planned(Address(name, *places[name]), server, tls) for name in dict.fromkeys(server.listeners)
        ),
        tls,
    )


def _planned(address: Address, server: ServerConfig, tls: TlsFiles | None) -> PlannedListener:
    plain = address.listener in server.plain_text
    if tls is None and not plain and not address.is_loopback():
        raise ConfigError(
            f"{address.host_key}: {address.host} can be reached from other machines, and there is no certificate.",
            hint="Set server.tls_certificate and server.tls_key. To send everything in plain text, passwords too, "
            f'put "{address.listener}" into server.plain_text.',
        )
    encrypted = tls is not None and not plain
    asks = encrypted and server.tls_client_auth != "none" and address.listener not in _NEVER_ASK_CLIENTS
    return PlannedListener(address, encrypted, asks)


def _tls_files(server: ServerConfig) -> TlsFiles | None:
    certificate, key = server.tls_certificate, server.tls_key
    if certificate is None or key is None:
        if certificate is not None or key is not None:
            raise ConfigError(
                "server.tls_certificate and server.tls_key belong together; one of them is not set."
            )
        if server.tls_client_auth != "none":
            raise ConfigError("server.tls_client_auth needs server.tls_certificate and server.tls_key.")
        return None
    if server.tls_client_auth != "none" and server.tls_client_ca is None:
        raise ConfigError("server.tls_client_auth needs server.tls_client_ca, to know whom to trust.")
    return TlsFiles(certificate, key, server.tls_client_ca, server.tls_client_auth)
