from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.statement_context import FakeStatementContext, table

from sqe.errors import AccessDeniedError
from sqe.model.decision import Column
from sqe.model.identity import Principal
from sqe.policy.administrators import Administrators
from sqe.policy.decision_point import DecisionPoint
from sqe.policy.governance.result_columns import COLUMNS
from sqe.policy.governance.statements import Governance
from sqe.policy.grants.engine import GrantsEngine
from sqe.policy.grants.store import GrantStore
from sqe.sql.policy.statement import read
from sqe.sql.policy.statement_types import UPDATE_TYPES

ORDERS = table(
    "lake.sales.orders",
    Column("id", "bigint", 1),
    Column("region", "string", 2),
    Column("ssn", "string", 3, ("pii",)),
    owner="olga",
)
ROOT = Principal("root", "test")
OLGA = Principal("olga", "test")
ADA = Principal("ada", "test", roles=frozenset({"analyst"}))
EVE = Principal("eve", "test")

WRITTEN = (
    "GRANT SELECT ON SCHEMA sales TO ROLE analyst",
    "GRANT SELECT ON TABLE orders TO USER ada ROWS WHERE (region = 'eu') MASKED WITH (ssn AS mask_last(ssn, 4))",
    "GRANT INSERT ON TABLE orders TO USER bob",
    "DENY INSERT ON CATALOG lake TO ROLE analyst",
    "GRANT INSERT ON SCHEMA sales TO USER ada",
    "CREATE POLICY hide RESTRICT COLUMNS ON TABLE orders (id) TO ROLE analyst",
    "CREATE POLICY tagged COLUMN MASK ON TAG pii TO ROLE boss USING (mask_hash(value))",
    "CREATE POLICY other ROW FILTER ON CATALOG pond USING (a = 1)",
)


class ReportHarness:
    def __init__(self, path: Path) -> None:
        admins = Administrators(["user:root"])
        store = GrantStore(path, timeout=2)
        self.point = DecisionPoint([GrantsEngine(store, admins)], timeout=120, cache_seconds=0, keyed=True)
        self.context = FakeStatementContext(ORDERS)
        self.governance = Governance(self.point, store, admins, keyed=True)

    def run(self, sql: str, principal: Principal = ROOT) -> list[dict[str, Any]]:
        statement = read(sql, self.context.dialect)
        assert statement is not None
        answer = self.governance.run(statement, sql, principal, self.context)
        if UPDATE_TYPES[type(statement)] is None:
            assert answer.schema == COLUMNS[type(statement)]
        rows: list[dict[str, Any]] = answer.to_pylist()
        return rows


@pytest.fixture
def harness(tmp_path: Path) -> Iterator[ReportHarness]:
    found = ReportHarness(tmp_path / "grants.db")
    for sql in WRITTEN:
        found.run(sql)
    yield found
    found.point.close()


def brief(rows: list[dict[str, Any]]) -> list[tuple[str, str, str, str]]:
    return [(row["effect"], row["privilege"], row["object_type"], row["grantee"]) for row in rows]


ALL_GRANTS = [
    ("GRANT", "SELECT", "SCHEMA", "analyst"),
    ("GRANT", "SELECT", "TABLE", "ada"),
    ("GRANT", "INSERT", "TABLE", "bob"),
    ("DENY", "INSERT", "CATALOG", "analyst"),
    ("GRANT", "INSERT", "SCHEMA", "ada"),
]


def test_an_administrator_sees_all_grants(harness: ReportHarness) -> None:
    assert brief(harness.run("SHOW GRANTS")) == ALL_GRANTS
    assert brief(harness.run("SHOW GRANTS ON orders")) == [ALL_GRANTS[1], ALL_GRANTS[2]]
    assert brief(harness.run("SHOW GRANTS ON SCHEMA lake.sales")) == [ALL_GRANTS[0], ALL_GRANTS[4]]
    assert brief(harness.run("SHOW GRANTS TO USER bob")) == [ALL_GRANTS[2]]


