"""Create certificates for mutual TLS between gateway and engine, which last as long as the process.

The authority's key is discarded as soon as it has signed the two certificates, so no other process can join later.
"""

from __future__ import annotations

import datetime
import secrets
import ssl
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from sqe.network.certificates import CertificateAuthority, IssuedCertificate, common_name, host_name

# Longer than any process; the end of the process is the end of the keys.
_LIFETIME = datetime.timedelta(days=3650)


@dataclass(frozen=True, slots=True)
class ClientPems:
    """The client's key and certificates, as PEM texts."""

    authority: str
    certificate: str
    key: str = field(repr=False)  # PKCS8, without a password


class EphemeralTls:
    def __init__(self, host: str) -> None:
        """Create all keys and certificates. `host` is the name or address under which the client connects."""
        from cryptography.x509.oid import ExtendedKeyUsageOID

        authority = CertificateAuthority("sqe-control authority", _LIFETIME)
        server = authority.issue(
            common_name("sqe-control"), ExtendedKeyUsageOID.SERVER_AUTH, [host_name(host)]
        )
        client = authority.issue(
            common_name("sqe-engine"), ExtendedKeyUsageOID.CLIENT_AUTH, [host_name("sqe-engine")]
        )
        self.client = ClientPems(authority.pem, client.pem, client.key_pem().decode())
        self.context = _server_context(server, authority.pem)


def _server_context(server: IssuedCertificate, authority: str) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3  # SQE has both ends
    context.verify_mode = ssl.CERT_REQUIRED
    context.load_verify_locations(cadata=authority)
    # `ssl` reads keys from files only. This one is encrypted, and its password never leaves the process.
    password = secrets.token_bytes(32).hex().encode()
    with tempfile.TemporaryDirectory(prefix="sqe-control-") as directory:
        file = Path(directory) / "server.pem"
        file.write_bytes(server.key_pem(password) + server.pem.encode())
        context.load_cert_chain(file, password=password)
    return context
