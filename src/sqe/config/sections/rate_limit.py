"""`[rate_limit]`: limits of queries and logins in a minute."""

from __future__ import annotations

from pydantic import Field

from sqe.config.fields import Section


class RateLimitConfig(Section):
    """Limits of queries and logins in a minute at the listeners of `sqe server`. 0 turns a limit off."""

    queries_per_user: int = Field(
        default=1_200, description="Queries of one user in a minute.", ge=0, le=1_000_000
    )
    queries_per_address: int = Field(
        default=6_000, description="Queries from one address in a minute.", ge=0, le=1_000_000
    )
    failed_logins_per_user: int = Field(
        default=5,
        description="Refused logins of one user from one address, after which each further one has to wait longer, up "
        "to a minute. They are forgotten after a login, or after 15 minutes.",
        ge=0,
        le=1_000_000,
    )
    failed_logins_per_address: int = Field(
        default=30,
        description="Failed logins from one address in a minute, after which it has to wait.",
        ge=0,
        le=1_000_000,
    )
