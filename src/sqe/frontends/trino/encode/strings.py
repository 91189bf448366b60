"""Encode strings. A search of the whole column finds the characters to escape, usually none."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from sqe.frontends.trino.encode.fragment import TEXT, Fragment, data_bytes, finished

_SHORT = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}
_FIRST_PRINTABLE = 0x20
_SEPARATORS_BEGIN = 0xE2  # the first byte of U+2028 and U+2029, which JavaScript reads as line ends
_SEPARATORS = {"\u2028": "\\u2028", "\u2029": "\\u2029"}


def strings(array: pa.Array) -> Fragment:
    return finished(escaped(readable(array)), '"', '"')


def readable(array: pa.Array) -> pa.Array:
    """Return as large_string. Spark's strings may hold bytes that are not UTF-8: each becomes U+FFFD."""
    text = array.cast(TEXT)
    try:
        text.validate(full=True)
    except pa.ArrowInvalid:
        values = text.cast(pa.large_binary()).to_pylist()
        return pa.array([value and value.decode("utf-8", "replace") for value in values], TEXT)
    return text


def escaped(text: pa.Array) -> pa.Array:
    """Escape the characters that JSON strings cannot hold; one pass for each one that occurs."""
    data = data_bytes(text)
    if len(data) == 0:
        return text
    if (data == ord("\\")).any():
        text = pc.replace_substring(text, "\\", "\\\\")
    if (data == ord('"')).any():
        text = pc.replace_substring(text, '"', '\\"')
    if data.min() < _FIRST_PRINTABLE:
        for code in sorted(set(data[data < _FIRST_PRINTABLE].tolist())):
            text = pc.replace_substring(text, chr(code), _SHORT.get(chr(code), f"\\u{code:04x}"))
    if (data == _SEPARATORS_BEGIN).any():
        for separator, escape in _SEPARATORS.items():
            text = pc.replace_substring(text, separator, escape)
    return text
