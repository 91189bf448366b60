from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from tests.fakes.surroundings import FakeSurroundings, table

from sqe.errors import (
    AccessDeniedError,
    CatalogNotFoundError,
    ColumnNotFoundError,
    CommitConflictError,
    DuplicateObjectError,
    FunctionNotFoundError,
    PolicyUnavailableError,
    Position,
    QueryError,
    SchemaNotFoundError,
    SemanticError,
    SqlSyntaxError,
    TableNotFoundError,
    TypeMismatchError,
    UnsupportedError,
)
from sqe.model.decision import Column, Kind, Operation, Question
from sqe.model.identity import Principal
from sqe.model.session import Dialect
from sqe.policy.administrators import Administrators
from sqe.policy.governance.statements import Governance
from sqe.policy.governance.surroundings import TableFacts, TableName
from sqe.policy.grants.engine import GrantsEngine
from sqe.policy.grants.store import GrantStore
from sqe.policy.point import DecisionPoint
from sqe.sql.policy_statement import read

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


class World:
    """Everything that a statement needs, with a real store, engine and decision point."""

    def __init__(self, path: Path) -> None:
        self.store = GrantStore(path, timeout=2)
        self.engine = GrantsEngine(self.store, Administrators(["user:root", "role:boss"]))
        self.point = DecisionPoint([self.engine], timeout=10, cache_seconds=0, keyed=True)
        self.around = FakeSurroundings(ORDERS, ITEMS, VIEW)
        self.governance = Governance(
            self.point, self.store, Administrators(["user:root", "role:boss"]), keyed=True
        )

    def run(self, sql: str, principal: Principal = ROOT) -> list[dict[str, Any]]:
        statement = read(sql, self.around.dialect)
        assert statement is not None
        answer: list[dict[str, Any]] = self.governance.run(statement, sql, principal, self.around).to_pylist()
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


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    found = World(tmp_path / "grants.db")
    yield found
    found.point.close()


# -- granting ---------------------------------------------------------------------------------------------------------


def test_what_is_granted_is_allowed_until_it_is_revoked(world: World) -> None:
    assert not world.may(ADA)
    assert world.run("GRANT SELECT, INSERT ON TABLE lake.sales.orders TO ROLE analyst") == []
    assert world.may(ADA)
    assert world.may(ADA, Operation.INSERT)
    assert not world.may(EVE)
    world.run("REVOKE SELECT ON TABLE orders FROM ROLE analyst")
    assert not world.may(ADA)
    assert world.may(ADA, Operation.INSERT)
    world.run("REVOKE ALL PRIVILEGES ON TABLE orders FROM ROLE analyst")
    assert not world.may(ADA, Operation.INSERT)


def test_every_change_is_on_record_as_it_was_written(world: World) -> None:
    world.run("GRANT SELECT ON TABLE orders TO USER ada", OLGA)
    world.run("ALTER TABLE orders SET TAGS (ssn = ('pii'))", OLGA)
    world.run("DENY SELECT ON TABLE orders TO USER eve")
    assert [(entry.who, entry.statement) for entry in world.store.history()] == [
        ("olga", "GRANT SELECT ON TABLE orders TO USER ada"),
        ("olga", "ALTER TABLE orders SET TAGS (ssn = ('pii'))"),
        ("root", "DENY SELECT ON TABLE orders TO USER eve"),
    ]


def test_what_is_refused_changes_nothing(world: World) -> None:
    with pytest.raises(AccessDeniedError):
        world.run("GRANT SELECT ON TABLE orders TO USER eve", EVE)
    assert world.store.history() == []
    assert world.store.snapshot().grants == ()


@pytest.mark.parametrize("who", [ROOT, BOSS])
@pytest.mark.parametrize(
    "on", ["TABLE items", "SCHEMA sales", "CATALOG pond", "ALL TABLES IN SCHEMA sales", "VIEW v"]
)
def test_administrators_grant_everything(world: World, who: Principal, on: str) -> None:
    world.run(f"GRANT SELECT ON {on} TO USER ada", who)
    assert len(world.store.snapshot().grants) == 1


