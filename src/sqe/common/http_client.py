"""HTTP to an identity provider: short timeouts, small answers, no redirects.

Whatever goes wrong on the way is an IdentityProviderError: nobody was refused.
"""

from __future__ import annotations

import ipaddress
import json
import logging
import ssl
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus, urlsplit

import httpx

from sqe.common.circuit_breaker import Breaker
from sqe.errors import ConfigError, IdentityProviderError, SqeError

# It tells of every request at INFO; our own log says what is worth saying.
logging.getLogger("httpx").setLevel(logging.WARNING)

_LARGEST_ANSWER = 1024 * 1024
_CONNECTIONS = 20
_JSON = "application/json"


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    body: bytes = field(repr=False)

    def json(self) -> Mapping[str, Any]:
        """The body as a JSON object. Raises IdentityProviderError for anything else."""
        try:
            value = json.loads(self.body)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise unavailable(f"the answer {self.status} is not a JSON object")
        return value


class WebClient:
    """Asks one identity provider. Can be used by many threads at once."""

    def __init__(self, timeout: float, ca_bundle: Path | None = None, breaker: Breaker | None = None) -> None:
        """Trust the certificates in `ca_bundle`, or the system's. Raises ConfigError when it cannot be read."""
        context = trust(ca_bundle, "tls.ca_bundle")
        self._timeout = timeout
        self._breaker = breaker or Breaker()
        # A proxy of the environment cannot reach this machine by the name localhost, and must not see its secrets.
        self._near = careful_client(timeout, context, proxies=False)
        self._far = careful_client(timeout, context, proxies=True)

    def get(self, url: str) -> Answer:
        return self._send("GET", url, None, {}, _JSON)

    def post(
        self,
        url: str,
        form: Mapping[str, str],
        *,
        client: tuple[str, str] | None = None,
        accept: str = _JSON,
        auth: httpx.Auth | None = None,
    ) -> Answer:
        """Send a form; `client` is an id and a secret for Basic authentication, as OAuth encodes them."""
        if client is not None:
            auth = httpx.BasicAuth(quote_plus(client[0]), quote_plus(client[1]))
        return self._send("POST", url, auth, form, accept)

    def close(self) -> None:
        self._near.close()
        self._far.close()

    def _send(
        self, method: str, url: str, auth: httpx.Auth | None, form: Mapping[str, str], accept: str
    ) -> Answer:
        with self._breaker.call():
            answer = self._exchange(method, url, auth, form, accept)
            if answer.status >= 500 or answer.status == 429:
                raise unavailable(f"it answers {answer.status}", url)
            return answer

    def _exchange(
        self, method: str, url: str, auth: httpx.Auth | None, form: Mapping[str, str], accept: str
    ) -> Answer:
        client = self._near if is_loopback_url(url) else self._far
        latest = time.monotonic() + 2 * self._timeout  # httpx limits each read, not all of them together
        try:
            with client.stream(
                method, url, data=dict(form) or None, auth=auth, headers={"Accept": accept}
            ) as response:
                body = read_body(response, latest, lambda detail: unavailable(detail, url))
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
            # An httpx error's text can hold a URL, but neither headers nor a form.
            raise unavailable(f"{type(error).__name__}: {error}", url) from None
        if response.is_redirect:
            raise unavailable(f"it redirects ({response.status_code}), which is not followed", url)
        return Answer(response.status_code, body)


def unavailable(detail: str, url: str | None = None) -> IdentityProviderError:
    """The one error for an identity provider that does not do its work; `detail` is for the log."""
    where = f"{url}: " if url else ""
    return IdentityProviderError(
        "The identity provider does not answer.", hint="Try again in a moment.", detail=f"{where}{detail}"
    )


def is_loopback_url(url: str) -> bool:
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return False
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def is_plain_text(url: str) -> bool:
    """Whether what is sent to this address can be read and changed on its way."""
    return urlsplit(url).scheme != "https" and not is_loopback_url(url)


def read_body(response: httpx.Response, latest: float, unavailable: Callable[[str], SqeError]) -> bytes:
    """Read an answer as far as it is a small one, and until `latest` of the monotonic clock."""
    body = bytearray()
    for chunk in response.iter_raw():
        body += chunk
        if len(body) > _LARGEST_ANSWER:
            raise unavailable(f"its answer is larger than {_LARGEST_ANSWER} bytes")
        if time.monotonic() > latest:
            raise unavailable("its answer takes too long")
    return bytes(body)


def careful_client(timeout: float, context: ssl.SSLContext, *, proxies: bool) -> httpx.Client:
    """A client that follows nobody, unpacks nothing and keeps no cookies."""
    return httpx.Client(
        timeout=timeout,
        verify=context,
        trust_env=proxies,
        follow_redirects=False,
        limits=httpx.Limits(max_connections=_CONNECTIONS, max_keepalive_connections=_CONNECTIONS),
        # Nothing is unpacked: a small answer could become a large one.
        headers={"User-Agent": "sqe", "Accept-Encoding": "identity"},
        # A cookie that came with one person's login must not go along with the next one's.
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
    )


def trust(bundle: Path | None, setting: str) -> ssl.SSLContext:
    """Trust the certificates in `bundle`, or the system's. Raises ConfigError, which names the setting."""
    try:
        return ssl.create_default_context(cafile=str(bundle) if bundle is not None else None)
    except OSError as error:
        raise ConfigError(
            f"{setting} is {bundle}, which holds no certificates: {error.strerror or 'it is not PEM'}.",
            hint="Name a PEM file of certificates, or leave the setting out to use the system's.",
        ) from error
