"""Produce the pages of one statement; a client can request the last one again."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from sqe.errors import SqeError
from sqe.frontends.trino import header_names as names
from sqe.frontends.trino import results, segments
from sqe.frontends.trino.client_request import ClientRequest
from sqe.frontends.trino.effect_headers import effect_headers
from sqe.frontends.trino.encode.page import rows_json
from sqe.frontends.trino.endpoint import Refusal
from sqe.frontends.trino.trino_errors import error_json
from sqe.model.identity import Principal
from sqe.model.query import QueryState, QueryStatus
from sqe.model.statement import StatementKind
from sqe.service.client_statement import Reply
from sqe.service.service import QueryService
from sqe.service.session import GatewaySession

_log = logging.getLogger(__name__)

QUEUED, EXECUTING = "queued", "executing"

# Seconds between two checks for rows: at first short, and then in proportion to how long nothing has come.
_SHORTEST_PAUSE, _LONGEST_PAUSE, _PAUSE_PART = 0.001, 0.05, 0.1
_LINGER = 0.01  # seconds that a page which is not full waits for more, so that a small result is one page
_FIRST_PAGE, _LARGEST_PAGE = (
    256 * 1024,
    4 * 1024 * 1024,
)  # bytes of Arrow data; each page doubles until the largest

_ENGINE_STARTING = (0x0800_0001, "ENGINE_STARTING")
_NO_TRANSACTION = (0x0800_0002, "STATEMENT_RUNS_BY_ITSELF")


@dataclass(frozen=True, slots=True)
class Page:
    token: int
    body: bytes
    headers: list[tuple[str, str]]
    next_path: str | None  # None: it is the last one


class Statement:
    def __init__(
        self,
        service: QueryService,
        session: GatewaySession,
        principal: Principal,
        request: ClientRequest,
        reply: Reply,
        threads: Executor,
        *,
        use_segments: bool,
    ) -> None:
        self.id = reply.query_id
        self.principal = principal
        self.request = request
        self.slug = secrets.token_urlsafe(18)
        self.last_seen = time.monotonic()
        self.page: Page | None = None
        self._service = service
        self._session = session
        self._reply = reply
        self._threads = threads
        self._result = service.fetch(session, reply.query_id)
        self._encoding = segments.choose(request.encodings) if use_segments else None
        self._lock = asyncio.Lock()
        self._last_status = service.poll(session, reply.query_id)
        self._columns: list[dict[str, Any]] | None = None
        self._has_rows = reply.kind.returns_rows
        self._pending: deque[pa.RecordBatch] = deque()  # what did not fit into the last page
        self._ended = False
        self._page_bytes = _FIRST_PAGE
        self._sent = 0

    # -- what the protocol asks for -------------------------------------------------------------------------------

    async def first(self, base: str, wait: float) -> Page:
        """Return the answer to the POST."""
        return await self.next(QUEUED, 0, base, wait)

    async def next(self, phase: str, token: int, base: str, wait: float) -> Page:
        """Return the page of that token: the one after the last, or the last one again. Raises Refusal."""
        self.seen()
        async with self._lock:
            if self.page is not None and token == self.page.token:
                return self.page
            expected = 0 if self.page is None else self.page.token + 1
            if token != expected or (self.page is not None and self.page.next_path is None):
                raise Refusal(410, "This page is gone.")
            if self.page is not None and self.page.next_path != self._path(phase, token):
                raise Refusal(404, "There is no such page.")
            self.page = await self._make(token, base, wait)
        self.seen()
        return self.page

    def seen(self) -> None:
        self.last_seen = time.monotonic()
        self._result.touch()

    def cancel(self) -> None:
        """Stop the query, if it runs. A page that is requested afterwards has the error."""
        try:
            self._service.cancel(self._session, self.id)
        except SqeError as error:  # the service has dropped it: it has ended
            _log.debug("canceling %s: %s", self.id, error.message)

    @property
    def finished(self) -> bool:
        """Whether its last page has been made."""
        return self.page is not None and self.page.next_path is None

    # -- pages ----------------------------------------------------------------------------------------------------

    async def _make(self, token: int, base: str, wait: float) -> Page:
        deadline = time.monotonic() + wait
        page = self._blank(base)
        try:
            batches = await self._collect(deadline)
            page.status = status = self._status()
            if self._columns is not None:
                page.columns = self._columns
                page.update_type = None if self._has_rows else self._reply.update_type
            done = self._ended and not self._pending
            if batches:
                await self._put_rows(page, batches, first=token == 0, done=done)
            if done:
                self._put_count(page)
        except SqeError as error:
            return self._failed(token, page, error)
        headers = [] if self._encoding is None else [(names.QUERY_DATA_ENCODING, self._encoding)]
        if done:
            return Page(token, page.json(), headers + effect_headers(self._reply.effects), None)
        path = self._path(QUEUED if status.state is QueryState.QUEUED else EXECUTING, token + 1)
        page.next_uri = base + path
        if status.note is not None:
            page.warnings.append(results.warning(*_ENGINE_STARTING, f"The query waits: {status.note}."))
        return Page(token, page.json(), headers, path)

    def _status(self) -> QueryStatus:
        try:
            self._last_status = self._service.poll(self._session, self.id)
        except (
            SqeError
        ) as error:  # the service has forgotten it; what is left of its result can still be read
            _log.debug("asking for %s: %s", self.id, error.message)
        return self._last_status

    def _blank(self, base: str) -> results.Results:
        page = results.Results(self._status(), f"{base}/ui/query.html?{self.id}")
        if self.request.context.transaction is not None and self._reply.kind is not StatementKind.SESSION:
            page.warnings.append(
                results.warning(
                    *_NO_TRANSACTION,
                    "The statement runs by itself, and sees what was committed before it: a transaction keeps nothing.",
                )
            )
        return page

    def _failed(self, token: int, page: results.Results, error: SqeError) -> Page:
        self._pending.clear()
        self._ended = True
        page.status = _failure(page.status)
        page.columns = page.rows = page.segment = None
        page.error = error_json(error)
        return Page(token, page.json(), [], None)

    async def _collect(self, deadline: float) -> list[pa.RecordBatch]:
        """Return rows for a page, as soon as there are any; none when there are none in time. Raises SqeError."""
        batches: list[pa.RecordBatch] = []
        size, began, linger = 0, time.monotonic(), deadline
        while size < self._page_bytes:
            batch, now = self._take(), time.monotonic()
            if batch is not None and batch.num_rows and self._has_rows:
                batch, rest = _cut(batch, self._page_bytes - size)
                batches.append(batch)
                size += batch.nbytes
                if rest is not None:
                    self._pending.appendleft(rest)
                    break
                linger = now + _LINGER
            elif self._ended or now >= min(deadline, linger):
                break
            elif batch is None:
                pause = min(max((now - began) * _PAUSE_PART, _SHORTEST_PAUSE), _LONGEST_PAUSE)
                await asyncio.sleep(max(0.0, min(pause, deadline - now, linger - now)))
            else:  # rows that the client does not get, or none: let other tasks run before the next batch
                await asyncio.sleep(0)
        return batches

    def _take(self) -> pa.RecordBatch | None:
        """Return the batch that is there at this moment, if any. Raises SqeError."""
        if self._pending:
            return self._pending.popleft()
        if self._columns is None:
            schema = self._result.columns(0)
            if schema is None:
                return None
            self._columns = self._describe(schema)
        more, batch = self._result.take(0)
        self._ended = not more
        return batch

    def _describe(self, schema: pa.Schema) -> list[dict[str, Any]]:
        if self._reply.kind is StatementKind.CHANGE:
            return results.count_column()
        # A definition that returns columns is a command of Spark's that `sqe.sql.classify` does not know.
        self._has_rows = self._has_rows or (self._reply.kind is StatementKind.DEFINITION and len(schema) > 0)
        if not self._has_rows:
            return []  # and not nothing, or JDBC waits for columns
        return results.columns_json(schema, parametric_datetime=self.request.style.parametric_datetime)

    async def _put_rows(
        self, page: results.Results, batches: Sequence[pa.RecordBatch], *, first: bool, done: bool
    ) -> None:
        if first and self._encoding is not None and not done:
            # Trino never answers a POST with a segment, and its Python client could not read one. The rows of a result
            # that is complete are sent as they are, which every client can read.
            self._pending.extendleft(reversed(batches))
            return
        loop = asyncio.get_running_loop()
        rows = await loop.run_in_executor(self._threads, rows_json, batches, self.request.style)
        count = sum(batch.num_rows for batch in batches)
        if self._encoding is None or first:
            page.rows = rows
        else:
            page.segment = await loop.run_in_executor(
                self._threads, segments.segment_data, rows, count, self._sent, self._encoding
            )
        self._sent += count
        self._page_bytes = min(2 * self._page_bytes, _LARGEST_PAGE)

    def _put_count(self, page: results.Results) -> None:
        if self._reply.kind is StatementKind.CHANGE and page.status.changed_rows is not None:
            page.update_count = page.status.changed_rows
            page.rows = f"[[{page.status.changed_rows}]]".encode()

    def _path(self, phase: str, token: int) -> str:
        return f"/v1/statement/{phase}/{self.id}/{self.slug}/{token}"


def _cut(batch: pa.RecordBatch, room: int) -> tuple[pa.RecordBatch, pa.RecordBatch | None]:
    """Return as many rows as fit, at least one, and the others."""
    if batch.nbytes <= room:
        return batch, None
    fits = max(1, batch.num_rows * max(room, 0) // batch.nbytes)
    return (batch, None) if fits >= batch.num_rows else (batch.slice(0, fits), batch.slice(fits))


def _failure(status: QueryStatus) -> QueryStatus:
    if status.state.terminal and status.state is not QueryState.FINISHED:
        return status
    return QueryStatus(status.query_id, QueryState.FAILED, status.progress, status.elapsed)
