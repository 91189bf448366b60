"""The interface of result writers, and the registry of the formats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol

import pyarrow as pa

from sqe.cli.output.sink import Sink

# A format's module is imported when the format is used.
FORMATS: Mapping[str, str] = {
    "table": "sqe.cli.output.table:TableWriter",
    "csv": "sqe.cli.output.delimited:CsvWriter",
    "tsv": "sqe.cli.output.delimited:TsvWriter",
    "json": "sqe.cli.output.json:JsonWriter",
    "jsonl": "sqe.cli.output.json:JsonLinesWriter",
    "markdown": "sqe.cli.output.markdown:MarkdownWriter",
    "vertical": "sqe.cli.output.vertical:VerticalWriter",
}


class Writer(Protocol):
    """Writes one result: `begin`, any number of `batch`, `end`. Not called for a statement without columns."""

    def begin(self, schema: pa.Schema) -> None: ...

    def batch(self, batch: pa.RecordBatch) -> None: ...

    def end(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Style:
    """The style of values. `null` is for people; `data_null`, if given, replaces the mark of csv and tsv."""

    null: str = "NULL"
    data_null: str | None = None
    header: bool = True
    color: bool = False
    terminal: bool = False  # written to a screen, so that no value may carry a control character


def make_writer(name: str, sink: Sink, style: Style) -> Writer:
    """Make the writer of a format; `name` must be one of FORMATS."""
    module, _, attribute = FORMATS[name].partition(":")
    writer: Writer = getattr(import_module(module), attribute)(sink, style)
    return writer
