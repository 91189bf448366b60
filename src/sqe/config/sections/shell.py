"""`[shell]`: how results are shown."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from sqe.config.fields import Section

OutputFormat = Literal["table", "csv", "tsv", "json", "jsonl", "markdown", "vertical"]


class ShellConfig(Section):
    """How the interactive shell and batch mode show things."""

    format: OutputFormat = Field(default="table", description="How results are written.")
    null: str = Field(default="NULL", description="The text that stands for NULL in a table.")
    timer: bool = Field(default=False, description="Print how long each statement took.")
    pager: bool = Field(default=True, description="Show results that do not fit the terminal in a pager.")
    history_size: int = Field(
        default=10_000, description="Statements that the shell remembers.", ge=0, le=1_000_000
    )
    max_width: int | None = Field(
        default=None,
        description="Width of a table in characters. Unset: as wide as the terminal.",
        ge=20,
        le=100_000,
    )