@pytest.mark.parametrize(
    "sql",
    [
        "GRANT SELECT ON TABLE items TO USER olga",
        "GRANT SELECT ON SCHEMA sales TO USER olga",
        "GRANT SELECT ON CATALOG lake TO USER olga",
        "GRANT SELECT ON ALL TABLES IN SCHEMA sales TO USER olga",
        "GRANT SELECT ON FUTURE TABLES IN SCHEMA sales TO USER olga",
        "GRANT SELECT ON TABLE items TO USER olga ROWS WHERE (true)",
        "DENY SELECT ON TABLE items TO USER ivan",
        "DENY SELECT ON SCHEMA sales TO USER ivan",
        "REVOKE SELECT ON TABLE items FROM USER ivan",
        "CREATE POLICY p ROW FILTER ON TABLE items USING (id > 0)",
        "CREATE POLICY p ROW FILTER ON SCHEMA sales USING (id > 0)",
        "CREATE POLICY p COLUMN MASK ON TAG pii USING (mask_null())",
        "CREATE POLICY p RESTRICT COLUMNS ON TABLE items (id)",
        "CREATE POLICY p RESTRICT COLUMNS ON TAG pii",
        "DROP POLICY p",
        "ALTER TABLE items SET TAGS (id = ('x'))",
        "ALTER TABLE items UNSET TAGS (id)",
        "SHOW POLICIES ON items",
        "SHOW EFFECTIVE POLICY FOR USER ivan ON items",
        "SHOW EFFECTIVE GRANTS FOR USER ivan ON items",
        "SHOW EFFECTIVE GRANTS FOR USER ivan",
        "CHECK ACCESS SELECT ON items FOR USER ivan",
        "CHECK ACCESS SELECT ON items FOR USER olga ROLES (boss)",
    ],
)
def test_the_owner_of_one_table_has_no_say_over_others(world: World, sql: str) -> None:
    with pytest.raises(AccessDeniedError):
        world.run(sql, OLGA)
    assert world.store.history() == []


@pytest.mark.parametrize(
    "sql",
    [
        "GRANT ALL PRIVILEGES ON TABLE orders TO USER ada WITH GRANT OPTION",
        "GRANT SELECT ON TABLE orders TO USER ada ROWS WHERE (region = 'eu') MASKED WITH (ssn AS mask_null())",
        "GRANT SELECT ON VIEW v TO USER ada",
        "DENY SELECT ON TABLE orders TO USER ada",
        "CREATE POLICY p ROW FILTER ON TABLE orders USING (region = 'eu')",
        "CREATE POLICY p COLUMN MASK ON TABLE orders (ssn) USING (mask_null())",
        "ALTER TABLE orders SET TAGS (ssn = ('pii'))",
        "SHOW POLICIES ON orders",
        "SHOW EFFECTIVE POLICY FOR USER ada ON orders",
        "CHECK ACCESS SELECT ON orders FOR USER ada ROLES (analyst)",
    ],
)
def test_the_owner_administers_the_table(world: World, sql: str) -> None:
    world.run(sql, OLGA)


def test_an_owner_cannot_take_away_what_an_administrator_restricts(world: World) -> None:
    world.run("DENY SELECT ON TABLE orders TO USER olga")
    world.run("GRANT SELECT ON TABLE orders TO USER ada ROWS WHERE (region = 'eu')")
    world.run("GRANT INSERT ON TABLE orders TO USER ada")
    world.run("CREATE POLICY p ROW FILTER ON TABLE orders USING (id > 0)")
    for sql in (
        "REVOKE SELECT ON TABLE orders FROM USER olga",
        "REVOKE SELECT ON TABLE orders FROM USER ada",
        "REVOKE ALL PRIVILEGES ON TABLE orders FROM USER ada",
        "DROP POLICY p",
        "CREATE OR REPLACE POLICY p ROW FILTER ON TABLE orders USING (true)",
    ):
        with pytest.raises(AccessDeniedError):
            world.run(sql, OLGA)
    world.run("REVOKE INSERT ON TABLE orders FROM USER ada", OLGA)  # gives nobody more
    world.run("REVOKE SELECT ON TABLE orders FROM USER olga")
    assert world.may(OLGA)


