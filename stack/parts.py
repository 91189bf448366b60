"""Provide the files that the services need before they start."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from stack import go_build, keycloak_dist, polaris_build
from stack.fetch import StackCache
from stack.keycloak_dist import KeycloakDist
from stack.polaris_build import PolarisSource
from stack.report import LineReporter


@dataclass(frozen=True, slots=True)
class Parts:
    keycloak: KeycloakDist
    minio: Path
    nessie: Path
    opa: Path
    polaris: PolarisSource | None
    no_polaris: str | None


def provide(polaris: bool | None = None, out: TextIO | None = sys.stderr) -> Parts:
    """Find the parts; fetch and build what is missing, at the same time where that can be done.

    Args:
        polaris: None takes it if SQE_TEST_POLARIS names it; True insists; False leaves it out.
        out: is told about each long step.
    """
    cache = StackCache.open()

    def published() -> tuple[Path, KeycloakDist]:
        # One after the other: only one process at a time may fetch.
        nessie = cache.fetch(cache.pin("nessie-quarkus"), LineReporter(out))
        return nessie, keycloak_dist.provide(cache, LineReporter(out))

    def commands() -> tuple[Path, Path]:
        # One after the other: a compiler uses every processor by itself.
        minio = go_build.provide(go_build.MINIO, cache, LineReporter(out))
        return minio, go_build.provide(go_build.OPA, cache, LineReporter(out))

    with ThreadPoolExecutor(3, "stack-parts") as pool:
        fetched = pool.submit(published)
        built = pool.submit(commands)
        catalog = pool.submit(polaris_build.provide, cache, polaris, LineReporter(out))
        source = catalog.result()
        nessie, keycloak = fetched.result()
        minio, opa = built.result()
        return Parts(
            keycloak=keycloak,
            minio=minio,
            nessie=nessie,
            opa=opa,
            polaris=source if isinstance(source, PolarisSource) else None,
            no_polaris=source if isinstance(source, str) else None,
        )
