"""Resolve the paths in a statement to the files on this machine."""

from __future__ import annotations

import bz2
import glob
import gzip
import json
import os
import re
import zlib
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, pairwise
from pathlib import Path
from types import MappingProxyType

from sqe.errors import FileAccessError, UnsupportedError
from sqe.sql.files.formats import check_codec
from sqe.sql.files.table import FileTable

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]*):/")
_MAGIC = re.compile(r"[*?\[\]{}\\]")
_MOST_ALTERNATIVES = 1000
_MOST_FILES = 20_000
_SNIFFED_BYTES = 64 * 1024


def resolve(table: FileTable, directory: Path | None) -> FileTable:
    """Return the table with absolute paths, as Spark's reader takes them, and with options that depend on the files.

    Relative paths start at `directory`, the client's. A path that exists as written is that file or directory, even
    with `*` or `[` in its name; any other is a pattern (`*`, `?`, `[a-z]`, `{a,b}`, and `**` for directories at any
    depth). The gateway resolves patterns, because Spark does not support `**` and fails on a directory with a colon in
    the name of a file.

    Raises:
        UnsupportedError: the session has no files, or the address is not a file's.
        FileAccessError: there is no such file, or it is unreadable.
    """
    if directory is None:
        raise UnsupportedError("This session cannot use files as tables.")
    files: dict[str, None] = {}  # in order, each once
    for written in table.paths:
        found = list(islice(_search(_absolute(written, directory)), _MOST_FILES + 1))
        if not found:
            start = "" if written.startswith(("/", "~", "file:")) else f"Relative paths start at {directory}."
            raise FileAccessError(f"No file matches '{written}'.", hint=start or None)
        if len(found) > _MOST_FILES:
            raise UnsupportedError(
                f"More than {_MOST_FILES} files match '{written}'.",
                hint=f"Read their directory: read_{table.format}('dir', recursive => true, path_filter => '*.x').",
            )
        for path in found:
            _check_readable(written, path)
            if table.format in ("csv", "json", "text"):
                check_codec(path)
        files.update(dict.fromkeys(found))
    options = dict(table.options)
    if "basePath" in options:
        options["basePath"] = "file://" + _absolute(options["basePath"], directory)
    if table.format == "json" and "multiLine" not in options:
        options["multiLine"] = "true" if _is_document(next(iter(files))) else "false"
    paths = tuple("file://" + _MAGIC.sub(r"\\\g<0>", path) for path in files)
    return replace(table, paths=paths, options=MappingProxyType(options))


def _absolute(written: str, directory: Path) -> str:
    scheme = _SCHEME.match(written)
    if scheme is not None and scheme[1].lower() != "file":
        raise UnsupportedError(
            f"'{written}' cannot be read: only files of this machine can be used as tables.",
            hint="Register the data as a table of a catalog instead.",
        )
    if scheme is not None:
        written = re.sub(r"^(?i:file):(?://(?=/))?", "", written)
    try:
        return os.path.normpath(directory / Path(written).expanduser())
    except RuntimeError:
        raise FileAccessError(f"'{written}' starts in the home of an unknown user.") from None


def _search(path: str) -> Iterator[str]:
    """Yield the files and directories that a path matches."""
    if os.path.lexists(path):
        yield path
        return
    alternatives = list(islice(_alternatives(path), _MOST_ALTERNATIVES + 1))
    if len(alternatives) > _MOST_ALTERNATIVES:
        raise UnsupportedError(f"A path has more than {_MOST_ALTERNATIVES} alternatives in its braces.")
    for alternative in alternatives:
        # Hadoop's syntax, so that patterns mean the same in path_filter: ^ negates, a backslash escapes.
        pattern = re.sub(r"\\(.)", lambda match: glob.escape(match[1]), alternative).replace("[^", "[!")
        deep = "**" in pattern.split("/")
        for found in sorted(glob.iglob(pattern, recursive=True)):  # noqa: PTH207 - patterns here are absolute
            # A directory that `**` matches is skipped: its files match as well.
            if not _ignored(found) and not (deep and Path(found).is_dir()):
                yield found


def _ignored(path: str) -> bool:
    """Return whether Spark ignores a file for its name, such as _SUCCESS."""
    name = Path(path).name
    return name.startswith(".") or (name.startswith("_") and "=" not in name)


def _alternatives(pattern: str) -> Iterator[str]:
    """Yield the expansions of the braces in a pattern, as a shell does."""
    start = pattern.find("{")
    depth = 0
    cuts = [start]
    for index in range(start, len(pattern)) if start >= 0 else ():
        character = pattern[index]
        depth += (character == "{") - (character == "}")
        if depth == 0 or (character == "," and depth == 1):
            cuts.append(index)
        if depth == 0:
            break
    else:
        yield pattern
        return
    for left, right in pairwise(cuts):
        yield from _alternatives(pattern[:start] + pattern[left + 1 : right] + pattern[cuts[-1] + 1 :])


def _check_readable(written: str, found: str) -> None:
    if not Path(found).exists():
        raise FileAccessError(f"'{written}' is a link to a file that does not exist.")
    if not os.access(found, os.R_OK):
        raise FileAccessError(f"'{written}' cannot be read: permission denied.")
    if ":" in Path(found).name:
        raise FileAccessError(
            f"'{found}' cannot be read: the engine cannot open files with a colon in their names.",
            hint="Rename it.",
        )
    if _ignored(found):
        raise FileAccessError(
            f"'{written}' cannot be read: the engine ignores files whose names start with '_' or '.'.",
            hint="Rename it.",
        )


def _is_document(path: str) -> bool:
    """Return whether a JSON file is one array or one object over several lines, and not a row in each line."""
    if Path(path).is_dir():
        files = sorted(
            entry.path for entry in os.scandir(path) if entry.is_file() and entry.name[0] not in "._"
        )
        return bool(files) and _is_document(files[0])
    try:
        head = _head(path).decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    except (OSError, EOFError, zlib.error):
        return False  # the content does not match the extension: Spark reports it
    if head.startswith("["):
        return True
    line, newline, _ = head.partition("\n")
    if not newline:
        return False
    try:
        json.loads(line)
    except ValueError:
        return True
    return False


def _head(path: str) -> bytes:
    if path.endswith(".gz"):
        with gzip.open(path) as stream:
            return stream.read(_SNIFFED_BYTES)
    if path.endswith(".bz2"):
        with bz2.open(path) as stream:
            return stream.read(_SNIFFED_BYTES)
    with Path(path).open("rb") as stream:
        return stream.read(_SNIFFED_BYTES)
