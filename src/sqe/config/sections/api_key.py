"""`[api_key]`: API keys of programs."""

from __future__ import annotations

from pydantic import Field

from sqe.config.fields import AbsolutePath, Section


class ApiKeyConfig(Section):
    """The provider `api_key`, which authenticates programs by a key."""

    file: AbsolutePath | None = Field(
        default=None,
        description="The file of hashed keys and their users; `sqe keys` writes it. Unset: `keys` below `paths.home`.",
    )
