"""Asks the identity provider for tokens (RFC 6749, and the grants that others have added to it)."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Mapping
from typing import Any

from sqe.common.http_client import Answer, WebClient, unavailable
from sqe.errors import AuthenticationError, IdentityProviderError
from sqe.identity.logins.token_set import Tokens
from sqe.identity.oidc.discovery import Discovery, Endpoint

_log = logging.getLogger(__name__)

_LONGEST_TOKEN = 64 * 1024
_UNKNOWN_LIFE = 60.0  # seconds, of a token of which the identity provider does not say how long it lives

# Not the person is refused but the client that asks: somebody has to look at the configuration. `invalid_request` is
# not among them, since it also means a token that cannot be exchanged (RFC 8693, 2.2.2).
_OUR_FAULT = frozenset({"invalid_client", "unauthorized_client", "unsupported_grant_type", "invalid_scope"})
_THEIR_FAULT = frozenset({"server_error", "temporarily_unavailable"})


class OAuthRefusal(Exception):  # noqa: N818  # an answer, which becomes an error of ours where it is understood
    """The identity provider says no, with one of OAuth's error codes."""

    def __init__(self, error: str, description: str | None) -> None:
        super().__init__(error)
        self.error = error
        self.description = description

    @property
    def ours(self) -> bool:
        """Whether it means the client that asks, which is mostly this server, and not the person."""
        return self.error in _OUR_FAULT

    @property
    def detail(self) -> str:
        """For the log."""
        said = f": {self.description}" if self.description else ""
        return f"the identity provider answers {self.error}{said}"

    def as_error(self, message: str) -> AuthenticationError:
        """What a client is told; the reason is only in the log."""
        return AuthenticationError(message, detail=self.detail)


class TokenEndpoint:
    def __init__(
        self,
        web: WebClient,
        discovery: Discovery,
        client_id: str | None,
        client_secret: str | None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Ask as this client; without a secret it is a public one, and without an id each call has to bring its own."""
        self._web = web
        self._discovery = discovery
        self._client_id = client_id
        self._client_secret = client_secret
        self._clock = clock

    def __repr__(self) -> str:
        return f"TokenEndpoint(client_id={self._client_id!r})"

    def tokens(
        self,
        form: Mapping[str, str | None],
        client: tuple[str, str] | None = None,
        check: Callable[[Mapping[str, Any]], None] = lambda answer: None,
    ) -> Tokens:
        """Ask for tokens; what is None in `form` is left out. `client` is another one than ours.

        `check` sees the whole answer, and raises when it is not the right one.

        Raises:
            OAuthRefusal: it says no.
            IdentityProviderError: it does not answer, or what it answers makes no sense.
        """
        asked_at = self._clock()
        answer = self.ask("token_endpoint", form, client)
        check(answer)
        return _tokens(answer, asked_at)

    def ask(
        self, endpoint: Endpoint, form: Mapping[str, str | None], client: tuple[str, str] | None = None
    ) -> Mapping[str, Any]:
        """What one of the endpoints that take a form answers. Raises as `tokens` does."""
        answer = self.send(endpoint, form, client)
        try:
            return answer.json()
        except IdentityProviderError:
            self._discovery.doubt()
            raise

    def send(
        self, endpoint: Endpoint, form: Mapping[str, str | None], client: tuple[str, str] | None = None
    ) -> Answer:
        """The same, where what counts is that it says yes."""
        url = self._discovery.endpoint(endpoint)
        given = {name: value for name, value in form.items() if value is not None}
        own = client is None
        if client is None:
            if self._client_id is None:
                raise IdentityProviderError(
                    "oidc.client_id is not set.", hint="See [oidc] in the configuration."
                )
            if self._client_secret is not None:
                client = (self._client_id, self._client_secret)
            else:
                given["client_id"] = self._client_id
        try:
            answer = self._web.post(url, given, client=client)
            if answer.status == 200:
                return answer
            refusal = _refusal(answer, url)
        except IdentityProviderError:
            self._discovery.doubt()
            raise
        if refusal.error in _THEIR_FAULT:
            raise unavailable(refusal.detail, url)
        if refusal.ours and own:
            _log.warning("%s; check [oidc] in the configuration if this goes on", refusal.detail)
        raise refusal


def _refusal(answer: Answer, url: str) -> OAuthRefusal:
    if 400 <= answer.status < 500:
        said = answer.json()
        error, description = said.get("error"), said.get("error_description")
        if isinstance(error, str) and error:
            return OAuthRefusal(
                _for_the_log(error, 64),
                _for_the_log(description, 200) if isinstance(description, str) else None,
            )
    raise unavailable(f"answers {answer.status}", url)


def _for_the_log(text: str, longest: int) -> str:
    return "".join(sign if sign.isprintable() else " " for sign in text[:longest])


def _tokens(answer: Mapping[str, Any], asked_at: float) -> Tokens:
    access, kind, refresh = answer.get("access_token"), answer.get("token_type"), answer.get("refresh_token")
    if not isinstance(access, str) or not 0 < len(access) <= _LONGEST_TOKEN or not access.isascii():
        raise unavailable("the answer holds no access token")
    if not isinstance(kind, str) or kind.lower() != "bearer":
        raise unavailable("the token is not a bearer token")
    if refresh is not None and (not isinstance(refresh, str) or not 0 < len(refresh) <= _LONGEST_TOKEN):
        raise unavailable("the refresh token is not one")
    life = _seconds(answer.get("expires_in"))
    refresh_life = _seconds(answer.get("refresh_expires_in"))  # Keycloak's; 0 means that it does not end
    return Tokens(
        access,
        asked_at + (life if life is not None else _UNKNOWN_LIFE),
        refresh,
        asked_at + refresh_life if refresh and refresh_life else None,
    )


def _seconds(value: object) -> float | None:
    try:
        seconds = float(value) if isinstance(value, int | float | str) else None
    except (ValueError, OverflowError):
        seconds = None
    if seconds is None and value is None:
        return None
    if seconds is None or not math.isfinite(seconds) or seconds < 0:
        raise unavailable("the lifetime of a token is not a number of seconds")
    return seconds
