"""The forms that the renderer has, from its source; and their table in docs/local-executor.md.

`python -m tests.executor.rendered_forms` writes the table; a unit test compares it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

_ROOT = Path(__file__).parents[2]
_RENDERER = _ROOT / "spark-guard/src/main/java/sqe/spark/local"
PAGE = _ROOT / "docs/local-executor.md"
_HEADING = "## Forms\n"
_INTRO = """
Made by `make docs` from the renderer's lists. Names are those of Spark's classes, and for Trino's functions those of
their methods in `sqe.spark.trino`. A form may still be refused for some types or constants; EXPLAIN says so.
"""
# Where the forms are, and the pattern of their names.
_PLACES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "operators": (
        ("PlanRenderer.java", r"\bplan instanceof (\w+)"),
        ("PlanRenderer.java", r"joinType\(\) instanceof (\w+)"),
    ),
    "joins": (("PlanRenderer.java", r"(\w+)\$\.MODULE\$, \"\w"),),
    "expressions": (("Expressions.java", r"entry\(\s*(?:[a-z]+\.)*(\w+)\.class"),),
    "aggregates": (("Aggregates.java", r"\bfunction instanceof (\w+)"),),
    "window functions": (("Windows.java", r"\bfunction instanceof (\w+)"),),
    "Trino's functions": (("TrinoForms.java", r"entry\(\s*\"([\w.]+)\""),),
    "types": (("Types.java", r"return \"([A-Z]+)"),),
}


def forms(group: str) -> set[str]:
    """Return the forms of a group."""
    return {
        form
        for file, pattern in _PLACES[group]
        for form in re.findall(pattern, (_RENDERER / file).read_text(encoding="utf-8"))
    }


def page(text: str) -> str:
    """Return the page `text` with the table of today's forms."""
    rows = [f"| {group} | {', '.join(f'`{form}`' for form in sorted(forms(group)))} |" for group in _PLACES]
    table = "\n".join(["| kind | forms |", "|---|---|", *rows])
    return f"{text.partition(_HEADING)[0]}{_HEADING}{_INTRO}\n{table}\n"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
