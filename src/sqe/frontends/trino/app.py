"""The door as an ASGI application."""

from __future__ import annotations

from starlette.applications import Starlette

from sqe.frontends.trino.caller import Callers
from sqe.frontends.trino.endpoint import told
from sqe.frontends.trino.info import InfoPages
from sqe.frontends.trino.protocol import Protocol
from sqe.frontends.trino.settings import TrinoSettings
from sqe.frontends.trino.statements import Statements
from sqe.frontends.trino.ui import UiPages
from sqe.identity.chain import Authenticator
from sqe.service.contexts import ContextSessions
from sqe.service.service import QueryService


def trino_app(
    service: QueryService,
    contexts: ContextSessions,
    authenticator: Authenticator,
    *,
    settings: TrinoSettings,
) -> Starlette:
    """Build the application. It needs no lifespan events; what it starts ends with its loop."""
    callers = Callers(authenticator)
    statements = Statements(settings.unread_seconds)
    app = Starlette(
        routes=[
            *Protocol(service, contexts, callers, statements, settings).routes(told),
            *InfoPages(service, callers, statements, settings).routes(told),
            *UiPages(service, callers, statements).routes(told),
        ]
    )
    app.router.redirect_slashes = False  # an address is right or it is not
    app.state.statements = statements
    return app
