"""`[server]`: the listeners on the network."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, field_validator

from sqe.config.fields import AbsolutePath, Section, Texts, as_list
from sqe.units import Duration

ListenerName = Literal["flight", "trino", "metrics", "health"]
Listeners = Annotated[tuple[ListenerName, ...], BeforeValidator(as_list)]
ClientAuth = Literal["none", "optional", "required"]


class ServerConfig(Section):
    """The listeners of `sqe server`. The private gateway of a shell has none."""

    listeners: Listeners = Field(
        default=("flight", "trino", "metrics", "health"),
        description="The listeners to open. Leave one out to turn it off.",
    )
    flight_host: str = Field(default="127.0.0.1", description="The address of Flight SQL.", min_length=1)
    flight_port: int = Field(
        default=50051, description="The port of Flight SQL; 0 takes a free one.", ge=0, le=65535
    )
    trino_host: str = Field(default="127.0.0.1", description="The address of Trino's protocol.", min_length=1)
    trino_port: int = Field(
        default=8080, description="The port of Trino's protocol; 0 takes a free one.", ge=0, le=65535
    )
    metrics_host: str = Field(
        default="127.0.0.1", description="The address of the metrics for Prometheus.", min_length=1
    )
    metrics_port: int = Field(
        default=9090, description="The port of the metrics; 0 takes a free one.", ge=0, le=65535
    )
    health_host: str = Field(
        default="127.0.0.1", description="The address of `/healthz` and `/readyz`.", min_length=1
    )
    health_port: int = Field(
        default=9091, description="The port of the health probes; 0 takes a free one.", ge=0, le=65535
    )
    plain_text: Listeners = Field(
        default=(),
        description="Listeners without TLS, although there is a certificate or other machines can reach them. All "
        "other listeners that are not on loopback need TLS.",
    )
    tls_certificate: AbsolutePath | None = Field(
        default=None,
        description="A PEM file with the server's certificate and its chain. SQE reloads it when it changes.",
    )
    tls_key: AbsolutePath | None = Field(
        default=None,
        description="A PEM file with the certificate's private key, readable by its owner only.",
    )
    tls_client_ca: AbsolutePath | None = Field(
        default=None, description="A PEM file with the roots of client certificates."
    )
    tls_client_auth: ClientAuth = Field(
        default="none",
        description="Whether the listeners (but health) ask clients for a certificate.",
    )
    trusted_proxies: Texts = Field(
        default=(),
        description="Addresses or networks, such as `10.0.0.0/8`, whose `X-Forwarded-*` headers count.",
    )
    trino_segments: bool = Field(
        default=True,
        description="Send compressed rows to Trino clients that support it (their spooling protocol).",
    )
    drain_timeout: Duration = Field(
        default=Duration("30s"),
        description="How long running queries may take to end after SIGTERM, before SQE cancels them.",
    )

    probe_timeout: Duration = Field(
        default=Duration("10s"),
        description="How long the gateway's own test query may take before `/readyz` answers 503.",
        ge=Duration("1s"),
    )
    hung_timeout: Duration = Field(
        default=Duration("90s"),
        description="How long no test query may succeed before the gateway ends the engine and starts another.",
        ge=Duration("10s"),
    )

    connections: int = Field(
        default=2_000,
        description="Connections and requests at the same time, for each HTTP listener; more get the status 503.",
        ge=10,
        le=1_000_000,
    )
    request_timeout: Duration = Field(
        default=Duration("60s"),
        description="How long a client may take to send an HTTP request before its connection is closed.",
        ge=Duration("1s"),
        le=Duration("1h"),
    )
    stall_timeout: Duration = Field(
        default=Duration("2min"),
        description="How long a client may read nothing of an HTTP response before its connection is closed.",
        ge=Duration("1s"),
        le=Duration("1h"),
    )

    @field_validator("trusted_proxies")
    @classmethod
    def _check_networks(cls, networks: tuple[str, ...]) -> tuple[str, ...]:
        import ipaddress

        for network in networks:
            try:
                ipaddress.ip_network(network)
            except ValueError:
                raise ValueError(
                    f"holds '{network}', which is neither an address nor a network such as 10.0.0.0/8"
                ) from None
        return networks
