"""The first start on a machine without a network, and every later one."""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from testing.command import Done, Sqe, clean_environment, until
from tests.support.shell import ENGINE_SECONDS, leave, open_shell, run

from sqe.config.load import load
from sqe.engine.runtime import lockfile
from sqe.engine.runtime.cache import Cache
from sqe.engine.runtime.ivy import Ivy
from sqe.engine.runtime.jars import provide_jars
from sqe.engine.runtime.jre import find_jre
from sqe.engine.runtime.pyspark_files import find_pyspark
from sqe.engine.runtime.report import QuietReporter
from sqe.engine.runtime.truststore import provide_truststore

pytestmark = pytest.mark.engine

NOBODY = "http://127.0.0.1:9"  # the discard port, where nothing listens
PROXY_VARIABLES = ("http_proxy", "https_proxy", "all_proxy")


def proxied(proxy: str) -> Mapping[str, str]:
    """The environment in which every way out leads to `proxy`."""
    return {
        **dict.fromkeys(PROXY_VARIABLES, proxy),
        **{name.upper(): proxy for name in PROXY_VARIABLES},
        "no_proxy": "",
        "NO_PROXY": "",
    }


@pytest.fixture(scope="module")
def jars() -> tuple[Path, ...]:
    """The real files, from the cache of whoever runs the tests; fetched when they are not there yet."""
    config, quiet = load(None, os.environ), QuietReporter()
    cache = Cache(config)
    ivy = Ivy(
        java=find_jre(None, {}, quiet).java,
        jar=find_pyspark().ivy,
        settings=config.engine.ivy_settings,
        truststore=provide_truststore(config.tls.ca_bundle, os.environ, cache, quiet),
        environ=os.environ,
    )
    return provide_jars(lockfile.load(), cache, ivy, quiet)


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Sqe]:
    """The command on a machine where nothing was ever set up and that has no way out."""
    home = Path(tempfile.mkdtemp(prefix="sqe-test-"))
    command = Sqe(
        {**clean_environment(home), **proxied(NOBODY)}, warehouse=tmp_path / "warehouse", directory=tmp_path
    ).having(paths__cache=str(tmp_path / "cache"), engine__class_data_sharing="false")
    yield command
    command.run("engine", "stop", "--all")
    shutil.rmtree(home, ignore_errors=True)


class Listener:
    """A proxy that hangs up on everybody and counts them."""

    def __init__(self) -> None:
        self.calls = 0
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            try:
                call, _ = self._socket.accept()
            except OSError:
                return
            self.calls += 1
            call.close()

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join(timeout=10)


@pytest.fixture
def listener() -> Iterator[Listener]:
    listener = Listener()
    yield listener
    listener.close()


def assert_says_what_to_do(done: Done, cache: Path) -> None:
    assert done.code == 3, done
    assert "OFFLINE" in done.err
    for jar in lockfile.load():
        assert jar.file_name in done.err
        assert jar.coordinates in done.err
        assert jar.sha256 in done.err
    assert f"Put the files into {cache / 'jars'}" in done.err.replace("\n", " ")


def addresses(pid: int) -> set[str]:
    """The addresses of a process's TCP sockets, both ends, as the kernel writes them."""
    held = {str(entry.readlink()) for entry in Path(f"/proc/{pid}/fd").iterdir() if entry.is_symlink()}
    found: set[str] = set()
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if f"socket:[{fields[9]}]" in held:
                found |= {field.partition(":")[0] for field in fields[1:3]}
    return found


LOOPBACK_OR_NONE = {
    "0100007F",  # 127.0.0.1
    "0000000000000000FFFF00000100007F",  # the same, written as IPv6
    "00000000000000000000000001000000",  # ::1
    "00000000",  # the other end of a socket that listens
    "00000000000000000000000000000000",
}


def test_the_first_start_without_a_network_says_what_to_put_where_and_then_works(
    fresh: Sqe, jars: tuple[Path, ...], listener: Listener, tmp_path: Path
) -> None:
    cache = tmp_path / "cache"
    started = time.monotonic()
    assert_says_what_to_do(fresh.sql("SELECT 1 AS x"), cache)
    assert time.monotonic() - started < 60
    assert_says_what_to_do(fresh.run("setup"), cache)

    with open_shell(fresh) as shell:
        run(shell, "SELECT 1 AS x;", "OFFLINE")
        # Completion asks for names once more, and then no longer: it does not try to set up again and again.
        until(lambda: all(fresh.status()["engine"] == "failed" for _ in range(6)), "the end of the attempts")
        gateway = fresh.status()
        for jar in jars:
            shutil.copy(jar, cache / "jars")
        run(shell, "SELECT 1 AS x;", "1 row", seconds=ENGINE_SECONDS)
        assert fresh.status()["pid"] == gateway["pid"]
        leave(shell)
    done = fresh.run("setup", "--offline", "--verify")
    assert done.code == 0, done.err
    assert all(pin.file_name in done.out for pin in lockfile.load() if pin.needed == "engine")

    # From here on it needs no network at all: it does not even try.
    fresh.run("engine", "stop")
    again = fresh.under(proxied(listener.url))
    done = again.sql("CREATE TABLE t AS SELECT 7 AS n", "SELECT n FROM t")
    assert done.rows() == [["7"]]
    assert listener.calls == 0
    status = again.status()
    for pid in (status["pid"], status["engine_pid"]) if Path("/proc").exists() else ():
        assert addresses(pid) <= LOOPBACK_OR_NONE


def test_the_setting_offline_does_not_even_try(fresh: Sqe, listener: Listener, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    offline = fresh.under(proxied(listener.url)).having(engine__offline="true")
    done = offline.sql("SELECT 1 AS x")
    assert_says_what_to_do(done, cache)
    assert "engine.offline" in done.err
    wrong = cache / "jars" / lockfile.load()[0].file_name
    wrong.write_bytes(b"not a jar")
    done = offline.sql("SELECT 1 AS x")
    assert done.code == 3
    assert "CHECKSUM_MISMATCH" in done.err
    assert lockfile.load()[0].sha256 in done.err
    assert str(wrong) in done.err.replace("\n", " ")
    assert listener.calls == 0
