"""Encode the progress of a query in the fields that Trino's clients display."""

from __future__ import annotations

from typing import Any

from sqe.model.query import Progress, QueryState, QueryStatus

_STATES = {
    QueryState.QUEUED: "QUEUED",
    QueryState.PLANNING: "PLANNING",
    QueryState.RUNNING: "RUNNING",
    QueryState.FINISHED: "FINISHED",
    QueryState.FAILED: "FAILED",
    QueryState.CANCELED: "FAILED",
}


def state_name(state: QueryState, *, more: bool = False) -> str:
    """Return Trino's name of a state. A query with unfetched rows is still running for its client."""
    return "RUNNING" if more and state is QueryState.FINISHED else _STATES[state]


def stats(status: QueryStatus, *, more: bool) -> dict[str, Any]:
    """Return the `stats` of a page; `more`: another page follows."""
    progress, state = status.progress, state_name(status.state, more=more)
    millis = round(status.elapsed * 1000)
    queued = status.state is QueryState.QUEUED
    splits = _splits(progress, done=status.state.terminal)
    common = {
        "state": state,
        "nodes": 1,  # clients divide by it
        **splits,
        "cpuTimeMillis": 0 if queued else millis,
        "wallTimeMillis": 0 if queued else millis,
        "processedRows": progress.rows,
        "processedBytes": progress.bytes_read,
        "physicalInputBytes": progress.bytes_read,
    }
    fields: dict[str, Any] = {
        **common,
        "queued": queued,
        "scheduled": not queued,
        "progressPercentage": _percentage(status),
        "runningPercentage": 0.0 if queued else 100.0 if splits["runningSplits"] else 0.0,
        "queuedTimeMillis": millis if queued else 0,
        "elapsedTimeMillis": millis,
        "planningTimeMillis": 0,
        "analysisTimeMillis": 0,
        "finishingTimeMillis": 0,
        "physicalInputTimeMillis": 0,
        "physicalWrittenBytes": 0,
        "internalNetworkInputBytes": 0,
        "peakMemoryBytes": 0,
        "spilledBytes": 0,
    }
    if not queued:
        fields["rootStage"] = {
            "stageId": "0",
            **common,
            "done": status.state.terminal,
            "coordinatorOnly": False,
            "failedTasks": 0,
            "subStages": [],
        }
    return fields


def _splits(progress: Progress, *, done: bool) -> dict[str, int]:
    total = max(1, progress.tasks)
    completed = total if done else min(progress.tasks_done, total)
    running = min(progress.tasks_running, total - completed)
    return {
        "totalSplits": total,
        "queuedSplits": total - completed - running,
        "runningSplits": running,
        "completedSplits": completed,
    }


def _percentage(status: QueryStatus) -> float:
    if status.state is QueryState.FINISHED:
        return 100.0
    return round(100.0 * (status.progress.fraction or 0.0), 2)
