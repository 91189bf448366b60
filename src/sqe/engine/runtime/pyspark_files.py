"""Find the jars of the pyspark package, Ivy among them, without importing it."""

from __future__ import annotations

import importlib.util
import re
from dataclasses import dataclass
from pathlib import Path

from sqe.errors import SetupError

_CONNECT = re.compile(r"spark-connect_[\d.]+-(.+)\.jar")


@dataclass(frozen=True, slots=True)
class PysparkFiles:
    jars: tuple[Path, ...]
    ivy: Path
    version: str


def find_pyspark() -> PysparkFiles:
    """List pyspark's jars by name, without those of its Scala shell, which have a folder of their own."""
    spec = importlib.util.find_spec("pyspark")
    if spec is None or spec.origin is None:
        raise SetupError("pyspark is not installed.", hint="Reinstall SQE with its dependencies.")
    directory = Path(spec.origin).parent / "jars"
    jars = tuple(sorted(directory.glob("*.jar")))
    ivy = next((jar for jar in jars if jar.name.startswith("ivy-")), None)
    version = next((found[1] for jar in jars if (found := _CONNECT.fullmatch(jar.name))), None)
    if ivy is None or version is None:
        raise SetupError(
            f"pyspark's jars are not complete: {directory} lacks Ivy or Spark Connect.",
            hint="Reinstall pyspark from its wheel, with the version that SQE asks for.",
        )
    return PysparkFiles(jars, ivy, version)
