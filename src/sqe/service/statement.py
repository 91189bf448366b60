"""From the text that a client sent to the text that Spark gets, and back again for the places of errors."""

from __future__ import annotations

import hashlib

from sqe.engine.interface import EngineSession
from sqe.errors import SqeError, UnsupportedError
from sqe.model.files import FileSource
from sqe.model.query import QueryId
from sqe.model.session import SessionSpec
from sqe.sql.file_paths import resolve
from sqe.sql.file_table import VIEW_PREFIX
from sqe.sql.files import find_files
from sqe.sql.splice import Splice, replace


class PreparedStatement:
    """A statement whose file names have become temporary views of the session."""

    def __init__(self, original: str, splice: Splice | None) -> None:
        self._original = original
        self._splice = splice

    @property
    def text(self) -> str:
        return self._splice.text if self._splice is not None else self._original

    def place(self, error: SqeError) -> None:
        """Move an error's place from the text that Spark saw to the text that the client sent."""
        if self._splice is not None and error.position is not None:
            error.position = self._splice.original_position(error.position)


def prepare(session: EngineSession, spec: SessionSpec, query_id: QueryId, sql: str) -> PreparedStatement:
    """Register the files that `sql` names. Raises SqeError."""
    found = find_files(sql)
    if not found:
        return PreparedStatement(sql, None)
    if spec.directory is None:
        raise UnsupportedError("Files cannot be named in SQL on this server.")
    views = []
    for table in found:
        source = resolve(table, spec.directory).source
        name = _view_name(source)
        session.register_file_view(name, query_id, source)
        views.append((table, name))
    return PreparedStatement(sql, replace(sql, views))


def _view_name(source: FileSource) -> str:
    """The same for the same files read in the same way: a session that reads one file often keeps one view."""
    options = (f"{key}={value}" for key, value in sorted(source.options.items()))
    parts = (source.format, source.schema or "", *source.paths, *options)
    return VIEW_PREFIX + hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
