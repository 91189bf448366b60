"""Each cell of the public Iceberg matrix: made through SQE, read back with PyIceberg and DuckDB."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from tests.matrix.checks import catalogs, partitions, reads_and_writes, row_level, tables, types_of_v3
from tests.matrix.lake import Lake
from tests.matrix.page import PAGE, page
from tests.matrix.rubric import CELLS, POINTS, RUBRICS, Cell, cells, features, most, score

ROOT = Path(__file__).parents[2]

Check = Callable[[Lake, int], None]


def _checks(module: ModuleType) -> dict[str, Check]:
    made = {name: value for name, value in vars(module).items() if not name.startswith("_")}
    return {
        name: value for name, value in made.items() if getattr(value, "__module__", "") == module.__name__
    }


CHECKS = {
    name: check
    for module in (catalogs, partitions, reads_and_writes, row_level, tables, types_of_v3)
    for name, check in _checks(module).items()
}
HERE = [cell for cell in cells() if cell.proof is None]


@pytest.mark.engine
@pytest.mark.timeout(300)
@pytest.mark.parametrize("cell", HERE, ids=[cell.id for cell in HERE])
def test_cell(lake: Lake, cell: Cell) -> None:
    CHECKS[cell.check](lake, cell.version)


def test_every_check_is_of_a_cell() -> None:
    assert CHECKS.keys() == {cell.check for cell in HERE}


def test_levels_are_known_and_what_is_not_full_has_a_reason() -> None:
    assert {cell.level for cell in cells()} <= POINTS.keys()
    assert [cell.id for cell in cells() if cell.level != "full" and not cell.note] == []


def test_proofs_elsewhere_are_there() -> None:
    for cell in cells():
        if cell.proof == "none":
            assert cell.level == "unknown", cell.id
        elif cell.proof is not None:
            assert (ROOT / cell.proof).exists(), cell.id


def test_the_rubrics_are_complete() -> None:
    assert [most(rubric) for rubric in RUBRICS] == [rubric.most for rubric in RUBRICS]
    named = {line[1:-1] for line in CELLS.read_text(encoding="utf-8").splitlines() if line.startswith("[")}
    assert named == features()


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "Run `python -m tests.matrix.page`."


def test_the_score_does_not_fall() -> None:
    assert [score(rubric) for rubric in RUBRICS] >= [145, 145]
