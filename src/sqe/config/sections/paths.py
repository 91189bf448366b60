"""`[paths]`: where SQE keeps its files."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from sqe.config.fields import AbsolutePath, Section


class PathsConfig(Section):
    """Where SQE keeps its files."""

    home: AbsolutePath = Field(
        default=Path("~/.sqe"),
        description="What must be kept: the default warehouse, the shell's history, `sqe.toml`.",
    )
    cache: AbsolutePath | None = Field(
        default=None,
        description="What can be made again, such as jars. Unset: `$XDG_CACHE_HOME/sqe` or `~/.cache/sqe`.",
    )
