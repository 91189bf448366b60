from __future__ import annotations

import ctypes
import hashlib
import os
import struct
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from sqe.config.load import load
from sqe.config.schema import Config
from sqe.engine.runtime import lockfile
from sqe.engine.runtime.cache import Cache
from sqe.engine.runtime.ivy import Ivy
from sqe.engine.runtime.jars import provide_jars
from sqe.engine.runtime.jre import Jre, find_jre
from sqe.engine.runtime.lockfile import Jar
from sqe.engine.runtime.pyspark_files import find_pyspark
from sqe.engine.runtime.report import QuietReporter
from sqe.engine.runtime.truststore import provide_truststore


@dataclass
class Recorder:
    """A Reporter that remembers."""

    steps: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    bytes: list[int] = field(default_factory=list)
    finished: int = 0

    def start(self, step: str, total: int | None = None) -> None:
        self.steps.append(step)

    def advance(self, done: int) -> None:
        self.bytes.append(done)

    def finish(self) -> None:
        self.finished += 1

    def note(self, text: str) -> None:
        self.notes.append(text)


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


@pytest.fixture
def make_config(tmp_path: Path) -> Callable[..., Config]:
    """A configuration that touches nothing outside the test's own directory."""

    def make(**flags: Any) -> Config:
        own = {"paths.home": str(tmp_path / "home"), "paths.cache": str(tmp_path / "cache")}
        given = {name.replace("__", "."): value for name, value in flags.items()}
        return load(None, {}, {**own, **given})

    return make


@pytest.fixture(scope="session")
def bundled_jre() -> Jre:
    return find_jre(None, {}, QuietReporter())


@pytest.fixture(scope="session")
def ecj(bundled_jre: Jre) -> Path:
    """The real compiler, from the cache of whoever runs the tests; fetched when it is not there yet."""
    return _real_jar(bundled_jre, "ecj")


@pytest.fixture(scope="session")
def iceberg(bundled_jre: Jre) -> Path:
    """The real Iceberg jar, which the Java part is compiled against."""
    return _real_jar(bundled_jre, "iceberg-spark-runtime-4.1_2.13")


@pytest.fixture(scope="session")
def aws_bundle(bundled_jre: Jre) -> Path:
    """Iceberg's other jar, with AWS's SDK, which it is compiled against too."""
    return _real_jar(bundled_jre, "iceberg-aws-bundle")


@pytest.fixture(scope="session")
def engine_jars(bundled_jre: Jre) -> list[Path]:
    """All jars that the engine has besides pyspark's own."""
    return _real_jars(bundled_jre, [jar for jar in lockfile.load() if jar.needed == "engine"])


def _real_jar(bundled_jre: Jre, artifact: str) -> Path:
    return _real_jars(bundled_jre, [jar for jar in lockfile.load() if jar.artifact == artifact])[0]


def _real_jars(bundled_jre: Jre, pins: Sequence[Jar]) -> list[Path]:
    config = load(None, os.environ)
    cache = Cache(config)
    ivy = Ivy(
        java=bundled_jre.java,
        jar=find_pyspark().ivy,
        settings=config.engine.ivy_settings,
        truststore=provide_truststore(config.tls.ca_bundle, os.environ, cache, QuietReporter()),
        environ=os.environ,
    )
    return list(provide_jars(pins, cache, ivy, QuietReporter()))


def pin(name: str, content: bytes) -> Jar:
    return Jar(
        group="org.example",
        artifact=name,
        version="1.0",
        sha256=hashlib.sha256(content).hexdigest(),
        size=len(content),
        needed="engine",
        why="a test",
    )


