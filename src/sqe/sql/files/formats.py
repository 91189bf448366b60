"""The file formats that can be read as tables: extensions, and the options of `read_csv` and similar functions.

An option's Spark name is a reader option of Spark's data source of the same format. What Spark does by itself, such as
partition columns from directory names, needs no option.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from sqe.errors import UnsupportedError, UsageError


class Kind(Enum):
    TEXT = "a string"
    FLAG = "true or false"
    CHOICE = "a choice"


@dataclass(frozen=True, slots=True)
class Option:
    """A named argument of a `read_…` function, and the reader option that it sets in Spark."""

    names: tuple[str, ...]
    spark: str
    kind: Kind = Kind.TEXT
    choices: Mapping[str, str] = field(default_factory=dict)  # allowed value: Spark's value


SCHEMA = "schema"  # not a reader option in Spark, but a separate field
COMPRESSION = "compression"  # compared with the extension, which Spark uses
LAYOUT = "layout"  # of JSON: a line per row, or one document

_ALL = (
    Option(("recursive",), "recursiveFileLookup", Kind.FLAG),
    Option(("path_filter",), "pathGlobFilter"),
    Option(("base_path",), "basePath"),
    Option(("schema", "columns"), SCHEMA),
)
_MODE = Option(("ignore_errors",), "mode", Kind.CHOICE, {"true": "DROPMALFORMED", "false": "FAILFAST"})
_DATED = (
    Option(("date_format", "dateformat"), "dateFormat"),
    Option(("timestamp_format", "timestampformat"), "timestampFormat"),
    Option(("encoding",), "encoding"),
    Option(("compression",), COMPRESSION),
    _MODE,
)

OPTIONS: Mapping[str, tuple[Option, ...]] = {
    "csv": (
        Option(("delimiter", "delim", "sep"), "sep"),
        Option(("header", "has_header"), "header", Kind.FLAG),
        Option(("quote",), "quote"),
        Option(("escape",), "escape"),
        Option(("comment",), "comment"),
        Option(("nullstr", "null"), "nullValue"),
        Option(("infer_schema", "auto_detect"), "inferSchema", Kind.FLAG),
        Option(("multiline", "multi_line"), "multiLine", Kind.FLAG),
        *_DATED,
        *_ALL,
    ),
    "json": (
        Option(
            ("format",),
            LAYOUT,
            Kind.CHOICE,
            {name: name for name in ("auto", "newline_delimited", "array")},
        ),
        *_DATED,
        *_ALL,
    ),
    "parquet": (Option(("merge_schema", "union_by_name"), "mergeSchema", Kind.FLAG), *_ALL),
    "orc": (Option(("merge_schema", "union_by_name"), "mergeSchema", Kind.FLAG), *_ALL),
    "avro": _ALL,
    "text": (
        Option(("whole_text",), "wholetext", Kind.FLAG),
        Option(("encoding",), "encoding"),
        Option(("compression",), COMPRESSION),
        *(option for option in _ALL if option.spark != SCHEMA),  # there is one column, and it is a string
    ),
}

FUNCTIONS: Mapping[str, str] = {f"read_{name}": name for name in OPTIONS}

# CSV as RFC 4180 has it: a quote inside quotes is doubled, where Spark alone would look for a backslash.
DEFAULTS: Mapping[str, Mapping[str, str]] = {
    "csv": {"header": "true", "inferSchema": "true", "escape": '"'},
}

_EXTENSIONS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    ".parquet": ("parquet", {}),
    ".pq": ("parquet", {}),
    ".csv": ("csv", {}),
    ".tsv": ("csv", {"sep": "\t"}),
    ".psv": ("csv", {"sep": "|"}),
    ".ssv": ("csv", {"sep": ";"}),
    ".json": ("json", {}),
    ".jsonl": ("json", {"multiLine": "false"}),
    ".ndjson": ("json", {"multiLine": "false"}),
    ".orc": ("orc", {}),
    ".avro": ("avro", {}),
}

# By extension, as Spark chooses them. The others are listed for a clear error message.
CODECS: Mapping[str, str] = {".gz": "gzip", ".bz2": "bzip2", ".deflate": "deflate", ".zst": "zstd"}
_FOREIGN_CODECS = frozenset(
    {".xz", ".lzma", ".lz4", ".snappy", ".zip", ".7z", ".br", ".z", ".lzo", ".tgz", ".tar"}
)


@dataclass(frozen=True, slots=True)
class FileFormat:
    name: str
    options: Mapping[str, str]


def format_of(path: str) -> FileFormat:
    """Return the format of a path by its extension.

    Raises:
        UnsupportedError: the extension or the compression is unknown.
    """
    stem, extension = _split_extension(path)
    codec = None
    if extension in CODECS or extension in _FOREIGN_CODECS:
        codec = extension
        stem, extension = _split_extension(stem)
    known = _EXTENSIONS.get(extension)
    if known is None:
        raise UnsupportedError(
            f"The name of '{path}' has no known extension.",
            hint=f"Known extensions: {', '.join(_EXTENSIONS)}; after those of text files also {', '.join(CODECS)}. "
            "For another name or a directory write read_parquet('…'), read_csv('…') or read_json('…'). "
            "Write a table's name in `backticks`, not in quotes.",
        )
    name, options = known
    if codec is not None and name not in ("csv", "json"):
        raise UnsupportedError(
            f"'{path}' cannot be read: {name} files are compressed inside, not as a whole.",
            hint=f"Unpack it to a file whose name ends in {extension}.",
        )
    if codec is not None:
        check_codec(path)
    return FileFormat(name, {**DEFAULTS.get(name, {}), **options})


def check_path(path: str) -> None:
    """Refuse a path that no file can have."""
    if not path.strip() or re.search("[\0\ud800-\udfff]", path):
        raise UsageError("A file's path is empty or has a character that paths cannot have.")


def check_codec(path: str) -> str | None:
    """Return the compression of a path by its extension, if any; refuse those that Spark cannot unpack."""
    extension = _split_extension(path)[1]
    if extension in _FOREIGN_CODECS:
        raise UnsupportedError(
            f"'{path}' cannot be read: the engine cannot unpack {extension} files.",
            hint=f"It unpacks {', '.join(CODECS)}.",
        )
    return CODECS.get(extension)


def _split_extension(path: str) -> tuple[str, str]:
    """Split off the extension, in lower case; a leading dot of the name does not begin an extension."""
    name = path.rpartition("/")[2]
    base, dot, extension = name.rpartition(".")
    if not dot or not base:
        return path, ""
    return path[: -len(extension) - 1], f".{extension.lower()}"


def option_of(format_name: str, name: str) -> Option:
    """Return the option of a function's named argument.

    Raises:
        UsageError: there is no such option; the hint names the nearest.
    """
    known = {alias: option for option in OPTIONS[format_name] for alias in option.names}
    option = known.get(name.lower())
    if option is None:
        nearest = difflib.get_close_matches(name.lower(), known, n=1)
        raise UsageError(
            f"read_{format_name} has no option '{name}'.",
            hint=(f"Did you mean '{nearest[0]}'? " if nearest else "")
            + f"It has {', '.join(option.names[0] for option in OPTIONS[format_name])}.",
        )
    return option
