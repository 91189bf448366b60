"""Keywords that end or continue the FROM of a query, in either dialect."""

from __future__ import annotations

CLAUSES = frozenset(
    {
        "WHERE",
        "GROUP",
        "HAVING",
        "ORDER",
        "SORT",
        "CLUSTER",
        "DISTRIBUTE",
        "LIMIT",
        "OFFSET",
        "FETCH",
        "WINDOW",
    }
    | {"QUALIFY"}
)
SET_OPERATIONS = frozenset({"UNION", "EXCEPT", "INTERSECT", "MINUS"})
JOINS = frozenset({"JOIN", "INNER", "LEFT", "RIGHT", "FULL", "CROSS", "SEMI", "ANTI", "NATURAL"})
