from __future__ import annotations

import asyncio

import httpx
from starlette.applications import Starlette

from sqe.frontends.probes.app import health_app, metrics_app


def get(app: Starlette, path: str) -> httpx.Response:
    async def request() -> httpx.Response:
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://probe") as client:
            return await client.get(path)

    return asyncio.run(request())


def test_health_and_readiness_are_two_things() -> None:
    reason: list[str | None] = ["the engine is starting"]
    app = health_app(lambda: reason[0])
    assert get(app, "/healthz").status_code == 200
    waiting = get(app, "/readyz")
    assert waiting.status_code == 503
    assert waiting.json() == {"status": "not ready", "reason": "the engine is starting"}
    reason[0] = None
    assert get(app, "/readyz").status_code == 200
    reason[0] = "the server is shutting down"
    assert get(app, "/readyz").status_code == 503
    assert get(app, "/healthz").status_code == 200
    assert get(app, "/").status_code == 404


def test_metrics_are_served_as_they_are() -> None:
    response = get(metrics_app(lambda: b"a 1\n", "text/plain; version=0.0.4"), "/metrics")
    assert response.content == b"a 1\n"
    assert response.headers["content-type"] == "text/plain; version=0.0.4"
