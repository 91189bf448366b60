"""The formats by name; a format's module is imported when it is used."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from sqe.cli.output.sink import Sink
from sqe.cli.output.writer import Style, Writer

FORMATS: Mapping[str, str] = {
    "table": "sqe.cli.output.table:TableWriter",
    "csv": "sqe.cli.output.delimited:CsvWriter",
    "tsv": "sqe.cli.output.delimited:TsvWriter",
    "json": "sqe.cli.output.json:JsonWriter",
    "jsonl": "sqe.cli.output.json:JsonLinesWriter",
    "markdown": "sqe.cli.output.markdown:MarkdownWriter",
    "vertical": "sqe.cli.output.vertical:VerticalWriter",
}


def make_writer(name: str, sink: Sink, style: Style) -> Writer:
    """Make the writer of a format; `name` must be one of FORMATS."""
    module, _, attribute = FORMATS[name].partition(":")
    writer: Writer = getattr(import_module(module), attribute)(sink, style)
    return writer
