"""The type of files that a statement uses as a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from sqe.model.files import FileSource

VIEW_PREFIX = "sqe_file_"
"""The prefix of the temporary views for files, which listings do not show."""


@dataclass(frozen=True, slots=True)
class FileTable:
    """Files that a statement uses as a table."""

    start: int  # of the part of the statement that names them
    end: int
    format: str  # of Spark's data source: parquet, csv, json, orc, avro or text
    paths: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))  # of Spark's reader
    schema: str | None = None  # as in CREATE TABLE; None: from the files

    @property
    def source(self) -> FileSource:
        """The files without their position in the statement."""
        return FileSource(self.format, self.paths, self.options, self.schema)
