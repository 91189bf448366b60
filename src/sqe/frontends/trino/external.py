"""Serve /oauth2: Trino's external authentication, in which a user logs in with a browser while the client waits.

The addresses and answers are those of Trino's server, for its command line, JDBC driver and Python client. The client
gets a session token of the gateway; the tokens of the identity provider stay in the gateway.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from html import escape
from typing import TypeVar
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from sqe.errors import AuthenticationError, IdentityProviderError
from sqe.frontends.trino.addresses import base_url
from sqe.frontends.trino.endpoint import HEADERS, route
from sqe.frontends.trino.settings import TrinoSettings
from sqe.frontends.trino.web_page import SECURITY, web_page
from sqe.identity.logins.external import LIFETIME, ExternalLogins, cookie_name

_CALLBACK = "/oauth2/callback"
_TOKEN = "/oauth2/token"  # noqa: S105 - an address

_POLL_SECONDS = 10.0  # as Trino's server, which clients and proxies expect
_CHECK_SECONDS = 0.1
_WAITING = 1_000  # clients at a time; each keeps a connection
_THREADS = 8

T = TypeVar("T")


class ExternalPages:
    def __init__(self, logins: ExternalLogins, settings: TrinoSettings) -> None:
        self._logins = logins
        self._settings = settings
        self._waiting = 0
        # Requests to the identity provider must not block the event loop.
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="trino-external")

    def routes(self) -> list[Route]:
        return [
            route(f"{_TOKEN}/initiate/{{hash}}", self._initiate),
            route(_CALLBACK, self._callback),
            route(f"{_TOKEN}/{{id}}", self._poll),
            route(f"{_TOKEN}/{{id}}", self._delete, methods=["DELETE"]),
        ]

    def challenge(self, request: Request) -> str:
        """Return the challenge for a `WWW-Authenticate` header. Raises Refusal."""
        base, made = self._base(request), self._logins.challenge()
        return (
            f'Bearer x_redirect_server="{base}{_TOKEN}/initiate/{made.hash}", '
            f'x_token_server="{base}{_TOKEN}/{made.id}"'
        )

    async def _initiate(self, request: Request) -> Response:
        base = self._base(request)
        try:
            begun = await self._in_thread(
                lambda: self._logins.begin(request.path_params["hash"], base + _CALLBACK)
            )
        except AuthenticationError as error:
            return _failure(error)
        response = RedirectResponse(begun.url, 302, SECURITY)
        secure = base.startswith("https:")
        response.set_cookie(
            _cookie(begun.cookie_name, secure),
            begun.cookie,
            max_age=int(LIFETIME),
            path=urlsplit(base).path + _CALLBACK,
            secure=secure,
            httponly=True,
            samesite="lax",  # the identity provider's page redirects to it
        )
        return response

    async def _callback(self, request: Request) -> Response:
        base, query = self._base(request), request.query_params
        state, code, error = query.get("state", ""), query.get("code"), query.get("error")
        name = _cookie(cookie_name(state), base.startswith("https:"))
        cookie = request.cookies.get(name, "")
        try:
            if code is None or error is not None:
                response = _failure(self._logins.refuse(state, cookie, error or "nothing"))
            else:
                principal = await self._in_thread(
                    lambda: self._logins.finish(state, code, cookie, base + _CALLBACK)
                )
                text = "<p>You can close this page and go back to your client.</p>"
                response = web_page(f"Logged in as {principal.user}", text)
        except AuthenticationError as refusal:
            response = _failure(refusal)
        if cookie:
            response.delete_cookie(name, path=urlsplit(base).path + _CALLBACK)
        return response

    async def _poll(self, request: Request) -> Response:
        """Wait a while for the login; a client polls until it gets an answer."""
        client_id = request.path_params["id"]
        if self._waiting >= _WAITING:
            return PlainTextResponse(
                "Too many clients are waiting for a login.", 503, {**HEADERS, "Retry-After": "1"}
            )
        self._waiting += 1
        try:
            deadline = time.monotonic() + _POLL_SECONDS
            # The token is taken once, and not for a client that has disconnected.
            while (token := self._logins.take(client_id)) is None and time.monotonic() < deadline:
                await asyncio.sleep(_CHECK_SECONDS)
                if await request.is_disconnected():
                    break
        except AuthenticationError as error:
            return JSONResponse({"error": error.message}, headers=HEADERS)
        finally:
            self._waiting -= 1
        if token is None:
            return JSONResponse({"nextUri": f"{self._base(request)}{_TOKEN}/{client_id}"}, headers=HEADERS)
        return JSONResponse({"token": token}, headers=HEADERS)

    async def _delete(self, request: Request) -> Response:
        self._logins.drop(request.path_params["id"])
        return PlainTextResponse("Authentication deleted", headers=HEADERS)

    def _base(self, request: Request) -> str:
        own = self._settings.external_url
        return own.rstrip("/") if own is not None else base_url(request, self._settings.trusted_proxies)

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)


def _cookie(name: str, secure: bool) -> str:
    # Browsers accept this prefix only from pages over TLS.
    return f"__Secure-{name}" if secure else name


def _failure(error: AuthenticationError) -> Response:
    hint = f"<p>{escape(error.hint)}</p>" if error.hint else ""
    status = 503 if isinstance(error, IdentityProviderError) else 400
    return web_page("Not logged in", f"<p>{escape(error.message)}</p>{hint}", status=status)
