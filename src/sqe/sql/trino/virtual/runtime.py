"""`system.runtime`: the user's own queries, and the one node that a gateway is."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from sqe import __version__
from sqe.errors import EngineError, LimitError, QueryError, SqeError, UsageError
from sqe.model.query import QueryState
from sqe.sql.trino.virtual.definition import FLAG, LONG, MOMENT, TEXT, Request, VirtualTable, part

_QUERIES = pa.schema(
    [
        ("query_id", TEXT),
        ("state", TEXT),
        ("user", TEXT),
        ("source", TEXT),
        ("query", TEXT),
        ("resource_group_id", pa.list_(TEXT)),
        ("queued_time_ms", LONG),
        ("analysis_time_ms", LONG),
        ("planning_time_ms", LONG),
        ("created", MOMENT),
        ("started", MOMENT),
        ("last_heartbeat", MOMENT),
        ("end", MOMENT),
        ("error_type", TEXT),
        ("error_code", TEXT),
    ]
)
_NODES = pa.schema(
    [
        ("node_id", TEXT),
        ("http_uri", TEXT),
        ("node_version", TEXT),
        ("coordinator", FLAG),
        ("state", TEXT),
    ]
)

# The first that an error is an instance of; Trino knows these four.
_ERROR_TYPES: tuple[tuple[type[SqeError], str], ...] = (
    (LimitError, "INSUFFICIENT_RESOURCES"),
    (QueryError, "USER_ERROR"),
    (UsageError, "USER_ERROR"),
    (EngineError, "EXTERNAL"),
    (SqeError, "INTERNAL_ERROR"),
)


def _queries(request: Request) -> Iterator[pa.Table]:
    own = [query for query in request.queries if query.user == request.scope.user]
    yield part(
        _QUERIES,
        len(own),
        query_id=[query.id for query in own],
        # To Trino, a canceled query is one that failed.
        state=["FAILED" if query.state is QueryState.CANCELED else query.state.value for query in own],
        user=request.scope.user,
        source=[query.source for query in own],
        query=[query.sql for query in own],
        created=[query.created for query in own],
        started=[None if query.state is QueryState.QUEUED else query.created for query in own],
        end=[query.ended for query in own],
        error_type=[_error_type(query.error) for query in own],
        error_code=[query.error.code if query.error else None for query in own],
    )


def _error_type(error: SqeError | None) -> str | None:
    if error is None:
        return None
    return next(name for kind, name in _ERROR_TYPES if isinstance(error, kind))


def _nodes(request: Request) -> Iterator[pa.Table]:  # noqa: ARG001 - as all that fill a table
    yield part(_NODES, 1, node_id="sqe", node_version=__version__, coordinator=True, state="active")


TABLES = (
    VirtualTable("runtime", "queries", _QUERIES, _queries),
    VirtualTable("runtime", "nodes", _NODES, _nodes),
)
