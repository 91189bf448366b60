"""Statements about rights, with a real store, engine and decision point; Spark and the catalog are fakes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.fakes.statement_context import FakeStatementContext, table

from sqe.model.decision import Column, Kind, Operation, Question
from sqe.model.identity import Principal
from sqe.policy.administrators import Administrators
from sqe.policy.decision_point import DecisionPoint
from sqe.policy.governance.statement_context import TableFacts, TableName
from sqe.policy.governance.statements import Governance
from sqe.policy.grants.engine import GrantsEngine
from sqe.policy.grants.store import GrantStore
from sqe.sql.policy.statement import read

COLUMNS = (
    Column("id", "bigint", 1),
    Column("region", "string", 2),
    Column("ssn", "string", 3),
    Column("born", "date", 4),
)
ORDERS = table("lake.sales.orders", *COLUMNS, owner="olga")
ITEMS = table("lake.sales.items", Column("id", "bigint", 1), owner="ivan")
VIEW = TableFacts(TableName("lake", ("sales",), "v"), Kind.VIEW, None, "olga", (Column("id", "bigint"),))

ROOT = Principal("root", "test")
BOSS = Principal("bob", "test", roles=frozenset({"boss"}))
OLGA = Principal("olga", "test")
ADA = Principal("ada", "test", roles=frozenset({"analyst"}))
EVE = Principal("eve", "test")


class GovernanceHarness:
    """The parts that a statement needs, with a real store, engine and decision point."""

    def __init__(self, path: Path) -> None:
        self.store = GrantStore(path, timeout=2)
        self.engine = GrantsEngine(self.store, Administrators(["user:root", "role:boss"]))
        self.point = DecisionPoint([self.engine], timeout=120, cache_seconds=0, keyed=True)
        self.context = FakeStatementContext(ORDERS, ITEMS, VIEW)
        self.governance = Governance(
            self.point, self.store, Administrators(["user:root", "role:boss"]), keyed=True
        )

    def run(self, sql: str, principal: Principal = ROOT) -> list[dict[str, Any]]:
        statement = read(sql, self.context.dialect)
        assert statement is not None
        answer: list[dict[str, Any]] = self.governance.run(
            statement, sql, principal, self.context
        ).to_pylist()
        return answer

    def may(
        self, principal: Principal, operation: Operation = Operation.SELECT, facts: TableFacts = ORDERS
    ) -> bool:
        decision, _ = self.point.explain(principal, Question(operation, facts.resource))
        return decision.allow

    def filter(self, principal: Principal) -> str | None:
        decision, _ = self.point.explain(principal, Question(Operation.SELECT, ORDERS.resource))
        assert decision.allow
        return decision.filter