def test_an_owner_takes_away_what_owners_have_restricted(world: World) -> None:
    world.run("DENY SELECT ON TABLE orders TO USER ada", OLGA)
    world.run("CREATE POLICY p ROW FILTER ON TABLE orders USING (id > 0)", OLGA)
    world.run("CREATE OR REPLACE POLICY p ROW FILTER ON TABLE orders USING (id > 1)", OLGA)
    world.run("REVOKE SELECT ON TABLE orders FROM USER ada", OLGA)
    world.run("DROP POLICY p", OLGA)
    assert world.store.snapshot().grants == ()
    assert world.store.snapshot().policies == ()


def test_who_owns_a_new_table_of_the_name_has_no_say_over_policies_of_the_old_one(world: World) -> None:
    world.run("CREATE POLICY p ROW FILTER ON TABLE orders USING (id > 0)", OLGA)
    world.around.known[ORDERS.name] = replace(ORDERS, uuid="another", owner="eve")
    with pytest.raises(AccessDeniedError):
        world.run("DROP POLICY p", EVE)


# -- passing on -------------------------------------------------------------------------------------------------------


def test_the_grant_option_passes_on_that_privilege_and_no_other(world: World) -> None:
    world.run("GRANT SELECT ON TABLE orders TO ROLE analyst WITH GRANT OPTION")
    world.run("GRANT INSERT ON TABLE orders TO ROLE analyst")
    world.run("GRANT SELECT ON TABLE orders TO USER eve", ADA)
    assert world.may(EVE)
    for sql in (
        "GRANT INSERT ON TABLE orders TO USER eve",
        "GRANT ALL PRIVILEGES ON TABLE orders TO USER eve",
        "GRANT SELECT ON TABLE items TO USER eve",
        "GRANT SELECT ON SCHEMA sales TO USER eve",
        "GRANT SELECT ON TABLE orders TO USER eve ROWS WHERE (false)",
        "DENY SELECT ON TABLE orders TO USER eve",
        "CREATE POLICY p ROW FILTER ON TABLE orders USING (false)",
    ):
        with pytest.raises(AccessDeniedError):
            world.run(sql, ADA)


def test_who_passed_something_on_may_take_back_that_and_nothing_else(world: World) -> None:
    world.run("GRANT SELECT ON TABLE orders TO ROLE analyst WITH GRANT OPTION")
    world.run("GRANT SELECT ON TABLE orders TO USER eve", ADA)
    world.run("GRANT SELECT ON TABLE orders TO USER bob")
    with pytest.raises(AccessDeniedError):
        world.run("REVOKE SELECT ON TABLE orders FROM USER bob", ADA)
    with pytest.raises(AccessDeniedError):
        world.run("REVOKE SELECT ON TABLE orders FROM ROLE analyst", ADA)
    world.run("REVOKE SELECT ON TABLE orders FROM USER eve", ADA)
    assert not world.may(EVE)


@pytest.mark.parametrize(
    "restriction",
    [
        "CREATE POLICY p ROW FILTER ON TABLE orders USING (region = 'eu')",
        "CREATE POLICY p ROW FILTER ON SCHEMA sales TO ROLE analyst USING (region = 'eu')",
        "CREATE POLICY p COLUMN MASK ON TABLE orders (ssn) USING (mask_null())",
        "CREATE POLICY p RESTRICT COLUMNS ON TABLE orders (ssn) TO USER ada",
        "GRANT SELECT ON TABLE orders TO USER ada ROWS WHERE (id > 0)",
        "DENY SELECT (ssn) ON TABLE orders TO USER ada",
        "DENY SELECT ON TABLE orders TO USER ada",
        "REVOKE GRANT OPTION FOR SELECT ON SCHEMA sales FROM USER ada",
    ],
)
def test_who_is_restricted_passes_nothing_on(world: World, restriction: str) -> None:
    world.run("GRANT SELECT ON SCHEMA sales TO USER ada WITH GRANT OPTION")
    world.run("GRANT SELECT ON TABLE orders TO USER first", ADA)
    world.run(restriction)
    with pytest.raises(AccessDeniedError):
        world.run("GRANT SELECT ON TABLE orders TO USER eve", ADA)


