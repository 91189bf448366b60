"""A client's session with the gateway."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

from sqe.engine.interface import EngineSession
from sqe.model.session import SessionSpec


@dataclass(frozen=True, slots=True)
class GatewaySession:
    """Whose it is, what it may see, and its counterpart on the engine."""

    user: str
    spec: SessionSpec
    engine: EngineSession
    id: str = field(default_factory=lambda: f"s_{secrets.token_hex(16)}")
