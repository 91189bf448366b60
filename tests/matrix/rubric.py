"""The cells of the public Iceberg matrix, their points, and what SQE gets for each.

Two versions of the rubric are in use: that of early 2026, and that of the public repository since August 2026.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

CELLS = Path(__file__).with_name("cells.toml")

POINTS = {"full": 3, "partial": 2, "unknown": 1, "none": 0}
VERSIONS = (2, 3)

_BOTH = {
    "Row level": ("position-deletes", "equality-deletes", "merge-on-read", "copy-on-write"),
    "Tables": (
        "schema-evolution",
        "type-promotion",
        "table-creation",
        "time-travel",
        "table-maintenance",
        "branching-tagging",
    ),
    "Partitions": ("hidden-partitioning", "partition-evolution"),
    "Reads and writes": (
        "read-support",
        "write-insert",
        "write-merge-update-delete",
        "catalog-integration",
        "statistics",
        "bloom-filters",
    ),
    "Catalogs": (
        "hive-metastore",
        "aws-glue-catalog",
        "rest-catalog",
        "nessie",
        "polaris",
        "unity-catalog",
        "snowflake-horizon-catalog",
        "hadoop-catalog",
        "jdbc-catalog",
    ),
}
_ONLY_V3 = {
    "Tables": ("column-default-values",),
    "Partitions": ("multi-arg-transforms",),
    "Types of V3": (
        "variant-type",
        "shredded-variant",
        "geometry-type",
        "vector-type",
        "nanosecond-timestamps",
    ),
    "More of V3": ("cdc-support", "lineage", "deletion-vectors"),
}


@dataclass(frozen=True)
class Rubric:
    name: str
    without: frozenset[str]  # the features that it does not have
    most: int  # points


RUBRICS = (
    Rubric("early 2026", frozenset({"deletion-vectors"}), 189),
    Rubric("public, August 2026", frozenset({"vector-type", "cdc-support"}), 186),
)


@dataclass(frozen=True)
class Cell:
    """A feature with a format version, and what SQE gets for it."""

    group: str
    feature: str
    version: int
    level: str
    note: str
    proof: str | None  # the test that shows it; None: the check of this name in this suite

    @property
    def id(self) -> str:
        return f"{self.feature}-v{self.version}"

    @property
    def check(self) -> str:
        return self.feature.replace("-", "_")


def cells() -> list[Cell]:
    """Return all cells of both rubrics."""
    given = tomllib.loads(CELLS.read_text(encoding="utf-8"))
    found = []
    for group, feature, version in _names():
        said = given[feature]
        level = said[f"v{version}"]
        found.append(Cell(group, feature, version, level, said.get("note", ""), said.get("proof")))
    return found


def features() -> set[str]:
    return {feature for _, feature, _ in _names()}


def score(rubric: Rubric) -> int:
    return sum(POINTS[cell.level] for cell in cells() if cell.feature not in rubric.without)


def most(rubric: Rubric) -> int:
    return POINTS["full"] * sum(cell.feature not in rubric.without for cell in cells())


def _names() -> Iterator[tuple[str, str, int]]:
    for group in dict.fromkeys([*_BOTH, *_ONLY_V3]):
        for feature in _BOTH.get(group, ()):
            for version in VERSIONS:
                yield group, feature, version
        for feature in _ONLY_V3.get(group, ()):
            yield group, feature, 3
