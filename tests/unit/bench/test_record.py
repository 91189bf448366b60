from __future__ import annotations

from pathlib import Path

import pytest

from sqe.bench.answers import Outcome
from sqe.bench.record import Measurement, Record, geometric_mean
from sqe.bench.report import base_engine, write_report
from sqe.errors import BenchmarkError


def record(**queries: dict[str, Measurement]) -> Record:
    names = dict.fromkeys(name for engines in queries.values() for name in engines)
    return Record(
        suite="tpch",
        title="TPC-H",
        origin="a generator",
        scale=1.0,
        began="2026-11-18T00:00:00+00:00",
        machine="a machine",
        revision="abc",
        cores=2,
        memory="4GiB",
        engines={name: {"version": "1"} for name in names},
        queries=queries,
    )


def measured(first: float, *warm: float) -> Measurement:
    return Measurement(Outcome.MATCH, rows=1, first=first, warm=list(warm))


FAILED = Measurement(Outcome.FAILED, "no | memory\nleft")


def test_a_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    made = record(q01={"sqe": measured(2.0, 1.0), "trino": FAILED})
    made.write(tmp_path / "r.json")
    assert Record.read(tmp_path / "r.json") == made


@pytest.mark.parametrize("text", ["{", "{}", '{"format": 0}', '{"format": 1, "queries": {}, "odd": 1}'])
def test_what_is_no_record_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "r.json").write_text(text)
    with pytest.raises(BenchmarkError):
        Record.read(tmp_path / "r.json")


def test_ratios_are_of_the_queries_that_both_have_answered() -> None:
    made = record(
        q01={"sqe": measured(4.0, 2.0, 1.0, 9.0), "trino": measured(2.0, 1.0)},
        q02={"sqe": measured(1.0, 1.0), "trino": measured(4.0, 2.0)},
        q03={"sqe": measured(100.0, 100.0), "trino": FAILED},
    )
    warm = made.ratio("sqe", "trino", warm=True)
    assert warm is not None
    assert (warm.total, warm.geometric_mean, warm.queries) == (1.0, 1.0, 2)
    first = made.ratio("sqe", "trino", warm=False)
    assert first is not None
    assert first.total == pytest.approx(5 / 6)
    assert made.ratio("sqe", "duckdb", warm=True) is None


def test_the_geometric_mean_of_a_ratio_and_its_reciprocal_is_one() -> None:
    assert geometric_mean([4.0, 0.25]) == pytest.approx(1.0)


def test_ratios_are_given_against_trino_or_the_first_other_engine() -> None:
    one = measured(1.0)
    assert base_engine(record(q01={"sqe": one, "spark": one, "trino": one})) == "trino"
    assert base_engine(record(q01={"sqe": one, "sqe-trino": one, "duckdb": one})) == "duckdb"
    assert base_engine(record(q01={"sqe": one})) == "sqe"


def test_a_report_has_ratios_before_seconds_and_names_what_failed(tmp_path: Path) -> None:
    made = record(q01={"sqe": measured(3.0, 1.5), "trino": measured(2.0, 1.0)}, q02={"sqe": FAILED})
    page = write_report(made, tmp_path / "tpch", [made, made])
    text = page.read_text()
    assert text.index("## Ratios") < text.index("## Seconds")
    assert "| sqe | 1.50 | 1.50 | 1.50 | 1.50 | 1 |" in text
    assert "| q02 | sqe | failed | no \\| memory left |" in text
    for plot in ("warm", "first", "history"):
        assert (tmp_path / f"tpch-{plot}.svg").read_text().startswith("<svg")
