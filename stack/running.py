"""Run the whole stack for as long as a `with` lasts."""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from stack import accounts, parts
from stack.catalog import CatalogService
from stack.configuration import Tables, as_settings, identity
from stack.keycloak import Keycloak
from stack.minio import Minio
from stack.nessie import Nessie
from stack.opa import Opa
from stack.parts import Parts
from stack.polaris import Polaris
from stack.polaris_build import KEYCLOAK_PORT, STORE_KEYS
from stack.ports import free_ports

from sqe.common.filelock import hold
from sqe.errors import SetupError

_PREFIX = "sqe-stack-"
_LOCK = "lock"
_YOUNG_SECONDS = 600.0


@dataclass(frozen=True)
class Stack:
    directory: Path
    """Private; logs, data and files with secrets. It is gone when the stack is."""
    keycloak: Keycloak
    minio: Minio
    nessie: Nessie
    opa: Opa
    polaris: Polaris | None
    no_polaris: str | None
    """Why there is none."""

    @property
    def catalogs(self) -> tuple[CatalogService, ...]:
        return (self.nessie,) if self.polaris is None else (self.nessie, self.polaris)

    def settings(self, *, client: str = accounts.CLIENT) -> dict[str, str]:
        """Return [auth] and [oidc] of SQE's configuration, as in the environment but without SQE_ and in lower case."""
        return as_settings(self.tables(client=client))

    def tables(self, *, client: str = accounts.CLIENT) -> Tables:
        return identity(self.keycloak.issuer, client, accounts.AUDIENCE)


@contextmanager
def running(
    polaris: bool | None = None,
    *,
    provided: Parts | None = None,
    out: TextIO | None = sys.stderr,
) -> Iterator[Stack]:
    """Start everything, after fetching and building what is missing; stop it at the end.

    Args:
        polaris: None starts it if SQE_TEST_POLARIS names one; True insists on it; False does without.
        provided: the parts, if they are known already.
        out: is told about long steps.
    """
    provided = provided or parts.provide(polaris, out)
    _remove_stale()
    directory = Path(tempfile.mkdtemp(prefix=_PREFIX))  # private
    with ExitStack() as ending:
        ending.callback(shutil.rmtree, directory, ignore_errors=True)
        ending.enter_context(hold(directory / _LOCK, timeout=0))
        stack = _assemble(provided, directory)
        ending.callback(stack.minio.close)
        for service in (stack.keycloak, stack.nessie, stack.opa):
            ending.callback(service.stop)
        if stack.polaris is not None:
            ending.callback(stack.polaris.end)
        _start(stack)
        yield stack


def _remove_stale() -> None:
    """Remove the directories of killed runs, whose locks are free."""
    for directory in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(SetupError, OSError):
            # A young one may be about to be locked.
            if (directory / _LOCK).stat().st_mtime < time.time() - _YOUNG_SECONDS:
                with hold(directory / _LOCK, timeout=0):
                    shutil.rmtree(directory, ignore_errors=True)


def _assemble(provided: Parts, directory: Path) -> Stack:
    # Keycloak's address is in every token, so all addresses are chosen before anything starts.
    ports = free_ports(8)
    keys = {}
    if provided.polaris is not None and not provided.polaris.ours:
        ports[0], keys["polaris"] = KEYCLOAK_PORT, STORE_KEYS
    keycloak = Keycloak(provided.keycloak, directory, ports[0], ports[1])
    minio = Minio(provided.minio, directory, ports[2], keycloak.issuer, keys)
    nessie = Nessie(provided.nessie, directory, ports[3], ports[4], keycloak, minio)
    opa = Opa(provided.opa, directory, ports[7])
    polaris = None
    if provided.polaris is not None:
        polaris = Polaris(provided.polaris, directory, ports[5], ports[6], keycloak, minio)
    return Stack(directory, keycloak, minio, nessie, opa, polaris, provided.no_polaris)


def _start(stack: Stack) -> None:
    with ThreadPoolExecutor(3, "stack-start") as pool:
        # OPA and the catalogs come up without Keycloak; MinIO does not.
        others = [pool.submit(stack.nessie.start), pool.submit(stack.opa.start)]
        if stack.polaris is not None:
            others.append(pool.submit(stack.polaris.launch))
        stack.keycloak.start()
        stack.minio.start()
        stack.minio.set_up()
        for each in others:
            each.result()
    stack.nessie.set_up()
    if stack.polaris is not None:
        stack.polaris.set_up()
