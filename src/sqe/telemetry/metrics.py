"""Metrics for Prometheus, in a registry of the server's own.

Labels have few values: front ends, states, providers, error codes; never a user,
statement, table or address.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from prometheus_client import CollectorRegistry, Counter, Histogram, Info, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from sqe import __version__
from sqe.model.query import QueryInfo

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

# Small queries take some ten milliseconds, large ones minutes.
_SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600)

# A decision that is kept takes less than a millisecond, one that an engine is asked for some, a late one seconds.
_DECISION_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)


class Metrics:
    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        Info("sqe_build", "The version that runs.", registry=self._registry).info({"version": __version__})
        self._queries = self._counter("sqe_queries", "Queries that have ended.", "front_end", "state", "code")
        self._executors = self._counter(
            "sqe_executor_queries", "Queries that have ended, by what computed their rows.", "executor"
        )
        self._rows = self._counter("sqe_result_rows", "Rows that queries returned.", "front_end")
        self._read = self._counter("sqe_read_bytes", "Bytes that queries read.", "front_end")
        self._logins = self._counter("sqe_logins", "Credentials that were looked at.", "provider", "result")
        self._renewals = self._counter(
            "sqe_login_renewals", "Access tokens that were to be renewed.", "result"
        )
        self._control = self._counter(
            "sqe_control_calls", "What the engine asked of the gateway.", "kind", "result"
        )
        self._decisions = self._counter(
            "sqe_policy_decisions", "What policy engines decided.", "result", "cached"
        )
        self._decision_seconds = Histogram(
            "sqe_policy_decision_seconds",
            "From the engine's questions to the decisions on them.",
            buckets=_DECISION_SECONDS,
            registry=self._registry,
        )
        self._seconds = Histogram(
            "sqe_query_seconds",
            "From a query's arrival to its end.",
            ["front_end"],
            buckets=_SECONDS,
            registry=self._registry,
        )

        self._probe_seconds = Histogram(
            "sqe_probe_seconds",
            "How long the gateway's own test query took.",
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._probe_failures = self._counter("sqe_probe_failures", "Test queries of the gateway that failed.")

    def query_ended(self, query: QueryInfo) -> None:
        code = query.error.code if query.error is not None else ""
        self._queries.labels(query.front_end, query.state.value, code).inc()
        self._executors.labels(query.progress.executor.value).inc()
        self._seconds.labels(query.front_end).observe(query.elapsed)
        self._rows.labels(query.front_end).inc(query.rows)
        self._read.labels(query.front_end).inc(query.progress.bytes_read)

    def login(self, provider: str, accepted: bool) -> None:
        self._logins.labels(provider, "accepted" if accepted else "refused").inc()

    def renewal(self, result: str) -> None:
        self._renewals.labels(result).inc()

    def control_call(self, kind: str, result: str) -> None:
        self._control.labels(kind, result).inc()

    def decision(self, result: str, *, cached: bool) -> None:
        self._decisions.labels(result, str(cached).lower()).inc()

    def decision_seconds(self, seconds: float) -> None:
        self._decision_seconds.observe(seconds)

    def probe(self, seconds: float, succeeded: bool) -> None:
        self._probe_seconds.observe(seconds)
        if not succeeded:
            self._probe_failures.inc()

    def watch(
        self,
        counts: Callable[[], Mapping[str, int]],
        engine_up: Callable[[], bool],
        engine_restarts: Callable[[], int],
    ) -> None:
        """Call these when the metrics are fetched. `counts` has sessions, running and waiting."""
        self._registry.register(_Watched(counts, engine_up, engine_restarts))

    def render(self) -> bytes:
        """Return all metrics in Prometheus' text format."""
        return generate_latest(self._registry)

    def _counter(self, name: str, text: str, *labels: str) -> Counter:
        return Counter(name, text, labels, registry=self._registry)


class _Watched(Collector):
    def __init__(
        self,
        counts: Callable[[], Mapping[str, int]],
        engine_up: Callable[[], bool],
        engine_restarts: Callable[[], int],
    ) -> None:
        self._counts = counts
        self._engine_up = engine_up
        self._engine_restarts = engine_restarts

    def collect(self) -> Iterable[Metric]:
        counts = self._counts()
        yield GaugeMetricFamily("sqe_sessions", "Open sessions.", counts["sessions"])
        yield GaugeMetricFamily("sqe_queries_running", "Queries that have a slot.", counts["running"])
        yield GaugeMetricFamily("sqe_queries_waiting", "Queries that wait for a slot.", counts["waiting"])
        yield GaugeMetricFamily("sqe_engine_up", "1 when the engine answers.", float(self._engine_up()))
        yield CounterMetricFamily(
            "sqe_engine_restarts", "How often a crashed engine was started again.", self._engine_restarts()
        )
