"""The door as an ASGI application."""

from __future__ import annotations

from typing import TYPE_CHECKING

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

# What speaks to identity providers is loaded when there is one.
if TYPE_CHECKING:
    from sqe.frontends.trino.external import ExternalPages
    from sqe.identity.logins.external import ExternalLogins


def trino_app(
    service: QueryService,
    contexts: ContextSessions,
    authenticator: Authenticator,
    *,
    settings: TrinoSettings,
    external: ExternalLogins | None = None,
) -> Starlette:
    """Build the application. It needs no lifespan events; what it starts ends with its loop.

    With `external`, people can log in with a browser.
    """
    pages = _external_pages(external, settings) if external is not None else None
    callers = Callers(authenticator, settings.trusted_proxies, pages.challenge if pages is not None else None)
    statements = Statements(settings.unread_seconds)
    app = Starlette(
        routes=[
            *Protocol(service, contexts, callers, statements, settings).routes(told),
            *InfoPages(service, callers, statements, settings).routes(told),
            *UiPages(service, callers, statements).routes(told),
            *(pages.routes(told) if pages is not None else ()),
        ]
    )
    app.router.redirect_slashes = False  # an address is right or it is not
    app.state.statements = statements
    return app


def _external_pages(external: ExternalLogins, settings: TrinoSettings) -> ExternalPages:
    from sqe.frontends.trino.external import ExternalPages

    return ExternalPages(external, settings)
