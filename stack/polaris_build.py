"""Build or find Polaris: SQE_TEST_POLARIS names a folder that can build and start it, or the address of a running one.

There is no published server that could be fetched as one file, so without that variable there is no Polaris here. The
folder has build.sh, which is given a directory to work in and leaves server/target/quarkus-app there, and start.sh,
which reads SERVICES_CONF/polaris/polaris.properties and runs POLARIS_APP with the Java of JAVA_HOME_21.

One that runs already must take its users from Keycloak at KEYCLOAK_PORT and use STORE_KEYS at the store, as the
folder's own properties say; the stack then starts Keycloak there and makes that account.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from stack import java
from stack.fetch import StackCache

from sqe.engine.runtime.report import Reporter
from sqe.errors import SetupError

VARIABLE = "SQE_TEST_POLARIS"
KEYCLOAK_PORT = 18080
STORE_KEYS = ("polaris-svc", "polaris-svc-secret")
_SECONDS = 1800.0


@dataclass(frozen=True, slots=True)
class PolarisSource:
    url: str | None  # of one that runs
    folder: Path | None = None
    app: Path | None = None

    @property
    def ours(self) -> bool:
        return self.url is None

    def __str__(self) -> str:
        return f"at {self.url}" if self.url else "built from a folder"


def provide(
    cache: StackCache, wanted: bool | None, report: Reporter, environ: Mapping[str, str] | None = None
) -> PolarisSource | str:
    """Return Polaris, built if need be, or the reason why there is none.

    Raises:
        SetupError: it is required and missing, or the variable's value does not work.
    """
    environ = os.environ if environ is None else environ
    if wanted is False:
        return "Polaris was not asked for."
    named = environ.get(VARIABLE)
    if not named:
        reason = f"There is no Polaris: {VARIABLE} names neither a folder that builds it nor a running one."
        if wanted:
            raise SetupError(reason)
        return reason
    if named.startswith(("http://", "https://")):
        return PolarisSource(named.rstrip("/"))
    folder = Path(named).expanduser().absolute()
    if not ((folder / "build.sh").is_file() and (folder / "start.sh").is_file()):
        raise SetupError(f"{VARIABLE} is {named}, where there is no build.sh and start.sh.")
    return PolarisSource(None, folder, _build(cache, folder, report, environ))


def _build(cache: StackCache, folder: Path, report: Reporter, environ: Mapping[str, str]) -> Path:
    def make(target: Path, lock: int) -> None:
        jdk = java.find_jdk(environ)
        missing = [
            *([] if jdk else ["a JDK of Java 21 or newer (JAVA_HOME_21)"]),
            *([] if shutil.which("mvn", path=environ.get("PATH")) else ["Maven (mvn)"]),
        ]
        if missing:
            raise SetupError(f"Building Polaris takes {' and '.join(missing)}.")
        work = target.with_name("polaris")
        built = subprocess.run(
            ["bash", str(folder / "build.sh"), str(work)],
            env={**environ, "JAVA_HOME_21": str(jdk)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=_SECONDS,
            pass_fds=(lock,),
            check=False,
        )
        app = work / "server" / "target" / "quarkus-app"
        if built.returncode != 0 or not (app / "quarkus-run.jar").is_file():
            raise SetupError("Polaris could not be built.", detail=built.stdout)
        app.replace(target)

    return cache.store.provide(f"polaris-{_digest(folder)}", "Building Polaris", make, report)


def _digest(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest.update(f"{path.relative_to(folder)}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:12]
