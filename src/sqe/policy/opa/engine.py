"""The engine `opa`: sends an Open Policy Agent the requests of Trino's plugin, and interprets the responses as it does.

Policies for Trino work unchanged. Trino asks about the columns that a query names; this engine asks about a table once,
with all its columns. Columns that FilterColumns hides, or SelectFromColumns does not allow, are restricted.
"""

from __future__ import annotations

import functools
import json
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from typing import Any, TypeVar

from sqe.common.circuit_breaker import CircuitBreaker
from sqe.config.schema import Config
from sqe.config.sections.opa import OpaConfig
from sqe.errors import ConfigError
from sqe.model.decision import Expression, Kind, Operation, Question, Resource, Verdict
from sqe.model.identity import Principal
from sqe.policy.opa import actions as opa_actions
from sqe.policy.opa import response as opa_response
from sqe.policy.opa.actions import Json
from sqe.policy.opa.client import OpaClient
from sqe.policy.opa.response import SOURCE, unavailable

_CALLS_AT_ONCE = 16
_COLUMNS_MATTER = frozenset({Operation.SELECT, Operation.DESCRIBE, Operation.SHOW_CREATE})
_HAS_COLUMNS = frozenset({Kind.TABLE, Kind.VIEW})

T = TypeVar("T")


class OpaEngine:
    name = "opa"
    version: str | None = None  # an agent does not report changes of its policies

    def __init__(self, config: Config, *, breaker: CircuitBreaker | None = None) -> None:
        if config.opa.url is None:
            raise ConfigError("The engine opa in policy.engines needs opa.url, which is not set.")
        self._urls = config.opa
        self._timeout = float(config.policy.timeout)
        own = config.opa.ca_bundle is not None
        self._client = OpaClient(
            self._timeout,
            token=config.opa.token,
            ca_bundle=config.opa.ca_bundle if own else config.tls.ca_bundle,
            setting="opa.ca_bundle" if own else "tls.ca_bundle",
            breaker=breaker,
        )
        self._pool = ThreadPoolExecutor(_CALLS_AT_ONCE, "opa-call")

    def decide(self, principal: Principal, questions: Sequence[Question]) -> Sequence[Verdict]:
        context = opa_actions.context(principal, self._urls.context)
        latest = time.monotonic() + self._timeout
        requests = _AgentRequests(self._client, self._pool, self._urls, context, latest)
        try:
            listings = _Listings(requests, [one for one in questions if _is_listing(one)])
            asked = [None if _is_listing(one) else _QuestionCheck(requests, one) for one in questions]
            for each in asked:
                if each is not None:
                    each.narrow()
            return [
                listings.verdict(question) if each is None else each.verdict()
                for question, each in zip(questions, asked, strict=True)
            ]
        finally:
            requests.end()

    def refresh(self) -> None:
        pass

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)  # running requests end by their timeout
        self._client.close()


class _AgentRequests:
    """The requests to the agent for one decision, sent in parallel and without duplicates."""

    def __init__(
        self, client: OpaClient, pool: ThreadPoolExecutor, urls: OpaConfig, context: Json, latest: float
    ) -> None:
        assert urls.url is not None
        self._client = client
        self._pool = pool
        self._context = context
        self._latest = latest
        self._asked: dict[tuple[str, bytes], Future[Mapping[str, Any]]] = {}
        self.urls = urls
        self._allow = str(urls.url)

    def ask(self, url: str, action: Json, read: Callable[[Mapping[str, Any]], T]) -> Callable[[], T]:
        """Send a request, and return a function that waits for the response."""
        body = json.dumps({"input": {"context": self._context, "action": action}}).encode()
        future = self._asked.get((url, body))
        if future is None:
            future = self._pool.submit(self._client.ask, url, body, self._latest)
            self._asked[url, body] = future
        return functools.cache(lambda: read(self._wait(future)))

    def allowed(self, action: Json) -> Callable[[], bool]:
        return self.ask(self._allow, action, opa_response.allowed)

    def may_enter(self, resource: Resource) -> list[Callable[[], bool]]:
        """Send the requests that Trino sends before all others."""
        entering = [self.allowed(opa_actions.action("ExecuteQuery"))]
        if resource.kind is not Kind.CATALOG:
            entering.append(self.allowed(opa_actions.action("AccessCatalog", opa_actions.catalog(resource))))
        return entering

    def end(self) -> None:
        for future in self._asked.values():
            future.cancel()

    def _wait(self, future: Future[Mapping[str, Any]]) -> Mapping[str, Any]:
        try:
            return future.result(max(0.0, self._latest - time.monotonic()))
        except TimeoutError:
            raise unavailable("a response is late") from None
        except CancelledError:
            raise unavailable("the server is stopping") from None


class _Listings:
    """The checks of the names in listings."""

    def __init__(self, requests: _AgentRequests, questions: Sequence[Question]) -> None:
        self._entering = {question: requests.may_enter(question.resource) for question in questions}
        self._shown: dict[Question, Callable[[], bool]] = {}
        expressible = [one for one in questions if opa_actions.is_expressible(one.resource)]
        url = requests.urls.batched_url
        if url is None:
            for question in expressible:
                item = opa_actions.listed(question.resource)
                action = opa_actions.action(opa_actions.FILTERS[question.resource.kind], item)
                self._shown[question] = requests.allowed(action)
            return
        groups: dict[tuple[str, str], list[Question]] = {}
        for question in expressible:
            operation = opa_actions.FILTERS[question.resource.kind]
            # One batch has the schemas or tables of one catalog, as in Trino.
            catalog = "" if question.resource.kind is Kind.CATALOG else question.resource.catalog
            groups.setdefault((operation, catalog), []).append(question)
        for (operation, _), group in groups.items():
            action = opa_actions.batch(operation, [opa_actions.listed(one.resource) for one in group])
            found = requests.ask(url, action, _indices_below(len(group)))
            for number, question in enumerate(group):
                self._shown[question] = _contains(found, number)

    def verdict(self, question: Question) -> Verdict:
        shown = self._shown.get(question)
        if shown is None:
            return _refuse("the name of a namespace has a dot")
        return Verdict(all(one() for one in self._entering[question]) and shown(), SOURCE)


