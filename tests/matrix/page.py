"""Generate docs/iceberg-matrix.md from the rubric and cells.toml.

`python -m tests.matrix.page` writes it; the suite enforces it.
"""

from __future__ import annotations

from pathlib import Path

from tests.matrix.rubric import RUBRICS, Cell, cells, score

PAGE = Path(__file__).parents[2] / "docs" / "iceberg-matrix.md"

_INTRO = """\
<!-- Made by `python -m tests.matrix.page` from tests/matrix; do not edit. -->

# Iceberg matrix

The features of the public Iceberg matrix (icebergmatrix.org), each with the format versions 2 and 3 where it has both.
`make matrix` creates a table through SQE for each cell, in a real catalog, and reads it back with PyIceberg and DuckDB,
which know nothing of SQE. A cell of a catalog that needs a service is tested where that service runs.

A cell gets 3 points for `full`, 2 for `partial`, 1 for `unknown` and 0 for `none`. There are two rubrics: that of early
2026 with 189 points, and the public one since August 2026 with 186, which has `deletion-vectors` in the place of
`vector-type` and `cdc-support`. SQE scores itself; it is not in the public matrix.
"""


def page() -> str:
    return "\n".join([_INTRO, *_totals(), *_tables()])


def _totals() -> list[str]:
    return [
        "## Score",
        "",
        "| Rubric | Points | Of |",
        "|---|--:|--:|",
        *(f"| {rubric.name} | {score(rubric)} | {rubric.most} |" for rubric in RUBRICS),
        "",
    ]


def _tables() -> list[str]:
    groups: dict[str, dict[str, list[Cell]]] = {}
    for cell in cells():
        groups.setdefault(cell.group, {}).setdefault(cell.feature, []).append(cell)
    lines: list[str] = []
    for group, features in groups.items():
        lines += [f"## {group}", "", "| Feature | V2 | V3 | Notes |", "|---|---|---|---|"]
        for feature, versions in features.items():
            levels = {cell.version: cell.level for cell in versions}
            lines.append(f"| {feature} | {levels.get(2, '')} | {levels[3]} | {_note(versions[0])} |")
        lines.append("")
    return lines


def _note(cell: Cell) -> str:
    shown = f"Shown by `{cell.proof}`." if cell.proof not in (None, "none") else ""
    return " ".join(filter(None, (cell.note, shown)))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
