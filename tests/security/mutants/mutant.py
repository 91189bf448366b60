"""A clause of the guard, and the tests that fail without it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[3]
CORPUS = "tests/security/test_corpus.py::test_a_bypass_is_none"
GUARD_WRITES = "tests/integration/engine/test_guard_writes.py"
GUARD_NAMES = "tests/integration/engine/test_guard_names.py"


@dataclass(frozen=True, slots=True)
class Mutant:
    name: str
    file: str
    text: str
    replacement: str
    tests: tuple[str, ...]

    @property
    def needs_engine(self) -> bool:
        return any(test.startswith("tests/security/") for test in self.tests)


def corpus(*cases: str) -> tuple[str, ...]:
    return tuple(f"{CORPUS}[{case}]" for case in cases)


def bounds(test: str) -> tuple[str, ...]:
    return (f"tests/integration/engine/test_bounds.py::{test}",)


def java(name: str) -> str:
    """Return the file of a class of the Java part, which `name` has with or without its package."""
    [path] = (ROOT / "spark-guard/src/main/java/sqe/spark").rglob(f"{name}.java")
    return str(path.relative_to(ROOT))


def policy(name: str) -> str:
    return f"src/sqe/policy/{name}.py"
