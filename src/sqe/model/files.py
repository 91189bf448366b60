"""Files that Spark reads as a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FileSource:
    """The files, their format and the options of the reader."""

    format: str  # of Spark's data source: parquet, csv, json, orc, avro or text
    paths: tuple[str, ...]
    options: Mapping[str, str]  # of Spark's reader
    schema: str | None  # as in CREATE TABLE; None: from the files
