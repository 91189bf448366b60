"""The endpoint as an ASGI application: four questions, each a POST of a JSON object by a known engine."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor

import orjson
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from sqe.control.desk import Answer, Desk, EngineLink
from sqe.control.questions import OddQuestionError, read_asked

LONGEST_BODY = 4096
LONGEST_DECIDE = 1024 * 1024  # a listing of thousands of names, or a table of a thousand columns

Ask = Callable[[EngineLink, str, str], Answer]

# Not 401, which tells the person that a login has ended.
_STRANGER = Answer(421, {"error": "The gateway does not know this engine: it has another secret."})
_TOO_LONG = Answer(413, {"error": "The request is too long."})
_NO_JSON = Answer(400, {"error": 'The request has to be {"handle": "...", "catalog": "..."}.'})


def control_app(
    desk: Desk, engine: Callable[[], EngineLink | None], workers: Executor, deciders: Executor
) -> Starlette:
    """Build it.

    Args:
        desk: what answers.
        engine: the one that may ask now.
        workers: where answers are waited for that an identity provider may keep waiting.
        deciders: where decisions are made, which a policy engine may keep waiting.
    """

    async def at_once(ask: Ask, known: EngineLink, handle: str, catalog: str) -> Answer:
        return ask(known, handle, catalog)

    async def in_a_thread(ask: Ask, known: EngineLink, handle: str, catalog: str) -> Answer:
        return await asyncio.get_running_loop().run_in_executor(workers, ask, known, handle, catalog)

    def route(path: str, ask: Ask, way: Callable[[Ask, EngineLink, str, str], Awaitable[Answer]]) -> Route:
        async def endpoint(request: Request) -> Response:
            known = _authorized(request, engine())
            if known is None:
                return _response(_STRANGER, close=True)
            body = await _read(request, LONGEST_BODY)
            if body is None:
                return _response(_TOO_LONG, close=True)
            question = _question(body)
            return _response(await way(ask, known, *question) if question is not None else _NO_JSON)

        return Route(path, endpoint, methods=["POST"])

    def decided(known: EngineLink, body: bytes) -> Answer:
        try:
            asked = read_asked(body)
        except OddQuestionError as error:
            return Answer(400, {"error": str(error)})
        return desk.decide(known, asked)

    async def decide(request: Request) -> Response:
        known = _authorized(request, engine())
        if known is None:
            return _response(_STRANGER, close=True)
        body = await _read(request, LONGEST_DECIDE)
        if body is None:
            return _response(_TOO_LONG, close=True)
        return _response(await asyncio.get_running_loop().run_in_executor(deciders, decided, known, body))

    app = Starlette(
        routes=[
            route("/v1/catalog", desk.catalog, at_once),
            route("/v1/token", desk.token, in_a_thread),
            route("/v1/credentials", desk.credentials, in_a_thread),
            Route("/v1/decide", decide, methods=["POST"]),
        ]
    )
    app.router.redirect_slashes = False
    return app


def _authorized(request: Request, engine: EngineLink | None) -> EngineLink | None:
    given = request.headers.getlist("authorization")
    if engine is None or len(given) != 1:
        return None
    right = hmac.compare_digest(given[0].encode(), b"Bearer " + engine.secret.encode())
    return engine if right else None


async def _read(request: Request, longest: int) -> bytes | None:
    """The body, or None when it is too long."""
    data = bytearray()
    try:
        async for chunk in request.stream():
            data += chunk
            if len(data) > longest:
                return None
    except ClientDisconnect:
        return b""  # nobody is there to hear
    return bytes(data)


def _question(body: bytes) -> tuple[str, str] | None:
    try:
        fields = orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
    if not isinstance(fields, dict) or fields.keys() != {"handle", "catalog"}:
        return None
    handle, catalog = fields["handle"], fields["catalog"]
    return (handle, catalog) if isinstance(handle, str) and isinstance(catalog, str) else None


def _response(answer: Answer, *, close: bool = False) -> Response:
    headers = {"cache-control": "no-store"}
    if close:
        headers["connection"] = "close"
    return Response(orjson.dumps(answer.body), answer.status, headers=headers, media_type="application/json")
