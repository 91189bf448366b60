"""The result columns of the statements about access."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pyarrow as pa

from sqe.sql.policy.statement_types import (
    CheckAccess,
    ShowEffectiveGrants,
    ShowEffectivePolicy,
    ShowGrants,
    ShowPolicies,
)

NOTHING = pa.table({})

_GRANTS = [
    ("effect", pa.string()),  # GRANT or DENY
    ("privilege", pa.string()),
    ("object_type", pa.string()),
    ("catalog", pa.string()),
    ("schema", pa.string()),
    ("object", pa.string()),
    ("columns", pa.list_(pa.string())),
    ("grantee_type", pa.string()),
    ("grantee", pa.string()),
    ("rows_where", pa.string()),
    ("masks", pa.list_(pa.string())),
    ("grantable", pa.bool_()),
    ("grantor", pa.string()),
    ("granted_at", pa.string()),
]

COLUMNS: Mapping[type, pa.Schema] = {
    ShowGrants: pa.schema(_GRANTS),
    ShowEffectiveGrants: pa.schema([*_GRANTS, ("effective", pa.bool_())]),
    ShowEffectivePolicy: pa.schema(
        [
            ("engine", pa.string()),  # `decision`: the combined decision of all engines
            ("kind", pa.string()),  # access, row filter, column mask, restricted column
            ("column", pa.string()),
            ("expression", pa.string()),
            ("source", pa.string()),
        ]
    ),
    CheckAccess: pa.schema(
        [
            ("user", pa.string()),
            ("privilege", pa.string()),
            ("object", pa.string()),
            ("allowed", pa.bool_()),
            ("protected", pa.bool_()),  # by a row filter, masks or restricted columns
            ("reason", pa.string()),
        ]
    ),
    ShowPolicies: pa.schema(
        [
            ("policy", pa.string()),
            ("kind", pa.string()),
            ("object_type", pa.string()),
            ("catalog", pa.string()),
            ("schema", pa.string()),
            ("object", pa.string()),
            ("columns", pa.list_(pa.string())),
            ("grantees", pa.list_(pa.string())),
            ("expression", pa.string()),
            ("author", pa.string()),
            ("created_at", pa.string()),
        ]
    ),
}


def table(statement: type, rows: Iterable[Sequence[object]]) -> pa.Table:
    """Build the result of a statement of that type."""
    schema = COLUMNS[statement]
    listed = list(rows)
    return pa.table(
        [pa.array([row[place] for row in listed], field.type) for place, field in enumerate(schema)],
        schema=schema,
    )
