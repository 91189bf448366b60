"""Write the plans of a statement that has run as text: operators as a tree, and what Spark counted in each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_ROWS = "numOutputRows"
_FILES = "resultDataFiles"  # Iceberg's
_SKIPPED_FILES = "skippedDataFiles"
_SIZES = ("totalDataFileSize", "dataSize")  # of the files that are read, and of what goes to another operator
_NANOSECONDS = {"timing": 1_000_000, "nsTiming": 1}  # by the type of a metric


def plan_text(executions: Sequence[Mapping[str, Any]], *, verbose: bool) -> str:
    """Return the text of executed plans, as the engine's `executed_plan` has them.

    A command may run another one, which does the work: one without operators below it is left out then.
    """
    shown = [each for each in executions if each["plan"]["children"]] or list(executions)[:1]
    return "\n".join(line for each in shown for line in _execution(each, verbose=verbose))


def _execution(execution: Mapping[str, Any], *, verbose: bool) -> Iterator[str]:
    yield f"Execution: {duration(execution['nanoseconds'])}"
    yield from _operator(execution["plan"], "", "", verbose=verbose)


def _operator(node: Mapping[str, Any], first: str, prefix: str, *, verbose: bool) -> Iterator[str]:
    """Yield the lines of an operator; `first` and `prefix` are what stands before the first line and the others."""
    yield f"{first}{node['detail'] or node['name']}"
    below = [("", child) for child in node["children"]]
    below += [("Subquery: ", subquery) for subquery in node["subqueries"]]
    bar = f"{prefix}│   " if below else f"{prefix}    "
    counted = _counted(node["metrics"])
    if counted:
        yield f"{bar}{counted}"
    if verbose:
        for metric in node["metrics"].values():
            if metric["value"] > 0:
                yield f"{bar}{metric['label']}: {_value(metric)}"
    for number, (title, child) in enumerate(below):
        last = number == len(below) - 1
        yield from _operator(
            child,
            f"{prefix}{'└─' if last else '├─'} {title}",
            f"{prefix}{'   ' if last else '│  '}",
            verbose=verbose,
        )


def _counted(metrics: Mapping[str, Any]) -> str:
    """Return rows, time, bytes and files, as far as Spark counts them for this kind of operator."""
    parts = []
    size = next((metrics[name]["value"] for name in _SIZES if name in metrics), None)
    in_bytes = f" ({data_size(size)})" if size is not None and size >= 0 else ""
    if _ROWS in metrics:
        rows = metrics[_ROWS]["value"]
        parts.append(f"Output: {_rows(rows)}{in_bytes if _FILES not in metrics else ''}")
    elif in_bytes and _FILES not in metrics:
        parts.append(f"Output: {in_bytes[2:-1]}")
    times = [
        metric["value"] * _NANOSECONDS[metric["type"]]
        for metric in metrics.values()
        if metric["type"] in _NANOSECONDS and metric["value"] >= 0
    ]
    if times:
        parts.append(f"Time: {duration(sum(times))}")
    if _FILES in metrics:
        skipped = metrics.get(_SKIPPED_FILES, {}).get("value", 0)
        parts.append(f"Files: {metrics[_FILES]['value']}{in_bytes}, skipped: {max(skipped, 0)}")
    return ", ".join(parts)


def _value(metric: Mapping[str, Any]) -> str:
    kind, value = metric["type"], metric["value"]
    if kind in _NANOSECONDS:
        return duration(value * _NANOSECONDS[kind])
    if kind == "size":
        return data_size(value)
    return f"{value / 10:.1f}" if kind == "average" else str(value)  # Spark keeps tenths


def _rows(number: int) -> str:
    return f"{number} row" if number == 1 else f"{number} rows"


def duration(nanoseconds: float) -> str:
    """Return a time as Trino writes it: `12.34ms`."""
    value, units = (
        float(nanoseconds),
        (("ns", 1000), ("us", 1000), ("ms", 1000), ("s", 60), ("m", 60), ("h", 24)),
    )
    for unit, factor in units:
        if value < factor:
            return f"{value:.2f}{unit}"
        value /= factor
    return f"{value:.2f}d"


def data_size(number: float) -> str:
    """Return a number of bytes as Trino writes it: `12.34kB`."""
    value = float(number)
    for unit in ("B", "kB", "MB", "GB"):
        if value < 1024:
            return f"{value:.0f}B" if unit == "B" else f"{value:.2f}{unit}"
        value /= 1024
    return f"{value:.2f}TB"
