"""Serve /v1/info and /v1/query: the server's description, and the user's queries."""

from __future__ import annotations

import time
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sqe.frontends.trino.addresses import base_url
from sqe.frontends.trino.client_request import describe
from sqe.frontends.trino.endpoint import HEADERS, Refusal, route
from sqe.frontends.trino.request_authenticator import RequestAuthenticator
from sqe.frontends.trino.settings import TRINO_VERSION, TrinoSettings
from sqe.frontends.trino.statements import Statements
from sqe.frontends.trino.stats import state_name, stats
from sqe.frontends.trino.trino_errors import code_of
from sqe.model.identity import Principal
from sqe.model.query import QueryInfo, QueryStatus
from sqe.service.service import QueryService


class InfoPages:
    def __init__(
        self,
        service: QueryService,
        authenticator: RequestAuthenticator,
        statements: Statements,
        settings: TrinoSettings,
    ) -> None:
        self._service = service
        self._authenticator = authenticator
        self._statements = statements
        self._settings = settings
        self._started = time.monotonic()

    def routes(self) -> list[Route]:
        return [
            route("/v1/info", self._info),
            route("/v1/info/state", self._state),
            route("/v1/status", self._status),
            route("/v1/query", self._queries),
            route("/v1/query/{query_id}", self._query, methods=["GET", "DELETE"]),
        ]

    async def _info(self, _: Request) -> Response:
        """Answer without credentials, as Trino does: drivers ask before they log in."""
        return _json(
            {
                "nodeVersion": {"version": TRINO_VERSION},
                "environment": self._settings.environment,
                "coordinator": True,
                "starting": self._service.note is not None,
                "uptime": self._uptime(),
            }
        )

    async def _state(self, _: Request) -> Response:
        return _json("ACTIVE" if self._service.note is None else "STARTING")

    async def _status(self, request: Request) -> Response:
        await self._authenticator.principal(request)
        return _json(
            {
                "nodeId": self._settings.environment,
                "nodeVersion": {"version": TRINO_VERSION},
                "environment": self._settings.environment,
                "coordinator": True,
                "uptime": self._uptime(),
            }
        )

    async def _queries(self, request: Request) -> Response:
        principal = await self._authenticator.principal(request)
        base = base_url(request, self._settings.trusted_proxies)
        return _json(
            [self._describe(info, principal, base) for info in self._service.queries(principal.user)]
        )

    async def _query(self, request: Request) -> Response:
        principal = await self._authenticator.principal(request)
        query_id = request.path_params["query_id"]
        if request.method == "DELETE":
            statement = self._statements.own(query_id, principal)
            if statement is None:
                raise Refusal(404, "Query not found")
            statement.cancel()
            return Response(status_code=HTTPStatus.NO_CONTENT)
        info = own_query(self._service, query_id, principal)
        return _json(self._describe(info, principal, base_url(request, self._settings.trusted_proxies)))

    def _describe(self, info: QueryInfo, principal: Principal, base: str) -> dict[str, Any]:
        status = QueryStatus(info.id, info.state, info.progress, info.elapsed)
        page: dict[str, Any] = {
            "queryId": info.id,
            "state": state_name(info.state),
            "self": f"{base}/v1/query/{info.id}",
            "query": info.sql,
            "session": {"user": info.user, "source": info.source, **self._client(info, principal)},
            "queryStats": {
                "createTime": info.created.isoformat(),
                "endTime": info.ended.isoformat() if info.ended is not None else None,
                "elapsedTime": f"{info.elapsed:.2f}s",
                **stats(status, more=False),
            },
        }
        if info.error is not None:
            code = code_of(info.error)
            page["errorType"] = code.type
            page["errorCode"] = {"code": code.number, "name": code.name, "type": code.type}
            page["failureInfo"] = {"message": info.error.located_message}
        return page

    def _client(self, info: QueryInfo, principal: Principal) -> Mapping[str, object]:
        statement = self._statements.own(info.id, principal)
        return describe(statement.request) if statement is not None else {}

    def _uptime(self) -> str:
        seconds = time.monotonic() - self._started
        for size, unit in ((86400, "d"), (3600, "h"), (60, "m")):
            if seconds >= size:
                return f"{seconds / size:.2f}{unit}"
        return f"{seconds:.2f}s"


def own_query(service: QueryService, query_id: str, principal: Principal) -> QueryInfo:
    """Return the user's query of that id. Raises the same Refusal for an unknown id and for another user's query."""
    for info in service.queries(principal.user):
        if info.id == query_id:
            return info
    raise Refusal(404, "Query not found")


def _json(value: object) -> Response:
    return Response(orjson.dumps(value), media_type="application/json", headers=HEADERS)
