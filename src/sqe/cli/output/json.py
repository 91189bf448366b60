"""Write results as json (an array of objects) and jsonl (an object per line), a column at a time."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa
import pyarrow.compute as pc

from sqe.cli.output.formats import Style
from sqe.cli.output.sink import Sink
from sqe.cli.output.text import TEXT, json_string, json_texts


class JsonLinesWriter:
    def __init__(self, sink: Sink, style: Style) -> None:
        self._sink = sink
        self._keys: list[str] = []

    def begin(self, schema: pa.Schema) -> None:
        self._keys = [json_string(name) for name in distinct_names(schema.names)]

    def batch(self, batch: pa.RecordBatch) -> None:
        if batch.num_rows:
            self._sink.strings(self._objects(batch, "{", "}\n"))

    def end(self) -> None:
        return

    def _objects(self, batch: pa.RecordBatch, opening: str, closing: str) -> pa.Array:
        parts: list[pa.Array | pa.Scalar] = []
        for key, column in zip(self._keys, batch.columns, strict=True):
            parts.append(pa.scalar(f"{',' if parts else opening}{key}:", TEXT))
            parts.append(json_texts(column, comma=",", colon=":"))
        return pc.binary_join_element_wise(*parts, pa.scalar(closing, TEXT), pa.scalar("", TEXT))


class JsonWriter(JsonLinesWriter):
    """Writes each row after a separator; the bracket replaces that of the first row."""

    def __init__(self, sink: Sink, style: Style) -> None:
        super().__init__(sink, style)
        self._empty = True

    def batch(self, batch: pa.RecordBatch) -> None:
        if not batch.num_rows:
            return
        if self._empty:
            self._sink.text("[\n")
            self._sink.strings(self._objects(batch.slice(0, 1), "{", "}"))
            self._empty = False
            batch = batch.slice(1)
        if batch.num_rows:
            self._sink.strings(self._objects(batch, ",\n{", "}"))

    def end(self) -> None:
        self._sink.text("[]\n" if self._empty else "\n]\n")


def distinct_names(names: list[str]) -> list[str]:
    """Make names unique, as keys of an object must be: the second `a` becomes `a_1`, the third `a_2`."""
    counts = Counter(names)
    seen: set[str] = set()
    distinct = []
    for name in names:
        unique, number = name, 0
        while unique in seen or (number and unique in counts):
            number += 1
            unique = f"{name}_{number}"
        seen.add(unique)
        distinct.append(unique)
    return distinct
