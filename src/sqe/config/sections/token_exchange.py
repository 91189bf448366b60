"""`[token_exchange]`: what a client's token is exchanged for."""

from __future__ import annotations

from pydantic import Field

from sqe.config.fields import Section


class TokenExchangeConfig(Section):
    """What the provider `token_exchange` asks for (RFC 8693), as the client of `[oidc]`."""

    audience: str | None = Field(
        default=None, description="For which service the new token is to be. Unset: not said.", min_length=1
    )
    scope: str | None = Field(
        default=None,
        description="The scopes of the new token, with spaces between. Unset: not said.",
        min_length=1,
    )
