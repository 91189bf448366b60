"""Find the identity provider's endpoints in the configuration or in its discovery document."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from typing import Literal, get_args

from pydantic import BaseModel

from sqe.common.http_client import HttpClient
from sqe.common.loopback import is_loopback_url
from sqe.errors import IdentityProviderError
from sqe.identity.provider_http import read_json, unavailable

_log = logging.getLogger(__name__)

_GOOD_FOR = 3600.0  # seconds

Endpoint = Literal[
    "token_endpoint",
    "jwks_uri",
    "authorization_endpoint",
    "device_authorization_endpoint",
    "revocation_endpoint",
]  # as the document calls them


class _Document(BaseModel):
    """The used part of the document (OpenID Connect Discovery 1.0, section 3)."""

    issuer: str | None = None
    token_endpoint: str | None = None
    jwks_uri: str | None = None
    authorization_endpoint: str | None = None
    device_authorization_endpoint: str | None = None
    revocation_endpoint: str | None = None


class Discovery:
    """The endpoints from `/.well-known/openid-configuration`, read again when it is old or has proved wrong."""

    def __init__(
        self,
        issuer: str,
        web: HttpClient,
        configured: Mapping[Endpoint, str | None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Find the endpoints of `issuer`; what is `configured` is not asked for."""
        self._issuer = issuer
        self._web = web
        self._configured = {name: url for name, url in configured.items() if url}
        self._clock = clock
        self._lock = threading.Lock()
        self._found: dict[Endpoint, str] = {}
        self._read_at: float | None = None

    def endpoint(self, name: Endpoint) -> str:
        """Return its URL. Raises IdentityProviderError when it cannot be found out, or there is none."""
        url = self._configured.get(name) or self.endpoints().get(name)
        if url is None:
            raise IdentityProviderError(
                f"The identity provider names no {name}.", hint="See [oidc] in the configuration."
            )
        return url

    def endpoints(self) -> Mapping[Endpoint, str]:
        """Return all that the document names, and that are configured. Raises IdentityProviderError."""
        with self._lock:
            if self._read_at is None or self._clock() - self._read_at > _GOOD_FOR:
                try:
                    self._found = self._read()
                except IdentityProviderError as error:
                    if not self._found:
                        raise
                    _log.warning("the endpoints of %s stay as they were: %s", self._issuer, error.detail)
                self._read_at = self._clock()
            return {**self._found, **self._configured}

    def doubt(self) -> None:
        """Read the document again before the next use: an endpoint did not answer as it should."""
        with self._lock:
            self._read_at = None

    def _read(self) -> dict[Endpoint, str]:
        url = self._issuer.rstrip("/") + "/.well-known/openid-configuration"
        response = self._web.get(url)
        if response.status != 200:
            raise unavailable(f"answers {response.status}", url)
        document = read_json(response, _Document, url)
        if document.issuer != self._issuer:
            raise unavailable(f"the document is of {document.issuer!r}, not of oidc.issuer", url)
        found: dict[Endpoint, str] = {}
        names: tuple[Endpoint, ...] = get_args(Endpoint)
        for name in names:
            endpoint: str | None = getattr(document, name)
            if endpoint is None:
                continue
            if not self._may_be_used(endpoint):
                raise unavailable(f"its {name} is not a URL that can be trusted as much as oidc.issuer", url)
            found[name] = endpoint
        return found

    def _may_be_used(self, endpoint: str) -> bool:
        """Whether an endpoint may be used: an encrypted address never leads to a plain one."""
        if endpoint.startswith("https://"):
            return True
        return endpoint.startswith("http://") and (
            is_loopback_url(endpoint) or not self._issuer.startswith("https://")
        )
