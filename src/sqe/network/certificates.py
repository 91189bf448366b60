"""Create certificates: an authority whose key is only in memory, and what it signs."""

from __future__ import annotations

import datetime
import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric import ec

_SKEW = datetime.timedelta(days=1)  # clocks of two machines differ


@dataclass(frozen=True, slots=True)
class IssuedCertificate:
    """A certificate, as PEM text, and its key."""

    pem: str
    key: ec.EllipticCurvePrivateKey = field(repr=False)

    def key_pem(self, password: bytes | None = None) -> bytes:
        """Return the key in PKCS8, encrypted if there is a password."""
        from cryptography.hazmat.primitives.serialization import (
            BestAvailableEncryption,
            Encoding,
            NoEncryption,
            PrivateFormat,
        )

        encryption = BestAvailableEncryption(password) if password is not None else NoEncryption()
        return self.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption)


class CertificateAuthority:
    """Signs certificates of servers and clients. `pem` is the certificate that others have to trust."""

    def __init__(self, name: str, lifetime: datetime.timedelta) -> None:
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.asymmetric import ec

        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = common_name(name)
        self._lifetime = lifetime
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
            self._builder(self._name, self._key)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(usage, critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(self._key.public_key()), critical=False)
            .sign(self._key, hashes.SHA256())
        )
        self.pem = _pem(signed)

    def issue(
        self,
        subject: x509.Name,
        usage: x509.ObjectIdentifier,
        alternatives: Sequence[x509.GeneralName] = (),
    ) -> IssuedCertificate:
        """Make a key, and sign its certificate for one extended usage."""
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.asymmetric import ec

        key = ec.generate_private_key(ec.SECP256R1())
        issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key())
        builder = (
            self._builder(subject, key)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(x509.ExtendedKeyUsage([usage]), critical=False)
            .add_extension(issuer, critical=False)
        )
        if alternatives:
            builder = builder.add_extension(x509.SubjectAlternativeName(alternatives), critical=False)
        return IssuedCertificate(_pem(builder.sign(self._key, hashes.SHA256())), key)

    def _builder(self, subject: x509.Name, key: ec.EllipticCurvePrivateKey) -> x509.CertificateBuilder:
        from cryptography import x509

        now = datetime.datetime.now(datetime.UTC)
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - _SKEW)
            .not_valid_after(now + self._lifetime)
        )


def common_name(name: str, units: Sequence[str] = ()) -> x509.Name:
    """Return a subject with this common name, in these organizational units."""
    from cryptography import x509
    from cryptography.x509.oid import NameOID

    return x509.Name(
        [
            x509.NameAttribute(NameOID.COMMON_NAME, name),
            *(x509.NameAttribute(NameOID.ORGANIZATIONAL_UNIT_NAME, unit) for unit in units),
        ]
    )


def host_name(host: str) -> x509.GeneralName:
    """Return the alternative name of a server for a host's name or address."""
    from cryptography import x509

    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _pem(certificate: x509.Certificate) -> str:
    from cryptography.hazmat.primitives.serialization import Encoding

    return certificate.public_bytes(Encoding.PEM).decode()
