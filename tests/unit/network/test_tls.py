from __future__ import annotations

import logging
import shutil
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from testing.certificates import Authority

from sqe.errors import ConfigError
from sqe.network.tls import Reloader, TlsFiles


class Counting:
    reloads = 0

    def reload(self) -> None:
        self.reloads += 1


@pytest.fixture
def files(tmp_path: Path) -> TlsFiles:
    pair = Authority(tmp_path).server()
    return TlsFiles(pair.certificate, pair.key, None, "none")


def test_good_files_are_read(files: TlsFiles) -> None:
    material = files.read()
    assert material.certificate == files.certificate.read_bytes()
    assert material.key == files.key.read_bytes()
    assert material.client_ca is None


def test_what_is_wrong_is_named(files: TlsFiles, tmp_path: Path) -> None:
    other = Authority(tmp_path / "other").server()
    cases: list[tuple[TlsFiles, str]] = [
        (TlsFiles(tmp_path / "none", files.key, None, "none"), "server.tls_certificate: .* cannot be read"),
        (TlsFiles(files.certificate, tmp_path / "none", None, "none"), "server.tls_key: .* cannot be read"),
        (TlsFiles(files.certificate, other.key, None, "none"), "do not match: key values mismatch"),
        (TlsFiles(files.key, files.key, None, "none"), "do not match"),
        (
            TlsFiles(files.certificate, files.key, files.key, "required"),
            "server.tls_client_ca: .* holds no certificates",
        ),
    ]
    for broken, words in cases:
        with pytest.raises(ConfigError, match=words):
            broken.read()


def test_a_key_that_all_can_read_is_refused(files: TlsFiles) -> None:
    files.key.chmod(0o644)
    with pytest.raises(ConfigError, match=r"server.tls_key: every user"):
        files.read()


def test_a_key_with_a_password_does_not_ask_the_terminal(files: TlsFiles) -> None:
    key = serialization.load_pem_private_key(files.key.read_bytes(), None)
    files.key.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.BestAvailableEncryption(b"hunter2"),
        )
    )
    with pytest.raises(ConfigError, match="the key has a password"):
        files.read()


def test_a_change_is_noticed_and_a_broken_one_is_not_taken(
    files: TlsFiles, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    user = Counting()
    reloader = Reloader(files, [user])
    assert not reloader.reload_changed()
    assert reloader.reload_changed(force=True)
    fresh = Authority(tmp_path / "fresh").server()
    shutil.copy(fresh.certificate, files.certificate)  # and not the key: half of a rotation
    with caplog.at_level(logging.ERROR):
        assert not reloader.reload_changed()
        assert not reloader.reload_changed()
    assert len(caplog.records) == 1
    assert user.reloads == 1
    shutil.copy(fresh.key, files.key)
    assert reloader.reload_changed()
    assert user.reloads == 2
