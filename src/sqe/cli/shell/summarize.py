"""`.summarize`: one query that describes every column of a table."""

from __future__ import annotations

import pyarrow as pa

from sqe.cli.output.spark_types import type_name
from sqe.sql.quote import quote_identifier, quote_literal

OUTPUT = ("column_name", "column_type", "count", "approx_distinct", "nulls", "min", "max")


def summarize_sql(relation: str, schema: pa.Schema) -> str:
    """Build the query: every aggregate in one pass over the table, then one row for each column.

    Distinct values are estimated: exact counts of all columns at once would make Spark copy every row for each column.
    Nested values have no order, so that they only count.
    """
    aggregates, rows = ["count(*) AS n"], []
    for index, field in enumerate(schema):
        column = quote_identifier(field.name)
        aggregates.append(f"count({column}) AS k{index}")
        values = ["CAST(NULL AS BIGINT)", "CAST(NULL AS STRING)", "CAST(NULL AS STRING)"]
        if not pa.types.is_nested(field.type) and not pa.types.is_null(field.type):
            text = "hex({})" if pa.types.is_binary(field.type) else "CAST({} AS STRING)"
            aggregates += [
                f"approx_count_distinct({column}) AS d{index}",
                f"{text.format(f'min({column})')} AS a{index}",
                f"{text.format(f'max({column})')} AS z{index}",
            ]
            values = [f"d{index}", f"a{index}", f"z{index}"]
        distinct, least, most = values
        name, kind = quote_literal(field.name), quote_literal(type_name(field.type))
        rows.append(f"{name}, {kind}, n, {distinct}, n - k{index}, {least}, {most}")
    inner = f"SELECT {', '.join(aggregates)} FROM {relation}"  # noqa: S608 - the caller has quoted it
    return f"SELECT stack({len(rows)}, {', '.join(rows)}) AS ({', '.join(OUTPUT)}) FROM ({inner})"  # noqa: S608
