"""Serve /ui: pages without scripts about the user's own queries, to which clients link."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from urllib.parse import unquote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from sqe.frontends.trino.endpoint import route
from sqe.frontends.trino.info import own_query
from sqe.frontends.trino.request_authenticator import RequestAuthenticator
from sqe.frontends.trino.statements import Statements
from sqe.frontends.trino.stats import state_name
from sqe.frontends.trino.trino_errors import code_of
from sqe.frontends.trino.web_page import SECURITY, web_page
from sqe.model.identity import Principal
from sqe.model.query import QueryInfo
from sqe.service.service import QueryService

_SHOWN = 200  # queries in the list
_SHORT = 120  # characters of a statement in the list


class UiPages:
    def __init__(
        self, service: QueryService, authenticator: RequestAuthenticator, statements: Statements
    ) -> None:
        self._service = service
        self._authenticator = authenticator
        self._statements = statements

    def routes(self) -> list[Route]:
        return [
            route("/", self._home),
            route("/ui", self._list),
            route("/ui/", self._list),
            route("/ui/query.html", self._query),
        ]

    async def _home(self, _: Request) -> Response:
        return RedirectResponse("ui", 303, headers=SECURITY)

    async def _list(self, request: Request) -> Response:
        principal = await self._authenticator.principal(request)
        queries = self._service.queries(principal.user)[-_SHOWN:][::-1]
        # A link that works at /ui and at /ui/, and behind a proxy's prefix.
        prefix = "" if request.url.path.endswith("/") else "ui/"
        rows = (
            f'<tr><td><a href="{prefix}query.html?{escape(info.id)}">{escape(info.id)}</a></td>{_state(info)}'
            f"<td>{info.created:%Y-%m-%d %H:%M:%S} UTC</td><td>{info.elapsed:.1f} s</td>"
            f"<td>{info.rows}</td><td>{escape(info.source or info.front_end)}</td>"
            f"<td><code>{escape(_shortened(info.sql))}</code></td></tr>"
            for info in queries
        )
        heads = "".join(
            f"<th>{name}</th>" for name in ("Query", "State", "Started", "Took", "Rows", "From", "Statement")
        )
        body = f"<table><tr>{heads}</tr>{''.join(rows)}</table>" if queries else "<p>No queries yet.</p>"
        note = self._service.note
        waiting = f"<p>The engine is not ready: {escape(note)}.</p>" if note is not None else ""
        return web_page(f"Queries of {principal.user}", waiting + body, user=principal.user)

    async def _query(self, request: Request) -> Response:
        principal = await self._authenticator.principal(request)
        info = own_query(self._service, unquote(request.url.query), principal)
        progress = info.progress
        facts = [
            ("State", f'<span class="{state_name(info.state)}">{info.state.value}</span>'),
            ("Started", f"{info.created:%Y-%m-%d %H:%M:%S} UTC"),
            ("Ended", f"{info.ended:%Y-%m-%d %H:%M:%S} UTC" if info.ended is not None else "not yet"),
            ("Took", f"{info.elapsed:.2f} s"),
            (
                "Progress",
                f"{progress.tasks_done} of {progress.tasks} tasks, {progress.tasks_running} running",
            ),
            ("Read", f"{progress.bytes_read} bytes"),
            ("Rows", str(info.rows)),
            ("From", escape(f"{info.source or 'unknown'} ({info.front_end})")),
            *self._client_facts(info, principal),
        ]
        note = self._service.note
        if note is not None and not info.state.terminal:
            facts.insert(1, ("Waits", escape(note)))
        if info.error is not None:
            facts.append(("Error", f"{code_of(info.error).name}: {escape(info.error.located_message)}"))
            if info.error.hint:
                facts.append(("Hint", escape(info.error.hint)))
        table = "".join(f"<tr><td>{name}</td><td>{value}</td></tr>" for name, value in facts)
        body = f"<pre>{escape(info.sql)}</pre><table>{table}</table><p><a href='../ui'>All queries</a></p>"
        return web_page(f"Query {info.id}", body, user=principal.user)

    def _client_facts(self, info: QueryInfo, principal: Principal) -> Iterable[tuple[str, str]]:
        statement = self._statements.own(info.id, principal)
        if statement is None:
            return
        client = statement.request
        for name, value in (
            ("Catalog", client.context.catalog),
            ("Schema", client.context.schema),
            ("Time zone", client.context.time_zone),
            ("Client info", client.info),
            ("Client tags", ", ".join(client.tags)),
        ):
            if value:
                yield name, escape(value)


def _state(info: QueryInfo) -> str:
    return f'<td class="{state_name(info.state)}">{info.state.value}</td>'


def _shortened(sql: str) -> str:
    line = " ".join(sql.split())
    return line if len(line) <= _SHORT else line[: _SHORT - 1] + "…"
