"""Take one clause out of the guard after another, and show which test fails without it: `make mutate`.

    python -m tests.security.mutation            all clauses; fails if one is missed by nobody
    python -m tests.security.mutation --list     what there is
    python -m tests.security.mutation --only filter masks      those whose names have one of these words

Each clause is taken out in a copy of the tree, which is compiled, started and asked what the named tests ask. The
tables of the corpus are set up once, by the tree as it is.
"""

# ruff: noqa: T201 - it talks to the person who runs it
from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from testing.command import CLASS_DATA_SHARING
from tests.security.mutants import MUTANTS
from tests.security.mutants.mutant import Mutant
from tests.security.serving import LAKE, policy_settings, served, write_rules

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("src", "tests", "testing", "spark-guard", "pyproject.toml", "docs")
SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class Outcome:
    mutant: Mutant
    red: tuple[str, ...]  # tests that failed
    trouble: str = ""  # why nothing was shown

    @property
    def found(self) -> bool:
        return bool(self.red)


def mutate(mutant: Mutant, tree: Path) -> None:
    """Take the clause out. Raises ValueError if it is not there, or not only once."""
    path = tree / mutant.file
    source = path.read_text(encoding="utf-8")
    if source.count(mutant.text) != 1:
        raise ValueError(f"{mutant.name}: the clause is {source.count(mutant.text)} times in {mutant.file}")
    path.write_text(source.replace(mutant.text, mutant.replacement), encoding="utf-8")


@contextmanager
def copied() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="sqe-mutant-") as name:
        tree = Path(name)
        for part in COPIED:
            if (ROOT / part).is_dir():
                ignored = shutil.ignore_patterns("__pycache__", "*.pyc")
                shutil.copytree(ROOT / part, tree / part, ignore=ignored, symlinks=True)
            else:
                shutil.copy(ROOT / part, tree / part)
        yield tree


def run(mutant: Mutant, lake: Path | None) -> Outcome:
    """What the named tests say without the clause."""
    with copied() as tree:
        mutate(mutant, tree)
        report = tree / "report.xml"
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(tree / "src"), str(tree)))}
        environment |= {} if lake is None else {LAKE: str(lake)}
        if mutant.file.endswith(".java"):  # an engine would make a class data archive for it
            environment[CLASS_DATA_SHARING] = "false"
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-x",
            "-p",
            "no:cacheprovider",
            f"--junitxml={report}",
        ]
        done = subprocess.run(
            [*command, *mutant.tests],
            cwd=tree,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        red, trouble = _read(report)
    if done.returncode not in (0, 1) and not red:
        trouble = trouble or (done.stdout + done.stderr)[-2000:]
    return Outcome(mutant, red, trouble)


def _read(report: Path) -> tuple[tuple[str, ...], str]:
    """The tests that failed, and what kept others from running."""
    if not report.exists():
        return (), "pytest wrote no report"
    cases = list(ET.parse(report).getroot().iter("testcase"))
    red = tuple(case.attrib["name"] for case in cases if case.find("failure") is not None)
    errors = [error.attrib.get("message", "") for case in cases for error in case.iter("error")]
    return red, "" if red or not errors else errors[0][-2000:]


@contextmanager
def a_lake() -> Iterator[Path]:
    """The tables of the corpus, in a place where every copy of the tree finds them."""
    with tempfile.TemporaryDirectory(prefix="sqe-mutation-") as name:
        directory = Path(name)
        with served(directory, policy_settings(write_rules(directory / "rules.yaml"))):
            pass  # it is set up; each copy of the tree starts a server of its own on it
        yield directory


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.security.mutation", description=__doc__)
    parser.add_argument("--list", action="store_true", help="show the clauses and end")
    parser.add_argument(
        "--only", nargs="+", default=[], metavar="WORD", help="clauses whose names have one of these"
    )
    options = parser.parse_args(arguments)
    chosen = [one for one in MUTANTS if not options.only or any(word in one.name for word in options.only)]
    if options.list:
        for mutant in chosen:
            print(f"{mutant.name:45} {mutant.file}: {', '.join(mutant.tests)}")
        return 0
    for name in (
        "REQUESTS_CA_BUNDLE",
        "CURL_CA_BUNDLE",
    ):  # `requests` would prefer them to the test's certificate
        os.environ.pop(name, None)
    needs_lake = any(mutant.needs_engine for mutant in chosen)
    with a_lake() if needs_lake else _nothing() as lake:
        outcomes = []
        for mutant in chosen:
            began = time.monotonic()
            outcomes.append(run(mutant, lake))
            print(shown(outcomes[-1], time.monotonic() - began), flush=True)
    survivors = [outcome for outcome in outcomes if not outcome.found]
    print(f"{len(outcomes) - len(survivors)} of {len(outcomes)} clauses are missed when they are gone.")
    for outcome in survivors:
        print(f"Nobody misses {outcome.mutant.name}. {outcome.trouble}")
    return 1 if survivors or not outcomes else 0


def shown(outcome: Outcome, seconds: float) -> str:
    what = ", ".join(outcome.red) or ("BROKEN" if outcome.trouble else "SURVIVED")
    return f"{outcome.mutant.name:45} -> {what} ({seconds:.0f} s)"


@contextmanager
def _nothing() -> Iterator[None]:
    yield None


if __name__ == "__main__":
    sys.exit(main())
