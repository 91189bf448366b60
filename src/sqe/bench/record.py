"""The record of a benchmark run: what `compare` writes after each query, and `report` reads."""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from sqe.bench.answers import Outcome
from sqe.errors import BenchmarkError

FORMAT = 1


@dataclass(slots=True)
class Measurement:
    """One query in one engine."""

    outcome: Outcome
    detail: str = ""
    rows: int = 0
    first: float | None = None  # seconds; None if the query failed
    warm: list[float] = field(default_factory=list)
    executor: str = ""  # of an engine that has more than one

    @property
    def warm_median(self) -> float | None:
        return statistics.median(self.warm) if self.warm else None

    @property
    def right(self) -> bool:
        return self.outcome in (Outcome.MATCH, Outcome.VACUOUS)


@dataclass(slots=True)
class Record:
    """One run of a suite."""

    suite: str
    title: str
    origin: str
    scale: float
    began: str  # ISO 8601, UTC
    machine: str
    revision: str
    cores: int
    memory: str
    engines: dict[str, dict[str, str]] = field(default_factory=dict)  # what each says of itself
    queries: dict[str, dict[str, Measurement]] = field(default_factory=dict)  # by query, then engine
    peak_memory: dict[str, dict[str, int]] = field(default_factory=dict)  # by engine, then process; bytes
    cpu: dict[str, float] = field(default_factory=dict)  # seconds of all processes of an engine
    format: int = FORMAT

    def write(self, path: Path) -> None:
        scratch = path.with_name(f"{path.name}.partial")
        scratch.write_text(json.dumps(asdict(self), indent=1) + "\n", encoding="utf-8")
        scratch.replace(path)

    @classmethod
    def read(cls, path: Path) -> Record:
        try:
            content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            if content.get("format") != FORMAT:
                raise BenchmarkError(f"{path} is not a record that this version reads.")
            queries = {
                query: {
                    engine: Measurement(**{**values, "outcome": Outcome(values["outcome"])})
                    for engine, values in engines.items()
                }
                for query, engines in content.pop("queries").items()
            }
            return cls(**content, queries=queries)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise BenchmarkError(f"{path} cannot be read: {error}") from error

    def seconds(self, engine: str, *, warm: bool) -> Mapping[str, float]:
        """Return the seconds of an engine by query, for those that it has answered."""
        found = {
            query: (one.warm_median if warm else one.first)
            for query, engines in self.queries.items()
            if (one := engines.get(engine)) is not None and one.outcome is not Outcome.FAILED
        }
        return {query: seconds for query, seconds in found.items() if seconds is not None}

    def ratio(self, engine: str, base: str, *, warm: bool) -> Ratio | None:
        """Return how long an engine takes beside another, over the queries that both have answered."""
        ours, theirs = self.seconds(engine, warm=warm), self.seconds(base, warm=warm)
        both = [query for query in ours if query in theirs]
        if not both:
            return None
        return Ratio(
            total=sum(ours[query] for query in both) / sum(theirs[query] for query in both),
            geometric_mean=geometric_mean([ours[query] / theirs[query] for query in both]),
            queries=len(both),
        )


@dataclass(frozen=True, slots=True)
class Ratio:
    total: float
    geometric_mean: float
    queries: int


def geometric_mean(values: Sequence[float]) -> float:
    return math.exp(sum(math.log(value) for value in values) / len(values))
