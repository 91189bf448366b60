"""Serve the Trino protocol in memory or on a real port, on a fake engine."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx
import uvicorn
from starlette.applications import Starlette
from tests.fakes.engine import FakeEngine

from sqe.config.sections.limits import LimitsConfig
from sqe.errors import AuthenticationError
from sqe.frontends.trino.settings import TrinoSettings
from sqe.identity.credentials import PresentedCredentials
from sqe.model.identity import Principal
from sqe.model.session import Dialect, SessionSpec, WarehouseCatalog
from sqe.service.service import QueryService
from sqe.units import Duration, Size

SPEC = SessionSpec((WarehouseCatalog("iceberg", None),), dialect=Dialect.TRINO)
LIMITS = LimitsConfig(sql_bytes=Size("64kB"), unread_result=Duration("2min"))


class Passwords:
    """A provider with users in the test."""

    name = "passwords"
    challenge: str | None = 'Basic realm="Trino"'

    def __init__(self, secrets: Mapping[str, str]) -> None:
        self.secrets = secrets

    def authenticate(self, presented: PresentedCredentials) -> Principal | None:
        if presented.password is None:
            return None
        if self.secrets.get(presented.password.user) != presented.password.secret:
            raise AuthenticationError("The user or the password is wrong.")
        return Principal(presented.password.user, self.name)


@dataclass
class TrinoFrontEnd:
    """The application, served in memory, and a client that sends what a test tells it."""

    engine: FakeEngine
    service: QueryService
    app: Starlette
    loop: asyncio.AbstractEventLoop
    base: str = "http://localhost:8080"
    peer: tuple[str, int] = ("127.0.0.1", 5000)
    headers: dict[str, str] = field(default_factory=lambda: {"X-Trino-User": "ann"})

    def send(
        self,
        method: str,
        url: str,
        content: bytes | str | None = None,
        headers: Mapping[str, str] | list[tuple[str, str]] | None = None,
    ) -> httpx.Response:
        async def go() -> httpx.Response:
            transport = httpx.ASGITransport(self.app, client=self.peer)
            async with httpx.AsyncClient(transport=transport, base_url=self.base, timeout=120) as client:
                given = list(headers.items()) if isinstance(headers, Mapping) else list(headers or [])
                names = {name.lower() for name, _ in given}
                own = [(name, value) for name, value in self.headers.items() if name.lower() not in names]
                return await client.request(method, url, content=content, headers=[*own, *given])

        return asyncio.run_coroutine_threadsafe(go(), self.loop).result(120)

    def post(
        self, sql: str, headers: Mapping[str, str] | list[tuple[str, str]] | None = None
    ) -> httpx.Response:
        return self.send("POST", "/v1/statement", sql, headers)

    def pages(self, sql: str, headers: Mapping[str, str] | None = None) -> list[dict[str, Any]]:
        """All pages of a statement, as a client walks through them."""
        response = self.post(sql, headers)
        assert response.status_code == 200, response.text
        found = [response.json()]
        while "nextUri" in found[-1]:
            response = self.send("GET", found[-1]["nextUri"])
            assert response.status_code == 200, response.text
            found.append(response.json())
        return found

    def rows(self, sql: str, headers: Mapping[str, str] | None = None) -> list[list[Any]]:
        pages = self.pages(sql, headers)
        assert "error" not in pages[-1], pages[-1]["error"]
        return [row for page in pages for row in page.get("data", [])]

    def error(self, sql: str, headers: Mapping[str, str] | None = None) -> dict[str, Any]:
        error: dict[str, Any] = self.pages(sql, headers)[-1]["error"]
        return error


def settings(**changes: Any) -> TrinoSettings:
    return TrinoSettings(
        **{"sql_bytes": int(LIMITS.sql_bytes), "unread_seconds": float(LIMITS.unread_result), **changes}
    )


@dataclass
class Listening:
    front_end: TrinoFrontEnd
    host: str
    port: int


@contextlib.contextmanager
def listen(front_end: TrinoFrontEnd) -> Iterator[Listening]:
    """The application behind a real HTTP server on a free port."""
    opened = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        front_end.app, lifespan="off", log_config=None, ws="none", timeout_graceful_shutdown=2
    )
    server = uvicorn.Server(config)
    server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.run, kwargs={"sockets": [opened]}, daemon=True)
    thread.start()
    deadline = time.monotonic() + 120
    while not server.started:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    yield Listening(front_end, "127.0.0.1", opened.getsockname()[1])
    server.should_exit = True
    thread.join(120)
    opened.close()
