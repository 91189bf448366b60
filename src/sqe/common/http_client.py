"""Send HTTP requests to one remote service: short timeouts, small responses, no redirects, a circuit breaker.

Every failure on the way becomes one error of the caller's choice.
"""

from __future__ import annotations

import logging
import ssl
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path
from urllib.parse import quote_plus, urlsplit

import httpx

from sqe.common.circuit_breaker import CircuitBreaker
from sqe.common.loopback import is_loopback_url
from sqe.errors import ConfigError, SqeError

# It logs every request at INFO; our own log says what is worth saying.
logging.getLogger("httpx").setLevel(logging.WARNING)

_LARGEST_BODY = 1024 * 1024
_CONNECTIONS = 20
_JSON = "application/json"


@dataclass(frozen=True, slots=True)
class Response:
    status: int
    body: bytes = field(repr=False)


def is_overloaded(status: int) -> bool:
    """Whether a status says that the service cannot answer now."""
    return status >= 500 or status == 429


class HttpClient:
    """A client of one service. Many threads can use it at once."""

    def __init__(
        self,
        timeout: float,
        breaker: CircuitBreaker,
        unavailable: Callable[[str], SqeError],
        *,
        ca_bundle: Path | None = None,
        setting: str = "tls.ca_bundle",
        proxies: bool = True,
        is_silent: Callable[[int], bool] = is_overloaded,
    ) -> None:
        """Trust the certificates in `ca_bundle`, or the system's.

        Args:
            timeout: seconds for each read; a whole response has twice as long.
            breaker: counts the errors that `unavailable` makes.
            unavailable: makes the error for a service that does not answer, from a detail for the log.
            ca_bundle: a PEM file.
            setting: the name of `ca_bundle` in the configuration.
            proxies: whether the environment's proxies are used. They never are for this machine: a proxy cannot reach
                it by the name localhost, and must not see its secrets.
            is_silent: whether a status counts as no answer.

        Raises:
            ConfigError: `ca_bundle` holds no certificates.
        """
        context = _tls_context(ca_bundle, setting)
        self._timeout = timeout
        self._breaker = breaker
        self._unavailable = unavailable
        self._is_silent = is_silent
        self._direct = _client(timeout, context, proxies=False)
        self._proxied = _client(timeout, context, proxies=True) if proxies else self._direct

    def get(self, url: str) -> Response:
        return self.send("GET", url, headers={"Accept": _JSON})

    def post(
        self,
        url: str,
        form: Mapping[str, str],
        *,
        client: tuple[str, str] | None = None,
        accept: str = _JSON,
        auth: httpx.Auth | None = None,
    ) -> Response:
        """Send a form; `client` is an id and a secret for Basic authentication, as OAuth encodes them."""
        if client is not None:
            auth = httpx.BasicAuth(quote_plus(client[0]), quote_plus(client[1]))
        return self.send("POST", url, data=form, auth=auth, headers={"Accept": accept})

    def send(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str],
        content: bytes | None = None,
        data: Mapping[str, str] | None = None,
        auth: httpx.Auth | None = None,
        deadline: float | None = None,
    ) -> Response:
        """Send one request. `deadline` of the monotonic clock replaces the timeout of this client."""
        with self._breaker.call():
            client = self._direct if is_loopback_url(url) else self._proxied
            now = time.monotonic()
            # httpx limits each read, not all of them together.
            latest = deadline if deadline is not None else now + 2 * self._timeout
            if latest <= now:
                raise self._failure("no time is left to ask", url)
            timeout = self._timeout if deadline is None else latest - now
            try:
                request = client.build_request(
                    method,
                    url,
                    content=content,
                    data=dict(data) if data else None,
                    headers=dict(headers),
                    timeout=timeout,
                )
                response = client.send(request, stream=True, auth=auth)
                try:
                    body = self._read(response, latest, url)
                finally:
                    response.close()
            except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
                # An httpx error's text can hold the URL, but neither headers nor a form.
                text = f": {error}" if _shown(url) == url else ""
                raise self._failure(f"{type(error).__name__}{text}", url) from None
            if response.is_redirect:
                raise self._failure(f"it redirects ({response.status_code}), which is not followed", url)
            if self._is_silent(response.status_code):
                raise self._failure(f"it answers {response.status_code}", url)
            return Response(response.status_code, body)

    def close(self) -> None:
        self._direct.close()
        self._proxied.close()

    def _read(self, response: httpx.Response, latest: float, url: str) -> bytes:
        body = bytearray()
        for chunk in response.iter_raw():
            body += chunk
            if len(body) > _LARGEST_BODY:
                raise self._failure(f"its response is larger than {_LARGEST_BODY} bytes", url)
            if time.monotonic() > latest:
                raise self._failure("its response takes too long", url)
        return bytes(body)

    def _failure(self, detail: str, url: str) -> SqeError:
        return self._unavailable(f"{_shown(url)}: {detail}")


def _shown(url: str) -> str:
    """Return the address without what may be secret in it."""
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port is not None else ""
    except ValueError:
        return "an invalid address"
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    return f"{parts.scheme}://{host}{port}{parts.path}"


def _client(timeout: float, context: ssl.SSLContext, *, proxies: bool) -> httpx.Client:
    return httpx.Client(
        timeout=timeout,
        verify=context,
        trust_env=proxies,
        follow_redirects=False,
        limits=httpx.Limits(max_connections=_CONNECTIONS, max_keepalive_connections=_CONNECTIONS),
        # Nothing is unpacked: a small response could become a large one.
        headers={"User-Agent": "sqe", "Accept-Encoding": "identity"},
        # A cookie that came with one person's login must not go along with the next one's.
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
    )


def _tls_context(bundle: Path | None, setting: str) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=str(bundle) if bundle is not None else None)
    except OSError as error:
        raise ConfigError(
            f"{setting} is {bundle}, which holds no certificates: {error.strerror or 'it is not PEM'}.",
            hint="Name a PEM file of certificates, or leave the setting out to use the system's.",
        ) from error
