from __future__ import annotations

import datetime
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding

from sqe.config.schema import Config
from sqe.engine.runtime.cache import Cache
from sqe.engine.runtime.jre import Jre
from sqe.engine.runtime.truststore import provide_truststore
from sqe.errors import ConfigError

if TYPE_CHECKING:
    from tests.unit.engine.runtime.conftest import Recorder

LISTING = """
import java.security.KeyStore;
import javax.net.ssl.*;

public class Listing {
  public static void main(String[] args) throws Exception {
    TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init((KeyStore) null);
    for (var certificate : ((X509TrustManager) factory.getTrustManagers()[0]).getAcceptedIssuers())
      System.out.println(certificate.getSubjectX500Principal().getName());
  }
}
"""


def certificate(name: str) -> bytes:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now)
        .not_valid_after(now + datetime.timedelta(days=1))
        .sign(key, SHA256())
        .public_bytes(Encoding.PEM)
    )


@pytest.fixture
def cache(make_config: Callable[..., Config]) -> Cache:
    return Cache(make_config())


def test_the_jvm_trusts_exactly_what_the_bundle_holds(
    tmp_path: Path, cache: Cache, recorder: Recorder, bundled_jre: Jre, ecj: Path
) -> None:
    one = certificate("one")
    bundle = tmp_path / "bundle.pem"
    bundle.write_bytes(b"# One\n" + one + b"\n# Two\n" + certificate("two") + one)
    truststore = provide_truststore(bundle, {}, cache, recorder)
    assert truststore is not None
    (tmp_path / "Listing.java").write_text(LISTING, encoding="utf-8")
    subprocess.run(
        [bundled_jre.java, "-jar", ecj, "-17", "-d", tmp_path, tmp_path / "Listing.java"],
        check=True,
        timeout=120,
    )
    properties = [f"-D{name}={value}" for name, value in truststore.properties().items()]
    listing = subprocess.run(
        [bundled_jre.java, *properties, "-cp", tmp_path, "Listing"],
        check=True,
        timeout=120,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert sorted(listing.stdout.split()) == ["CN=one", "CN=two"]


def test_it_is_made_once_for_the_same_bundle_and_anew_for_another(
    tmp_path: Path, cache: Cache, recorder: Recorder
) -> None:
    bundle = tmp_path / "bundle.pem"
    bundle.write_bytes(certificate("one"))
    first = provide_truststore(bundle, {}, cache, recorder)
    assert first is not None
    made = first.path.stat().st_mtime_ns
    assert provide_truststore(bundle, {}, cache, recorder) == first
    assert first.path.stat().st_mtime_ns == made
    bundle.write_bytes(certificate("two"))
    assert provide_truststore(bundle, {}, cache, recorder) != first


def test_a_certificate_that_cannot_be_read_is_passed_over_and_mentioned(
    tmp_path: Path, cache: Cache, recorder: Recorder
) -> None:
    bundle = tmp_path / "bundle.pem"
    broken = b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
    bundle.write_bytes(broken + certificate("one"))
    assert provide_truststore(bundle, {}, cache, recorder) is not None
    assert recorder.notes == [f"{bundle} holds 1 certificate(s) that cannot be read; passing them over."]


def test_a_configured_bundle_must_be_there(tmp_path: Path, cache: Cache, recorder: Recorder) -> None:
    with pytest.raises(ConfigError, match=r"tls\.ca_bundle is .*missing\.pem, which cannot be read"):
        provide_truststore(tmp_path / "missing.pem", {}, cache, recorder)


def test_a_configured_bundle_must_hold_certificates(tmp_path: Path, cache: Cache, recorder: Recorder) -> None:
    (tmp_path / "empty.pem").write_text("nothing here\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="holds no certificate"):
        provide_truststore(tmp_path / "empty.pem", {}, cache, recorder)


def test_ssl_cert_file_names_the_systems_bundle(tmp_path: Path, cache: Cache, recorder: Recorder) -> None:
    bundle = tmp_path / "bundle.pem"
    bundle.write_bytes(certificate("one"))
    named = provide_truststore(None, {"SSL_CERT_FILE": str(bundle)}, cache, recorder)
    assert named == provide_truststore(bundle, {}, cache, recorder)
    assert recorder.notes == []


def test_an_ssl_cert_file_that_is_not_there_is_passed_over_and_mentioned(
    tmp_path: Path, cache: Cache, recorder: Recorder
) -> None:
    provide_truststore(None, {"SSL_CERT_FILE": str(tmp_path / "missing.pem")}, cache, recorder)
    assert [note for note in recorder.notes if "missing.pem" in note]
