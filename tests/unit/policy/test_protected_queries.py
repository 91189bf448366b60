from __future__ import annotations

from tests.fakes.policy import ORDERS, question

from sqe.model.decision import Decision
from sqe.policy.protected_queries import ProtectedQueries

HIDING = Decision(allow=True, filter="(id > 1)", sources=("filter by a",))


def test_only_queries_that_run_are_remembered() -> None:
    queries = ProtectedQueries()
    queries.note("ann", "q1", question(), HIDING)
    queries.begin("q1")
    assert not queries.uses_protected_table("q1")
    queries.note("ann", "q1", question(), HIDING)
    queries.note("ann", None, question(), HIDING)
    queries.begin("q1")
    assert queries.uses_protected_table("q1")
    queries.end("q1")
    queries.end("q1")
    assert not queries.uses_protected_table("q1")
    assert str(ORDERS) == "lake.sales.orders"