def test_columns_are_passed_on_by_those_who_hold_them(world: World) -> None:
    world.run("GRANT SELECT ON TABLE orders TO USER ada WITH GRANT OPTION")
    world.run("GRANT SELECT (id, region) ON TABLE orders TO USER eve", ADA)
    world.run("GRANT SELECT (id) ON TABLE orders TO USER bob WITH GRANT OPTION")
    with pytest.raises(AccessDeniedError):  # they see only a part of it
        world.run("GRANT SELECT (id) ON TABLE orders TO USER eve", Principal("bob", "test"))


# -- what is written --------------------------------------------------------------------------------------------------


def test_the_same_grant_twice_is_one(world: World) -> None:
    world.run("GRANT SELECT ON TABLE orders TO USER ada")
    world.run("GRANT SELECT ON TABLE orders TO USER ada")
    (grant,) = world.store.snapshot().grants
    assert not grant.grant_option
    world.run("GRANT SELECT ON TABLE orders TO USER ada WITH GRANT OPTION")
    world.run("GRANT SELECT ON TABLE orders TO USER ada")
    (grant,) = world.store.snapshot().grants
    assert grant.grant_option
    assert len(world.store.history()) == 2


def test_a_grant_is_bound_to_the_table_and_its_columns(world: World) -> None:
    world.run("GRANT SELECT (SSN) ON TABLE orders TO USER ada")
    (grant,) = world.store.snapshot().grants
    assert grant.place.uuid == ORDERS.uuid
    assert [(column.name, column.field_id) for column in grant.columns] == [("ssn", 3)]


def test_future_tables_are_those_that_are_not_there_yet(world: World) -> None:
    world.run("GRANT SELECT ON FUTURE TABLES IN SCHEMA sales TO USER ada")
    assert not world.may(ADA)
    new = table("lake.sales.new", *COLUMNS)
    assert world.may(ADA, facts=new)
    assert world.may(ADA, facts=replace(ORDERS, uuid="made anew"))


def test_columns_can_be_revoked_one_by_one(world: World) -> None:
    world.run("GRANT SELECT (id, region) ON TABLE orders TO USER ada")
    world.run("REVOKE SELECT (ID) ON TABLE orders FROM USER ada")
    (grant,) = world.store.snapshot().grants
    assert [column.name for column in grant.columns] == ["region"]
    with pytest.raises(SemanticError, match="nothing to revoke"):
        world.run("REVOKE SELECT (id) ON TABLE orders FROM USER ada")
    world.run("REVOKE SELECT (region) ON TABLE orders FROM USER ada")
    assert world.store.snapshot().grants == ()


def test_a_denial_is_revoked_like_a_grant(world: World) -> None:
    world.run("GRANT SELECT ON SCHEMA sales TO USER ada")
    world.run("DENY SELECT ON TABLE orders TO USER ada")
    assert not world.may(ADA)
    world.run("REVOKE SELECT ON TABLE orders FROM USER ada")
    assert world.may(ADA)


def test_what_was_granted_on_a_table_that_is_gone_can_be_revoked(world: World) -> None:
    world.run("GRANT SELECT ON TABLE orders TO USER ada")
    del world.around.known[ORDERS.name]
    with pytest.raises(AccessDeniedError):
        world.run("REVOKE SELECT ON TABLE orders FROM USER ada", OLGA)
    world.run("REVOKE SELECT ON TABLE orders FROM USER ada")
    assert world.store.snapshot().grants == ()


def test_revoking_nothing_is_an_error(world: World) -> None:
    world.run("GRANT ALL PRIVILEGES ON TABLE orders TO USER ada")
    with pytest.raises(SemanticError, match="nothing to revoke"):
        world.run("REVOKE SELECT ON TABLE orders FROM USER ada")
    with pytest.raises(SemanticError, match="nothing to revoke"):
        world.run("REVOKE GRANT OPTION FOR ALL PRIVILEGES ON TABLE orders FROM USER ada")


def test_only_the_grant_option_can_be_revoked(world: World) -> None:
    world.run("GRANT SELECT ON TABLE orders TO USER ada WITH GRANT OPTION")
    world.run("REVOKE GRANT OPTION FOR SELECT ON TABLE orders FROM USER ada")
    (grant,) = world.store.snapshot().grants
    assert not grant.grant_option
    assert world.may(ADA)


