"""`[api_key]`: keys of programs."""

from __future__ import annotations

from pydantic import Field

from sqe.config.fields import AbsolutePath, Section


class ApiKeyConfig(Section):
    """The provider `api_key`, which knows programs by a key."""

    file: AbsolutePath | None = Field(
        default=None,
        description="The hashed keys and whose they are; `sqe keys` writes it. Unset: `keys` below `paths.home`.",
    )
