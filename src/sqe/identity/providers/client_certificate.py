"""Read a client's certificate that TLS has verified against `server.tls_client_ca`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ClientCertificate:
    name: str
    units: tuple[str, ...] = ()  # organizational units; Flight SQL does not tell them


def read_certificate(certificate: Mapping[str, Any] | None) -> ClientCertificate | None:
    """Read a verified certificate as `ssl` gives it; None when there is no name in it.

    The name is the first alternative name, else the common name. gRPC takes the same one, and tells no other, so that a
    certificate means the same user at every listener.
    """
    if not certificate:
        return None
    alternatives = (
        str(value)
        for kind, value in certificate.get("subjectAltName", ())
        if kind in ("DNS", "email", "URI", "IP Address")
    )
    name = next(alternatives, None) or next(_attributes(certificate, "commonName"), None)
    if name is None:
        return None
    return ClientCertificate(name, tuple(_attributes(certificate, "organizationalUnitName")))


def _attributes(certificate: Mapping[str, Any], wanted: str) -> Iterator[str]:
    for attributes in certificate.get("subject", ()):
        for kind, value in attributes:
            if kind == wanted:
                yield str(value)
