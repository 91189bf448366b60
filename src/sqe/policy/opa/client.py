"""HTTP client for an Open Policy Agent: pooled connections, short timeouts, small responses, no redirects or proxies.

Every failure is a PolicyUnavailableError.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx

from sqe.common.circuit_breaker import Breaker
from sqe.common.http_client import careful_client, read_body, trust
from sqe.errors import PolicyUnavailableError
from sqe.policy.opa.response import MESSAGE, document, unavailable
from sqe.units import Secret

# The statuses of an agent or proxy that is overloaded or down; the circuit breaker counts them as failures. It does not
# count a 500, which means that a policy cannot be evaluated for one input.
_UNAVAILABLE = frozenset({429, 502, 503, 504})


class OpaClient:
    """A client of one agent. Many threads may use it at once."""

    def __init__(
        self,
        timeout: float,
        *,
        token: Secret | None = None,
        ca_bundle: Path | None = None,
        setting: str = "opa.ca_bundle",
        breaker: Breaker | None = None,
    ) -> None:
        """Create the client; `setting` is the name of the setting `ca_bundle` in errors.

        Raises:
            ConfigError: `ca_bundle` is unreadable.
        """
        self._client = careful_client(timeout, trust(ca_bundle, setting), proxies=False)
        self._headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if token is not None:
            self._headers["Authorization"] = f"Bearer {token.reveal()}"
        self._breaker = breaker or Breaker(error=PolicyUnavailableError, message=MESSAGE)

    def ask(self, url: str, body: bytes, latest: float) -> Mapping[str, Any]:
        """Send a question and return the whole response, by `latest` of the monotonic clock at the latest."""
        with self._breaker.call():
            status, response = self._exchange(url, body, latest)
            if status in _UNAVAILABLE:
                raise unavailable(f"{_shown(url)} returned status {status}")
        if status != httpx.codes.OK:
            raise unavailable(f"{_shown(url)} returned status {status}")
        return document(response)

    def close(self) -> None:
        self._client.close()

    def _exchange(self, url: str, body: bytes, latest: float) -> tuple[int, bytes]:
        left = latest - time.monotonic()
        if left <= 0:
            raise unavailable("the deadline has passed before the request")
        try:
            with self._client.stream(
                "POST", url, content=body, headers=self._headers, timeout=left
            ) as response:
                content = read_body(response, latest, lambda detail: unavailable(f"{_shown(url)}: {detail}"))
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
            # The error's text is left out: it may hold the address with a password in it.
            raise unavailable(f"{_shown(url)}: {type(error).__name__}") from None
        return response.status_code, content


def _shown(url: str) -> str:
    """Return the address without the parts that may be secret."""
    parts = urlsplit(url)
    port = f":{parts.port}" if parts.port is not None else ""
    return f"{parts.scheme}://{parts.hostname}{port}{parts.path}"
