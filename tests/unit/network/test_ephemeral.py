from __future__ import annotations

import ssl

import pytest
from cryptography import x509
from cryptography.exceptions import InvalidSignature

from sqe.network.ephemeral import ClientPems, EphemeralTls


def test_the_client_gets_what_it_needs_and_shows_no_key() -> None:
    client = EphemeralTls("127.0.0.1").client
    assert client.key.startswith("-----BEGIN PRIVATE KEY-----")
    assert client.key not in repr(client)


def test_each_one_trusts_only_its_own() -> None:
    one, two = EphemeralTls("127.0.0.1"), EphemeralTls("127.0.0.1")
    assert one.client.authority != two.client.authority
    certificate = x509.load_pem_x509_certificate(one.client.certificate.encode())
    certificate.verify_directly_issued_by(x509.load_pem_x509_certificate(one.client.authority.encode()))
    with pytest.raises(InvalidSignature):
        certificate.verify_directly_issued_by(x509.load_pem_x509_certificate(two.client.authority.encode()))


def test_the_server_insists_on_a_certificate_and_on_new_tls() -> None:
    context = EphemeralTls("sqe.example.org").context
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.minimum_version is ssl.TLSVersion.TLSv1_3


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "sqe.example.org"])
def test_any_kind_of_host(host: str) -> None:
    assert isinstance(EphemeralTls(host).client, ClientPems)
