"""Request tokens from the identity provider (RFC 6749 and its extensions)."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, Field

from sqe.common.http_client import HttpClient, Response
from sqe.errors import AuthenticationError, IdentityProviderError
from sqe.identity.logins.token_set import Tokens
from sqe.identity.oidc.discovery import Discovery, Endpoint
from sqe.identity.provider_http import read_json, unavailable

_log = logging.getLogger(__name__)

_LONGEST_TOKEN = 64 * 1024
_UNKNOWN_LIFE = 60.0  # seconds, of a token of which the identity provider does not say how long it lives

# These refuse the client that asks and not the person: an operator has to check the configuration. `invalid_request`
# is not among them, since it also means a token that cannot be exchanged (RFC 8693, 2.2.2).
_OUR_FAULT = frozenset({"invalid_client", "unauthorized_client", "unsupported_grant_type", "invalid_scope"})
_THEIR_FAULT = frozenset({"server_error", "temporarily_unavailable"})

Token = Annotated[str, Field(min_length=1, max_length=_LONGEST_TOKEN, pattern=r"^[\x00-\x7f]*$")]
Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]

M = TypeVar("M", bound=BaseModel)


class TokenResponse(BaseModel):
    """RFC 6749, section 5.1, and what Keycloak adds."""

    access_token: Token
    token_type: Annotated[str, Field(pattern="^(?i:bearer)$")]
    refresh_token: Annotated[str, Field(min_length=1, max_length=_LONGEST_TOKEN)] | None = None
    expires_in: Seconds | None = None
    refresh_expires_in: Seconds | None = None  # 0: it does not end
    id_token: Any = None


class _Refusal(BaseModel):
    """RFC 6749, section 5.2."""

    error: Annotated[str, Field(min_length=1)]
    error_description: Any = None


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
        """Return the error for a client; the reason is only in the log."""
        return AuthenticationError(message, detail=self.detail)


class TokenEndpoint:
    def __init__(
        self,
        web: HttpClient,
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
        check: Callable[[TokenResponse], None] = lambda response: None,
    ) -> Tokens:
        """Ask for tokens; what is None in `form` is left out. `client` is another one than ours.

        `check` sees the whole answer, and raises when it is not the right one.

        Raises:
            OAuthRefusal: it says no.
            IdentityProviderError: it does not answer, or what it answers makes no sense.
        """
        asked_at = self._clock()
        response = self.ask("token_endpoint", form, TokenResponse, client)
        check(response)
        return _tokens(response, asked_at)

    def ask(
        self,
        endpoint: Endpoint,
        form: Mapping[str, str | None],
        model: type[M],
        client: tuple[str, str] | None = None,
    ) -> M:
        """Return the response of one of the endpoints that take a form. Raises as `tokens` does."""
        response = self.send(endpoint, form, client)
        try:
            return read_json(response, model)
        except IdentityProviderError:
            self._discovery.doubt()
            raise

    def send(
        self, endpoint: Endpoint, form: Mapping[str, str | None], client: tuple[str, str] | None = None
    ) -> Response:
        """Send the form, and return the response of an endpoint that says yes. Raises as `tokens` does."""
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
            response = self._web.post(url, given, client=client)
            if response.status == 200:
                return response
            refusal = _refusal(response, url)
        except IdentityProviderError:
            self._discovery.doubt()
            raise
        if refusal.error in _THEIR_FAULT:
            raise unavailable(refusal.detail, url)
        if refusal.ours and own:
            _log.warning("%s; check [oidc] in the configuration if this goes on", refusal.detail)
        raise refusal


def _refusal(response: Response, url: str) -> OAuthRefusal:
    if not 400 <= response.status < 500:
        raise unavailable(f"answers {response.status}", url)
    said = read_json(response, _Refusal, url)
    description = said.error_description
    return OAuthRefusal(
        _for_the_log(said.error, 64),
        _for_the_log(description, 200) if isinstance(description, str) else None,
    )


def _for_the_log(text: str, longest: int) -> str:
    return "".join(sign if sign.isprintable() else " " for sign in text[:longest])


def _tokens(response: TokenResponse, asked_at: float) -> Tokens:
    life, refresh_life = response.expires_in, response.refresh_expires_in
    return Tokens(
        response.access_token,
        asked_at + (life if life is not None else _UNKNOWN_LIFE),
        response.refresh_token,
        asked_at + refresh_life if response.refresh_token and refresh_life else None,
    )
