"""Generate docs/trino-parity.md from the cases, Trino's answers and the list of differences.

`python -m tests.parity.page` writes it; the suite enforces it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.parity.suite import (
    TRINO_VERSION,
    Case,
    read_cases,
    read_expected,
    read_known,
    shorten,
    show,
    topics,
)

PAGE = Path(__file__).parents[2] / "docs" / "trino-parity.md"

_INTRO = f"""\
<!-- Made by `python -m tests.parity.page` from tests/parity; do not edit. -->

# Trino parity

Each case in `tests/parity/cases` is one query. A real Trino {TRINO_VERSION} ran it, and its answer is in
`tests/parity/expected`. `make parity` runs the same query at SQE's Trino endpoint and compares the values and
the types. A case that differs must be in `tests/parity/known.toml`; this page lists all of them.

| Word | Meaning |
|---|---|
| same | The same values and types, or an error in both. Lengths of `varchar` are not compared. |
| different | SQE returns other values. |
| type | The values are the same, but a type is not. |
| refused | SQE raises an error where Trino has an answer. |
| accepted | SQE has an answer where Trino raises an error. |
"""


def page() -> str:
    return "\n".join([_INTRO, *_totals(), *_differences()])


def _verdicts() -> Iterator[tuple[Case, str]]:
    known = read_known()
    for topic in topics():
        for case in read_cases(topic):
            yield case, known[case.id].verdict if case.id in known else "same"


def _totals() -> list[str]:
    counts: dict[str, Counter[str]] = {topic: Counter() for topic in topics()}
    for case, verdict in _verdicts():
        counts[case.topic][verdict] += 1
    everything = sum(counts.values(), Counter[str]())
    return [
        "## Totals",
        "",
        "| Topic | Cases | Same | Different | Type | Refused | Accepted | Same, percent |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
        *(_total_line(topic, count) for topic, count in counts.items()),
        _total_line("**all**", everything),
        "",
    ]


def _total_line(title: str, count: Counter[str]) -> str:
    numbers = [count.total(), *(count[name] for name in ("same", "different", "type", "refused", "accepted"))]
    percent = 100 * count["same"] / max(count.total(), 1)
    return f"| {title} | {' | '.join(map(str, numbers))} | {percent:.1f} |"


def _differences() -> list[str]:
    known = read_known()
    lines = ["## Differences", ""]
    if not known:
        return [*lines, "There are none.", ""]
    for topic in topics():
        cases = [case for case in read_cases(topic) if case.id in known]
        if not cases:
            continue
        expected = read_expected(topic)
        lines += [f"### {topic}", "", "| Query | | Trino | SQE | Reason |", "|---|---|---|---|---|"]
        for case in cases:
            difference = known[case.id]
            cells = [
                _code(shorten(case.sql, 120)),
                difference.verdict,
                _code(show(expected[case.name], 100)),
                _code(shorten(difference.answer, 100)),
                difference.why.replace("|", "\\|"),
            ]
            lines.append(f"| {' | '.join(cells)} |")
        lines.append("")
    return lines


def _code(text: str) -> str:
    """Write text as code in a cell of a table, where a bar would end the cell."""
    text = text.replace("|", "\\|")
    return f"`` {text} ``" if "`" in text else f"`{text}`" if text else ""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
