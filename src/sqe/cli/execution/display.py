"""How results are shown: set by flags and configuration, changed by dot commands."""

from __future__ import annotations

from dataclasses import dataclass

from sqe.cli.execution.console import Console
from sqe.cli.output.writer import Style

MAX_ROWS = 40


@dataclass(slots=True)
class Display:
    format: str = "table"
    null: str = "NULL"
    data_null: str | None = None  # only what the user asked for: csv and tsv have marks of their own
    header: bool = True
    timer: bool = False
    pager: bool = True
    max_rows: int | None = MAX_ROWS  # of a table in the interactive shell; None: all
    max_width: int | None = None

    def style(self, console: Console) -> Style:
        return Style(
            null=self.null,
            data_null=self.data_null,
            header=self.header,
            color=console.color_out,
            terminal=console.out_terminal,
        )
