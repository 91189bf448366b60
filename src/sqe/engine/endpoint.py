"""Hold the address and the secrets of a Spark Connect server."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Endpoint:
    url: str  # sc://host:port
    token: str | None = field(repr=False)
    request_secret: str | None = field(
        default=None, repr=False
    )  # signs requests; None: the server accepts none
    remote: bool = False  # the gateway neither starts nor stops it
