"""Serve the control protocol as an ASGI application, to the one engine that knows the secret."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor

import orjson
from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from sqe.control import protocol
from sqe.control.handlers import Answer, ControlHandlers, EngineLink, error_answer
from sqe.control.questions import InvalidQuestionError, read_questions

LONGEST_BODY = 4096
LONGEST_DECIDE = 1024 * 1024  # a listing of thousands of names, or a table of a thousand columns
LONGEST_KEYS = 1024 * 1024  # session tokens of a hundred tables

Ask = Callable[[EngineLink, str, str], Answer]

# Not 401, which tells the person that a login has ended.
_UNKNOWN_ENGINE = error_answer(421, "The gateway does not know this engine: it has another secret.")
_TOO_LONG = error_answer(413, "The request is too long.")
_INVALID = error_answer(400, 'The request has to be {"handle": "...", "catalog": "..."}.')

_INVALID_KEYS = error_answer(400, 'The request has to be {"handle": "...", "stores": [...]}.')


def control_app(
    handlers: ControlHandlers, engine: Callable[[], EngineLink | None], workers: Executor, deciders: Executor
) -> Starlette:
    """Build the application.

    Args:
        handlers: answer the requests.
        engine: returns the engine that may ask now.
        workers: run requests that may wait for an identity provider.
        deciders: run requests that may wait for a policy engine.
    """

    def route(path: str, longest: int, answer: Callable[[EngineLink, bytes], Awaitable[Answer]]) -> Route:
        async def endpoint(request: Request) -> Response:
            known = _authorized(request, engine())
            if known is None:
                return _response(_UNKNOWN_ENGINE, close=True)
            body = await _read(request, longest)
            if body is None:
                return _response(_TOO_LONG, close=True)
            return _response(await answer(known, body))

        return Route(path, endpoint, methods=["POST"])

    def catalog_route(path: str, ask: Ask, executor: Executor | None = None) -> Route:
        async def answer(known: EngineLink, body: bytes) -> Answer:
            try:
                asked = protocol.CatalogRequest.model_validate_json(body)
            except ValidationError:
                return _INVALID
            if executor is None:
                return ask(known, asked.handle, asked.catalog)
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(executor, ask, known, asked.handle, asked.catalog)

        return route(path, LONGEST_BODY, answer)

    def decided(known: EngineLink, body: bytes) -> Answer:
        try:
            request = read_questions(body)
        except InvalidQuestionError as error:
            return error_answer(400, str(error))
        return handlers.decide(known, request)

    async def decide(known: EngineLink, body: bytes) -> Answer:
        return await asyncio.get_running_loop().run_in_executor(deciders, decided, known, body)

    async def store_keys(known: EngineLink, body: bytes) -> Answer:
        try:
            request = protocol.KeysRequest.model_validate_json(body)
        except ValidationError:
            return _INVALID_KEYS  # pydantic's own message has values in it
        return handlers.store_keys(known, request)

    app = Starlette(
        routes=[
            catalog_route(protocol.CATALOG, handlers.catalog),
            catalog_route(protocol.TOKEN, handlers.token, workers),
            catalog_route(protocol.CREDENTIALS, handlers.credentials, workers),
            route(protocol.DECIDE, LONGEST_DECIDE, decide),
            route(protocol.STORE_KEYS, LONGEST_KEYS, store_keys),
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
    """Return the body, or None when it is too long."""
    data = bytearray()
    try:
        async for chunk in request.stream():
            data += chunk
            if len(data) > longest:
                return None
    except ClientDisconnect:
        return b""  # the engine has gone
    return bytes(data)


def _response(answer: Answer, *, close: bool = False) -> Response:
    headers = {"cache-control": "no-store"}
    if close:
        headers["connection"] = "close"
    return Response(orjson.dumps(answer.body), answer.status, headers=headers, media_type="application/json")
