"""Tell addresses, hosts and URLs of this machine from others."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit


def parse_ip(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Read an address as a socket shows it: without its zone, and as IPv4 where an IPv6 socket maps one."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return mapped or found


def is_loopback(address: str) -> bool:
    """Whether an IP address is of this machine alone. A name is not an address."""
    found = parse_ip(address)
    return found is not None and found.is_loopback


def is_loopback_host(host: str) -> bool:
    """Whether a host of a URL is this machine: a loopback address or `localhost`."""
    return is_loopback(host) or host == "localhost"


def is_loopback_url(url: str) -> bool:
    """Whether a URL is of this machine; the names below `localhost` are too (RFC 6761)."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return False
    return is_loopback_host(host) or host.endswith(".localhost")


def is_plain_text(url: str) -> bool:
    """Whether others on the network can read and change what is sent to this URL."""
    return urlsplit(url).scheme != "https" and not is_loopback_url(url)
