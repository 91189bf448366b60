"""Unpack Keycloak, and prepare once what takes most of the time of a start.

Its first start with our options builds it anew, which takes half a minute; the next one finds that. And a start with an
empty database spends as long again on tables and on importing the realm, so that is done once, and each run begins with
a copy of that database.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from stack import accounts, java
from stack.fetch import StackCache
from stack.ports import HOST, free_ports
from stack.process import ServiceProcess, answers
from stack.realm import realm

from sqe.engine.runtime.report import Reporter
from sqe.errors import SetupError

_REBUILT = 10  # its status when it has built itself anew and wants to be started again
_SHARED = ("lib", "conf", "providers", "themes")
_DATABASE = "keycloakdb.mv.db"
_START_SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class KeycloakDist:
    home: Path
    database: Path

    def lay_out(self, home: Path) -> None:
        """Make a home for one run: what Keycloak only reads is shared, what it writes is a copy."""
        lay_out(self.home, home)
        database = home / "data" / "h2" / _DATABASE
        database.parent.mkdir(parents=True)
        shutil.copyfile(self.database, database)


def lay_out(dist: Path, home: Path) -> None:
    home.mkdir()
    for name in _SHARED:
        (home / name).symlink_to(dist / name)


def command(home: Path, port: int, management_port: int, *more: str) -> list[str]:
    """Return the command of bin/kc.sh, without the shell around it."""
    opened = ("java.util", "java.util.concurrent", "java.security", "java.lang")
    factory = "io.quarkus.bootstrap.forkjoin.QuarkusForkJoinWorkerThreadFactory"
    return [
        str(java.bundled().java),
        *java.OPTIONS,
        *[f"--add-opens=java.base/{name}=ALL-UNNAMED" for name in opened],
        "--enable-native-access=ALL-UNNAMED",
        f"-Djava.util.concurrent.ForkJoinPool.common.threadFactory={factory}",
        "-Djava.util.logging.manager=org.jboss.logmanager.LogManager",
        "-Dpicocli.disable.closures=true",
        f"-Dkc.home.dir={home}",
        f"-Djboss.server.config.dir={home / 'conf'}",
        *["-cp", str(home / "lib" / "quarkus-run.jar"), "io.quarkus.bootstrap.runner.QuarkusEntryPoint"],
        # Production mode would listen on every address for other nodes.
        *["start-dev", "--db=dev-file", "--cache=local", "--health-enabled=true"],
        *[f"--http-host={HOST}", f"--http-port={port}", f"--http-management-port={management_port}"],
        *more,
    ]


def provide(cache: StackCache, report: Reporter) -> KeycloakDist:
    """Find it; fetch it, build it and import the realm where that was not done."""
    pin = cache.pin("keycloak-quarkus-dist")

    def make_home(target: Path, _: int) -> None:
        unpacked = target.with_name("unpacked")
        with tarfile.open(cache.fetch(pin, report)) as archive:
            archive.extractall(unpacked, filter="data")
        [content] = unpacked.iterdir()
        with _started(content, ()) as process:
            if (status := process.wait(_START_SECONDS)) != _REBUILT:
                raise SetupError(f"Keycloak ended with status {status} instead of building itself.")
        shutil.rmtree(content / "data", ignore_errors=True)
        content.replace(target)

    home = cache.store.provide(f"keycloak-{pin.version}", "Making Keycloak", make_home, report)
    content = json.dumps(realm(), indent=1)

    def make_database(target: Path, _: int) -> None:
        private = target.with_name("home")
        lay_out(home, private)
        imports = private / "data" / "import"
        imports.mkdir(parents=True)
        (imports / "realm.json").write_text(content, encoding="utf-8")
        port, management_port = free_ports(2)
        with _started(private, ("--import-realm",), (port, management_port)) as process:
            url = f"http://{HOST}:{port}/realms/{accounts.REALM}"
            process.wait_until(lambda: answers(url), _START_SECONDS)
        target.mkdir()
        (private / "data" / "h2" / _DATABASE).replace(target / _DATABASE)

    digest = hashlib.sha256(f"{pin.sha256} {accounts.ADMIN_PASSWORD} {content}".encode()).hexdigest()[:12]
    database = cache.store.provide(f"keycloak-realm-{digest}", "Importing the realm", make_database, report)
    return KeycloakDist(home, database / _DATABASE)


@contextmanager
def _started(
    home: Path, more: Sequence[str], ports: tuple[int, int] | None = None
) -> Iterator[ServiceProcess]:
    with tempfile.TemporaryDirectory(prefix="sqe-keycloak-") as directory:
        process = ServiceProcess("keycloak", Path(directory))
        admin = {
            "KC_BOOTSTRAP_ADMIN_USERNAME": accounts.ADMIN,
            "KC_BOOTSTRAP_ADMIN_PASSWORD": accounts.ADMIN_PASSWORD,
        }
        port, management_port = ports or free_ports(2)
        process.start(command(home, port, management_port, *more), environ={**os.environ, **admin})
        try:
            yield process
        finally:
            process.stop()