@pytest.mark.parametrize(
    ("sql", "error"),
    [
        ("GRANT SELECT ON TABLE nothing TO USER ada", TableNotFoundError),
        ("GRANT SELECT ON SCHEMA nothing TO USER ada", SchemaNotFoundError),
        ("GRANT SELECT ON ALL TABLES IN SCHEMA nothing TO USER ada", SchemaNotFoundError),
        ("GRANT SELECT ON CATALOG nothing TO USER ada", CatalogNotFoundError),
        ("GRANT SELECT ON SCHEMA pond TO USER ada", SemanticError),
        ("GRANT SELECT ON TABLE v TO USER ada", SemanticError),
        ("GRANT SELECT ON VIEW orders TO USER ada", SemanticError),
        ("GRANT SELECT (nothing) ON TABLE orders TO USER ada", ColumnNotFoundError),
        (
            "GRANT SELECT ON TABLE orders TO USER ada MASKED WITH (nothing AS mask_null())",
            ColumnNotFoundError,
        ),
        ("DENY SELECT (nothing) ON TABLE orders TO USER ada", ColumnNotFoundError),
        ("CREATE POLICY p RESTRICT COLUMNS ON TABLE orders (nothing)", ColumnNotFoundError),
        ("CREATE POLICY p COLUMN MASK ON TABLE orders (nothing) USING (mask_null())", ColumnNotFoundError),
        ("DROP POLICY nothing", SemanticError),
        ("ALTER TABLE orders SET TAGS (nothing = ('x'))", ColumnNotFoundError),
        ("ALTER TABLE v SET TAGS (id = ('x'))", SemanticError),
        ("SHOW EFFECTIVE POLICY ON nothing", TableNotFoundError),
        ("SHOW POLICIES ON VIEW orders", SemanticError),
    ],
)
def test_what_is_not_there_is_an_error(world: World, sql: str, error: type[QueryError]) -> None:
    with pytest.raises(error):
        world.run(sql)
    assert world.store.history() == []


def test_a_policy_cannot_be_made_twice(world: World) -> None:
    world.run("CREATE POLICY p ROW FILTER ON TABLE orders USING (region = 'eu')")
    with pytest.raises(DuplicateObjectError):
        world.run("CREATE POLICY P ROW FILTER ON TABLE orders USING (true)")
    world.run("CREATE OR REPLACE POLICY P ROW FILTER ON TABLE orders USING (region = 'us')")
    (policy,) = world.store.snapshot().policies
    assert policy.expression is not None
    assert (policy.name, policy.expression.text, dict(policy.expression.fields)) == (
        "P",
        "region = 'us'",
        {"region": 2},
    )


def test_dropping_what_is_not_there_can_be_asked_for(world: World) -> None:
    world.run("DROP POLICY IF EXISTS p", EVE)
    assert world.store.history() == []


# -- expressions ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sql", "error", "place"),
    [
        ("CREATE POLICY p ROW FILTER ON TABLE orders USING (region = )", SqlSyntaxError, None),
        ("CREATE POLICY p ROW FILTER ON TABLE orders USING (nothing = 1)", ColumnNotFoundError, (1, 51)),
        (
            "CREATE POLICY p ROW FILTER ON TABLE orders USING (java_method('a', 'b'))",
            FunctionNotFoundError,
            (1, 51),
        ),
        ("CREATE POLICY p ROW FILTER ON TABLE orders USING (id + 1)", TypeMismatchError, (1, 51)),
        ("CREATE POLICY p ROW FILTER ON TABLE orders USING (count(*) > 1)", SemanticError, (1, 51)),
        (
            "CREATE POLICY p ROW FILTER ON SCHEMA sales USING (java_method('a', 'b'))",
            FunctionNotFoundError,
            None,
        ),
        ("CREATE POLICY p COLUMN MASK ON TAG pii USING (mask_null(value))", SemanticError, None),
        ("CREATE POLICY p COLUMN MASK ON TAG pii USING (other)", ColumnNotFoundError, (1, 47)),
        (
            "CREATE POLICY p COLUMN MASK ON TABLE orders (id) USING (mask_constant('x'))",
            TypeMismatchError,
            (1, 57),
        ),
        ("GRANT SELECT ON TABLE orders TO USER ada ROWS WHERE (nothing = 1)", ColumnNotFoundError, (1, 54)),
        (
            "GRANT SELECT ON TABLE orders TO USER ada MASKED WITH (ssn AS reflect('a', 'b'))",
            FunctionNotFoundError,
            (1, 62),
        ),
    ],
)
def test_an_expression_is_checked_when_it_is_written(
    world: World, sql: str, error: type[QueryError], place: tuple[int, int] | None
) -> None:
    with pytest.raises(error) as caught:
        world.run(sql)
    assert caught.value.position is not None
    if place is not None:
        assert caught.value.position == Position(*place)
    assert world.store.history() == []


