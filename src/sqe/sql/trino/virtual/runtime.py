"""`system.runtime`: the user's own queries, and the gateway as the only node."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from sqe import __version__
from sqe.errors import EngineError, LimitError, QueryError, SqeError, UsageError
from sqe.model.query import QueryState
from sqe.sql.trino.virtual.definition import FLAG, LONG, TEXT, TIMESTAMP, Request, VirtualTable, part

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
        ("created", TIMESTAMP),
        ("started", TIMESTAMP),
        ("last_heartbeat", TIMESTAMP),
        ("end", TIMESTAMP),
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

# The first class that an error is an instance of counts; Trino has these four types.
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
        # In Trino, a canceled query is a failed one.
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


def _nodes(request: Request) -> Iterator[pa.Table]:  # noqa: ARG001 - the signature of `VirtualTable.fill`
    yield part(_NODES, 1, node_id="sqe", node_version=__version__, coordinator=True, state="active")


TABLES = (
    VirtualTable("runtime", "queries", _QUERIES, _queries),
    VirtualTable("runtime", "nodes", _NODES, _nodes),
)
