"""Create certificates for mutual TLS between gateway and engine, which last as long as the process.

The authority's key is discarded as soon as it has signed the two certificates, so no other process can join later.
"""

from __future__ import annotations

import datetime
import ipaddress
import secrets
import ssl
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric import ec

_LIFE = datetime.timedelta(
    days=3650
)  # longer than any process; the end of the process is the end of the keys
_SKEW = datetime.timedelta(days=1)  # clocks of two machines differ


@dataclass(frozen=True, slots=True)
class ClientPems:
    """The client's key and certificates, as PEM texts."""

    authority: str
    certificate: str
    key: str = field(repr=False)  # PKCS8, without a password


class EphemeralTls:
    def __init__(self, host: str) -> None:
        """Create all keys and certificates. `host` is the name or address under which the client connects."""
        from cryptography import x509
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.x509.oid import ExtendedKeyUsageOID

        authority = _Authority(ec.generate_private_key(ec.SECP256R1()))
        server_key, client_key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
        server = authority.sign(
            server_key, "sqe-control", ExtendedKeyUsageOID.SERVER_AUTH, _alternative(host)
        )
        client = authority.sign(
            client_key, "sqe-engine", ExtendedKeyUsageOID.CLIENT_AUTH, x509.DNSName("sqe-engine")
        )
        self.client = ClientPems(authority.pem, client, _pem_of(client_key, None).decode())
        self.context = _server_context(server, server_key, authority.pem)


class _Authority:
    def __init__(self, key: ec.EllipticCurvePrivateKey) -> None:
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes

        self._key = key
        self._name = _named("sqe-control authority")
        usage = x509.KeyUsage(
            digital_signature=False,
            content_commitment=False,
            key_encipherment=False,
            data_encipherment=False,
            key_agreement=False,
            key_cert_sign=True,
            crl_sign=False,
            encipher_only=False,
            decipher_only=False,
        )
        signed = (
            _builder(self._name, self._name, key)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(usage, critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
            .sign(key, hashes.SHA256())
        )
        self.pem = _pem(signed)

    def sign(
        self,
        key: ec.EllipticCurvePrivateKey,
        name: str,
        usage: x509.ObjectIdentifier,
        alternative: x509.GeneralName,
    ) -> str:
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes

        signed = (
            _builder(_named(name), self._name, key)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(x509.ExtendedKeyUsage([usage]), critical=False)
            .add_extension(x509.SubjectAlternativeName([alternative]), critical=False)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key()), critical=False
            )
            .sign(self._key, hashes.SHA256())
        )
        return _pem(signed)


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey
) -> x509.CertificateBuilder:
    from cryptography import x509

    now = datetime.datetime.now(datetime.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _SKEW)
        .not_valid_after(now + _LIFE)
    )


def _named(name: str) -> x509.Name:
    from cryptography import x509
    from cryptography.x509.oid import NameOID

    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _alternative(host: str) -> x509.GeneralName:
    from cryptography import x509

    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _pem(certificate: x509.Certificate) -> str:
    from cryptography.hazmat.primitives.serialization import Encoding

    return certificate.public_bytes(Encoding.PEM).decode()


def _pem_of(key: ec.EllipticCurvePrivateKey, password: bytes | None) -> bytes:
    from cryptography.hazmat.primitives.serialization import (
        BestAvailableEncryption,
        Encoding,
        NoEncryption,
        PrivateFormat,
    )

    encryption = BestAvailableEncryption(password) if password is not None else NoEncryption()
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption)


def _server_context(certificate: str, key: ec.EllipticCurvePrivateKey, authority: str) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3  # SQE has both ends
    context.verify_mode = ssl.CERT_REQUIRED
    context.load_verify_locations(cadata=authority)
    # `ssl` reads keys from files only. This one is encrypted, and its password never leaves the process.
    password = secrets.token_bytes(32).hex().encode()
    with tempfile.TemporaryDirectory(prefix="sqe-control-") as directory:
        file = Path(directory) / "server.pem"
        file.write_bytes(_pem_of(key, password) + certificate.encode())
        context.load_cert_chain(file, password=password)
    return context
