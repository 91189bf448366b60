"""Hold a client's session with the gateway."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass, field

from sqe.engine.interface import EngineSession
from sqe.errors import SqeError
from sqe.model.identity import Principal
from sqe.model.session import SessionSpec


@dataclass(slots=True, eq=False)
class GatewaySession:
    """The principal, the catalogs and settings, and the session on the engine."""

    principal: Principal
    spec: SessionSpec
    engine: EngineSession
    front_end: str  # the one that opened it: "shell", "flight" or "trino"
    idle_limit: float | None  # seconds after which it is closed; None: its front end closes it
    id: str = field(default_factory=lambda: f"s_{secrets.token_hex(16)}")
    last_use: float = field(default_factory=time.monotonic)
    closed: bool = False
    ended: SqeError | None = (
        None  # why it takes no more statements although its queries can still be asked about
    )

    @property
    def user(self) -> str:
        return self.principal.user

    def used(self) -> None:
        self.last_use = time.monotonic()

    def is_idle(self) -> bool:
        return self.idle_limit is not None and time.monotonic() - self.last_use > self.idle_limit
