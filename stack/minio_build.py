"""MinIO, built from the Go module proxy: its source is pinned by minio_module/go.mod and go.sum."""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path

from stack.fetch import Shelf
from stack.golang import find_go

from sqe.engine.runtime.report import Reporter
from sqe.errors import SetupError

MODULE = Path(__file__).with_name("minio_module")
_SECONDS = 3000.0
# As small as it gets, and the same wherever it is built.
_FLAGS = ("-mod=readonly", "-trimpath", "-buildvcs=false", "-ldflags=-s -w")


def provide(shelf: Shelf, report: Reporter) -> Path:
    """Return the command `minio`, built if it is not there."""

    def make(target: Path, lock: int) -> None:
        go = find_go(shelf.store, report)
        target.mkdir()
        built = subprocess.run(
            [str(go), "build", *_FLAGS, "-o", str(target / "minio"), "github.com/minio/minio"],
            cwd=MODULE,
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
                f"MinIO could not be built: {last}",
                hint="GOPROXY names where Go modules come from.",
                detail=built.stdout,
            )

    digest = hashlib.sha256(repr(_FLAGS).encode())
    for name in ("go.mod", "go.sum"):
        digest.update((MODULE / name).read_bytes())
    return shelf.store.provide(f"minio-{digest.hexdigest()[:12]}", "Building MinIO", make, report) / "minio"
