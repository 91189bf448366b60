"""Translate the environment's proxy settings into Java's."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from urllib.parse import SplitResult, unquote, urlsplit

from sqe.errors import ConfigError


def proxy_properties(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the Java system properties for HTTP(S)_PROXY and NO_PROXY; they may hold a password."""
    properties: dict[str, str] = {}
    for scheme in ("http", "https"):
        proxy = _proxy(f"{scheme}_proxy", environ)
        if proxy is None or proxy.hostname is None:
            continue
        properties[f"{scheme}.proxyHost"] = proxy.hostname
        properties[f"{scheme}.proxyPort"] = str(proxy.port or 80)
        if proxy.username is not None:
            # Ivy knows one user for both schemes; the one for https, which comes last, counts.
            properties["http.proxyUser"] = unquote(proxy.username)
            properties["http.proxyPassword"] = unquote(proxy.password or "")
            # Java refuses to send a password to a proxy for an https address, unless it is told to.
            properties["jdk.http.auth.tunneling.disabledSchemes"] = ""
    if exempt := _no_proxy(_value("no_proxy", environ)):
        properties["http.nonProxyHosts"] = exempt  # for both schemes
    return properties


def _value(name: str, environ: Mapping[str, str]) -> str:
    # Lower case first, as curl and Python do.
    return (environ.get(name) or environ.get(name.upper()) or "").strip()


def _proxy(name: str, environ: Mapping[str, str]) -> SplitResult | None:
    value = _value(name, environ)
    if not value:
        return None
    with suppress(ValueError):  # a port that is none
        proxy = urlsplit(value if "://" in value else f"http://{value}")
        if proxy.scheme in ("http", "https") and proxy.hostname and proxy.port != 0:
            return proxy
    # The value may hold a password and is not repeated.
    raise ConfigError(
        f"The environment variable {name} (or {name.upper()}) does not name an HTTP proxy.",
        hint="Write it as http://host:port or http://user:password@host:port.",
    )


def _no_proxy(value: str) -> str:
    patterns: list[str] = []
    for entry in value.split(","):
        host = entry.strip()
        if host.count(":") == 1:  # a port, which Java cannot tell apart; IPv6 addresses have more colons
            host = host.partition(":")[0]
        if host.startswith("."):
            patterns.append(f"*{host}")
        elif host == "*" or host.startswith("*."):
            patterns.append(host)
        elif host:
            patterns += [host, f"*.{host}"]
    return "|".join(patterns)
