"""Statements about access through the query service: a real engine of grants, and a fake Spark."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from tests.fakes.engine import FakeEngine

from sqe.config.sections.limits import LimitsConfig
from sqe.errors import AccessDeniedError, SqeError, UnsupportedError, UsageError
from sqe.model.identity import Principal
from sqe.model.session import Dialect, SessionSpec, WarehouseCatalog
from sqe.model.statement import StatementKind
from sqe.policy.administrators import Administrators
from sqe.policy.decision_point import DecisionPoint
from sqe.policy.governance.result_columns import COLUMNS
from sqe.policy.governance.statements import Governance
from sqe.policy.grants.engine import GrantsEngine
from sqe.policy.grants.store import GrantStore
from sqe.service.client_statement import ClientContext, Reply, describe_statement, submit_statement
from sqe.service.service import QueryService
from sqe.service.session import GatewaySession
from sqe.sql.policy.statement_types import ShowGrants

CATALOGS = (WarehouseCatalog("lake", None),)
PLACE = "SELECT current_catalog(), current_schema()"
FACTS = {
    "uuid": "u-1",
    "owner": "olga",
    "kind": "table",
    "columns": [{"name": "id", "type": "bigint", "field_id": 1, "tags": ["x"]}],
}


ORDERS = ("lake", "sales", "orders")


@dataclass
class GovernedService:
    """A query service with grants, and the calls of its front ends."""

    engine: FakeEngine
    service: QueryService
    store: GrantStore

    def open(self, user: str = "root", dialect: Dialect = Dialect.SPARK) -> GatewaySession:
        return self.service.open_session(
            Principal(user, "test"), SessionSpec(CATALOGS, dialect=dialect, namespace="sales")
        )

    def run(self, session: GatewaySession, sql: str) -> list[dict[str, Any]]:
        """Run a statement as the shell does."""
        return self.rows(session, self.service.submit(session, self.service.read(session, sql)))

    def say(self, session: GatewaySession, sql: str, **context: Any) -> tuple[Reply, list[dict[str, Any]]]:
        """Run a statement as the network's front ends do."""
        reply = submit_statement(self.service, session, sql, ClientContext(**context))
        return reply, self.rows(session, reply.query_id)

    def rows(self, session: GatewaySession, query_id: Any) -> list[dict[str, Any]]:
        stream = self.service.fetch(session, query_id)
        schema = stream.schema(lambda: False)
        rows: list[dict[str, Any]] = pa.Table.from_batches(stream.batches(lambda: False), schema).to_pylist()
        return rows


@pytest.fixture
def governed(tmp_path: Path) -> Iterator[GovernedService]:
    engine = FakeEngine()
    engine.answers[PLACE] = pa.table({"catalog": ["lake"], "schema": ["sales"]})
    engine.facts[ORDERS] = json.dumps(FACTS)
    engine.schema = pa.schema([("checked", pa.bool_())])
    admins = Administrators(["user:root"])
    store = GrantStore(tmp_path / "grants.db", timeout=120)
    point = DecisionPoint([GrantsEngine(store, admins)], timeout=120, cache_seconds=0, keyed=True)
    service = QueryService(engine, LimitsConfig(), governance=Governance(point, store, admins, keyed=True))
    yield GovernedService(engine, service, store)
    service.drain(0)
    point.close()


def test_a_grant_is_carried_out_for_the_shell(governed: GovernedService) -> None:
    session = governed.open()
    assert governed.run(session, "GRANT SELECT ON TABLE orders TO USER ada") == []
    (grant,) = governed.store.snapshot().grants
    assert (grant.place.uuid, grant.grantor, str(grant.place)) == ("u-1", "root", "lake.sales.orders")
    assert governed.engine.sessions[0].started == [PLACE, "facts lake.sales.orders"]
    assert [row["grantee"] for row in governed.run(session, "SHOW GRANTS")] == ["ada"]


