"""Build a command from the Go module proxy: go.mod and go.sum of a folder beside this file pin its source."""

from __future__ import annotations

import hashlib
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from stack.fetch import StackCache
from stack.golang import find_go

from sqe.engine.runtime.report import Reporter
from sqe.errors import SetupError

_SECONDS = 3000.0
# As small as it gets, and the same wherever it is built.
_FLAGS = ("-mod=readonly", "-trimpath", "-buildvcs=false", "-ldflags=-s -w")


@dataclass(frozen=True, slots=True)
class GoCommand:
    name: str  # for people
    command: str
    package: str  # what is built
    module: Path  # the folder with go.mod and go.sum


MINIO = GoCommand("MinIO", "minio", "github.com/minio/minio", Path(__file__).with_name("minio_module"))
OPA = GoCommand("OPA", "opa", "github.com/open-policy-agent/opa", Path(__file__).with_name("opa_module"))


def provide(what: GoCommand, cache: StackCache, report: Reporter) -> Path:
    """Return the command, built if it is missing."""

    def make(target: Path, lock: int) -> None:
        go = find_go(cache.store, report)
        target.mkdir()
        built = subprocess.run(
            [str(go), "build", *_FLAGS, "-o", str(target / what.command), what.package],
            cwd=what.module,
            # Where modules come from is the environment's business; another Go than this one is not fetched.
            env={**os.environ, "GOTOOLCHAIN": "local", "CGO_ENABLED": "0", "GOWORK": "off"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=_SECONDS,
            pass_fds=(lock,),
            check=False,
        )
        if built.returncode != 0:
            last = next((line for line in reversed(built.stdout.splitlines()) if line.strip()), "no output")
            raise SetupError(
                f"{what.name} could not be built: {last}",
                hint="GOPROXY names where Go modules come from.",
                detail=built.stdout,
            )

    digest = hashlib.sha256(repr(_FLAGS).encode())
    for name in ("go.mod", "go.sum"):
        digest.update((what.module / name).read_bytes())
    directory = f"{what.command}-{digest.hexdigest()[:12]}"
    return cache.store.provide(directory, f"Building {what.name}", make, report) / what.command
