"""Create certificates for tests, in files."""

from __future__ import annotations

import datetime
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from cryptography.x509 import RFC822Name
from cryptography.x509.oid import ExtendedKeyUsageOID

from sqe.network.certificates import CertificateAuthority, IssuedCertificate, common_name, host_name

_BUNDLES = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")


@contextmanager
def own_certificates() -> Iterator[None]:
    """Let `requests`, under Trino's client, trust the certificate that it is given: it prefers the environment's."""
    removed = {name: os.environ.pop(name) for name in _BUNDLES if name in os.environ}
    try:
        yield
    finally:
        os.environ.update(removed)


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
        self._authority = CertificateAuthority(name, datetime.timedelta(days=30))
        self.certificate = directory / "ca.pem"
        self.certificate.write_text(self._authority.pem)

    def server(self, name: str = "localhost", file: str = "server") -> Pair:
        """For `name`, localhost and 127.0.0.1."""
        names = [host_name(host) for host in (name, "localhost", "127.0.0.1")]
        return self._written(
            self._authority.issue(common_name(name), ExtendedKeyUsageOID.SERVER_AUTH, names), file
        )

    def client(
        self, name: str, file: str = "client", email: str | None = None, units: Sequence[str] = ()
    ) -> Pair:
        """Of a user: the name is the common name, unless there is an e-mail address in it; `units` are groups."""
        names = [RFC822Name(email)] if email else []
        return self._written(
            self._authority.issue(common_name(name, units), ExtendedKeyUsageOID.CLIENT_AUTH, names), file
        )

    def _written(self, issued: IssuedCertificate, file: str) -> Pair:
        pair = Pair(self._directory / f"{file}.pem", self._directory / f"{file}-key.pem")
        pair.certificate.write_text(issued.pem)
        pair.key.write_bytes(issued.key_pem())
        pair.key.chmod(0o600)
        return pair
