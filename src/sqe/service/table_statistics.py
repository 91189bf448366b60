"""Write SHOW STATS FOR a table as a query on the table's metadata: the figures that Iceberg keeps of each file."""
# ruff: noqa: S608  # this module quotes every name and every text in the SQL that it generates

from __future__ import annotations

from collections.abc import Callable

import pyarrow as pa

from sqe.errors import AccessDeniedError, PolicyUnavailableError, TableNotFoundError, UnsupportedError
from sqe.model.query import QueryId
from sqe.model.session import Dialect
from sqe.service.engine_text import scope_of
from sqe.service.listing import Listing
from sqe.service.session import GatewaySession
from sqe.sql.namespace import split
from sqe.sql.quote import trino_name, trino_text
from sqe.sql.statement import Statement, read
from sqe.sql.trino.statement_editor import StatementEditor

_METRICS = "readable_metrics"
_NAMES = "column_name, data_size, distinct_values_count, nulls_fraction, row_count, low_value, high_value"


def with_statistics(
    session: GatewaySession, statement: Statement, query_id: QueryId, *, given_up: Callable[[], bool]
) -> Statement:
    """Return the query for SHOW STATS FOR a table whose files the user may list; any other statement as it is.

    Without the list, for a view or under a policy, the statement is translated to one without figures. Raises SqeError.
    """
    words = [token.keyword for token in statement.tokens[:3]]
    if statement.dialect is not Dialect.TRINO or words != ["SHOW", "STATS", "FOR"]:
        return statement
    editor = StatementEditor(statement.text, list(statement.tokens), scope_of(session))
    editor.reader.index = 3
    if editor.reader.at_symbol("("):
        return statement  # which is refused
    catalog, schema, table = editor.full_name(editor.reader.qualified())
    if catalog is None or schema is None or editor.reader.left:
        return statement
    columns = Listing(session.engine, session.spec, query_id, given_up=given_up).columns(
        catalog, schema, table
    )
    try:
        files = session.engine.table_schema((catalog, *split(schema), table, "files"), query_id)
    except PolicyUnavailableError:
        raise
    except (AccessDeniedError, TableNotFoundError, UnsupportedError):
        return statement
    metrics = files.field(_METRICS).type if _METRICS in files.names else pa.struct([])
    known = {metrics.field(number).name for number in range(metrics.num_fields)}
    listed = ".".join(trino_name(part) for part in (catalog, *split(schema), f"{table}$files"))
    return read(_query(listed, columns, known), statement.dialect)


def _query(files: str, columns: pa.Schema, known: set[str]) -> str:
    figures = [
        "count_if(content = 2) AS equality_deletes",
        "coalesce(sum(if(content = 0, record_count, -record_count)), 0) AS n",
    ]
    rows = []
    for number, field in enumerate(columns):
        if field.name not in known:
            rows.append(f"ROW({trino_text(field.name)}, NULL, NULL, NULL, NULL, NULL, NULL)")
            continue
        of = f"{_METRICS}.{trino_name(field.name)}"
        figures += [
            f"sum(if(content = 0, {of}.value_count)) AS v{number}",
            f"sum(if(content = 0, {of}.null_value_count)) AS z{number}",
        ]
        fraction = f"CAST(z{number} AS double) / nullif(v{number}, 0)"
        size = low = high = "NULL"
        if _has_range(field.type):
            # Without the bounds of one file nothing is known of all.
            unknown = f"content = 0 AND {of}.lower_bound IS NULL AND {of}.value_count > {of}.null_value_count"
            figures += [
                f"count_if({unknown}) AS u{number}",
                f"min(if(content = 0, {of}.lower_bound)) AS l{number}",
                f"max(if(content = 0, {of}.upper_bound)) AS h{number}",
            ]
            text = (
                "json_format(CAST({} AS json))" if pa.types.is_floating(field.type) else "CAST({} AS varchar)"
            )
            low, high = (f"if(u{number} = 0, {text.format(f'{bound}{number}')})" for bound in "lh")
        else:
            figures.append(f"sum(if(content = 0, {of}.column_size)) AS s{number}")
            size = f"CAST(s{number} AS double)"
        rows.append(f"ROW({trino_text(field.name)}, {size}, NULL, {fraction}, NULL, {low}, {high})")
    rows.append("ROW(NULL, NULL, NULL, NULL, if(equality_deletes = 0, CAST(n AS double)), NULL, NULL)")
    typed = "array(row(c varchar, s double, d double, f double, n double, l varchar, h varchar))"  # where all are NULL
    return (
        f"SELECT t.* FROM (SELECT {', '.join(figures)} FROM {files}) AS f"
        f" CROSS JOIN UNNEST(CAST(ARRAY[{', '.join(rows)}] AS {typed})) AS t({_NAMES})"
    )


def _has_range(kind: pa.DataType) -> bool:
    """Whether Trino shows the smallest and the largest value of a type."""
    numeric = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
    return bool(numeric or pa.types.is_date(kind) or pa.types.is_timestamp(kind) or pa.types.is_boolean(kind))
