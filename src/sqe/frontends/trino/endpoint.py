"""Routes whose errors become HTTP responses, and `Refusal`, the error with a status and one sentence."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from sqe.errors import internal_error

_log = logging.getLogger(__name__)

Endpoint = Callable[[Request], Awaitable[Response]]

HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}


class Refusal(Exception):  # noqa: N818 - it is an answer, not a fault of the server
    """A request is answered with an HTTP status and a sentence, outside of Trino's protocol."""

    def __init__(self, status: int, text: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(text)
        self.status = status
        self.text = text
        self.headers = dict(headers or {})


def route(path: str, endpoint: Endpoint, methods: Sequence[str] | None = None) -> Route:
    """Return a route that answers every error of its endpoint."""

    async def answer(request: Request) -> Response:
        try:
            return await endpoint(request)
        except Exception as error:  # noqa: BLE001 - the client gets no details, and the next request is served
            return error_response(request, error)

    return Route(path, answer, methods=methods)


def error_response(request: Request, error: Exception) -> Response:
    """Return the response for a refusal; log any other error, and hide its details."""
    if isinstance(error, Refusal):
        return PlainTextResponse(error.text, error.status, {**HEADERS, **error.headers})
    _log.error("a request to %s failed with an internal error", request.url.path, exc_info=error)
    hidden = internal_error()
    return PlainTextResponse(f"{hidden.message} {hidden.hint}", 500, dict(HEADERS))
