"""Send all requests to one identity provider."""

from __future__ import annotations

import hmac
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any
from urllib.parse import urlencode, urlsplit

from pydantic import AfterValidator, BaseModel, Field

from sqe.common.http_client import HttpClient
from sqe.common.loopback import is_plain_text
from sqe.config.schema import Config
from sqe.config.sections.oidc import OidcConfig
from sqe.config.sections.token_exchange import TokenExchangeConfig
from sqe.errors import AuthenticationError, ConfigError
from sqe.identity.credentials import wrong_credentials
from sqe.identity.logins.token_set import Tokens
from sqe.identity.oidc import pkce
from sqe.identity.oidc.discovery import Discovery, Endpoint
from sqe.identity.oidc.jwks import Jwks
from sqe.identity.oidc.jwt import JwtRules, JwtVerifier, unverified_claims
from sqe.identity.oidc.token_endpoint import OAuthRefusal, TokenEndpoint, TokenResponse
from sqe.identity.provider_http import provider_http_client

_log = logging.getLogger(__name__)

_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange"
_DEVICE = "urn:ietf:params:oauth:grant-type:device_code"
_ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token"  # noqa: S105 - a name of OAuth's
_SERVER_REFUSED = "The identity provider does not let this server log people in."


def _page(url: str) -> str:
    """Accept only web pages: a person is sent there, and not to some other program's address."""
    if not url.startswith(("https://", "http://")) or not url.isprintable():
        raise ValueError("is not the address of a web page")
    return url


class _DeviceResponse(BaseModel):
    """RFC 8628, section 3.2."""

    device_code: str
    user_code: str
    verification_uri: Annotated[str, AfterValidator(_page)]
    verification_uri_complete: Annotated[str, AfterValidator(_page)] | None = None
    expires_in: Annotated[float, Field(strict=True, allow_inf_nan=False)] = 600.0
    interval: Annotated[float, Field(strict=True, allow_inf_nan=False)] = 5.0


@dataclass(frozen=True, slots=True)
class DeviceAuthorization:
    """The start of a device login (RFC 8628): a code for the person to type, and one for us to ask with."""

    device_code: str = field(repr=False)
    verifier: str = field(repr=False)  # proves that it is we who ask
    user_code: str
    verification_uri: str
    verification_uri_complete: str | None  # holds the code already
    expires_in: float
    interval: float  # seconds between two questions


class DevicePending(Exception):  # noqa: N818  # not an error: ask again
    """The person has not finished in the browser. `slow_down`: wait five seconds longer between requests."""

    def __init__(self, *, slow_down: bool) -> None:
        super().__init__("slow_down" if slow_down else "authorization_pending")
        self.slow_down = slow_down


