"""Rights to grant, and the reach of a grant."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.support.governance import ADA, BOSS, EVE, OLGA, ORDERS, ROOT, GovernanceHarness

from sqe.errors import (
    AccessDeniedError,
)
from sqe.model.decision import Operation
from sqe.model.identity import Principal


def test_what_is_granted_is_allowed_until_it_is_revoked(harness: GovernanceHarness) -> None:
    assert not harness.may(ADA)
    assert harness.run("GRANT SELECT, INSERT ON TABLE lake.sales.orders TO ROLE analyst") == []
    assert harness.may(ADA)
    assert harness.may(ADA, Operation.INSERT)
    assert not harness.may(EVE)
    harness.run("REVOKE SELECT ON TABLE orders FROM ROLE analyst")
    assert not harness.may(ADA)
    assert harness.may(ADA, Operation.INSERT)
    harness.run("REVOKE ALL PRIVILEGES ON TABLE orders FROM ROLE analyst")
    assert not harness.may(ADA, Operation.INSERT)


def test_every_change_is_on_record_as_it_was_written(harness: GovernanceHarness) -> None:
    harness.run("GRANT SELECT ON TABLE orders TO USER ada", OLGA)
    harness.run("ALTER TABLE orders SET TAGS (ssn = ('pii'))", OLGA)
    harness.run("DENY SELECT ON TABLE orders TO USER eve")
    assert [(entry.who, entry.statement) for entry in harness.store.history()] == [
        ("olga", "GRANT SELECT ON TABLE orders TO USER ada"),
        ("olga", "ALTER TABLE orders SET TAGS (ssn = ('pii'))"),
        ("root", "DENY SELECT ON TABLE orders TO USER eve"),
    ]


def test_what_is_refused_changes_nothing(harness: GovernanceHarness) -> None:
    with pytest.raises(AccessDeniedError):
        harness.run("GRANT SELECT ON TABLE orders TO USER eve", EVE)
    assert harness.store.history() == []
    assert harness.store.snapshot().grants == ()


@pytest.mark.parametrize("who", [ROOT, BOSS])
@pytest.mark.parametrize(
    "on", ["TABLE items", "SCHEMA sales", "CATALOG pond", "ALL TABLES IN SCHEMA sales", "VIEW v"]
)
def test_administrators_grant_everything(harness: GovernanceHarness, who: Principal, on: str) -> None:
    harness.run(f"GRANT SELECT ON {on} TO USER ada", who)
    assert len(harness.store.snapshot().grants) == 1


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
def test_the_owner_of_one_table_has_no_say_over_others(harness: GovernanceHarness, sql: str) -> None:
    with pytest.raises(AccessDeniedError):
        harness.run(sql, OLGA)
    assert harness.store.history() == []


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
def test_the_owner_administers_the_table(harness: GovernanceHarness, sql: str) -> None:
    harness.run(sql, OLGA)


def test_an_owner_cannot_take_away_what_an_administrator_restricts(harness: GovernanceHarness) -> None:
    harness.run("DENY SELECT ON TABLE orders TO USER olga")
    harness.run("GRANT SELECT ON TABLE orders TO USER ada ROWS WHERE (region = 'eu')")
    harness.run("GRANT INSERT ON TABLE orders TO USER ada")
    harness.run("CREATE POLICY p ROW FILTER ON TABLE orders USING (id > 0)")
    for sql in (
        "REVOKE SELECT ON TABLE orders FROM USER olga",
        "REVOKE SELECT ON TABLE orders FROM USER ada",
        "REVOKE ALL PRIVILEGES ON TABLE orders FROM USER ada",
        "DROP POLICY p",
        "CREATE OR REPLACE POLICY p ROW FILTER ON TABLE orders USING (true)",
    ):
        with pytest.raises(AccessDeniedError):
            harness.run(sql, OLGA)
    harness.run("REVOKE INSERT ON TABLE orders FROM USER ada", OLGA)  # gives nobody more
    harness.run("REVOKE SELECT ON TABLE orders FROM USER olga")
    assert harness.may(OLGA)


def test_an_owner_takes_away_what_owners_have_restricted(harness: GovernanceHarness) -> None:
    harness.run("DENY SELECT ON TABLE orders TO USER ada", OLGA)
    harness.run("CREATE POLICY p ROW FILTER ON TABLE orders USING (id > 0)", OLGA)
    harness.run("CREATE OR REPLACE POLICY p ROW FILTER ON TABLE orders USING (id > 1)", OLGA)
    harness.run("REVOKE SELECT ON TABLE orders FROM USER ada", OLGA)
    harness.run("DROP POLICY p", OLGA)
    assert harness.store.snapshot().grants == ()
    assert harness.store.snapshot().policies == ()


def test_who_owns_a_new_table_of_the_name_has_no_say_over_policies_of_the_old_one(
    harness: GovernanceHarness,
) -> None:
    harness.run("CREATE POLICY p ROW FILTER ON TABLE orders USING (id > 0)", OLGA)
    harness.context.known[ORDERS.name] = replace(ORDERS, uuid="another", owner="eve")
    with pytest.raises(AccessDeniedError):
        harness.run("DROP POLICY p", EVE)


# -- passing on -------------------------------------------------------------------------------------------------------


def test_the_grant_option_passes_on_that_privilege_and_no_other(harness: GovernanceHarness) -> None:
    harness.run("GRANT SELECT ON TABLE orders TO ROLE analyst WITH GRANT OPTION")
    harness.run("GRANT INSERT ON TABLE orders TO ROLE analyst")
    harness.run("GRANT SELECT ON TABLE orders TO USER eve", ADA)
    assert harness.may(EVE)
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
            harness.run(sql, ADA)


def test_who_passed_something_on_may_take_back_that_and_nothing_else(harness: GovernanceHarness) -> None:
    harness.run("GRANT SELECT ON TABLE orders TO ROLE analyst WITH GRANT OPTION")
    harness.run("GRANT SELECT ON TABLE orders TO USER eve", ADA)
    harness.run("GRANT SELECT ON TABLE orders TO USER bob")
    with pytest.raises(AccessDeniedError):
        harness.run("REVOKE SELECT ON TABLE orders FROM USER bob", ADA)
    with pytest.raises(AccessDeniedError):
        harness.run("REVOKE SELECT ON TABLE orders FROM ROLE analyst", ADA)
    harness.run("REVOKE SELECT ON TABLE orders FROM USER eve", ADA)
    assert not harness.may(EVE)


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
def test_who_is_restricted_passes_nothing_on(harness: GovernanceHarness, restriction: str) -> None:
    harness.run("GRANT SELECT ON SCHEMA sales TO USER ada WITH GRANT OPTION")
    harness.run("GRANT SELECT ON TABLE orders TO USER first", ADA)
    harness.run(restriction)
    with pytest.raises(AccessDeniedError):
        harness.run("GRANT SELECT ON TABLE orders TO USER eve", ADA)


def test_columns_are_passed_on_by_those_who_hold_them(harness: GovernanceHarness) -> None:
    harness.run("GRANT SELECT ON TABLE orders TO USER ada WITH GRANT OPTION")
    harness.run("GRANT SELECT (id, region) ON TABLE orders TO USER eve", ADA)
    harness.run("GRANT SELECT (id) ON TABLE orders TO USER bob WITH GRANT OPTION")
    with pytest.raises(AccessDeniedError):  # they see only a part of it
        harness.run("GRANT SELECT (id) ON TABLE orders TO USER eve", Principal("bob", "test"))
