"""Escape control characters, so that no value, name or message controls the user's terminal."""

from __future__ import annotations

import re

import pyarrow as pa
import pyarrow.compute as pc

# C0 and C1 controls (ESC, and CSI as one character), line separators, and the marks that reorder text on a screen.
CONTROL_CLASS = "\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff"
_CONTROL = re.compile(f"[{CONTROL_CLASS}]")
_CONTROL_OR_SURROGATE = re.compile(f"[{CONTROL_CLASS}\ud800-\udfff]")
CONTROL_RE2 = r"[\x00-\x1f\x7f-\x{9f}\x{61c}\x{200e}\x{200f}\x{2028}-\x{202e}\x{2066}-\x{2069}\x{feff}]"
_SHORT = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}


def _escape(match: re.Match[str]) -> str:
    character = match.group()
    code = ord(character)
    return _SHORT.get(character) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")


def visible(text: str) -> str:
    r"""Replace control characters by their escapes: `\n`, `\x1b`, `\u202e`."""
    return _CONTROL_OR_SURROGATE.sub(_escape, text)


def visible_lines(text: str) -> str:
    """Apply `visible`, but keep line ends and turn tabs into blanks."""
    return "\n".join(visible(line) for line in text.expandtabs(4).replace("\r\n", "\n").split("\n"))


def visible_array(array: pa.Array) -> pa.Array:
    """Apply `visible` to a large_string column."""
    if not pc.any(pc.match_substring_regex(array, CONTROL_RE2)).as_py():
        return array
    return pa.array(
        [None if text is None else _CONTROL.sub(_escape, text) for text in array.to_pylist()], array.type
    )
