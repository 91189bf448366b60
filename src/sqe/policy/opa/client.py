"""Send questions to an Open Policy Agent; every failure on the way is a PolicyUnavailableError."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqe.common.circuit_breaker import CircuitBreaker
from sqe.common.http_client import HttpClient
from sqe.errors import PolicyUnavailableError
from sqe.policy.opa.response import MESSAGE, document, unavailable
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
        breaker: CircuitBreaker | None = None,
    ) -> None:
        """Create the client; `setting` is the name of the setting `ca_bundle` in errors.

        Raises:
            ConfigError: `ca_bundle` is unreadable.
        """
        self._client = HttpClient(
            timeout,
            breaker or CircuitBreaker(PolicyUnavailableError, MESSAGE),
            unavailable,
            ca_bundle=ca_bundle,
            setting=setting,
            proxies=False,
            is_silent=_SILENT.__contains__,
        )
        self._headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if token is not None:
            self._headers["Authorization"] = f"Bearer {token.reveal()}"

    def ask(self, url: str, body: bytes, latest: float) -> Mapping[str, Any]:
        """Return the whole answer to a question, which must be there at `latest` of the monotonic clock."""
        response = self._client.send("POST", url, content=body, headers=self._headers, deadline=latest)
        if response.status != 200:
            raise unavailable(f"it answers {response.status}")
        return document(response.body)

    def close(self) -> None:
        self._client.close()
