"""Text cells padded and cut by their display width, for the formats that people read."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from sqe.cli.output.escape import visible_array
from sqe.cli.output.text import TEXT, texts

ELLIPSIS = "…"
DIM, PLAIN = "\x1b[2m", "\x1b[0m"


def width(text: str) -> int:
    """Return how many terminal columns the text takes: wide characters take two, combining ones none."""
    if text.isascii():
        return len(text)
    from wcwidth import wcswidth

    return max(wcswidth(text), 0)


def shown(column: pa.Array) -> pa.Array:
    """Turn a column into text without control characters; nulls stay."""
    return visible_array(texts(column))


def widest(text: pa.Array, null: str) -> int:
    """Return the width that the column needs."""
    least = width(null) if text.null_count else 0
    if _ascii(text):
        return max(least, pc.max(pc.binary_length(text)).as_py() or 0)
    return max(least, *(width(value) for value in text.to_pylist() if value is not None), 0)


def pad(text: str, size: int, *, right: bool = False) -> str:
    blanks = " " * (size - width(text))
    return blanks + text if right else text + blanks


def center(text: str, size: int) -> str:
    blanks = max(size - width(text), 0)
    return " " * (blanks // 2) + text + " " * (blanks - blanks // 2)


def cut(text: str, size: int) -> str:
    """Shorten to `size` columns, with an ellipsis at the end when something is missing."""
    if width(text) <= size:
        return text
    kept, room = [], size - 1
    for character in text:
        room -= width(character)
        if room < 0:
            break
        kept.append(character)
    return "".join(kept) + ELLIPSIS


def cut_all(text: pa.Array, size: int) -> pa.Array:
    """Apply `cut` to a column."""
    if widest(text, "") <= size:
        return text
    return pa.array([None if value is None else cut(value, size) for value in text.to_pylist()], TEXT)


def padded(text: pa.Array, size: int, null: str, *, right: bool = False, dim_null: bool = False) -> pa.Array:
    """Give every cell the same width and put `null` where there is no value; wider cells stay as they are."""
    if not _ascii(text):
        full = pa.array(
            [None if value is None else pad(value, size, right=right) for value in text.to_pylist()], TEXT
        )
    elif right:
        full = pc.utf8_lpad(text, size)
    else:
        full = pc.utf8_rpad(text, size)
    if not text.null_count:
        return full
    mark = pad(null, size, right=right)
    return full.fill_null(f"{DIM}{mark}{PLAIN}" if dim_null else mark)


def _ascii(text: pa.Array) -> bool:
    return pc.all(pc.string_is_ascii(text)).as_py() is not False
