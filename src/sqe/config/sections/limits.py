"""`[limits]`: limits of one gateway."""

from __future__ import annotations

from pydantic import Field

from sqe.config.fields import Section
from sqe.units import Duration, Size

_SERVER_RUN_TIME = Duration("1h")


class LimitsConfig(Section):
    """Limits of one gateway."""

    concurrent_queries: int = Field(
        default=16, description="Queries that run at the same time.", ge=1, le=10_000
    )
    concurrent_queries_per_user: int = Field(
        default=8, description="Queries of one user that run at the same time.", ge=1, le=10_000
    )
    queued_queries: int = Field(
        default=1000,
        description="Queries that may wait for a slot; the gateway refuses more.",
        ge=0,
        le=100_000,
    )
    sessions: int = Field(default=500, description="Open sessions.", ge=1, le=100_000)
    session_idle: Duration = Field(
        default=Duration("30min"),
        description="How long a session of a network client stays open after its last request.",
        ge=Duration("1s"),
    )
    run_time: Duration | None = Field(
        default=None,
        description="How long a query may run before it is canceled; `0s` is for ever. Unset: `1h` on `sqe server`, "
        "for ever in a shell.",
        ge=Duration("0s"),
    )
    rows: int | None = Field(
        default=None, description="Rows that a query may return before it fails. Unset: any number.", ge=1
    )
    sql_bytes: Size = Field(
        default=Size("1MB"),
        description="Length of a statement's text in UTF-8.",
        ge=Size("1kB"),
        le=Size("64MB"),
    )
    sql_depth: int = Field(
        default=256, description="Nesting of a statement, such as parentheses.", ge=8, le=10_000
    )
    result_buffer: Size = Field(
        default=Size("32MB"),
        description="How much of one result the gateway holds while the client is slower than the engine.",
        ge=Size("1MB"),
    )
    result_spill: Size = Field(
        default=Size("10GB"),
        description="How much of one result the gateway keeps in a file for a slow client before the engine waits.",
        ge=Size("1MB"),
    )
    unread_result: Duration = Field(
        default=Duration("5min"),
        description="How long a result waits for a client that does not fetch before the query is canceled.",
        ge=Duration("1s"),
    )

    def for_server(self) -> LimitsConfig:
        """Return the limits of a network server, where `run_time` has a default."""
        if self.run_time is not None:
            return self
        return self.model_copy(update={"run_time": _SERVER_RUN_TIME})

    @property
    def run_seconds(self) -> float | None:
        """The time that a query may run in seconds; None is for ever."""
        return float(self.run_time) if self.run_time else None
