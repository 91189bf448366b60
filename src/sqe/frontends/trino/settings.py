"""The settings of the Trino front end."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

# The version of Trino that this protocol and its system tables follow. Clients choose features by it.
TRINO_VERSION = "484"


@dataclass(frozen=True, slots=True)
class TrinoSettings:
    sql_bytes: int  # the longest statement
    unread_seconds: float  # after which the query of a client that stops polling is canceled
    trusted_proxies: tuple[Network, ...] = ()  # whose X-Forwarded-* headers count
    segments: bool = True  # whether clients that accept them get compressed segments instead of plain rows
    environment: str = "sqe"
    external_url: str | None = None  # of this server, for logins in a browser; None: from the request


def networks(texts: tuple[str, ...]) -> tuple[Network, ...]:
    """Parse addresses and networks such as 10.0.0.0/8, which the configuration has validated."""
    return tuple(ipaddress.ip_network(text) for text in texts)
