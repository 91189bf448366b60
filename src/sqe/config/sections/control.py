"""`[control]`: the endpoint for the engine's requests for tokens and decisions."""

from __future__ import annotations

from pydantic import Field

from sqe.config.fields import Section


class ControlConfig(Section):
    """The control endpoint, where the engine requests the token of a session's user and decisions.

    It is open only with REST catalogs or policies.
    """

    host: str = Field(
        default="127.0.0.1",
        description="The address. Beyond loopback it speaks mutual TLS only.",
        min_length=1,
    )
    port: int = Field(default=0, description="Its port; 0 takes a free one.", ge=0, le=65535)
