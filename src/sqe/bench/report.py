"""Write a record of a comparison as Markdown with plots: ratios first, seconds second."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sqe.bench.answers import Outcome
from sqe.bench.plots import Bar, bar_chart, line_chart
from sqe.bench.record import Record


def base_engine(record: Record) -> str:
    """Return the engine that ratios are given against: Trino, or the first that is not SQE."""
    names = list(record.engines)
    if "trino" in names:
        return "trino"
    return next((name for name in names if not name.startswith("sqe")), names[0])


def write_report(record: Record, stem: Path, history: Sequence[Record] = ()) -> Path:
    """Write STEM.md and its plots, and return the page."""
    base = base_engine(record)
    plots = {
        "warm": stem.with_name(f"{stem.name}-warm.svg"),
        "first": stem.with_name(f"{stem.name}-first.svg"),
    }
    for kind, path in plots.items():
        path.write_text(_chart(record, warm=kind == "warm"), encoding="utf-8")
    lines = [
        f"# {record.title}, scale {record.scale:g}",
        "",
        f"{record.began[:10]}, revision {record.revision}. {record.machine}.",
        f"Each engine has {record.cores} cores and a heap of {record.memory}; they take turns with each query on the",
        f"same Iceberg tables. Origin: {record.origin}.",
        "",
        "- **first**: the first time that the engine sees the query; **warm**: the median of later runs.",
        "- Answers are compared row by row with DuckDB's on the generated files.",
        "",
        f"## Ratios to {base}",
        "",
        *_ratio_table(record, base),
        "",
        "## Answers",
        "",
        *_answer_table(record),
        "",
        *_problems(record),
        "## Seconds",
        "",
        *_total_table(record),
        "",
        *_query_table(record),
        "",
        *(f"![{kind}]({path.name})\n" for kind, path in plots.items()),
    ]
    if len(history) > 1:
        path = stem.with_name(f"{stem.name}-history.svg")
        path.write_text(_history_chart(history), encoding="utf-8")
        lines += ["## History", "", f"![history]({path.name})", ""]
    page = stem.with_name(f"{stem.name}.md")
    page.write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")
    return page


def _ratio_table(record: Record, base: str) -> list[str]:
    lines = [
        "| engine | total, warm | geometric mean, warm | total, first | geometric mean, first | queries |",
        "|---|---|---|---|---|---|",
    ]
    for engine in record.engines:
        warm, first = record.ratio(engine, base, warm=True), record.ratio(engine, base, warm=False)
        if first is None:
            continue
        cells = [
            *((f"{warm.total:.2f}", f"{warm.geometric_mean:.2f}") if warm else ("", "")),
            f"{first.total:.2f}",
            f"{first.geometric_mean:.2f}",
            str(first.queries),
        ]
        lines.append(f"| {engine} | {' | '.join(cells)} |")
    return lines


def _answer_table(record: Record) -> list[str]:
    outcomes = list(Outcome)
    lines = [
        f"| engine | {' | '.join(outcomes)} | run locally | version | client | peak memory | CPU seconds |",
        f"|---|{'---|' * (len(outcomes) + 5)}",
    ]
    for engine, settings in record.engines.items():
        counts = [
            sum(
                engines[engine].outcome is outcome for engines in record.queries.values() if engine in engines
            )
            for outcome in outcomes
        ]
        executors = [engines[engine].executor for engines in record.queries.values() if engine in engines]
        local = str(executors.count("local")) if any(executors) else ""
        memory = ", ".join(
            f"{process} {size / 1e9:.1f} GB" for process, size in record.peak_memory.get(engine, {}).items()
        )
        lines.append(
            f"| {engine} | {' | '.join(map(str, counts))} | {local} | {settings.get('version', '')} "
            f"| {settings.get('client', '')} | {memory} | {record.cpu.get(engine, 0):.0f} |"
        )
    return lines


def _problems(record: Record) -> list[str]:
    lines = [
        f"| {query} | {engine} | {one.outcome} | {_cell(one.detail)} |"
        for query, engines in record.queries.items()
        for engine, one in engines.items()
        if one.outcome is not Outcome.MATCH
    ]
    return ["| query | engine | outcome | detail |", "|---|---|---|---|", *lines, ""] if lines else []


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")[:200]


def _total_table(record: Record) -> list[str]:
    lines = ["| engine | first, all queries | warm, all queries |", "|---|---|---|"]
    for engine in record.engines:
        first, warm = (sum(record.seconds(engine, warm=kind).values()) for kind in (False, True))
        lines.append(f"| {engine} | {first:.1f} | {warm:.1f} |")
    return lines


def _query_table(record: Record) -> list[str]:
    names = list(record.engines)
    lines = [
        f"| query | rows | {' | '.join(f'{name} first | {name} warm' for name in names)} |",
        f"|---|---|{'---|---|' * len(names)}",
    ]
    for query, engines in record.queries.items():
        rows = max((one.rows for one in engines.values()), default=0)
        cells = []
        for name in names:
            one = engines.get(name)
            cells += [_seconds(one.first if one else None), _seconds(one.warm_median if one else None)]
        lines.append(f"| {query} | {rows} | {' | '.join(cells)} |")
    return lines


def _seconds(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _chart(record: Record, *, warm: bool) -> str:
    seconds = {engine: record.seconds(engine, warm=warm) for engine in record.engines}
    groups = {
        query: [Bar(engine, found[query]) for engine, found in seconds.items() if query in found]
        for query in record.queries
    }
    kind = "warm" if warm else "first run"
    return bar_chart(f"{record.title}, scale {record.scale:g}: seconds of each query, {kind}", groups)


def _history_chart(history: Sequence[Record]) -> str:
    series: dict[str, list[tuple[str, float]]] = {}
    for record in sorted(history, key=lambda one: one.began):
        base = base_engine(record)
        for engine in record.engines:
            ratio = record.ratio(engine, base, warm=True)
            if ratio is not None:
                series.setdefault(engine, []).append((record.began[:10], ratio.total))
    return line_chart("Total of the warm runs, as a ratio", series)
