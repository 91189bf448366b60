"""The Trino front end as an ASGI application."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.applications import Starlette

from sqe.frontends.trino.info import InfoPages
from sqe.frontends.trino.protocol import Protocol
from sqe.frontends.trino.request_authenticator import RequestAuthenticator
from sqe.frontends.trino.settings import TrinoSettings
from sqe.frontends.trino.statements import Statements
from sqe.frontends.trino.ui import UiPages
from sqe.identity.chain import Authenticator
from sqe.service.contexts import ContextSessions
from sqe.service.service import QueryService

# Clients of identity providers are loaded only if one is configured.
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
    """Build the application. It needs no lifespan events; its tasks end with the event loop.

    With `external`, users can log in with a browser.
    """
    pages = _external_pages(external, settings) if external is not None else None
    requests = RequestAuthenticator(
        authenticator, settings.trusted_proxies, pages.challenge if pages is not None else None
    )
    statements = Statements(settings.unread_seconds)
    app = Starlette(
        routes=[
            *Protocol(service, contexts, requests, statements, settings).routes(),
            *InfoPages(service, requests, statements, settings).routes(),
            *UiPages(service, requests, statements).routes(),
            *(pages.routes() if pages is not None else ()),
        ]
    )
    app.router.redirect_slashes = False  # a wrong address is not found
    app.state.statements = statements
    return app


def _external_pages(external: ExternalLogins, settings: TrinoSettings) -> ExternalPages:
    from sqe.frontends.trino.external import ExternalPages

    return ExternalPages(external, settings)
