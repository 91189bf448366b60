from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sqe.config.load import load
from sqe.engine.control import Control, GuardSettings
from sqe.engine.endpoint import Endpoint
from sqe.engine.launcher.archive import ClassDataArchive
from sqe.engine.launcher.supervisor import Supervisor
from sqe.engine.runtime.provision import Runtime
from sqe.locations import locate, private_directory

# Stands in for the JVM, for faults that a real one does not produce on demand. Each start takes one line of `plan`.
JAVA = """\
#!{python}
import json, os, pathlib, sys, time
here = pathlib.Path(__file__).parent
arguments = pathlib.Path(sys.argv[1].removeprefix("@")).read_text()
with (here / "starts").open("a") as starts:
    starts.write(json.dumps(arguments) + "\\n")
if "-Xshare:dump" in arguments:
    target = arguments.split("-XX:SharedArchiveFile=")[1].split('"')[0]
    if (here / "dump-fails").exists():
        sys.exit("no room")
    pathlib.Path(target).write_bytes(b"archive")
    sys.exit(0)
plan = (here / "plan").read_text().splitlines()
todo, rest = (plan[0], plan[1:]) if plan else ("serve", [])
(here / "plan").write_text("\\n".join(rest))
if "-XX:DumpLoadedClassList=" in arguments:
    listed = arguments.split("-XX:DumpLoadedClassList=")[1].split('"')[0]
    pathlib.Path(listed).write_text("java/lang/Object\\n" * 10000)
said = list(iter(sys.stdin.readline, "\\n"))
with (here / "introductions").open("a") as introductions:
    introductions.write(json.dumps(said) + "\\n")
with (here / "environments").open("a") as environments:
    environments.write(json.dumps(dict(os.environ)) + "\\n")
if todo == "silent":
    time.sleep(600)
if todo == "not with an archive" and "SharedArchiveFile" in arguments:
    sys.exit("the archive is broken")
while todo == "fail when told" and not (here / "go").exists():
    time.sleep(0.01)
if todo.startswith("fail"):
    print(json.dumps({{"event": "failed", "error": "no such port"}}), flush=True)
    sys.exit(1)
print(json.dumps({{"event": "ready", "port": 4711}}), flush=True)
if todo == "deaf":
    time.sleep(600)
if todo == "crash":
    sys.exit(9)
if todo == "replace":
    print("The engine is replaced: a thread still works", file=sys.stderr, flush=True)
    os._exit(4)
sys.stdin.read()
"""


@dataclass
class Machine:
    """A fake JVM and a supervisor for it."""

    directory: Path
    make: Callable[..., Supervisor]
    runtime: Runtime
    begun: list[ClassDataArchive]
    """The archives that a supervisor has begun to make."""

    def plan(self, *starts: str) -> None:
        (self.directory / "plan").write_text("\n".join(starts))

    @property
    def starts(self) -> list[str]:
        return self._recorded("starts")

    @property
    def introductions(self) -> list[list[str]]:
        return [json.loads(line) for line in self._recorded("introductions")]

    @property
    def environments(self) -> list[str]:
        return self._recorded("environments")

    def _recorded(self, name: str) -> list[str]:
        try:
            return (self.directory / name).read_text().splitlines()
        except OSError:
            return []


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    directory = tmp_path / "java"
    directory.mkdir()
    java = directory / "java"
    java.write_text(JAVA.format(python=sys.executable))
    java.chmod(0o755)
    (directory / "plan").touch()
    runtime = Runtime(
        java=java,
        java_home=directory,
        java_version="21",
        java_origin="a test",
        spark_version="4.1.4",
        spark_jars=(),
        jars=(),
        truststore=None,
        fingerprint="a test",
    )
    made: list[Supervisor] = []
    begun: list[ClassDataArchive] = []

    def make(
        *,
        control: Control | None = None,
        locked: bool = False,
        guarding: GuardSettings | None = None,
        prove: Callable[[Endpoint], None] = lambda endpoint: None,
        **flags: Any,
    ) -> Supervisor:
        own = {"paths.home": str(tmp_path / "home"), "paths.cache": str(tmp_path / "cache")}
        config = load(None, {}, own | {name.replace("__", "."): value for name, value in flags.items()})
        work = private_directory(tmp_path / f"work{len(made)}")
        made.append(
            Supervisor(
                config,
                locate(config),
                work,
                lambda config, report: runtime,
                control=control,
                locked=locked,
                guarding=guarding,
                prove=prove,
                make_archive=lambda archive, config: begun.append(archive),
            )
        )
        return made[-1]

    yield Machine(directory, make, runtime, begun)
    for supervisor in made:
        supervisor.stop()
