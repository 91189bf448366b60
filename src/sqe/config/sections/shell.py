"""`[shell]`: display of results."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from sqe.config.fields import Section

OutputFormat = Literal["table", "csv", "tsv", "json", "jsonl", "markdown", "vertical"]


class ShellConfig(Section):
    """Display of results in the interactive shell and in batch mode."""

    format: OutputFormat = Field(default="table", description="The output format.")
    null: str = Field(default="NULL", description="The text for NULL in a table.")
    timer: bool = Field(default=False, description="Print the time that each statement took.")
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
