"""Replace the parts of a statement that SQE has and neither Spark nor Trino: incremental reads, and table_health."""

from __future__ import annotations

import pyarrow as pa

from sqe.model.query import QueryId
from sqe.model.session import Dialect
from sqe.service.session import GatewaySession
from sqe.sql.incremental import with_changes
from sqe.sql.namespace import split
from sqe.sql.quote import quote_name
from sqe.sql.statement import Statement, read
from sqe.sql.table_health import DEFAULT_TARGET, TARGET_PROPERTY, HealthCall, health_call, health_query


def expanded(session: GatewaySession, query_id: QueryId, statement: Statement) -> Statement:
    """Return what the engine can run, or what can be translated to it. Raises SqeError."""
    if statement.session is not None or statement.policy is not None:
        return statement
    call = health_call(statement)
    if call is not None:
        return read(_health(session, query_id, call), Dialect.SPARK)
    return with_changes(statement, lambda: _current_schema(session, query_id))


def _current_schema(session: GatewaySession, query_id: QueryId) -> tuple[str, ...]:
    """Return the catalog and the namespace. Spark knows them: the shell's USE is a statement of Spark's."""
    row = _ask(session, query_id, "SELECT current_catalog() AS c, current_schema() AS s").to_pylist()[0]
    return row["c"], *split(row["s"])


def _health(session: GatewaySession, query_id: QueryId, call: HealthCall) -> str:
    catalog, *schema = _current_schema(session, query_id)
    parts = list(call.table)
    if call.catalog is not None and call.catalog != catalog:
        catalog, schema = call.catalog, []
    if parts[0].lower() == catalog.lower() and len(parts) > 1:
        parts = parts[1:]
    table = (catalog, *(schema if len(parts) == 1 else ()), *parts)
    properties = _ask(session, query_id, f"SHOW TBLPROPERTIES {quote_name(*table)}").to_pylist()
    target = {row["key"]: row["value"] for row in properties}.get(TARGET_PROPERTY, "")
    files = session.engine.table_schema((*table, "files"), query_id)
    return health_query(
        table,
        int(target) if target.isdecimal() else DEFAULT_TARGET,
        partitioned="partition" in files.names,
    )


def _ask(session: GatewaySession, query_id: QueryId, sql: str) -> pa.Table:
    schema, *batches = session.engine.stream(sql, query_id, lambda progress: None, ())
    return pa.Table.from_batches(batches, schema)
