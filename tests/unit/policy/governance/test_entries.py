"""The entries that statements leave in the store."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.fakes.statement_context import table
from tests.support.governance import ADA, COLUMNS, EVE, OLGA, ORDERS, GovernanceHarness

from sqe.errors import (
    AccessDeniedError,
    CatalogNotFoundError,
    ColumnNotFoundError,
    DuplicateObjectError,
    QueryError,
    SchemaNotFoundError,
    SemanticError,
    TableNotFoundError,
)


def test_the_same_grant_twice_is_one(harness: GovernanceHarness) -> None:
    harness.run("GRANT SELECT ON TABLE orders TO USER ada")
    harness.run("GRANT SELECT ON TABLE orders TO USER ada")
    (grant,) = harness.store.snapshot().grants
    assert not grant.grant_option
    harness.run("GRANT SELECT ON TABLE orders TO USER ada WITH GRANT OPTION")
    harness.run("GRANT SELECT ON TABLE orders TO USER ada")
    (grant,) = harness.store.snapshot().grants
    assert grant.grant_option
    assert len(harness.store.history()) == 2


def test_a_grant_is_bound_to_the_table_and_its_columns(harness: GovernanceHarness) -> None:
    harness.run("GRANT SELECT (SSN) ON TABLE orders TO USER ada")
    (grant,) = harness.store.snapshot().grants
    assert grant.place.uuid == ORDERS.uuid
    assert [(column.name, column.field_id) for column in grant.columns] == [("ssn", 3)]


def test_future_tables_are_those_that_are_not_there_yet(harness: GovernanceHarness) -> None:
    harness.run("GRANT SELECT ON FUTURE TABLES IN SCHEMA sales TO USER ada")
    assert not harness.may(ADA)
    new = table("lake.sales.new", *COLUMNS)
    assert harness.may(ADA, facts=new)
    assert harness.may(ADA, facts=replace(ORDERS, uuid="made anew"))


def test_columns_can_be_revoked_one_by_one(harness: GovernanceHarness) -> None:
    harness.run("GRANT SELECT (id, region) ON TABLE orders TO USER ada")
    harness.run("REVOKE SELECT (ID) ON TABLE orders FROM USER ada")
    (grant,) = harness.store.snapshot().grants
    assert [column.name for column in grant.columns] == ["region"]
    with pytest.raises(SemanticError, match="nothing to revoke"):
        harness.run("REVOKE SELECT (id) ON TABLE orders FROM USER ada")
    harness.run("REVOKE SELECT (region) ON TABLE orders FROM USER ada")
    assert harness.store.snapshot().grants == ()


def test_a_denial_is_revoked_like_a_grant(harness: GovernanceHarness) -> None:
    harness.run("GRANT SELECT ON SCHEMA sales TO USER ada")
    harness.run("DENY SELECT ON TABLE orders TO USER ada")
    assert not harness.may(ADA)
    harness.run("REVOKE SELECT ON TABLE orders FROM USER ada")
    assert harness.may(ADA)


def test_what_was_granted_on_a_table_that_is_gone_can_be_revoked(harness: GovernanceHarness) -> None:
    harness.run("GRANT SELECT ON TABLE orders TO USER ada")
    del harness.context.known[ORDERS.name]
    with pytest.raises(AccessDeniedError):
        harness.run("REVOKE SELECT ON TABLE orders FROM USER ada", OLGA)
    harness.run("REVOKE SELECT ON TABLE orders FROM USER ada")
    assert harness.store.snapshot().grants == ()


def test_revoking_nothing_is_an_error(harness: GovernanceHarness) -> None:
    harness.run("GRANT ALL PRIVILEGES ON TABLE orders TO USER ada")
    with pytest.raises(SemanticError, match="nothing to revoke"):
        harness.run("REVOKE SELECT ON TABLE orders FROM USER ada")
    with pytest.raises(SemanticError, match="nothing to revoke"):
        harness.run("REVOKE GRANT OPTION FOR ALL PRIVILEGES ON TABLE orders FROM USER ada")


def test_only_the_grant_option_can_be_revoked(harness: GovernanceHarness) -> None:
    harness.run("GRANT SELECT ON TABLE orders TO USER ada WITH GRANT OPTION")
    harness.run("REVOKE GRANT OPTION FOR SELECT ON TABLE orders FROM USER ada")
    (grant,) = harness.store.snapshot().grants
    assert not grant.grant_option
    assert harness.may(ADA)


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
def test_what_is_not_there_is_an_error(harness: GovernanceHarness, sql: str, error: type[QueryError]) -> None:
    with pytest.raises(error):
        harness.run(sql)
    assert harness.store.history() == []


def test_a_policy_cannot_be_made_twice(harness: GovernanceHarness) -> None:
    harness.run("CREATE POLICY p ROW FILTER ON TABLE orders USING (region = 'eu')")
    with pytest.raises(DuplicateObjectError):
        harness.run("CREATE POLICY P ROW FILTER ON TABLE orders USING (true)")
    harness.run("CREATE OR REPLACE POLICY P ROW FILTER ON TABLE orders USING (region = 'us')")
    (policy,) = harness.store.snapshot().policies
    assert policy.expression is not None
    assert (policy.name, policy.expression.text, dict(policy.expression.fields)) == (
        "P",
        "region = 'us'",
        {"region": 2},
    )


def test_dropping_what_is_not_there_can_be_asked_for(harness: GovernanceHarness) -> None:
    harness.run("DROP POLICY IF EXISTS p", EVE)
    assert harness.store.history() == []
