"""What all endpoints have in common."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from sqe.frontends.trino.refusal import Refusal

_log = logging.getLogger(__name__)

Endpoint = Callable[[Request], Awaitable[Response]]
Told = Callable[[Endpoint], Endpoint]

_HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}


def told(endpoint: Endpoint) -> Endpoint:
    """Answer refusals, and hide what goes wrong inside."""

    async def answer(request: Request) -> Response:
        try:
            return await endpoint(request)
        except Refusal as refusal:
            return PlainTextResponse(refusal.text, refusal.status, {**_HEADERS, **refusal.headers})
        except Exception:  # noqa: BLE001 - a client is told nothing of it, and the next request is served
            _log.exception("a request to %s failed inside", request.url.path)
            text = "The server failed inside; its log has the details."
            return PlainTextResponse(text, 500, dict(_HEADERS))

    return answer
