"""Read scripts as a sequence of statements and dot commands, as the text arrives."""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from sqe.errors import UsageError
from sqe.sql.split import Splitter

CHUNK = 1 << 16
DOT_MARKS = (".", "\\")  # `\q` as in psql; no SQL statement starts with either


@dataclass(frozen=True, slots=True)
class Item:
    """One statement, or the line of one dot command."""

    text: str
    line: int
    dot: bool = False


def is_dot(line: str) -> bool:
    return line.lstrip().startswith(DOT_MARKS)


def items(chunks: Iterable[str]) -> Iterator[Item]:
    """Yield the items of a script, each as soon as it is complete; the last may lack its `;`."""
    splitter, above = _splitter(), 0
    for number, line in enumerate(_lines(chunks), start=1):
        if splitter.ended and is_dot(line):
            yield Item(line.strip(), number, dot=True)
            splitter, above = _splitter(), number
            continue
        for statement in splitter.feed(line):
            yield Item(statement.text, above + statement.line)
    for statement in splitter.finish():
        yield Item(statement.text, above + statement.line)


def _splitter() -> Splitter:
    """Return a splitter that has ended, so that `ended` means that no statement is pending."""
    splitter = Splitter()
    for _ in splitter.feed(";"):
        raise AssertionError("nothing comes before the first semicolon")
    return splitter


def _lines(chunks: Iterable[str]) -> Iterator[str]:
    """Cut chunks into lines with their ends; only a line feed ends a line, as for SQL's comments."""
    pending: list[str] = []
    for chunk in chunks:
        *ended, rest = chunk.split("\n")
        for line in ended:
            yield "".join([*pending, line, "\n"])
            pending.clear()
        pending.append(rest)
    if last := "".join(pending):
        yield last


def file_chunks(path: Path) -> Iterator[str]:
    """Read a script's text. Raises UsageError."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError as error:
        raise UsageError(f"The script '{path}' cannot be read: {error.strerror}.") from None
    try:
        yield from descriptor_chunks(descriptor, str(path))
    finally:
        os.close(descriptor)


def descriptor_chunks(descriptor: int, name: str) -> Iterator[str]:
    """Read text as it comes, so that statements from a pipe run before it ends. Raises UsageError."""
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    try:
        while block := os.read(descriptor, CHUNK):
            yield decoder.decode(block)
        yield decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        raise UsageError(f"The script '{name}' is not UTF-8 text.") from None
    except OSError as error:
        raise UsageError(f"The script '{name}' cannot be read: {error.strerror}.") from None
