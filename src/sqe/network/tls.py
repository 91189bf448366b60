"""Read and check the certificates of the listeners, and reload them when the files change."""

from __future__ import annotations

import logging
import os
import ssl
import stat
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from sqe.errors import ConfigError, SqeError

_log = logging.getLogger(__name__)

Stamp = tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class Material:
    """The content of the files, as one consistent set."""

    certificate: bytes
    key: bytes
    client_ca: bytes | None


@dataclass(frozen=True, slots=True)
class TlsFiles:
    certificate: Path
    key: Path
    client_ca: Path | None
    client_auth: str  # none, optional or required

    def read(self) -> Material:
        """Read and check all files. Raises ConfigError naming the key."""
        material = Material(
            _read("server.tls_certificate", self.certificate),
            _read("server.tls_key", self.key, private=True),
            _read("server.tls_client_ca", self.client_ca) if self.client_ca else None,
        )
        self._context(ask_clients=True)
        return material

    def stamp(self) -> Stamp:
        """Return a value that changes when a file does, also when a file appears or disappears."""
        return tuple(
            _stamp(path) for path in (self.certificate, self.key, self.client_ca) if path is not None
        )

    def context(self, *, ask_clients: bool) -> ssl.SSLContext:
        """Return a context for TLS 1.2 or newer; with `ask_clients` it asks for certificates as `client_auth` says."""
        return self._context(ask_clients=ask_clients)

    def _context(self, *, ask_clients: bool) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        try:
            # OpenSSL must not ask for a password: the server has no terminal.
            context.load_cert_chain(self.certificate, self.key, password=_no_password)
        except (OSError, ValueError) as error:
            raise ConfigError(
                f"server.tls_certificate and server.tls_key do not match: {_reason(error)}.",
                hint="The certificate comes first in its file, and the key is PEM without a password.",
            ) from error
        if self.client_ca is not None and self.client_auth != "none" and ask_clients:
            try:
                context.load_verify_locations(self.client_ca)
            except OSError as error:
                raise ConfigError(
                    f"server.tls_client_ca: {self.client_ca} holds no certificates: {_reason(error)}."
                ) from error
            context.verify_mode = ssl.CERT_REQUIRED if self.client_auth == "required" else ssl.CERT_OPTIONAL
        return context


class LiveContext:
    """A TLS context of a running server with replaceable certificates: each handshake uses the newest."""

    def __init__(self, files: TlsFiles, *, ask_clients: bool) -> None:
        self._files = files
        self._ask_clients = ask_clients
        self.context = files.context(ask_clients=ask_clients)
        self._newest = self.context
        # Called in every handshake, whether the client names a server or not.
        self.context.sni_callback = self._choose

    def reload(self) -> None:
        """Load the certificates again. Raises ConfigError, and the old ones stay."""
        self._newest = self._files.context(ask_clients=self._ask_clients)

    def _choose(self, connection: ssl.SSLSocket | ssl.SSLObject, name: str | None, context: object) -> None:
        connection.context = self._newest


class Reloadable(Protocol):
    def reload(self) -> None:
        """Load the certificates from disk. Raises ConfigError, and the old ones stay."""


class Reloader:
    """Reload the certificates of all listeners when the files change."""

    def __init__(self, files: TlsFiles, users: Sequence[Reloadable]) -> None:
        """Watch `files`; `users` reload when the files have changed and are valid."""
        self._files = files
        self._users = users
        self._stamp = files.stamp()
        self._lock = threading.Lock()

    def reload_changed(self, *, force: bool = False) -> bool:
        """Reload changed files, with `force` also unchanged ones, and return whether that was done.

        If a file is broken, it is logged, and the old certificates stay in use.
        """
        with self._lock:
            stamp = self._files.stamp()
            if stamp == self._stamp and not force:
                return False
            self._stamp = stamp
            try:
                self._files.read()
                for user in self._users:
                    user.reload()
            except SqeError as error:
                _log.error("the old certificates stay in use: %s", error.message)
                return False
            _log.info("reloaded the certificates")
            return True


def _read(key: str, path: Path, *, private: bool = False) -> bytes:
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            content = file.read()
    except OSError as error:
        raise ConfigError(f"{key}: {path} cannot be read: {error.strerror}.") from error
    if private and mode & (stat.S_IROTH | stat.S_IWOTH):
        raise ConfigError(f"{key}: every user of this machine can read {path}.", hint="Run chmod 600 on it.")
    return content


def _stamp(path: Path) -> tuple[int, int, int]:
    try:
        found = path.stat()
    except OSError:
        return (0, 0, 0)
    return (found.st_mtime_ns, found.st_size, found.st_ino)


def _no_password() -> str:
    raise ValueError("the key has a password")


def _reason(error: Exception) -> str:
    if isinstance(error, ssl.SSLError) and error.reason:
        return error.reason.lower().replace("_", " ")
    return str(error).rstrip(".")
