from __future__ import annotations

import pytest

from sqe.identity.providers.client_certificate import ClientCertificate, read_certificate

SUBJECT = (
    (("organizationName", "x"),),
    (("organizationalUnitName", "dev"), ("commonName", "alice")),
    (("organizationalUnitName", "ops"),),
    (("commonName", "second"),),
)


def test_the_common_name_and_the_units() -> None:
    assert read_certificate({"subject": SUBJECT}) == ClientCertificate("alice", ("dev", "ops"))


def test_an_alternative_name_goes_before_the_common_name_as_grpc_has_it() -> None:
    names = (("DirName", "x"), ("email", "a@b"), ("DNS", "c"))
    found = read_certificate({"subject": SUBJECT, "subjectAltName": names})
    assert found == ClientCertificate("a@b", ("dev", "ops"))
    assert read_certificate({"subjectAltName": names}) == ClientCertificate("a@b")
    other = read_certificate({"subject": SUBJECT, "subjectAltName": (("DirName", "x"),)})
    assert other is not None
    assert other.name == "alice"


@pytest.mark.parametrize("certificate", [None, {}, {"subject": ((("organizationName", "x"),),)}])
def test_without_a_name_there_is_nobody(certificate: dict[str, object] | None) -> None:
    assert read_certificate(certificate) is None
