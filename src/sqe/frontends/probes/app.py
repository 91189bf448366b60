"""HTTP applications for health and metrics. They need no credentials and reveal no user data."""

from __future__ import annotations

from collections.abc import Callable

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route


def health_app(not_ready: Callable[[], str | None]) -> Starlette:
    """Serve `/healthz` (the process runs) and `/readyz` (it accepts queries, or the reason why not)."""

    async def healthz(_: Request) -> Response:
        return JSONResponse({"status": "alive"})

    async def readyz(_: Request) -> Response:
        reason = not_ready()
        if reason is None:
            return JSONResponse({"status": "ready"})
        return JSONResponse({"status": "not ready", "reason": reason}, status_code=503)

    return Starlette(routes=[Route("/healthz", healthz), Route("/readyz", readyz)])


def metrics_app(render: Callable[[], bytes], content_type: str) -> Starlette:
    """Serve `/metrics` in the format of Prometheus."""

    def metrics(_: Request) -> Response:
        return Response(render(), headers={"content-type": content_type})

    return Starlette(routes=[Route("/metrics", metrics)])
