r"""Write results as csv and tsv.

csv (RFC 4180, line feeds): a value is quoted when it has to be; NULL is an empty field and an empty string is `""`.
tsv: nothing is quoted; tab, line ends and backslash are written `\t`, `\n`, `\r`, `\\`, and NULL is `\N`.
"""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from sqe.cli.output.escape import visible, visible_array
from sqe.cli.output.formats import Style
from sqe.cli.output.sink import Sink
from sqe.cli.output.text import TEXT, texts

_TSV_ESCAPES = (("\\", "\\\\"), ("\t", "\\t"), ("\n", "\\n"), ("\r", "\\r"))
_MAY_NEED_CARE = (  # types whose text can hold a delimiter; all others are digits and letters
    pa.types.is_string,
    pa.types.is_large_string,
    pa.types.is_string_view,
    pa.types.is_nested,
    pa.types.is_dictionary,
)


class DelimitedWriter:
    """Writes a header line, then one line for each row."""

    separator: str
    default_null: str

    def __init__(self, sink: Sink, style: Style) -> None:
        self._sink = sink
        self._style = style
        self._null = self.default_null if style.data_null is None else style.data_null

    def begin(self, schema: pa.Schema) -> None:
        if self._style.header:
            names = [visible(name) if self._style.terminal else name for name in schema.names]
            cells = self._protect(pa.array(names, TEXT)).to_pylist()
            self._sink.text(self.separator.join(cells) + "\n")

    def batch(self, batch: pa.RecordBatch) -> None:
        if not batch.num_rows:
            return
        columns = [self._column(column) for column in batch.columns]
        rows = pc.binary_join_element_wise(
            *columns, pa.scalar(self.separator, TEXT), null_handling="replace", null_replacement=self._null
        )
        self._sink.strings(pc.binary_join_element_wise(rows, pa.scalar("\n", TEXT), pa.scalar("", TEXT)))

    def end(self) -> None:
        return

    def _column(self, column: pa.Array) -> pa.Array:
        text = texts(column)
        if not any(test(column.type) for test in _MAY_NEED_CARE):
            return text
        return self._protect(visible_array(text) if self._style.terminal else text)

    def _protect(self, text: pa.Array) -> pa.Array:
        raise NotImplementedError


class CsvWriter(DelimitedWriter):
    separator = ","
    default_null = ""

    def _protect(self, text: pa.Array) -> pa.Array:
        unsafe = pc.or_(
            pc.match_substring_regex(text, r'[",\r\n]|^\s|\s$'), pc.equal(text, pa.scalar(self._null, TEXT))
        )
        if not pc.any(unsafe).as_py():
            return text
        quote = pa.scalar('"', TEXT)
        quoted = pc.binary_join_element_wise(
            quote, pc.replace_substring(text, '"', '""'), quote, pa.scalar("", TEXT)
        )
        return pc.if_else(unsafe, quoted, text)


class TsvWriter(DelimitedWriter):
    separator = "\t"
    default_null = r"\N"

    def _protect(self, text: pa.Array) -> pa.Array:
        if pc.any(pc.match_substring_regex(text, r"[\\\t\r\n]")).as_py():
            for plain, escaped in _TSV_ESCAPES:
                text = pc.replace_substring(text, plain, escaped)
        return text
