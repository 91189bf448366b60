"""Run a real `sqe server` as a process of its own, on free ports of 127.0.0.1.

    with running_server(users={"alice": "secret"}, tls=True, settings={"limits__rows": "10"}) as server:
        server.wait_until_ready()             # optional: queries wait for the engine by themselves
        server.flight                         # "grpc+tls://localhost:PORT" ("grpc://..." without tls)
        server.trino                          # "https://localhost:PORT" ("http://..." without tls)
        server.port("trino")                  # flight, trino, metrics, health
        server.ca                             # PEM file to trust; None without tls
        server.authority.client("alice")      # a client certificate, with settings server__tls_client_auth="optional"
        server.get(server.health + "/readyz") # (status, text); trusts the server's own certificate
        server.stop()                         # SIGTERM, waits, returns the exit code; also done at the end

Without `users`, every client on this machine may use any name (provider `anonymous`). `settings` are
as in the environment, without the prefix: `limits__rows` is SQE_LIMITS__ROWS. `catalogs` are name -> directory, and the
first by name is current; without them there is `iceberg`, in a directory that ends with the server.
"""

from __future__ import annotations

import json
import re
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from testing.certificates import Authority
from testing.command import SECONDS, clean_environment, until

from sqe.identity.providers.passwords import hash_password
from sqe.identity.providers.users_file import User

_LINE = re.compile(r"^(flight|trino|metrics|health)\s+(\S+?://\S+)")
_NAMES = ("flight", "trino", "metrics", "health")


@dataclass
class RunningServer:
    process: subprocess.Popen[str]
    home: Path
    environment: Mapping[str, str]
    authority: Authority
    ca: Path | None
    started: float  # time.monotonic() just before the process was started
    addresses: dict[str, str] = field(default_factory=dict)
    listening_after: float = 0.0  # seconds from its start until it had said where it listens
    output: list[str] = field(default_factory=list)  # lines of standard output
    log: list[str] = field(default_factory=list)  # lines of standard error

    @property
    def flight(self) -> str:
        return self.addresses["flight"]

    @property
    def trino(self) -> str:
        return self.addresses["trino"]

    @property
    def metrics(self) -> str:
        return self.addresses["metrics"].removesuffix("/metrics")

    @property
    def health(self) -> str:
        return self.addresses["health"].removesuffix("/readyz")

    def port(self, listener: str) -> int:
        return int(re.findall(r":(\d+)", self.addresses[listener])[-1])

    def get(
        self, url: str, headers: Mapping[str, str] | None = None, seconds: float = 10.0
    ) -> tuple[int, str]:
        context = ssl.create_default_context(cafile=str(self.ca)) if self.ca else None
        request = urllib.request.Request(url, headers=dict(headers or {}))
        try:
            with urllib.request.urlopen(
                request, timeout=seconds, context=context if url.startswith("https") else None
            ) as response:
                return response.status, response.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()

    def wait_until_ready(self, seconds: float = SECONDS) -> None:
        until(lambda: self.get(f"{self.health}/readyz")[0] == 200, "the server is ready", seconds)

    def stop(self, seconds: float = SECONDS) -> int:
        """Tell it to end, wait for it, and return its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGABRT)  # Python tells then where each thread is
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(10)
            self.process.kill()
            self.process.wait(10)
            sys.stderr.write("\n".join(["The server does not end. Its log:", *self.log[-200:], ""]))
            raise


@contextmanager
def running_server(
    *,
    users: Mapping[str, str] | None = None,
    tls: bool = False,
    settings: Mapping[str, str] | None = None,
    catalogs: Mapping[str, Path] | None = None,
    listeners: Sequence[str] = _NAMES,
    command: Sequence[str] = (sys.executable, "-m", "sqe.cli.main", "server"),
) -> Iterator[RunningServer]:
    # Not pytest's own directory: a unix socket's path must be short.
    home = Path(tempfile.mkdtemp(prefix="sqe-test-"))
    authority = Authority(home / "tls")
    mine = {f"server__{name}_port": "0" for name in _NAMES}
    mine |= {"server__listeners": json.dumps(list(listeners)), "engine__memory": "2GB"}
    mine |= {"policy__timeout": "30s"}  # a machine that is busy with other tests takes its time to decide
    if users is not None:
        mine |= {
            "auth__providers": '["users_file"]',
            "auth__users_file": str(write_users(home / "users", users)),
        }
    if tls:
        pair = authority.server()
        mine |= {"server__tls_certificate": str(pair.certificate), "server__tls_key": str(pair.key)}
    for name, path in (catalogs or {}).items():
        mine |= {f"catalogs__{name}__type": "warehouse", f"catalogs__{name}__path": str(path)}
    environment = clean_environment(home) | {"PYTHONFAULTHANDLER": "1"}
    environment |= {f"SQE_{name.upper()}": value for name, value in {**mine, **(settings or {})}.items()}
    started = time.monotonic()
    process = subprocess.Popen(
        list(command),
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    server = RunningServer(
        process, home, environment, authority, authority.certificate if tls else None, started
    )
    readers = _read(server)
    try:
        until(
            lambda: set(listeners) <= server.addresses.keys() or process.poll() is not None,
            "the server listens",
            SECONDS,  # with policies, an engine has to refuse what is not guarded before that
        )
        assert process.poll() is None, "\n".join(server.log)
        yield server
    except BaseException:
        sys.stderr.write("\n".join(["The server's log:", *server.log[-200:], ""]))  # pytest shows it
        raise
    finally:
        try:
            server.stop()
        finally:
            for reader in readers:
                reader.join(10)
            for stream in (process.stdout, process.stderr):
                if stream is not None:
                    stream.close()
            shutil.rmtree(home, ignore_errors=True)


def write_users(path: Path, users: Mapping[str, str]) -> Path:
    """A users file whose hashes cost little, for tests."""
    lines = [
        User(name, hash_password(secret, memory_kib=1024, passes=1)).line() for name, secret in users.items()
    ]
    path.touch(0o600)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _read(server: RunningServer) -> list[threading.Thread]:
    def output() -> None:
        assert server.process.stdout is not None
        for line in server.process.stdout:
            server.output.append(line.rstrip("\n"))
            if found := _LINE.match(line):
                server.listening_after = time.monotonic() - server.started
                # The certificate is for localhost as well as for 127.0.0.1; clients like names better.
                server.addresses[found[1]] = found[2].replace("127.0.0.1", "localhost")

    def log() -> None:
        assert server.process.stderr is not None
        for line in server.process.stderr:
            server.log.append(line.rstrip("\n"))

    threads = [threading.Thread(target=target, daemon=True) for target in (output, log)]
    for thread in threads:
        thread.start()
    return threads
