"""`[token_exchange]`: the exchange of a client's token."""

from __future__ import annotations

from pydantic import Field

from sqe.config.fields import Section


class TokenExchangeConfig(Section):
    """The request of the provider `token_exchange` (RFC 8693), as the client of `[oidc]`."""

    audience: str | None = Field(
        default=None, description="The audience of the new token. Unset: not requested.", min_length=1
    )
    scope: str | None = Field(
        default=None,
        description="The scopes of the new token, separated by spaces. Unset: not requested.",
        min_length=1,
    )