def test_a_syntax_error_is_placed_in_the_whole_statement(world: World) -> None:
    with pytest.raises(SqlSyntaxError) as caught:
        world.run("CREATE POLICY p ROW FILTER ON TABLE orders\nUSING (id = 1 AND\n  = 2)")
    place = caught.value.position
    assert place is not None
    assert place.line == 3
    assert caught.value.message.startswith(f"line 3:{place.column}: ")
    with pytest.raises(SqlSyntaxError) as caught:
        world.run("CREATE POLICY p ROW FILTER ON TABLE orders USING (id = 1 2)")
    assert caught.value.position == Position(1, 58)


def test_spark_is_asked_for_the_type_over_a_row_of_the_tables_types(world: World) -> None:
    world.run("CREATE POLICY p ROW FILTER ON TABLE orders USING (region = 'eu')")
    world.run("CREATE POLICY q COLUMN MASK ON TABLE orders (ssn) USING (mask_hash(ssn))")
    row = (
        "(SELECT CAST(NULL AS bigint) AS `id`, CAST(NULL AS string) AS `region`, CAST(NULL AS string) AS `ssn`, "
        "CAST(NULL AS date) AS `born`)"
    )
    first, second = world.around.described
    assert first == f"SELECT (`region` = 'eu') AS checked FROM {row}"
    assert second.startswith("SELECT CAST((md5(")
    assert second.endswith(f" AS string) AS checked FROM {row}")


def test_what_spark_does_not_find_to_be_a_condition_is_refused(world: World) -> None:
    world.around.type = lambda sql: pa.string()
    with pytest.raises(TypeMismatchError, match="condition"):
        world.run("CREATE POLICY p ROW FILTER ON TABLE orders USING (coalesce(region, 'x'))")


def test_what_spark_refuses_is_told_with_its_place(world: World) -> None:
    def refuse(sql: str) -> pa.DataType:
        raise TypeMismatchError("no", position=Position(9, 9))

    world.around.type = refuse
    with pytest.raises(TypeMismatchError, match="no") as caught:
        world.run("CREATE POLICY p ROW FILTER ON TABLE orders USING (region = 'eu')")
    assert caught.value.position == Position(1, 51)


def test_only_administrators_look_into_other_tables(world: World) -> None:
    sql = "CREATE POLICY p ROW FILTER ON TABLE orders USING (id IN (SELECT id FROM lake.sales.items))"
    with pytest.raises(AccessDeniedError, match="administrator"):
        world.run(sql, OLGA)
    world.run(sql)


def test_a_hash_without_a_key_is_refused_when_it_is_written(world: World) -> None:
    governance = Governance(world.point, world.store, Administrators(["user:root"]), keyed=False)
    sql = "CREATE POLICY p COLUMN MASK ON TABLE orders (ssn) USING (mask_hash(ssn))"
    statement = read(sql, Dialect.SPARK)
    assert statement is not None
    with pytest.raises(SemanticError, match="key"):
        governance.run(statement, sql, ROOT, world.around)


def test_expressions_are_read_in_the_dialect_of_the_session(world: World) -> None:
    world.around.dialect = Dialect.TRINO
    world.run("GRANT SELECT ON TABLE Lake.Sales.Orders TO USER ada ROWS WHERE (\"region\" = 'it''s')")
    assert world.filter(ADA) == "(`region` = 'it\\'s')"


