from __future__ import annotations

import pytest

from sqe.sql.dialects.trino import SqeTrino
from sqe.sql.trino.rules.rule import nodes_of


@pytest.mark.parametrize(
    "text",
    [
        "SELECT a, sum(b) OVER (PARTITION BY c ORDER BY d) FROM t, u WHERE a IN (SELECT 1 UNION SELECT 2)",
        "WITH q AS (VALUES (1, 'x'), (2, NULL)) SELECT * FROM q GROUP BY ROLLUP (a, b) HAVING count(*) > 1",
    ],
)
def test_nodes_are_in_the_order_of_a_walk(text: str) -> None:
    (tree,) = SqeTrino().parse(text)
    assert tree is not None
    assert [id(node) for node in nodes_of(tree)] == [id(node) for node in tree.walk(bfs=False)]
