from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.fakes.engine import FakeEngine
from tests.support.trino_front_end import LIMITS, SPEC, Listening, TrinoFrontEnd, listen, settings

from sqe.config.sections.limits import LimitsConfig
from sqe.frontends.trino.app import trino_app
from sqe.identity.chain import Authenticator
from sqe.identity.providers.anonymous import Anonymous
from sqe.service.contexts import ContextSessions
from sqe.service.service import QueryService


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    made = asyncio.new_event_loop()
    thread = threading.Thread(target=made.run_forever, name="front-end-loop", daemon=True)
    thread.start()
    yield made

    async def end() -> None:
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    asyncio.run_coroutine_threadsafe(end(), made).result(120)
    made.call_soon_threadsafe(made.stop)
    thread.join(120)
    made.close()


@pytest.fixture
def make_front_end(loop: asyncio.AbstractEventLoop) -> Iterator[Callable[..., TrinoFrontEnd]]:
    services: list[QueryService] = []

    def make(
        authenticator: Authenticator | None = None, limits: LimitsConfig = LIMITS, **changes: Any
    ) -> TrinoFrontEnd:
        engine = FakeEngine()
        service = QueryService(engine, limits)
        services.append(service)
        contexts = ContextSessions(service, SPEC, front_end="trino", idle_limit=60)
        chain = authenticator or Authenticator([Anonymous(any_name=True)])
        return TrinoFrontEnd(
            engine, service, trino_app(service, contexts, chain, settings=settings(**changes)), loop
        )

    yield make
    for service in services:
        service.drain(0)


@pytest.fixture
def front_end(make_front_end: Callable[..., TrinoFrontEnd]) -> TrinoFrontEnd:
    return make_front_end()


@pytest.fixture
def listening(front_end: TrinoFrontEnd) -> Iterator[Listening]:
    with listen(front_end) as found:
        yield found