def test_a_grant_is_shown_whole_to_who_administers_it(harness: ReportHarness) -> None:
    for who in (ROOT, OLGA):
        (row, _) = harness.run("SHOW GRANTS ON TABLE orders", who)
        assert row.pop("granted_at")
        assert row == {
            "effect": "GRANT",
            "privilege": "SELECT",
            "object_type": "TABLE",
            "catalog": "lake",
            "schema": "sales",
            "object": "orders",
            "columns": None,
            "grantee_type": "USER",
            "grantee": "ada",
            "rows_where": "region = 'eu'",
            "masks": ["ssn AS mask_last(ssn, 4)"],
            "grantable": False,
            "grantor": "root",
        }


def test_others_see_what_concerns_them_without_the_rules(harness: ReportHarness) -> None:
    rows = harness.run("SHOW GRANTS", ADA)
    assert brief(rows) == [ALL_GRANTS[0], ALL_GRANTS[1], ALL_GRANTS[3], ALL_GRANTS[4]]
    assert (rows[1]["rows_where"], rows[1]["masks"]) == ("(hidden)", ["ssn AS (hidden)"])
    assert harness.run("SHOW GRANTS", EVE) == []
    assert harness.run("SHOW GRANTS", OLGA) == []
    assert harness.run("SHOW GRANTS TO USER bob", ADA) == []


def test_columns_that_are_denied_are_not_named_to_whom_they_are_denied(harness: ReportHarness) -> None:
    harness.run("DENY SELECT (id, ssn) ON TABLE orders TO USER eve")
    assert [row["columns"] for row in harness.run("SHOW GRANTS", EVE)] == [["(hidden)"]]
    assert [row["columns"] for row in harness.run("SHOW GRANTS TO USER eve")] == [["id", "ssn"]]


def test_who_granted_something_sees_it(harness: ReportHarness) -> None:
    harness.run("GRANT DELETE ON TABLE orders TO USER eve", OLGA)
    assert brief(harness.run("SHOW GRANTS", OLGA)) == [("GRANT", "DELETE", "TABLE", "eve")]


def test_effective_grants_tell_which_ones_count(harness: ReportHarness) -> None:
    rows = harness.run("SHOW EFFECTIVE GRANTS ON orders", ADA)
    assert [(*each, row["effective"]) for each, row in zip(brief(rows), rows, strict=True)] == [
        ("GRANT", "SELECT", "TABLE", "ada", True),
        ("GRANT", "INSERT", "SCHEMA", "ada", False),  # beaten by the denial
        ("GRANT", "SELECT", "SCHEMA", "analyst", True),
        ("DENY", "INSERT", "CATALOG", "analyst", True),
    ]
    asked = harness.run("SHOW EFFECTIVE GRANTS FOR USER ada ROLES (analyst) ON orders")
    assert brief(asked) == brief(rows)
    assert brief(harness.run("SHOW EFFECTIVE GRANTS FOR USER ada")) == [ALL_GRANTS[1], ALL_GRANTS[4]]


def test_policies_are_shown_to_those_who_administer_them(harness: ReportHarness) -> None:
    assert [row["policy"] for row in harness.run("SHOW POLICIES")] == ["hide", "other", "tagged"]
    assert [row["policy"] for row in harness.run("SHOW POLICIES ON orders", OLGA)] == ["hide", "tagged"]
    assert harness.run("SHOW POLICIES", ADA) == []
    with pytest.raises(AccessDeniedError):
        harness.run("SHOW POLICIES ON orders", ADA)
    harness.run("CREATE POLICY own ROW FILTER ON TABLE orders USING (id > 0)", OLGA)
    assert [row["policy"] for row in harness.run("SHOW POLICIES", OLGA)] == ["own"]
    (row,) = (row for row in harness.run("SHOW POLICIES") if row["policy"] == "tagged")
    assert row.pop("created_at")
    assert row == {
        "policy": "tagged",
        "kind": "COLUMN MASK",
        "object_type": "TAG",
        "catalog": None,
        "schema": None,
        "object": "pii",
        "columns": None,
        "grantees": ["ROLE boss"],
        "expression": "mask_hash(value)",
        "author": "root",
    }


