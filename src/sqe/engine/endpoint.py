"""Where a Spark Connect server listens."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Endpoint:
    url: str  # sc://host:port
    token: str | None = field(repr=False)
    request_secret: str | None = field(default=None, repr=False)  # proves requests; None: it takes none
    remote: bool = False  # somebody else's: we neither start nor stop it