class _QuestionCheck:
    """The check of one question about one resource, in up to three rounds of requests."""

    def __init__(self, requests: _AgentRequests, question: Question) -> None:
        self._requests = requests
        self._question = question
        self._resource = question.resource
        self._is_select = question.operation is Operation.SELECT and self._resource.kind in _HAS_COLUMNS
        self._names = opa_actions.column_names(self._resource.columns)
        self._visible: list[str] = self._names
        self._selectable: Callable[[], bool] | None = None
        self._filters: Callable[[], tuple[Expression, ...]] | None = None
        self._masks: Callable[[], Mapping[str, Expression]] | None = None
        self._hidden: Callable[[], frozenset[str]] | None = None
        self._checks: list[Callable[[], bool]] | None = None
        if not opa_actions.is_expressible(self._resource):
            self._refused: str | None = "the name of a namespace has a dot"
            return
        actions: tuple[Json, ...] | None = () if self._is_select else opa_actions.checks(question)
        self._refused = "Trino has no such operation" if actions is None else None
        if actions is None:
            return
        self._checks = [
            *requests.may_enter(self._resource),
            *(requests.allowed(action) for action in actions),
        ]
        if question.operation in _COLUMNS_MATTER and self._resource.kind in _HAS_COLUMNS and self._names:
            self._hidden = self._ask_for_hidden()
        if self._is_select:
            self._filters = self._ask_for_filters()
            self._masks = self._ask_for_masks()

    def narrow(self) -> None:
        """Send the second round of requests: whether the visible columns may be read."""
        if self._hidden is not None:
            hidden = self._hidden()
            self._visible = [name for name in self._names if name not in hidden]
        if self._is_select and self._refused is None:
            self._selectable = self._may_select(self._visible)

    def verdict(self) -> Verdict:
        if self._refused is not None or self._checks is None:
            return _refuse(self._refused or "")
        if not all(check() for check in self._checks):
            return Verdict(False, SOURCE)
        if self._selectable is not None and not self._selectable():
            # Only some columns may be denied. Trino denies the queries that name them, and allows others.
            each = [(name, self._may_select([name])) for name in self._visible]
            self._visible = [name for name, may in each if may()]
            if not self._visible or not self._may_select(self._visible)():
                return Verdict(False, SOURCE)
        if self._names and not self._visible:
            return Verdict(False, f"{SOURCE}: no column is visible")
        visible = frozenset(self._visible)
        masks = self._masks() if self._masks is not None else {}
        return Verdict(
            True,
            SOURCE,
            self._filters() if self._filters is not None else (),
            {name: mask for name, mask in masks.items() if name.lower() in visible},
            {one.name: SOURCE for one in self._resource.columns if one.name.lower() not in visible},
        )

    def _may_select(self, columns: Sequence[str]) -> Callable[[], bool]:
        action = opa_actions.action("SelectFromColumns", opa_actions.table(self._resource, columns))
        return self._requests.allowed(action)

    def _ask_for_hidden(self) -> Callable[[], frozenset[str]]:
        names, url = self._names, self._requests.urls.batched_url
        if url is not None:
            action = opa_actions.batch("FilterColumns", [opa_actions.table(self._resource, names)])
            found = self._requests.ask(url, action, _indices_below(len(names)))
            return lambda: frozenset(name for number, name in enumerate(names) if number not in found())
        shown = {
            name: self._requests.allowed(
                opa_actions.action("FilterColumns", opa_actions.table(self._resource, [name]))
            )
            for name in names
        }
        return lambda: frozenset(name for name, may in shown.items() if not may())

    def _ask_for_filters(self) -> Callable[[], tuple[Expression, ...]] | None:
        url = self._requests.urls.row_filters_url
        if url is None:
            return None
        action = opa_actions.action("GetRowFilters", opa_actions.table(self._resource))
        return self._requests.ask(url, action, opa_response.row_filters)

    def _ask_for_masks(self) -> Callable[[], Mapping[str, Expression]] | None:
        columns, urls = self._resource.columns, self._requests.urls
        resources = [opa_actions.column(self._resource, column) for column in columns]
        if urls.batch_column_masks_url is not None and columns:
            action = opa_actions.batch("GetColumnMask", resources)
            count = len(columns)
            found = self._requests.ask(
                urls.batch_column_masks_url,
                action,
                lambda response: opa_response.column_masks(response, count),
            )
            return lambda: {columns[number].name: mask for number, mask in found().items()}
        if urls.column_mask_url is None:
            return None
        each = {
            column.name: self._requests.ask(
                urls.column_mask_url, opa_actions.action("GetColumnMask", resource), opa_response.column_mask
            )
            for column, resource in zip(columns, resources, strict=True)
        }
        return lambda: {name: mask for name, ask in each.items() if (mask := ask()) is not None}


def _is_listing(question: Question) -> bool:
    return question.operation is Operation.LIST


def _indices_below(count: int) -> Callable[[Mapping[str, Any]], frozenset[int]]:
    return lambda response: opa_response.indices(response, count)


def _contains(found: Callable[[], frozenset[int]], number: int) -> Callable[[], bool]:
    return lambda: number in found()


def _refuse(why: str) -> Verdict:
    return Verdict(False, f"{SOURCE}: {why}")
