"""Files that take the place of a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from sqe.model.files import FileSource

VIEW_PREFIX = "sqe_file_"
"""How the names of the temporary views begin that stand for files; people are not shown them."""


@dataclass(frozen=True, slots=True)
class FileTable:
    """Files that a statement uses as a table."""

    start: int  # the part of the statement that stands for them
    end: int
    format: str  # of Spark's data source: parquet, csv, json, orc, avro or text
    paths: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))  # of Spark's reader
    schema: str | None = None  # as in CREATE TABLE; None: from the files

    @property
    def source(self) -> FileSource:
        """The files without their place in the statement."""
        return FileSource(self.format, self.paths, self.options, self.schema)
