"""Fill the metadata tables of Iceberg that have other columns in Trino than in Spark: `t$partitions`, `t$properties`.

Their rows come from what Spark shows the user: the table `files`, and the properties. So a user who may not read those,
such as one from whom a policy hides something of the table, gets the same refusal here.
"""
# ruff: noqa: S608  # this module quotes every name and every text in the SQL that it generates

from __future__ import annotations

import pyarrow as pa

from sqe.errors import UnsupportedError
from sqe.service.listing import Listing
from sqe.sql.namespace import split
from sqe.sql.quote import quote_identifier, quote_literal, quote_name
from sqe.sql.trino.statements.table_properties import STATE
from sqe.sql.trino.virtual.reference import VirtualReference

_METRICS = "readable_metrics"
_PARTITION = "partition"
_PROPERTIES = pa.schema([pa.field("key", pa.string()), pa.field("value", pa.string())])


def is_metadata_table(reference: VirtualReference) -> bool:
    """Whether the reference is one to a metadata table."""
    return "$" in reference.table


def metadata_rows(reference: VirtualReference, listing: Listing, *, empty: bool = False) -> pa.Table:
    """Return the rows of a metadata table, or none with the same columns. Raises SqeError."""
    table, _, kind = reference.table.rpartition("$")
    if reference.catalog is None or not reference.schema:
        raise UnsupportedError("No schema is set.", hint="Write catalog.schema.table.")
    if kind == "properties":
        return _properties(reference.catalog, reference.schema, table, listing)
    return _partitions(reference.catalog, reference.schema, table, listing, empty=empty)


def _properties(catalog: str, schema: str, table: str, listing: Listing) -> pa.Table:
    shown = listing.ask(catalog, f"SHOW TBLPROPERTIES {quote_name(catalog, *split(schema), table)}")
    pairs = zip(shown.column("key").to_pylist(), shown.column("value").to_pylist(), strict=True)
    kept = [(key, value) for key, value in pairs if key not in STATE and not key.startswith("sqe.")]
    columns = [[pair[0] for pair in kept], [pair[1] for pair in kept]]
    return pa.table([pa.array(column, pa.string()) for column in columns], schema=_PROPERTIES)


def _partitions(catalog: str, schema: str, table: str, listing: Listing, *, empty: bool) -> pa.Table:
    files = listing.metadata_columns(catalog, schema, table, "files")
    metrics = files.field(_METRICS).type if _METRICS in files.names else pa.struct([])
    known = {metrics.field(number).name for number in range(metrics.num_fields)}
    identities = set(listing.details(catalog, schema, table).partitions)
    fields = [
        _figures(field.name)
        for field in listing.columns(catalog, schema, table)
        if field.name in known
        and not pa.types.is_nested(field.type)
        and field.name not in identities
        and quote_identifier(field.name) not in identities
    ]
    columns = [_PARTITION] if _PARTITION in files.names else []
    columns += [
        "sum(record_count) AS record_count",
        "count(*) AS file_count",
        "sum(file_size_in_bytes) AS total_size",
    ]
    if fields:
        columns.append(f"named_struct({', '.join(fields)}) AS data")
    groups = "spec_id, partition" if _PARTITION in files.names else "spec_id"
    return listing.ask(
        catalog,
        f"SELECT {', '.join(columns)} FROM {quote_name(catalog, *split(schema), table, 'files')}"
        f" WHERE content = 0{' AND false' if empty else ''} GROUP BY {groups}",
    )


def _figures(name: str) -> str:
    """Return what is known of a column in the files of a partition; of its range nothing, if one file tells nothing."""
    of = f"{_METRICS}.{quote_identifier(name)}"
    unknown = f"count_if({of}.lower_bound IS NULL AND {of}.value_count > coalesce({of}.null_value_count, 0))"
    return (
        f"{quote_literal(name)}, named_struct("
        f"'min', if({unknown} = 0, min({of}.lower_bound), NULL), "
        f"'max', if({unknown} = 0, max({of}.upper_bound), NULL), "
        f"'null_count', sum({of}.null_value_count), 'nan_count', sum({of}.nan_value_count))"
    )
