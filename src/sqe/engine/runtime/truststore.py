"""Provide the machine's trusted certificates in a form that the JVM reads.

A JRE that comes as a wheel has certificates of its own and does not know those of the machine or the company.
One PEM bundle serves Python and the JVM alike; this makes the JVM's PKCS12 trust store from it.
"""

from __future__ import annotations

import hashlib
import re
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sqe.engine.runtime.cache import Cache
from sqe.engine.runtime.report import Reporter
from sqe.errors import ConfigError

if TYPE_CHECKING:
    from cryptography.x509 import Certificate

# Java wants one. The store holds only public certificates, so the customary one that everybody knows will do.
PASSWORD = "changeit"  # noqa: S105 - it protects nothing

_USUAL_PLACES = (
    "/etc/ssl/certs/ca-certificates.crt",  # Debian, Arch, Alpine
    "/etc/pki/tls/certs/ca-bundle.crt",  # Fedora, RHEL
    "/etc/ssl/ca-bundle.pem",  # SUSE
    "/etc/ssl/cert.pem",  # macOS, BSD
)
# Goes into the name of the file; to be changed with the way it is made.
_RECIPE = b"1"
_PEM = re.compile(
    rb"-----BEGIN (?:TRUSTED )?CERTIFICATE-----.+?-----END (?:TRUSTED )?CERTIFICATE-----", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class TrustStore:
    path: Path
    password: str = PASSWORD

    def properties(self) -> dict[str, str]:
        """Return the Java system properties that make a JVM use it."""
        return {
            "javax.net.ssl.trustStore": str(self.path),
            "javax.net.ssl.trustStoreType": "PKCS12",
            "javax.net.ssl.trustStorePassword": self.password,
        }


def provide_truststore(
    configured: Path | None, environ: Mapping[str, str], cache: Cache, report: Reporter
) -> TrustStore | None:
    """Return a trust store with the certificates of `configured`, or of the system's bundle if there is one.

    Raises:
        ConfigError: the configured bundle cannot be read, or holds no certificate.
    """
    found = find_bundle(configured, environ, report)
    if found is None:
        return None
    bundle, pem = found
    name = f"truststore/{hashlib.sha256(_RECIPE + pem).hexdigest()[:32]}.p12"
    if path := cache.find(name):
        return TrustStore(path)
    certificates = _certificates(pem, bundle, report)
    if not certificates:
        if configured is None:
            return None
        raise ConfigError(
            f"tls.ca_bundle is {bundle}, which holds no certificate.",
            hint="Name a PEM file of certificates, or leave the setting out to use the system's.",
        )
    return TrustStore(cache.put(name, _pkcs12(certificates)))


def find_bundle(
    configured: Path | None, environ: Mapping[str, str], report: Reporter
) -> tuple[Path, bytes] | None:
    """Return the PEM file `configured`, or the system's if there is one, and its content. Raises ConfigError."""
    if configured is None:
        return next(_system_bundles(environ, report), None)
    bundle = configured.expanduser().absolute()
    try:
        return bundle, bundle.read_bytes()
    except OSError as error:
        raise ConfigError(
            f"tls.ca_bundle is {bundle}, which cannot be read: {error.strerror}.",
            hint="Name a PEM file of certificates, or leave the setting out to use the system's.",
        ) from error


def _system_bundles(environ: Mapping[str, str], report: Reporter) -> Iterator[tuple[Path, bytes]]:
    if named := environ.get("SSL_CERT_FILE"):
        try:
            yield Path(named).absolute(), Path(named).read_bytes()
        except OSError as error:
            report.note(
                f"SSL_CERT_FILE is {named}, which cannot be read ({error.strerror}); passing it over."
            )
    import ssl  # here, because it takes a while and SSL_CERT_FILE is often set

    for place in (ssl.get_default_verify_paths().openssl_cafile, *_USUAL_PLACES):
        try:
            yield Path(place), Path(place).read_bytes()
        except OSError:
            continue


def _certificates(pem: bytes, bundle: Path, report: Reporter) -> list[Certificate]:
    from cryptography import x509
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.utils import CryptographyDeprecationWarning

    certificates: dict[bytes, Certificate] = {}
    broken = 0
    with warnings.catch_warnings():
        # Old roots have serial numbers that today's rules forbid. Whom to trust is the bundle's decision.
        warnings.filterwarnings("ignore", message=".*serial number", category=CryptographyDeprecationWarning)
        for block in _PEM.findall(pem):
            try:
                certificate = x509.load_pem_x509_certificate(block)
                certificates[certificate.fingerprint(SHA256())] = certificate
            except ValueError:
                broken += 1
    if broken:
        report.note(f"{bundle} holds {broken} certificate(s) that cannot be read; passing them over.")
    return list(certificates.values())


def _pkcs12(certificates: list[Certificate]) -> bytes:
    from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, pkcs12

    entries = [
        pkcs12.PKCS12Certificate(certificate, f"ca-{number}".encode())
        for number, certificate in enumerate(certificates)
    ]
    return pkcs12.serialize_java_truststore(entries, BestAvailableEncryption(PASSWORD.encode()))
