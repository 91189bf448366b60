"""Health and metrics as HTTP applications. They tell nothing about anybody's data, and ask nobody who he is."""

from __future__ import annotations

from collections.abc import Callable

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route


def health_app(not_ready: Callable[[], str | None]) -> Starlette:
    """`/healthz`: the process lives. `/readyz`: it takes queries, or why it does not."""

    async def healthz(_: Request) -> Response:
        return JSONResponse({"status": "alive"})

    async def readyz(_: Request) -> Response:
        reason = not_ready()
        if reason is None:
            return JSONResponse({"status": "ready"})
        return JSONResponse({"status": "not ready", "reason": reason}, status_code=503)

    return Starlette(routes=[Route("/healthz", healthz), Route("/readyz", readyz)])


def metrics_app(render: Callable[[], bytes], content_type: str) -> Starlette:
    """`/metrics`, as Prometheus wants it."""

    def metrics(_: Request) -> Response:
        return Response(render(), headers={"content-type": content_type})

    return Starlette(routes=[Route("/metrics", metrics)])