@dataclass
class Repository:
    """A Maven repository in a directory, and over HTTP with a brake."""

    root: Path
    settings: Path
    port: int
    # A path whose second half is held back until `go` is set.
    slow: str | None = None
    half_sent: threading.Event = field(default_factory=threading.Event)
    go: threading.Event = field(default_factory=threading.Event)
    requests: list[str] = field(default_factory=list)

    def add(self, name: str, content: bytes) -> Jar:
        """Offer a jar and return the pin that fits it."""
        jar = pin(name, content)
        folder = self.root / "org" / "example" / name / "1.0"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / jar.file_name).write_bytes(content)
        (folder / f"{name}-1.0.pom").write_text(
            "<project><modelVersion>4.0.0</modelVersion><groupId>org.example</groupId>"
            f"<artifactId>{name}</artifactId><version>1.0</version></project>",
            encoding="utf-8",
        )
        return jar

    def use_http(self) -> None:
        self.settings.write_text(
            '<ivysettings><settings defaultResolver="r"/><resolvers>'
            f'<ibiblio name="r" m2compatible="true" root="http://127.0.0.1:{self.port}/"/>'
            "</resolvers></ivysettings>",
            encoding="utf-8",
        )


@pytest.fixture(name="repository")
def serve_repository(tmp_path: Path) -> Iterator[Repository]:
    root = tmp_path / "repository"
    root.mkdir()

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self._answer(body=False)

        def do_GET(self) -> None:
            self._answer(body=True)

        def _answer(self, *, body: bool) -> None:
            repository.requests.append(self.path)
            file = root / self.path.lstrip("/")
            if not file.is_file():
                self.send_error(404)
                return
            content = file.read_bytes()
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            if not body:
                return
            half = len(content) // 2
            self.wfile.write(content[:half])
            if repository.slow is not None and self.path.endswith(repository.slow):
                self.wfile.flush()
                repository.half_sent.set()
                if not repository.go.wait(timeout=120):
                    return
            self.wfile.write(content[half:])

        def log_message(self, *args: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        def handle_error(self, request: Any, client_address: Any) -> None:
            pass  # clients that were killed are part of the tests

    with Server(("127.0.0.1", 0), Handler) as server:
        repository = Repository(root, tmp_path / "ivysettings.xml", server.server_address[1])
        repository.settings.write_text(
            '<ivysettings><settings defaultResolver="r"/><resolvers>'
            '<filesystem name="r" m2compatible="true">'
            f'<ivy pattern="{root}/[organisation]/[module]/[revision]/[artifact]-[revision].pom"/>'
            f'<artifact pattern="{root}/[organisation]/[module]/[revision]/[artifact]-[revision].[ext]"/>'
            "</filesystem></resolvers></ivysettings>",
            encoding="utf-8",
        )
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield repository
        repository.go.set()
        server.shutdown()
        thread.join(timeout=120)


@pytest.fixture
def make_ivy(bundled_jre: Jre, repository: Repository) -> Callable[..., Ivy]:
    def make(stall_seconds: float = 60.0) -> Ivy:
        return Ivy(
            java=bundled_jre.java,
            jar=find_pyspark().ivy,
            settings=repository.settings,
            truststore=None,
            environ=os.environ,
            stall_seconds=stall_seconds,
        )

    return make


@pytest.fixture
def as_ordinary_user() -> Callable[[], AbstractContextManager[None]]:
    """Makes file permissions count within it, also when the tests run as root."""
    return _without_override


@contextmanager
def _without_override() -> Iterator[None]:
    if os.geteuid() != 0:
        yield
        return
    # Root passes every permission check by these two capabilities; without them it is a user like any other.
    libc = ctypes.CDLL(None, use_errno=True)
    header = struct.pack("Ii", 0x20080522, 0)
    before = ctypes.create_string_buffer(24)
    if libc.capget(header, before) != 0:
        raise OSError(ctypes.get_errno(), "capget")
    words = list(struct.unpack("6I", before.raw))
    words[0] &= ~(1 << 1 | 1 << 2)  # CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH, of the effective set only
    if libc.capset(header, struct.pack("6I", *words)) != 0:
        raise OSError(ctypes.get_errno(), "capset")
    try:
        yield
    finally:
        libc.capset(header, before.raw)
