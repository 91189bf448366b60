"""What the Trino door is told when it is built."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

# The version of Trino whose protocol and system tables this is. Clients decide by it what they may ask.
TRINO_VERSION = "484"


@dataclass(frozen=True, slots=True)
class TrinoSettings:
    sql_bytes: int  # the longest statement
    unread_seconds: float  # after which a query whose client does not come back is canceled
    trusted_proxies: tuple[Network, ...] = ()  # whose X-Forwarded-* are believed
    segments: bool = True  # whether clients that offer it get compressed segments instead of plain rows
    environment: str = "sqe"
    external_url: str | None = None  # our own, for logins in a browser; None: as the request has it


def networks(texts: tuple[str, ...]) -> tuple[Network, ...]:
    """Read addresses and networks such as 10.0.0.0/8, as the configuration has checked them."""
    return tuple(ipaddress.ip_network(text) for text in texts)
