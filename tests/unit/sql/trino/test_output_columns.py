from __future__ import annotations

import pyarrow as pa
import pytest

from sqe.model.session import Dialect
from sqe.sql.statement import read
from sqe.sql.trino.output_columns import OutputColumn, type_size, unknown
from sqe.sql.trino.scope import Scope
from sqe.sql.trino.translate import translate
from sqe.sql.trino.types import trino_type

SCOPE = Scope("lake", "sales", "ann", None)
ORDERS = OutputColumn("lake", "sales", "orders")
NAMED = OutputColumn("lake", "sales", "orders", aliased=True)
UNKNOWN = OutputColumn()
ALIAS = OutputColumn(aliased=True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT id, o.city, id AS x, id + 1, 1 AS y FROM Orders o", [ORDERS, ORDERS, NAMED, UNKNOWN, ALIAS]),
        ("SELECT 1 AS x, * FROM orders", [ALIAS, ORDERS, ORDERS]),
        ('SELECT * FROM a.b."T"', [OutputColumn("a", "b", "T")]),
        ("SELECT id FROM b.t", [OutputColumn("lake", "b", "t")]),
        ("SELECT id FROM orders UNION ALL SELECT 1 AS x", [ORDERS]),
        ("SELECT id AS x FROM orders JOIN items ON true", [ALIAS]),
        ("SELECT id AS x FROM orders, items", [ALIAS]),
        ("WITH orders AS (SELECT 1 AS id) SELECT id FROM orders", [UNKNOWN]),
        ("SELECT id FROM (SELECT id FROM orders)", [UNKNOWN]),
        ("SELECT a.*, b.* FROM orders a, orders b", [UNKNOWN] * 4),
        ("SHOW TABLES", [UNKNOWN]),
    ],
)
def test_the_origin_of_columns(text: str, expected: list[OutputColumn]) -> None:
    outline = translate(read(text, Dialect.TRINO), SCOPE).outline
    found = unknown(len(expected)) if outline is None else outline.columns(len(expected))
    assert found == expected


@pytest.mark.parametrize(
    ("type_", "size"),
    [
        (pa.int32(), 4),
        (pa.decimal128(18, 2), 8),
        (pa.decimal128(19, 2), 16),
        (pa.timestamp("us"), 8),
        (pa.timestamp("us", "UTC"), 12),
        (pa.string(), 0),
    ],
)
def test_the_size_of_types(type_: pa.DataType, size: int) -> None:
    assert type_size(trino_type(type_)) == size
