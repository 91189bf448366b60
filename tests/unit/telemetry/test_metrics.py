from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families

from sqe.errors import QueryTimeoutError, SqeError
from sqe.model.query import Progress, QueryInfo, QueryState, new_query_id
from sqe.telemetry.metrics import Metrics

NOW = datetime(2026, 1, 1, tzinfo=UTC)
NONE = {"sessions": 0, "running": 0, "waiting": 0}


def query(
    state: QueryState, front_end: str = "trino", error: SqeError | None = None, elapsed: float = 0.2
) -> QueryInfo:
    progress = Progress(rows=10, bytes_read=1000)
    return QueryInfo(
        new_query_id(),
        "alice",
        "SELECT 'hunter2'",
        state,
        NOW,
        NOW,
        elapsed,
        progress,
        front_end,
        "app",
        error,
    )


def samples(metrics: Metrics) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(metrics.render().decode())
        for sample in family.samples
    }


def value(metrics: Metrics, name: str, **labels: str) -> float | None:
    return samples(metrics).get((name, frozenset(labels.items())))


def test_queries_are_counted_by_front_end_and_state() -> None:
    metrics = Metrics()
    metrics.query_ended(query(QueryState.FINISHED))
    metrics.query_ended(query(QueryState.FINISHED))
    metrics.query_ended(query(QueryState.FAILED, "flight", QueryTimeoutError("x"), elapsed=7.0))
    assert value(metrics, "sqe_queries_total", front_end="trino", state="FINISHED", code="") == 2
    assert value(metrics, "sqe_queries_total", front_end="flight", state="FAILED", code="QUERY_TIMEOUT") == 1
    assert value(metrics, "sqe_result_rows_total", front_end="trino") == 20
    assert value(metrics, "sqe_read_bytes_total", front_end="trino") == 2000
    assert value(metrics, "sqe_query_seconds_count", front_end="trino") == 2
    assert value(metrics, "sqe_query_seconds_bucket", front_end="flight", le="5.0") == 0
    assert value(metrics, "sqe_query_seconds_bucket", front_end="flight", le="10.0") == 1


def test_logins_are_counted_by_provider() -> None:
    metrics = Metrics()
    metrics.login("users_file", True)
    metrics.login("users_file", False)
    metrics.login("users_file", False)
    assert value(metrics, "sqe_logins_total", provider="users_file", result="accepted") == 1
    assert value(metrics, "sqe_logins_total", provider="users_file", result="refused") == 2


def test_the_state_is_asked_for_when_it_is_fetched() -> None:
    metrics, counts, up = Metrics(), dict(NONE), [False]
    metrics.watch(lambda: counts, lambda: up[0], lambda: 3)
    assert value(metrics, "sqe_engine_up") == 0
    counts |= {"sessions": 5, "running": 2, "waiting": 1}
    up[0] = True
    assert value(metrics, "sqe_engine_up") == 1
    assert value(metrics, "sqe_sessions") == 5
    assert value(metrics, "sqe_queries_running") == 2
    assert value(metrics, "sqe_queries_waiting") == 1
    assert value(metrics, "sqe_engine_restarts_total") == 3
    assert value(metrics, "process_open_fds") is not None


def test_nothing_of_a_person_is_in_the_metrics() -> None:
    metrics = Metrics()
    metrics.query_ended(query(QueryState.FINISHED))
    text = metrics.render().decode()
    assert "alice" not in text
    assert "hunter2" not in text
    assert 'sqe_build_info{version="' in text


def test_two_servers_in_one_process_do_not_meet() -> None:
    first, second = Metrics(), Metrics()
    first.login("x", True)
    assert value(second, "sqe_logins_total", provider="x", result="accepted") is None


def test_decisions_are_counted_by_their_result() -> None:
    metrics = Metrics()
    metrics.decision("allowed", cached=True)
    metrics.decision("denied", cached=False)
    metrics.decision("denied", cached=False)
    metrics.decision_seconds(0.003)
    assert value(metrics, "sqe_policy_decisions_total", result="allowed", cached="true") == 1
    assert value(metrics, "sqe_policy_decisions_total", result="denied", cached="false") == 2
    assert value(metrics, "sqe_policy_decision_seconds_count") == 1
    assert value(metrics, "sqe_policy_decision_seconds_bucket", le="0.0025") == 0
    assert value(metrics, "sqe_policy_decision_seconds_bucket", le="0.005") == 1


def test_the_documentation_has_every_metric_and_no_other() -> None:
    page = (Path(__file__).parents[3] / "docs" / "server.md").read_text(encoding="utf-8")
    metrics = Metrics()
    metrics.watch(lambda: NONE, lambda: True, lambda: 0)
    families = text_string_to_metric_families(metrics.render().decode())
    names = {f"{each.name}_total" if each.type == "counter" else each.name for each in families}
    own = {name for name in names if name.startswith("sqe_") and not name.endswith("_created")}
    assert set(re.findall(r"`(sqe_\w+)`", page)) == own
