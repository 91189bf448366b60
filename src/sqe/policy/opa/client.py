"""HTTP to an Open Policy Agent: a pool of connections, short timeouts, small answers, no redirects, no proxies.

Whatever goes wrong on the way is a PolicyUnavailableError.
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
from sqe.policy.opa.answer import MESSAGE, document, unavailable
from sqe.units import Secret

# What stands between us and the agent says so. Its own 500 is an answer: a policy that cannot be evaluated for this
# input, which is no reason to stop asking about others.
_SILENT = frozenset({429, 502, 503, 504})


class OpaClient:
    """Asks one agent. Can be used by many threads at once."""

    def __init__(
        self,
        timeout: float,
        *,
        token: Secret | None = None,
        ca_bundle: Path | None = None,
        setting: str = "opa.ca_bundle",
        breaker: Breaker | None = None,
    ) -> None:
        """`setting` is what `ca_bundle` is called in the configuration. Raises ConfigError when it cannot be read."""
        self._client = careful_client(timeout, trust(ca_bundle, setting), proxies=False)
        self._headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if token is not None:
            self._headers["Authorization"] = f"Bearer {token.reveal()}"
        self._breaker = breaker or Breaker(error=PolicyUnavailableError, message=MESSAGE)

    def ask(self, url: str, body: bytes, latest: float) -> Mapping[str, Any]:
        """Return the whole answer to a question, which must be there at `latest` of the monotonic clock."""
        with self._breaker.call():
            status, answer = self._exchange(url, body, latest)
            if status in _SILENT:
                raise unavailable(f"{_shown(url)} answers {status}")
        if status != httpx.codes.OK:
            raise unavailable(f"{_shown(url)} answers {status}")
        return document(answer)

    def close(self) -> None:
        self._client.close()

    def _exchange(self, url: str, body: bytes, latest: float) -> tuple[int, bytes]:
        left = latest - time.monotonic()
        if left <= 0:
            raise unavailable("there is no time left to ask")
        try:
            with self._client.stream(
                "POST", url, content=body, headers=self._headers, timeout=left
            ) as response:
                answer = read_body(response, latest, lambda detail: unavailable(f"{_shown(url)}: {detail}"))
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
            # The error's text may hold the address with a password in it.
            raise unavailable(f"{_shown(url)}: {type(error).__name__}") from None
        return response.status_code, answer


def _shown(url: str) -> str:
    """The address without what may be secret in it."""
    parts = urlsplit(url)
    port = f":{parts.port}" if parts.port is not None else ""
    return f"{parts.scheme}://{parts.hostname}{port}{parts.path}"
