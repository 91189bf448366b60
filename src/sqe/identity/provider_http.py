"""Create the HTTP client for identity providers and STS, and read their responses."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel, ValidationError

from sqe.errors import IdentityProviderError

# Loaded with the first client: httpx is slow to load.
if TYPE_CHECKING:
    from sqe.common.http_client import HttpClient, Response

_MESSAGE = "The identity provider does not answer."

M = TypeVar("M", bound=BaseModel)


def provider_http_client(
    timeout: float, ca_bundle: Path | None = None, clock: Callable[[], float] = time.monotonic
) -> HttpClient:
    """Return a client whose failures are IdentityProviderErrors: no credentials were refused. Raises ConfigError."""
    from sqe.common.circuit_breaker import CircuitBreaker
    from sqe.common.http_client import HttpClient

    breaker = CircuitBreaker(IdentityProviderError, _MESSAGE, clock)
    return HttpClient(timeout, breaker, unavailable, ca_bundle=ca_bundle)


def unavailable(detail: str, url: str | None = None) -> IdentityProviderError:
    """Return the one error for an identity provider that does not do its work; `detail` is for the log."""
    where = f"{url}: " if url else ""
    return IdentityProviderError(_MESSAGE, hint="Try again in a moment.", detail=f"{where}{detail}")


def read_json(response: Response, model: type[M], url: str | None = None) -> M:
    """Return the response's JSON object as `model`. Raises IdentityProviderError, which repeats nothing of it."""
    try:
        return model.model_validate_json(response.body)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        wrong = "; ".join(
            f"{'.'.join(map(str, one['loc'])) or 'all of it'}: {one['msg']}" for one in found[:5]
        )
        raise unavailable(f"the response {response.status} is not as it should be: {wrong}", url) from None