class OidcClient:
    """A client that raises AuthenticationError for a refusal, and IdentityProviderError for no answer."""

    def __init__(
        self,
        config: OidcConfig,
        exchange: TokenExchangeConfig,
        web: HttpClient,
        clock: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """Ask the identity provider of `config`, through `web`, which is closed with it. Raises ConfigError."""
        if config.issuer is None:
            raise ConfigError("oidc.issuer is not set.", hint="Name your identity provider in [oidc].")
        self.config = config
        self.issuer: str = config.issuer
        self._exchange = exchange
        self._web = web
        configured: dict[Endpoint, str | None] = {
            "token_endpoint": config.token_url,
            "jwks_uri": config.jwks_url,
            "authorization_endpoint": config.authorize_url,
            "device_authorization_endpoint": config.device_url,
        }
        for url in (config.issuer, *configured.values()):
            if url is not None and is_plain_text(url):
                _log.warning(
                    "%s is not encrypted: others on the network can read and forge tokens",
                    urlsplit(url).netloc,
                )
        self._discovery = Discovery(config.issuer, web, configured, monotonic)
        secret = config.client_secret.reveal() if config.client_secret is not None else None
        self._endpoint = TokenEndpoint(web, self._discovery, config.client_id, secret, clock)
        rules = JwtRules(config.issuer, config.audience, config.algorithms, float(config.leeway))
        keys = Jwks(web, self._discovery, monotonic, float(config.keys_lifetime))
        self._verifier = JwtVerifier(rules, keys, clock)

    def close(self) -> None:
        self._web.close()

    def discover(self) -> Mapping[Endpoint, str]:
        """Return the endpoints, by the names of the document."""
        return self._discovery.endpoints()

    def verify(self, token: str, *, from_issuer: bool = False) -> Mapping[str, Any]:
        """Verify a JSON Web Token and return its claims; see `JwtVerifier.verify`."""
        if self.config.audience is None and not self.config.any_audience:
            raise AuthenticationError("The token is not accepted.", detail="oidc.audience is not set")
        return self._verifier.verify(token, from_issuer=from_issuer)

    def password(self, user: str, secret: str) -> Tokens:
        form = {"grant_type": "password", "username": user, "password": secret, "scope": self._scope()}
        return self._login_tokens(form)

    def refresh(self, tokens: Tokens) -> Tokens:
        """Renew the tokens; the refresh token stays when no other one is given."""
        if tokens.refresh is None:
            raise AuthenticationError("The login cannot be renewed.", detail="there is no refresh token")
        form = {"grant_type": "refresh_token", "refresh_token": tokens.refresh}
        fresh = self._tokens(form, "The login cannot be renewed.")
        if fresh.refresh is None:
            return replace(fresh, refresh=tokens.refresh, refresh_expires_at=tokens.refresh_expires_at)
        return fresh

    def client_credentials(self, client_id: str | None = None, secret: str | None = None) -> Tokens:
        """Get the tokens of a client itself: this one, or without arguments ours."""
        # The scope openid is for people; some identity providers refuse it here.
        scope = " ".join(name for name in self.config.scopes if name != "openid")
        form = {"grant_type": "client_credentials", "scope": scope or None}
        client = (client_id, secret) if client_id is not None and secret is not None else None
        return self._login_tokens(form, client)

    def exchange(self, subject_token: str) -> Tokens:
        """Exchange a client's token for one of ours (RFC 8693)."""
        form = {
            "grant_type": _EXCHANGE,
            "subject_token": subject_token,
            "subject_token_type": _ACCESS_TOKEN,
            "requested_token_type": _ACCESS_TOKEN,
            "audience": self._exchange.audience,
            "scope": self._exchange.scope,
        }
        return self._tokens(form, "The token is not accepted.")

    def code_token(self, code: str, verifier: str, redirect_uri: str, *, nonce: str | None = None) -> Tokens:
        """Get tokens for the code that a browser brought back (RFC 7636), of the login that began with this nonce."""
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "code_verifier": verifier,
            "redirect_uri": redirect_uri,
        }
        message = "The login is not accepted."
        try:
            return self._endpoint.tokens(form, check=lambda response: self._check_nonce(response, nonce))
        except OAuthRefusal as refusal:
            raise self._refused(refusal, message) from None

    def device_authorization(self) -> DeviceAuthorization:
        verifier = pkce.new_verifier()  # Keycloak wants it here too, from a client that has to use PKCE
        form = {
            "scope": self._scope(),
            "code_challenge": pkce.challenge_of(verifier),
            "code_challenge_method": pkce.METHOD,
        }
        try:
            response = self._endpoint.ask("device_authorization_endpoint", form, _DeviceResponse)
        except OAuthRefusal as refusal:
            raise refusal.as_error("The identity provider does not let this client log people in.") from None
        return DeviceAuthorization(
            response.device_code,
            verifier,
            response.user_code,
            response.verification_uri,
            response.verification_uri_complete,
            response.expires_in,
            min(max(response.interval, 1.0), 60.0),
        )

    def device_token(self, device: DeviceAuthorization) -> Tokens:
        """Get tokens once the person has finished. Raises DevicePending until then."""
        form = {
            "grant_type": _DEVICE,
            "device_code": device.device_code,
            "code_verifier": device.verifier,
        }
        try:
            return self._endpoint.tokens(form)
        except OAuthRefusal as refusal:
            if refusal.error in ("authorization_pending", "slow_down"):
                raise DevicePending(slow_down=refusal.error == "slow_down") from None
            messages = {"access_denied": "The login was denied.", "expired_token": "The login took too long."}
            raise refusal.as_error(messages.get(refusal.error, "The login is not accepted.")) from None

    def authorize_url(
        self, *, redirect_uri: str, state: str, code_challenge: str, nonce: str | None = None
    ) -> str:
        """Return the address where a browser logs in (authorization code with PKCE, S256)."""
        endpoint = self._discovery.endpoint("authorization_endpoint")
        query = {
            "response_type": "code",
            "client_id": self.config.client_id or "",
            "redirect_uri": redirect_uri,
            "scope": self._scope() or "",
            "state": state,
            "code_challenge": code_challenge,
            "code_challenge_method": pkce.METHOD,
            **({"nonce": nonce} if nonce is not None else {}),
        }
        return f"{endpoint}{'&' if urlsplit(endpoint).query else '?'}{urlencode(query)}"

    def revoke(self, tokens: Tokens) -> bool:
        """End a login at the identity provider (RFC 7009). False: it has no way to do that."""
        if "revocation_endpoint" not in self.discover():
            return False
        kind, token = ("refresh_token", tokens.refresh) if tokens.refresh else ("access_token", tokens.access)
        try:
            self._endpoint.send("revocation_endpoint", {"token": token, "token_type_hint": kind})
        except OAuthRefusal as refusal:
            raise refusal.as_error("The identity provider does not end the login.") from None
        return True

    def renewer(self, claims: Mapping[str, Any]) -> RefreshRenewer:
        """Return what renews the tokens of the person in these claims with the refresh token."""
        return RefreshRenewer(self, claims)

    def _scope(self) -> str | None:
        return " ".join(self.config.scopes) or None

    def _login_tokens(self, form: Mapping[str, str | None], client: tuple[str, str] | None = None) -> Tokens:
        """Ask for the tokens of a user and a password, or of `client`, which is not ours."""
        try:
            return self._endpoint.tokens(form, client)
        except OAuthRefusal as refusal:
            if client is None and refusal.ours:
                raise refusal.as_error(_SERVER_REFUSED) from None
            raise wrong_credentials(refusal.detail) from None

    def _tokens(self, form: Mapping[str, str | None], message: str) -> Tokens:
        try:
            return self._endpoint.tokens(form)
        except OAuthRefusal as refusal:
            raise self._refused(refusal, message) from None

    @staticmethod
    def _refused(refusal: OAuthRefusal, message: str) -> AuthenticationError:
        return refusal.as_error(_SERVER_REFUSED if refusal.ours else message)

    def _check_nonce(self, response: TokenResponse, nonce: str | None) -> None:
        """Check that the login is the one that began here.

        The ID token came from the identity provider itself, on a connection of ours: its signature would say no more.
        """
        if nonce is None or "openid" not in self.config.scopes:
            return
        found = unverified_claims(response.id_token)
        if not hmac.compare_digest(str(found.get("nonce")).encode(), nonce.encode()):
            raise AuthenticationError(
                "The login is not accepted.", detail="the nonce in the ID token is not that of the login"
            )


class RefreshRenewer:
    """A `token_set.Renewer`."""

    def __init__(self, client: OidcClient, claims: Mapping[str, Any]) -> None:
        self._client = client
        self._subject = claims.get("sub")
        self._unchecked: Tokens | None = None  # came, but there were no keys to check them with

    def renew(self, tokens: Tokens) -> Tokens:
        # A refresh token is often good once only: what came for it must not get lost.
        fresh = self._unchecked = self._client.refresh(self._unchecked or tokens)
        claims = self._client.verify(fresh.access, from_issuer=True)
        self._unchecked = None
        if claims.get("sub") != self._subject:
            raise AuthenticationError(
                "The login cannot be renewed.", detail="the renewed token is of another person"
            )
        return fresh


def oidc_client(config: Config) -> OidcClient:
    """Return the client of `[oidc]`, without a request. Raises ConfigError."""
    web = provider_http_client(float(config.oidc.timeout), config.tls.ca_bundle)
    return OidcClient(config.oidc, config.token_exchange, web)
