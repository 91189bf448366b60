"""The SQL of dot commands: quote the table names that users type, and build the query of `.summarize`."""

from __future__ import annotations

import re

import pyarrow as pa

from sqe.cli.output.spark_types import type_name
from sqe.errors import UsageError
from sqe.sql.quote import dotted_parts, quote_identifier, quote_literal, quote_name

OUTPUT = ("column_name", "column_type", "count", "approx_distinct", "nulls", "min", "max")

_PART = re.compile(r"`((?:[^`]|``)+)`|\"((?:[^\"]|\"\")+)\"|([^.`\"]+)")


def name_parts(text: str) -> list[str]:
    """Split `a.b."c d"` into its parts. Raises UsageError."""
    found = dotted_parts(_PART, text)
    if found is None:
        raise UsageError(
            f"'{text}' is not a name.", hint="Write it as table, schema.table or catalog.schema.table."
        )
    return [_unquoted(*match.groups()) for match in found]


def _unquoted(back: str | None, double: str | None, bare: str) -> str:
    if back is not None:
        return back.replace("``", "`")
    return bare if double is None else double.replace('""', '"')


def relation(text: str) -> str:
    """Quote a relation for FROM: a name in parts, or a file in quotes. Raises UsageError."""
    text = text.strip().rstrip(";").rstrip()
    if len(text) > 2 and text[0] == text[-1] == "'":
        return text
    return quote_name(*name_parts(text))


def is_file(relation_text: str) -> bool:
    return relation_text.startswith("'")


def summarize_sql(relation: str, schema: pa.Schema) -> str:
    """Build the query: every aggregate in one pass over the table, then one row for each column.

    Distinct values are estimated: exact counts of all columns at once would make Spark copy every row for each column.
    Nested values have no order, so that they are only counted.
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