def kinds(rows: list[dict[str, Any]]) -> list[tuple[str, str, str | None, str | None]]:
    return [(row["engine"], row["kind"], row["column"], row["expression"]) for row in rows]


def test_the_effective_policy_says_what_and_who_says_so(harness: ReportHarness) -> None:
    rows = harness.run("SHOW EFFECTIVE POLICY FOR USER ada ROLES (analyst) ON orders")
    mask = rows[2]["expression"]
    assert "right(" in mask
    assert kinds(rows) == [
        ("decision", "access", None, "allowed"),
        ("decision", "row filter", None, "(`region` = 'eu')"),
        ("decision", "column mask", "ssn", mask),
        ("decision", "restricted column", "id", None),
        ("grants", "access", None, "allowed"),
        ("grants", "row filter", None, "region = 'eu'"),
        ("grants", "column mask", "ssn", "mask_last(ssn, 4)"),
        ("grants", "restricted column", "id", None),
    ]
    assert rows[5]["source"] == "grants: GRANT SELECT on TABLE lake.sales.orders to USER ada"
    assert rows[7]["source"] == "grants: policy hide"


def test_somebody_who_is_restricted_learns_that_and_no_rule(harness: ReportHarness) -> None:
    for sql in ("SHOW EFFECTIVE POLICY ON orders", "SHOW EFFECTIVE POLICY FOR USER ada ON orders"):
        rows = harness.run(sql, ADA)
        assert kinds(rows) == [
            ("decision", "access", None, "allowed"),
            ("decision", "row filter", None, "(hidden)"),
            ("decision", "column mask", "ssn", "(hidden)"),
        ]
        assert all(row["source"] is None for row in rows)


def test_who_has_no_access_is_told_so(harness: ReportHarness) -> None:
    assert kinds(harness.run("SHOW EFFECTIVE POLICY ON orders", EVE)) == [
        ("decision", "access", None, "denied")
    ]


@pytest.mark.parametrize(
    ("privilege", "person", "allowed", "protected"),
    [
        ("SELECT", "ada ROLES (analyst)", True, True),
        ("SELECT", "ada", True, True),
        ("SELECT", "eve", False, False),
        ("INSERT", "bob", True, False),
        ("INSERT", "ada ROLES (analyst)", False, False),
        ("DROP", "olga", True, False),
        ("CREATE", "olga", False, False),
    ],
)
def test_access_can_be_checked(
    harness: ReportHarness, privilege: str, person: str, allowed: bool, protected: bool
) -> None:
    (row,) = harness.run(f"CHECK ACCESS {privilege} ON orders FOR USER {person}")
    assert (row["user"], row["privilege"], row["object"]) == (
        person.partition(" ")[0],
        privilege,
        "lake.sales.orders",
    )
    assert (row["allowed"], row["protected"]) == (allowed, protected)


def test_the_reason_names_rules_to_those_who_administer_only(harness: ReportHarness) -> None:
    (row,) = harness.run("CHECK ACCESS INSERT ON orders FOR USER ada ROLES (analyst)")
    assert row["reason"] == "grants: DENY INSERT on CATALOG lake to ROLE analyst"
    (row,) = harness.run("CHECK ACCESS INSERT ON orders FOR USER ada", ADA)
    assert row["reason"] == "Access denied: cannot insert into lake.sales.orders."


def test_what_somebody_could_create_can_be_checked_before_it_is_there(harness: ReportHarness) -> None:
    harness.run("GRANT CREATE ON SCHEMA sales TO USER ada")
    (row,) = harness.run("CHECK ACCESS CREATE ON lake.sales.new FOR USER ada")
    assert row["allowed"]
