"""Make the text that the engine gets from a client's statement, and move the positions of errors back.

Three things happen to a text on its way: it is translated from the session's dialect, references to tables that only
the gateway has (`information_schema`, `system.*`) become names of rows that are sent with the text, and files that are
named as tables become temporary views, where the session may do that.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

from sqe.errors import SqeError, UnsupportedError
from sqe.model.files import FileSource
from sqe.model.query import QueryId
from sqe.model.session import Dialect
from sqe.service.expansion import expanded
from sqe.service.session import GatewaySession
from sqe.service.stored_functions import with_functions
from sqe.sql.caps import check_depth
from sqe.sql.files.find import find_files
from sqe.sql.files.paths import resolve
from sqe.sql.files.table import VIEW_PREFIX
from sqe.sql.lexer import tokens
from sqe.sql.splice import Splice, replace
from sqe.sql.statement import Statement
from sqe.sql.trino.scope import Scope
from sqe.sql.trino.translate import Translation, refuse_own_functions, translate

if TYPE_CHECKING:
    from sqe.sql.trino.virtual.reference import VirtualReference

_OWN = 12  # characters of a query's id that make a view's name its own


@dataclass(frozen=True, slots=True)
class EngineText:
    """A statement as the engine gets it, with the rows of the virtual tables that it reads."""

    sql: str
    views: Mapping[str, pa.Table]

    @contextmanager
    def with_lasting_views(self, session: GatewaySession, query_id: QueryId) -> Iterator[str]:
        """Yield the text while its views are in the session, for requests that only take a text. Raises SqeError."""
        try:
            for name, rows in self.views.items():
                session.engine.register_rows(name, query_id, rows)
            yield self.sql
        finally:
            for name in self.views:
                session.engine.drop_view(name, query_id)


@contextmanager
def engine_text(
    session: GatewaySession,
    query_id: QueryId,
    statement: Statement,
    fill: Callable[[VirtualReference], pa.Table],
    max_depth: int,
) -> Iterator[EngineText]:
    """Yield a statement for the engine, with the files that it names in place as temporary views. Raises SqeError.

    Errors that are raised inside get their position moved to the text that the client sent. `fill` makes the rows of
    the virtual tables that the statement reads. What Spark gets is held to `max_depth` as what the client sent was.
    An error that the statement itself allows, such as a missing table by ALTER TABLE IF EXISTS, ends there.
    """
    translation: Translation | None = None
    splice: Splice | None = None
    virtual: dict[str, pa.Table] = {}
    try:
        refuse_own_functions(statement)
        statement = expanded(session, query_id, statement)
        scope = with_functions(session, query_id, statement, scope_of(session))
        translation = translate(statement, scope)
        text = translation.text
        if statement.dialect is not Dialect.SPARK:
            check_depth(text, max_depth)
            for reference in translation.virtual:
                view = _own_name(reference.view, query_id)
                text = text.replace(reference.view, view)
                virtual[view] = fill(reference)
        splice = _register_files(session, query_id, statement, text)
        yield EngineText(splice.text if splice is not None else text, virtual)
    except SqeError as error:
        if splice is not None and error.position is not None:
            error.position = splice.original_position(error.position)
        if translation is not None:
            if isinstance(error, translation.allowed):
                return
            translation.place(error)
        raise


def scope_of(session: GatewaySession) -> Scope:
    """Return what names and functions of a text mean in this session."""
    spec = session.spec
    return Scope(spec.current_catalog, spec.namespace, session.user, spec.time_zone)


def _own_name(view: str, query_id: QueryId) -> str:
    """Return a name that no other query of the session uses, as long as the first: no position in the text moves."""
    own = query_id[-_OWN:]
    return view[: -len(own)] + own


def _register_files(
    session: GatewaySession, query_id: QueryId, statement: Statement, text: str
) -> Splice | None:
    same = statement.dialect is Dialect.SPARK and statement.session is None
    found = find_files(text, (lambda _: statement.tokens) if same else tokens)
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
    return replace(text, views)


def _view_name(source: FileSource) -> str:
    """Return one name for the same files read in the same way: a session that reads one file often keeps one view."""
    options = (f"{key}={value}" for key, value in sorted(source.options.items()))
    parts = (source.format, source.schema or "", *source.paths, *options)
    return VIEW_PREFIX + hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
