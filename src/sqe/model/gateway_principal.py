"""The principal under which the gateway itself acts, and for which no policy is evaluated.

It is a type, and a module of its own, so that import-linter can keep it away from everything that reads input: a
provider, a claim, a header or a stored login can name the provider "gateway", but cannot become this principal.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from sqe.model.identity import Principal

GATEWAY = "gateway"


@dataclass(frozen=True, slots=True)
class GatewayPrincipal(Principal):
    """The gateway, for what it does on its own account: creating a warehouse, warming up, probing the engine.

    `user` is the name that Spark is told; it has no other effect.
    """

    user: str = GATEWAY
    provider: str = field(default=GATEWAY, init=False)  # for logs only; decisions look at the type
