"""The registry of clients' statements, which cancels and removes those of clients that stop polling."""

from __future__ import annotations

import asyncio
import hmac
import logging
import time

from sqe.frontends.trino.endpoint import Refusal
from sqe.frontends.trino.statement import Statement
from sqe.model.identity import Principal

_log = logging.getLogger(__name__)

_SWEEP_SECONDS = 1.0
_KEPT_SECONDS = 60.0  # for which a client can fetch the last page again, if its response was lost
_KEPT_BYTES = 64 * 1024 * 1024  # of last pages, together


class Statements:
    """The statements by id. Used only in the thread of the event loop."""

    def __init__(self, unread_seconds: float) -> None:
        self._unread_seconds = unread_seconds
        self._by_id: dict[str, Statement] = {}
        self._sweeper: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        return len(self._by_id)

    def add(self, statement: Statement) -> None:
        self._by_id[statement.id] = statement
        if self._sweeper is None or self._sweeper.done():
            self._sweeper = asyncio.get_running_loop().create_task(self._sweep())

    def get(self, query_id: str, slug: str, principal: Principal) -> Statement:
        """Return the user's statement of an address. Raises the same Refusal for every reason."""
        statement = self._by_id.get(query_id)
        if (
            statement is None
            or not hmac.compare_digest(statement.slug.encode(), slug.encode())
            or not statement.principal.is_same_person(principal)
        ):
            raise Refusal(404, "Query not found")
        return statement

    def own(self, query_id: str, principal: Principal) -> Statement | None:
        statement = self._by_id.get(query_id)
        owned = statement is not None and statement.principal.is_same_person(principal)
        return statement if owned else None

    async def _sweep(self) -> None:
        """Remove old statements, for as long as there are any."""
        while self._by_id:
            await asyncio.sleep(_SWEEP_SECONDS)
            self.forget_old(time.monotonic())

    def forget_old(self, now: float) -> None:
        for statement in list(self._by_id.values()):
            unseen = now - statement.last_seen
            if statement.finished and unseen > _KEPT_SECONDS:
                del self._by_id[statement.id]
            elif not statement.finished and unseen > self._unread_seconds:
                _log.info("the client of query %s has stopped polling: canceling it", statement.id)
                statement.cancel()
                del self._by_id[statement.id]
        self._forget_large()

    def _forget_large(self) -> None:
        finished = [statement for statement in self._by_id.values() if statement.finished]
        kept = sum(_size(statement) for statement in finished)
        for statement in sorted(finished, key=lambda item: item.last_seen):
            if kept <= _KEPT_BYTES:
                return
            kept -= _size(statement)
            del self._by_id[statement.id]


def _size(statement: Statement) -> int:
    return len(statement.page.body) if statement.page is not None else 0
