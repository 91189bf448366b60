"""Create certificates for tests: an authority, and what it signs."""

from __future__ import annotations

import datetime
import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

_DAY = datetime.timedelta(days=1)


@dataclass(frozen=True)
class Pair:
    """PEM files of a certificate and of its key."""

    certificate: Path
    key: Path


class Authority:
    """Signs. `certificate` is the PEM file that others have to trust."""

    def __init__(self, directory: Path, name: str = "SQE test authority") -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self._directory = directory
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        usage = x509.KeyUsage(
            digital_signature=True,
            content_commitment=False,
            key_encipherment=False,
            data_encipherment=False,
            key_agreement=False,
            key_cert_sign=True,
            crl_sign=True,
            encipher_only=False,
            decipher_only=False,
        )
        signed = (
            _builder(self._name, self._name, self._key)
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
            .add_extension(usage, critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(self._key.public_key()), critical=False)
            .sign(self._key, hashes.SHA256())
        )
        self.certificate = directory / "ca.pem"
        self.certificate.write_bytes(signed.public_bytes(serialization.Encoding.PEM))

    def server(self, name: str = "localhost", file: str = "server") -> Pair:
        """For `name`, localhost and 127.0.0.1."""
        names = [
            x509.DNSName(name),
            x509.DNSName("localhost"),
            x509.IPAddress(ipaddress.ip_address("127.0.0.1")),
        ]
        return self._make(name, names, ExtendedKeyUsageOID.SERVER_AUTH, file)

    def client(
        self, name: str, file: str = "client", email: str | None = None, units: Sequence[str] = ()
    ) -> Pair:
        """Of a user: the name is the common name, unless there is an e-mail address in it; `units` are groups."""
        names = [x509.RFC822Name(email)] if email else []
        return self._make(name, names, ExtendedKeyUsageOID.CLIENT_AUTH, file, units)

    def _make(
        self,
        name: str,
        names: Sequence[x509.GeneralName],
        usage: x509.ObjectIdentifier,
        file: str,
        units: Sequence[str] = (),
    ) -> Pair:
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name(
            [
                x509.NameAttribute(NameOID.COMMON_NAME, name),
                *(x509.NameAttribute(NameOID.ORGANIZATIONAL_UNIT_NAME, unit) for unit in units),
            ]
        )
        builder = (
            _builder(subject, self._name, key)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(x509.ExtendedKeyUsage([usage]), critical=False)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key()), critical=False
            )
        )
        if names:
            builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
        signed = builder.sign(self._key, hashes.SHA256())
        pair = Pair(self._directory / f"{file}.pem", self._directory / f"{file}-key.pem")
        pair.certificate.write_bytes(signed.public_bytes(serialization.Encoding.PEM))
        pair.key.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
        pair.key.chmod(0o600)
        return pair


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey
) -> x509.CertificateBuilder:
    now = datetime.datetime.now(datetime.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _DAY)
        .not_valid_after(now + 30 * _DAY)
    )
