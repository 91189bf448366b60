"""Compare the lists of what a shared engine allows (`spark-guard/src/main/resources/sqe/kinds`) with its jars.

python -m tests.support.kinds      # what the lists lack and have too much, for a new version of Spark or Iceberg
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.support.class_files import concrete_kinds, read_jars

from sqe.config.load import load
from sqe.engine.runtime import guard, lockfile
from sqe.engine.runtime.cache import Cache
from sqe.engine.runtime.jars import DIRECTORY
from sqe.engine.runtime.pyspark_files import find_pyspark

LISTS = guard.find_sources().parent / "resources/sqe/kinds"
ROOTS = {
    "plans.txt": "org.apache.spark.sql.catalyst.plans.logical.LogicalPlan",
    "expressions.txt": "org.apache.spark.sql.catalyst.expressions.Expression",
}
# Whose classes can be kinds of plans or expressions; the jars are full of others.
PACKAGES = ("org.apache.spark", "org.apache.iceberg.spark")


@dataclass(frozen=True, slots=True)
class Entry:
    verdict: str
    detail: str = ""  # the operation or the reason
    what: str = ""


def read_list(file: Path) -> dict[str, Entry]:
    """Read one list, as `sqe.spark.kinds.KindList` does."""
    entries: dict[str, Entry] = {}
    prefix = ""
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        text = "" if line.startswith("#") else line.split(" # ")[0].strip()
        if text.startswith("[") and text.endswith("]"):
            prefix = text[1:-1] + "."
        elif text:
            name, *rest = text.split(None, 3)
            if not rest or prefix + name in entries:
                raise ValueError(f"{file.name}:{number}: {line}")
            entries[prefix + name] = Entry(*rest)
    return entries


def read_reasons(file: Path = LISTS / "reasons.txt") -> dict[str, str]:
    lines = [line for line in file.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return dict(line.split(None, 1) for line in lines if line)


@dataclass(frozen=True, slots=True)
class Difference:
    missing: list[str]  # the jars have it, the list does not
    gone: list[str]  # the list has it, the jars do not


def compare(jars: Iterable[Path], lists: Mapping[str, Iterable[str]]) -> dict[str, Difference]:
    """Compare the kinds in `jars` with the names in `lists`, which are named as in ROOTS."""
    classes = read_jars(jars, PACKAGES)
    differences = {}
    for name, listed in lists.items():
        have, known = concrete_kinds(classes, ROOTS[name]), set(listed)
        differences[name] = Difference(sorted(have - known), sorted(known - have))
    return differences


def report(differences: Mapping[str, Difference]) -> str:
    """Return lines for the lists, which refuse new kinds until a developer has reviewed them."""
    lines = []
    for name, difference in differences.items():
        lines.append(f"# {name}: to be added, with a reviewed verdict")
        package = ""
        for kind in sorted(difference.missing, key=lambda kind: kind.rpartition(".")):
            if package != (package := kind.rpartition(".")[0]):
                lines.append(f"[{package}]")
            lines.append(f"{kind.rpartition('.')[2]:<31} refuse unlisted")
        lines += [f"# {name}: to be removed", *difference.gone]
    return "\n".join(lines) + "\n"


def _main() -> None:
    cache = Cache(load(None, os.environ))
    pinned = [jar for jar in lockfile.load() if jar.needed == "engine"]
    found = {jar: cache.find(f"{DIRECTORY}/{jar.file_name}") for jar in pinned}
    if lacking := [jar.file_name for jar, path in found.items() if path is None]:
        raise SystemExit(f"Run `sqe setup` first: {', '.join(lacking)} is not in the cache.")
    jars = [*find_pyspark().jars, *(path for path in found.values() if path is not None)]
    sys.stdout.write(report(compare(jars, {name: read_list(LISTS / name) for name in ROOTS})))


if __name__ == "__main__":
    _main()
