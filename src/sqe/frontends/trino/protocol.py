"""Serve /v1/statement: take statements, and return their pages."""

from __future__ import annotations

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sqe.errors import SqeError
from sqe.frontends.trino import client_request, results
from sqe.frontends.trino.addresses import base_url, client_address
from sqe.frontends.trino.client_request import ClientRequest, read_statement
from sqe.frontends.trino.endpoint import Endpoint, Refusal, route
from sqe.frontends.trino.request_authenticator import RequestAuthenticator
from sqe.frontends.trino.settings import TrinoSettings
from sqe.frontends.trino.statement import EXECUTING, QUEUED, Page, Statement
from sqe.frontends.trino.statements import Statements
from sqe.frontends.trino.trino_errors import error_json
from sqe.model.identity import Principal
from sqe.model.query import Progress, QueryState, QueryStatus, new_query_id
from sqe.service import properties
from sqe.service.client_statement import submit_statement
from sqe.service.contexts import ContextSessions
from sqe.service.service import QueryService

_THREADS = 16
_FIRST_WAIT = 0.1  # seconds in which a quick statement is answered at once, in the POST
_WAIT = 1.0
_LONGEST_WAIT = 10.0
_MAX_WAIT = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)(ms|s|m|h)")
_WAIT_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_TOKEN = re.compile(r"\d{1,9}")
_JSON = "application/json"


class Protocol:
    def __init__(
        self,
        service: QueryService,
        contexts: ContextSessions,
        authenticator: RequestAuthenticator,
        statements: Statements,
        settings: TrinoSettings,
    ) -> None:
        self._service = service
        self._contexts = contexts
        self._authenticator = authenticator
        self._statements = statements
        self._settings = settings
        # Reading SQL and writing pages take processor time, for which the loop would keep all other clients waiting.
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="trino")

    def routes(self) -> list[Route]:
        page = "{query_id}/{slug}/{token}"
        partial = "/v1/statement/executing/partialCancel/{query_id}/{stage}/{slug}/{token}"
        return [
            route("/v1/statement", self._statement, methods=["POST", "HEAD"]),
            route(partial, self._cancel, methods=["DELETE"]),
            *(
                route(f"/v1/statement/{phase}/{page}", self._of(phase), methods=["GET", "HEAD", "DELETE"])
                for phase in (QUEUED, EXECUTING)
            ),
        ]

    # -- taking a statement ---------------------------------------------------------------------------------------

    async def _statement(self, request: Request) -> Response:
        principal = await self._authenticator.principal(request)
        if request.method == "HEAD":  # a driver asks whether its credentials are good
            return Response()
        base = base_url(request, self._settings.trusted_proxies)
        client = client_request.read(request.headers, self._settings.sql_bytes)
        address = client_address(request, self._settings.trusted_proxies)
        try:
            text = await read_statement(request, self._settings.sql_bytes)
            loop = asyncio.get_running_loop()
            statement = await loop.run_in_executor(
                self._threads, self._begin, principal, client, address, text
            )
        except SqeError as error:
            return _failure(base, error)
        self._statements.add(statement)
        return _response(await statement.first(base, _FIRST_WAIT))

    def _begin(
        self, principal: Principal, client: ClientRequest, address: str | None, text: str
    ) -> Statement:
        context = replace(client.context, address=address)
        for name, value in context.properties.items():
            properties.check(name, value)
        dialect = properties.dialect(context.properties)
        session = self._contexts.session(
            principal,
            catalog=context.catalog,
            schema=context.schema,
            time_zone=context.time_zone,
            dialect=dialect,
        )
        reply = submit_statement(self._service, session, text, context, spill=True)
        return Statement(
            self._service,
            session,
            principal,
            client,
            reply,
            self._threads,
            use_segments=self._settings.segments,
        )

    # -- its pages ------------------------------------------------------------------------------------------------

    def _of(self, phase: str) -> Endpoint:
        async def endpoint(request: Request) -> Response:
            if request.method == "DELETE":
                return await self._cancel(request)
            statement, token = await self._find(request)
            if request.method == "HEAD":  # the client is still there, and busy with what it has
                statement.seen()
                return Response()
            base = base_url(request, self._settings.trusted_proxies)
            return _response(await statement.next(phase, token, base, _wait(request)))

        return endpoint

    async def _cancel(self, request: Request) -> Response:
        """Stop it. Parts of a query cannot be stopped alone, so that a partial cancel is a whole one."""
        statement, _ = await self._find(request)
        statement.cancel()
        return Response(status_code=HTTPStatus.NO_CONTENT)

    async def _find(self, request: Request) -> tuple[Statement, int]:
        principal = await self._authenticator.principal(request)
        parameters = request.path_params
        if not _TOKEN.fullmatch(parameters["token"]):
            raise Refusal(404, "Query not found")
        statement = self._statements.get(parameters["query_id"], parameters["slug"], principal)
        return statement, int(parameters["token"])


def _wait(request: Request) -> float:
    text = request.query_params.get("maxWait")
    if text is None:
        return _WAIT
    match = _MAX_WAIT.fullmatch(text)
    if match is None:
        raise Refusal(400, "maxWait has to be a duration such as 1s.")
    return min(float(match[1]) * _WAIT_UNITS[match[2]], _LONGEST_WAIT)


def _response(page: Page) -> Response:
    response = Response(page.body, media_type=_JSON, headers={"Cache-Control": "no-store"})
    for name, value in page.headers:
        response.headers.append(name, value)
    return response


def _failure(base: str, error: SqeError) -> Response:
    """Return a page for a statement that never became a query."""
    status = QueryStatus(new_query_id(), QueryState.FAILED, Progress(), 0.0, error=error)
    page = results.Results(status, f"{base}/ui/query.html?{status.query_id}", error=error_json(error))
    return _response(Page(0, page.json(), [], None))