@pytest.mark.parametrize("dialect", Dialect)
def test_a_grant_is_carried_out_for_the_front_ends_of_the_network(
    governed: GovernedService, dialect: Dialect
) -> None:
    session = governed.open(dialect=dialect)
    reply, rows = governed.say(session, "GRANT SELECT ON TABLE lake.sales.orders TO USER ada")
    assert (reply.kind, reply.update_type, reply.effects, rows) == (StatementKind.DEFINITION, "GRANT", (), [])
    reply, rows = governed.say(session, "SHOW GRANTS")
    assert (reply.kind, reply.update_type, len(rows)) == (StatementKind.LISTING, None, 1)


def test_a_prepared_grant_is_carried_out_when_it_is_executed(governed: GovernedService) -> None:
    session = governed.open(dialect=Dialect.TRINO)
    grant = "GRANT SELECT ON TABLE lake.sales.orders TO USER ada"
    reply, _ = governed.say(session, f"PREPARE g FROM {grant}")
    assert reply.update_type == "PREPARE"
    assert governed.store.history() == []
    reply, _ = governed.say(session, "EXECUTE g", prepared={"g": grant})
    assert reply.update_type == "GRANT"
    assert [entry.statement for entry in governed.store.history()] == [grant]
    with pytest.raises(UsageError):
        governed.say(session, "EXECUTE g USING 1", prepared={"g": grant})


def test_they_are_described_without_the_engine(governed: GovernedService) -> None:
    session = governed.open()
    known = describe_statement(governed.service, session, "SHOW GRANTS", ClientContext())
    assert known.columns == COLUMNS[ShowGrants]
    changing = describe_statement(
        governed.service, session, "GRANT SELECT ON TABLE t TO USER a", ClientContext()
    )
    assert (changing.columns, changing.kind) == (None, StatementKind.DEFINITION)
    assert governed.engine.sessions[0].started == []
    assert governed.store.history() == []


def test_who_may_not_is_told_so(governed: GovernedService) -> None:
    with pytest.raises(AccessDeniedError):
        governed.run(governed.open("eve"), "GRANT SELECT ON TABLE orders TO USER eve")


def test_tags_are_set_by_the_engine_in_the_persons_own_session(governed: GovernedService) -> None:
    session = governed.open("olga")
    change = {"table": ["lake", "sales", "orders"], "set": {"id": ["it's"]}, "unset": []}
    governed.run(session, "ALTER TABLE orders SET TAGS (ID = ('it\\'s'))")
    assert governed.engine.sessions[0].started[-1] == f"tags {json.dumps(change)}"
    assert [entry.who for entry in governed.store.history()] == ["olga"]


@pytest.mark.parametrize(
    "answer",
    [
        json.dumps({**FACTS, "kind": "index"}),
        json.dumps({"uuid": "u-1"}),
        "[]",
        "no json",
        "None",
    ],
)
def test_an_odd_answer_of_the_engine_is_an_error(governed: GovernedService, answer: str) -> None:
    governed.engine.facts[ORDERS] = answer
    with pytest.raises(SqeError, match="invalid answer"):
        governed.run(governed.open(), "GRANT SELECT ON TABLE orders TO USER ada")
    assert governed.store.history() == []


@pytest.mark.parametrize(
    "sql", ["GRANT SELECT ON TABLE t TO USER a", "SHOW GRANTS", "SHOW EFFECTIVE POLICY ON t"]
)
@pytest.mark.parametrize("dialect", Dialect)
def test_without_a_policy_engine_they_say_what_is_missing(sql: str, dialect: Dialect) -> None:
    service = QueryService(FakeEngine(), LimitsConfig())
    session = service.open_session(Principal("root", "test"), SessionSpec(CATALOGS, dialect=dialect))
    query_id = service.submit(session, service.read(session, sql))
    with pytest.raises(UnsupportedError, match="needs a policy engine"):
        service.fetch(session, query_id).schema(lambda: False)
    service.drain(0)
