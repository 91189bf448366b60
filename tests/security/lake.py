"""A warehouse as it lies on disk: which metadata file each table and view has now.

To see that nothing has changed, and to put everything back after a statement of the control user that did.
"""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

_SECONDS = 20.0
_TABLES = ("iceberg_tables", "iceberg_namespace_properties")

Content = dict[str, list[tuple[object, ...]]]


@dataclass(frozen=True)
class Lake:
    directory: Path
    copies: Path
    """Where all files are kept once more, for when a statement removes some."""

    def content(self) -> Content:
        """The catalog's own tables: a commit of any kind changes them."""
        with self._opened() as database:
            return {
                table: sorted(database.execute(f"SELECT * FROM {table}").fetchall(), key=repr)
                for table in _TABLES
            }

    def files(self) -> set[str]:
        data = self.directory / "data"
        return {str(path.relative_to(data)) for path in data.rglob("*") if path.is_file()}

    def keep(self) -> None:
        """Remember the files that are there now."""
        shutil.copytree(self.directory / "data", self.copies, dirs_exist_ok=True)

    def restore(self, content: Content) -> None:
        data = self.directory / "data"
        for path in self.copies.rglob("*"):
            there = data / path.relative_to(self.copies)
            if path.is_file() and not there.exists():
                there.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, there)
        with self._opened() as database, database:
            for table in _TABLES:
                database.execute(f"DELETE FROM {table}")
                for row in content[table]:
                    marks = ", ".join("?" * len(row))
                    database.execute(f"INSERT INTO {table} VALUES ({marks})", row)

    def _opened(self) -> closing[sqlite3.Connection]:
        name = quote(str(self.directory / "catalog.db"))
        return closing(sqlite3.connect(f"file:{name}?mode=rw", uri=True, timeout=_SECONDS))
