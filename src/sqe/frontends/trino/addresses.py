"""Determine the address under which a client reached the server, and the address of the client."""

from __future__ import annotations

import ipaddress
import re

from starlette.requests import HTTPConnection

from sqe.common.loopback import parse_ip
from sqe.frontends.trino.client_request import single
from sqe.frontends.trino.endpoint import Refusal
from sqe.frontends.trino.settings import Network

_HOST = re.compile(r"(?:[A-Za-z0-9_](?:[A-Za-z0-9_.\-]{0,252})|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?")
_PREFIX = re.compile(r"(?:/[A-Za-z0-9_.~\-]+){1,10}/?")
_PORT = re.compile(r"\d{1,5}")
_STANDARD_PORTS = {"http": "80", "https": "443"}

_FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "via", "x-real-ip")


def base_url(request: HTTPConnection, trusted: tuple[Network, ...]) -> str:
    """Return scheme, host and prefix without a slash at the end. Headers of proxies count only if these are trusted.

    Raises:
        Refusal: a header is invalid and must not get into an address.
    """
    scheme = "https" if request.url.scheme == "https" else "http"
    host = single(request.headers, "host")
    if not from_trusted(request, trusted):
        return f"{scheme}://{_checked_host(host)}"
    scheme = _first(request, "x-forwarded-proto") or scheme
    if scheme not in _STANDARD_PORTS:
        raise Refusal(400, "X-Forwarded-Proto is neither http nor https.")
    host = _checked_host(_first(request, "x-forwarded-host") or host)
    port = _first(request, "x-forwarded-port")
    if port is not None:
        if not _PORT.fullmatch(port):
            raise Refusal(400, "X-Forwarded-Port is not a port.")
        if not re.search(r":\d+$", host) and port != _STANDARD_PORTS[scheme]:
            host = f"{host}:{port}"
    prefix = _first(request, "x-forwarded-prefix") or ""
    if prefix.strip("/") and not _PREFIX.fullmatch(prefix):
        raise Refusal(400, "X-Forwarded-Prefix is not a path.")
    return f"{scheme}://{host}{prefix.rstrip('/')}"


def from_trusted(request: HTTPConnection, trusted: tuple[Network, ...]) -> bool:
    peer = peer_address(request)
    return peer is not None and any(
        peer.version == network.version and peer in network for network in trusted
    )


def client_address(request: HTTPConnection, trusted: tuple[Network, ...]) -> str | None:
    """Return the client's address: the last one in the chain that is not a trusted proxy."""
    peer = peer_address(request)
    if peer is None or not from_trusted(request, trusted):
        return str(peer) if peer is not None else None
    for hop in reversed(request.headers.get("x-forwarded-for", "").split(",")):
        try:
            address = ipaddress.ip_address(hop.strip().partition("%")[0])
        except ValueError:
            break  # the entries before an invalid one may be forged
        if not any(address.version == network.version and address in network for network in trusted):
            return str(address)
    return str(peer)


def peer_address(request: HTTPConnection) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return the address at the other end of the connection, which may be a proxy."""
    if request.client is None:
        return None
    return parse_ip(request.client.host)


def on_this_machine(request: HTTPConnection) -> bool:
    """Tell whether the client is on this machine, and no proxy forwards the request."""
    peer = peer_address(request)
    return peer is not None and peer.is_loopback and not any(name in request.headers for name in _FORWARDED)


def _first(request: HTTPConnection, name: str) -> str | None:
    """Return the value of the proxy next to the client, in a header with a chain of proxies."""
    value = request.headers.get(name, "").split(",")[0].strip()
    return value or None


def _checked_host(host: str | None) -> str:
    if host is None or not _HOST.fullmatch(host):
        raise Refusal(400, "The Host header is missing or not a host.")
    return host
