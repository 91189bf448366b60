"""`[control]`: where the engine asks for users' tokens, and for decisions."""

from __future__ import annotations

from pydantic import Field

from sqe.config.fields import Section


class ControlConfig(Section):
    """Where the engine asks the gateway for the token of a session's user, and what that user may do.

    Opened only for REST catalogs and policies.
    """

    host: str = Field(
        default="127.0.0.1",
        description="Where it listens. Beyond loopback it speaks mutual TLS only.",
        min_length=1,
    )
    port: int = Field(default=0, description="Its port; 0 takes a free one.", ge=0, le=65535)
