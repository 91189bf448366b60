"""`[paths]`: directories of SQE's files."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from sqe.config.fields import AbsolutePath, Section


class PathsConfig(Section):
    """Directories of SQE's files."""

    home: AbsolutePath = Field(
        default=Path("~/.sqe"),
        description="Files that must survive: the default warehouse, the shell's history, `sqe.toml`.",
    )
    cache: AbsolutePath | None = Field(
        default=None,
        description="Files that SQE can make again, such as jars. Unset: `$XDG_CACHE_HOME/sqe` or `~/.cache/sqe`.",
    )
