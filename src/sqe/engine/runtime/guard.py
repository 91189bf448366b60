"""Compile the Java part, `spark-guard/`, into a jar.

It is compiled on the machine where it runs, against the jars it runs with, and kept by the hash of all that.
"""

from __future__ import annotations

import hashlib
import io
import subprocess
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sqe.engine.runtime.cache import Cache
from sqe.engine.runtime.jre import Jre
from sqe.engine.runtime.report import Reporter
from sqe.errors import SetupError

TARGET = "17"
# To be changed with the way the jar is made.
_RECIPE = "2"
_COMPILE_SECONDS = 300.0
_SHOWN_LINES = 6


@dataclass(frozen=True, slots=True)
class Compiler:
    """javac, or ecj on a JRE."""

    command: tuple[str, ...]
    flags: tuple[str, ...]

    @classmethod
    def of_jdk(cls, javac: Path) -> Compiler:
        flags = ("--release", TARGET, "-nowarn", "-proc:none", "-Xlint:none")
        return cls((str(javac), "-J-XX:-UsePerfData"), flags)

    @classmethod
    def ecj(cls, jre: Jre, jar: Path) -> Compiler:
        # Not --release, which needs a table of old class files that only a JDK has.
        java = (str(jre.java), "-XX:-UsePerfData", "-XX:TieredStopAtLevel=1", "-jar", str(jar))
        return cls(java, (f"-{TARGET}", "-nowarn", "-proc:none"))


def find_sources() -> Path:
    """Return the root of the Java sources: in an installed package beside this file, else in the checkout."""
    here = Path(__file__).resolve()
    for parent in (here.parent, here.parents[4]):
        sources = parent / "spark-guard" / "src" / "main" / "java"
        if sources.is_dir():
            return sources
    raise SetupError("The sources of SQE's Java part are not there.", hint="Reinstall SQE.")


def jar_name(sources: Path, *, spark: str, iceberg: str) -> str:
    """Name the jar by everything that decides what is in it, relative to the cache.

    What the classes read, `resources`, is beside the sources.
    """
    digest = hashlib.sha256(f"{_RECIPE}\0{TARGET}\0{spark}\0{iceberg}\0".encode())
    for root, paths in ((sources, _files(sources)), _resources(sources)):
        for path in paths:
            content = path.read_bytes()
            digest.update(f"{path.relative_to(root).as_posix()}\0{len(content)}\0".encode())
            digest.update(content)
    return f"guard/{digest.hexdigest()[:32]}.jar"


def build(
    sources: Path,
    *,
    name: str,
    class_path: Sequence[Path],
    compiler: Compiler,
    cache: Cache,
    report: Reporter,
) -> Path:
    """Compile `sources` and put the jar into the cache under `name`, unless another process just did.

    Raises:
        SetupError: the compiler said no; its output is the error's detail.
    """
    with cache.lock("compiling SQE's Java part", report):
        if found := cache.find(name):
            return found
        report.start("Compiling SQE's Java part")
        with cache.work() as work:
            _compile(sources, class_path, compiler, work)
            path = cache.put(name, _jar(work / "classes", sources))
        report.finish()
        return path


def _files(sources: Path) -> list[Path]:
    return sorted(sources.rglob("*.java"))


def _resources(sources: Path) -> tuple[Path, list[Path]]:
    root = sources.parent / "resources"
    return root, sorted(path for path in root.rglob("*") if path.is_file())


def _compile(sources: Path, class_path: Sequence[Path], compiler: Compiler, work: Path) -> None:
    # An argument file, because a class path of 290 jars can be longer than the system lets an argument be.
    arguments = work / "compile.args"
    values = [
        *compiler.flags,
        *["-encoding", "UTF-8"],
        *["-d", str(work / "classes")],
        *["-cp", ":".join(map(str, class_path))],
        *map(str, _files(sources)),
    ]
    # Quotes keep spaces together for both compilers. They do not agree on how to write a quote in a path.
    arguments.write_text("".join(f'"{value}"\n' for value in values), encoding="utf-8")
    try:
        done = subprocess.run(
            [*compiler.command, f"@{arguments}"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_COMPILE_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise SetupError(f"Compiling SQE's Java part took more than {_COMPILE_SECONDS:.0f} s.") from None
    except OSError as error:
        raise SetupError(
            f"The Java compiler cannot be started: {error.strerror}.", detail=str(error)
        ) from error
    if done.returncode != 0:
        output = done.stdout.decode("utf-8", errors="replace").strip()
        lines = [line for line in output.splitlines() if line.strip("- ")]
        raise SetupError(
            "SQE's Java part does not compile:\n" + "\n".join(f"  {line}" for line in lines[:_SHOWN_LINES]),
            hint="Reinstall SQE, or mend spark-guard/ if you changed it.",
            detail=output,
        )


def _jar(classes: Path, sources: Path) -> bytes:
    """Pack class files and resources so that the same ones always give the same bytes."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(zipfile.ZipInfo("META-INF/MANIFEST.MF"), "Manifest-Version: 1.0\r\n\r\n")
        for root, paths in ((classes, sorted(classes.rglob("*.class"))), _resources(sources)):
            for path in paths:
                archive.writestr(zipfile.ZipInfo(path.relative_to(root).as_posix()), path.read_bytes())
    return content.getvalue()