def test_filters_and_masks_reach_the_decision(world: World) -> None:
    world.run("GRANT SELECT ON SCHEMA sales TO ROLE analyst")
    world.run("CREATE POLICY mine ROW FILTER ON TABLE orders TO ROLE analyst USING (region = current_user())")
    world.run("ALTER TABLE orders SET TAGS (ssn = ('pii', 'pii'), born = ('pii'))")
    world.run("CREATE POLICY hide COLUMN MASK ON TAG pii USING (mask_null())")
    facts = world.around.known[ORDERS.name]
    assert [column.tags for column in facts.columns] == [(), (), ("pii",), ("pii",)]
    decision, _ = world.point.explain(ADA, Question(Operation.SELECT, facts.resource))
    assert decision.filter == "(`region` = 'ada')"
    assert set(decision.masks) == {"ssn", "born"}
    world.run("ALTER TABLE orders UNSET TAGS (ssn)")
    facts = world.around.known[ORDERS.name]
    decision, _ = world.point.explain(ADA, Question(Operation.SELECT, facts.resource))
    assert set(decision.masks) == {"born"}


# -- the store --------------------------------------------------------------------------------------------------------


def test_other_changes_at_the_same_time_are_seen(world: World, tmp_path: Path) -> None:
    """Somebody takes the grant option away between the check and the change."""
    world.run("GRANT SELECT ON TABLE orders TO USER ada WITH GRANT OPTION")
    other = GrantStore(tmp_path / "grants.db", timeout=2)
    real = world.store.snapshot
    interferences: list[Callable[[], None]] = [lambda: revoke(other)]

    def snapshot() -> Any:
        found = real()
        if interferences and world.store.history():
            interferences.pop()()
        return found

    world.store.snapshot = snapshot  # type: ignore[method-assign]
    with pytest.raises(AccessDeniedError):
        world.run("GRANT SELECT ON TABLE orders TO USER eve", ADA)
    other.close()


def revoke(store: GrantStore) -> None:
    with store.change("root", "REVOKE") as change:
        for grant in store.snapshot().grants:
            change.remove_grant(grant)


def test_never_ending_changes_are_a_conflict(world: World, tmp_path: Path) -> None:
    other = GrantStore(tmp_path / "grants.db", timeout=2)
    real = world.store.snapshot

    def snapshot() -> Any:
        found = real()
        other.record("root", "something else")
        return found

    world.store.snapshot = snapshot  # type: ignore[method-assign]
    with pytest.raises(CommitConflictError):
        world.run("GRANT SELECT ON TABLE orders TO USER ada")
    other.close()


def test_a_store_that_does_not_answer_is_a_refusal(world: World, tmp_path: Path) -> None:
    lock = sqlite3.connect(tmp_path / "grants.db", isolation_level=None)
    lock.execute("BEGIN IMMEDIATE")
    with pytest.raises(PolicyUnavailableError):
        world.run("GRANT SELECT ON TABLE orders TO USER ada")
    lock.execute("ROLLBACK")
    lock.close()
    assert not world.may(ADA)


@pytest.mark.parametrize(
    "sql",
    [
        "GRANT SELECT ON TABLE orders TO USER ada",
        "DENY SELECT ON TABLE orders TO USER ada",
        "REVOKE SELECT ON TABLE orders FROM USER ada",
        "CREATE POLICY p ROW FILTER ON TABLE orders USING (true)",
        "DROP POLICY p",
        "SHOW GRANTS",
        "SHOW EFFECTIVE GRANTS",
        "SHOW POLICIES",
    ],
)
def test_without_the_engine_grants_they_say_so(world: World, sql: str) -> None:
    governance = Governance(world.point, None, Administrators(["user:root"]), keyed=True)
    statement = read(sql, Dialect.SPARK)
    assert statement is not None
    with pytest.raises(UnsupportedError, match="needs the policy engine grants"):
        governance.run(statement, sql, ROOT, world.around)


def test_questions_and_tags_work_with_every_engine(world: World) -> None:
    governance = Governance(world.point, None, Administrators(["user:root"]), keyed=True)
    for sql in (
        "SHOW EFFECTIVE POLICY ON orders",
        "CHECK ACCESS SELECT ON orders FOR USER ada",
        "ALTER TABLE orders SET TAGS (ssn = ('pii'))",
    ):
        statement = read(sql, Dialect.SPARK)
        assert statement is not None
        governance.run(statement, sql, ROOT, world.around)
    assert world.around.known[ORDERS.name].columns[2].tags == ("pii",)
