"""From the text that a client sent to the text that Spark gets, and back again for the places of errors.

Three things happen to a text on its way: it is translated from the session's dialect, references to tables that only
the gateway has (`information_schema`, `system.*`) become temporary views over their rows, and so do files that are
named as tables, where the session may do that.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

from sqe.errors import SqeError, UnsupportedError
from sqe.model.files import FileSource
from sqe.model.query import QueryId
from sqe.model.session import Dialect
from sqe.model.statement import StatementKind
from sqe.service.session import GatewaySession
from sqe.sql.caps import check_depth
from sqe.sql.classify import classify
from sqe.sql.files.find import find_files
from sqe.sql.files.paths import resolve
from sqe.sql.files.table import VIEW_PREFIX
from sqe.sql.splice import Splice, replace
from sqe.sql.trino.scope import Scope

if TYPE_CHECKING:
    from sqe.sql.trino.translate import Translation
    from sqe.sql.trino.virtual.reference import VirtualReference

_OWN = 12  # characters of a query's id that make a view's name its own


@dataclass(frozen=True, slots=True)
class PreparedStatement:
    """A statement as Spark gets it."""

    text: str
    kind: StatementKind


@contextmanager
def prepare(
    session: GatewaySession,
    query_id: QueryId,
    sql: str,
    fill: Callable[[VirtualReference], pa.Table],
    max_depth: int,
) -> Iterator[PreparedStatement]:
    """Make a statement ready for Spark, for as long as it runs. Raises SqeError.

    Errors that are raised inside get their place moved to the text that the client sent. `fill` makes the rows of the
    virtual tables that it reads. What Spark gets is held to `max_depth` as what the client sent was.
    """
    kind = classify(sql, session.spec.dialect).kind
    translation: Translation | None = None
    splice: Splice | None = None
    virtual: list[str] = []
    try:
        try:
            text = sql
            if session.spec.dialect is not Dialect.SPARK:
                from sqe.sql.trino.translate import (
                    translate,  # loads a parser, which the shell can do without
                )

                translation = translate(sql, session.spec.dialect, scope_of(session))
                text = translation.text
                check_depth(text, max_depth)
                for reference in translation.virtual:
                    view = _own_name(reference.view, query_id)
                    text = text.replace(reference.view, view)
                    virtual.append(view)
                    session.engine.register_rows(view, query_id, fill(reference))
            splice = _register_files(session, query_id, text)
            yield PreparedStatement(splice.text if splice is not None else text, kind)
        except SqeError as error:
            if splice is not None and error.position is not None:
                error.position = splice.original_position(error.position)
            if translation is not None:
                translation.place(error)
            raise
    finally:
        for view in virtual:
            session.engine.drop_view(view, query_id)


def scope_of(session: GatewaySession) -> Scope:
    """What names and functions of a text mean in this session."""
    spec = session.spec
    return Scope(spec.current_catalog, spec.namespace, session.user, spec.time_zone)


def _own_name(view: str, query_id: QueryId) -> str:
    """A name that no other query of the same session uses; as long as the first, so that no place in the text moves."""
    own = query_id[-_OWN:]
    return view[: -len(own)] + own


def _register_files(session: GatewaySession, query_id: QueryId, sql: str) -> Splice | None:
    found = find_files(sql)
    if not found:
        return None
    if session.spec.directory is None:
        raise UnsupportedError("Files cannot be named in SQL on this server.")
    views = []
    for table in found:
        source = resolve(table, session.spec.directory).source
        name = _view_name(source)
        session.engine.register_file_view(name, query_id, source)
        views.append((table, name))
    return replace(sql, views)


def _view_name(source: FileSource) -> str:
    """The same for the same files read in the same way: a session that reads one file often keeps one view."""
    options = (f"{key}={value}" for key, value in sorted(source.options.items()))
    parts = (source.format, source.schema or "", *source.paths, *options)
    return VIEW_PREFIX + hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
