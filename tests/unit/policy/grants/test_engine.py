from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from sqe.model.decision import Column, Kind, Operation, Question, Resource, Verdict
from sqe.model.identity import Principal
from sqe.model.session import Dialect
from sqe.policy.administrators import Administrators
from sqe.policy.binding import BoundExpression, bind
from sqe.policy.grants.engine import GrantsEngine
from sqe.policy.grants.entries import (
    Authority,
    ColumnReference,
    Effect,
    Grant,
    Place,
    Policy,
    PresentTable,
)
from sqe.policy.grants.store import GrantStore
from sqe.sql.policy.statement_types import Grantee, GranteeKind, ObjectKind, PolicyKind, Privilege

COLUMNS = (
    Column("id", "bigint", 1),
    Column("region", "string", 2),
    Column("ssn", "string", 3, ("pii",)),
    Column("mail", "string", 4, ("pii", "contact")),
)
ORDERS = Resource(Kind.TABLE, "lake", ("sales",), "orders", COLUMNS, "u-1", "olga")
ADA = Principal("ada", "test", groups=frozenset({"eng"}), roles=frozenset({"analyst"}))
OLGA = Principal("olga", "test")
ROOT = Principal("root", "test")

USER = Grantee(GranteeKind.USER, "ada")
ROLE = Grantee(GranteeKind.ROLE, "analyst")
GROUP = Grantee(GranteeKind.GROUP, "eng")
TABLE = Place(ObjectKind.TABLE, "lake", ("sales",), "orders", "u-1")
SCHEMA = Place(ObjectKind.SCHEMA, "lake", ("sales",))
CATALOG = Place(ObjectKind.CATALOG, "lake")
ALL_TABLES = Place(ObjectKind.ALL_TABLES, "lake", ("sales",))
FUTURE_TABLES = Place(ObjectKind.FUTURE_TABLES, "lake", ("sales",))


class Rules:
    """A store with what a test writes into it, and its engine."""

    def __init__(self, path: Path) -> None:
        self.store = GrantStore(path, timeout=120)
        self.engine = GrantsEngine(self.store, Administrators(["user:root"]))

    def grant(self, privilege: Privilege, place: Place, to: Grantee = USER, **more: object) -> None:
        self._add(Effect.GRANT, privilege, place, to, **more)

    def deny(self, privilege: Privilege, place: Place, to: Grantee = USER, **more: object) -> None:
        self._add(Effect.DENY, privilege, place, to, **more)

    def _add(self, effect: Effect, privilege: Privilege, place: Place, to: Grantee, **more: object) -> None:
        grant = Grant(effect, privilege, place, to, "root", Authority.ADMIN)
        with self.store.change("root", "GRANT") as change:
            change.add_grant(replace(grant, **more))  # type: ignore[arg-type]

    def policy(self, kind: PolicyKind, **more: object) -> None:
        policy = Policy(f"p{len(self.store.history())}", kind, "root", Authority.ADMIN)
        with self.store.change("root", "CREATE POLICY") as change:
            change.put_policy(replace(policy, **more))  # type: ignore[arg-type]

    def ask(self, operation: Operation, resource: Resource = ORDERS, principal: Principal = ADA) -> Verdict:
        (verdict,) = self.engine.decide(principal, [Question(operation, resource)])
        return verdict

    def allows(self, operation: Operation, resource: Resource = ORDERS, principal: Principal = ADA) -> bool:
        return self.ask(operation, resource, principal).allow


@pytest.fixture
def rules(tmp_path: Path) -> Iterator[Rules]:
    found = Rules(tmp_path / "grants.db")
    yield found
    found.engine.close()


def expression(text: str, columns: tuple[Column, ...] = COLUMNS) -> BoundExpression:
    return bind(text, Dialect.SPARK, columns)


@pytest.mark.parametrize("operation", Operation)
def test_nothing_is_allowed_that_was_not_granted(rules: Rules, operation: Operation) -> None:
    verdict = rules.ask(operation)
    assert not verdict.allow
    assert verdict.source.startswith("grants: ")


# What each privilege alone makes possible with a table; on a schema, so that all of them can be given.
POSSIBLE = {
    Privilege.SELECT: {Operation.SELECT, Operation.SHOW_CREATE},
    Privilege.INSERT: {Operation.INSERT},
    Privilege.UPDATE: {Operation.UPDATE},
    Privilege.DELETE: {Operation.DELETE, Operation.TRUNCATE},
    Privilege.CREATE: {Operation.CREATE_TABLE, Operation.CREATE_VIEW},
    Privilege.DROP: {Operation.DROP, Operation.DROP_SCHEMA},
    Privilege.ALTER: {Operation.ALTER, Operation.ANALYZE, Operation.PROCEDURE, Operation.ALTER_SCHEMA},
}


@pytest.mark.parametrize("privilege", POSSIBLE)
def test_a_privilege_makes_possible_what_it_says_and_no_more(rules: Rules, privilege: Privilege) -> None:
    rules.grant(privilege, SCHEMA)
    allowed = {operation for operation in Operation if rules.allows(operation)}
    seen = {Operation.LIST} if privilege is Privilege.CREATE else {Operation.LIST, Operation.DESCRIBE}
    assert allowed == POSSIBLE[privilege] | seen


def test_several_privileges_together_allow_more(rules: Rules) -> None:
    rules.grant(Privilege.INSERT, TABLE)
    rules.grant(Privilege.UPDATE, TABLE)
    assert not rules.allows(Operation.MERGE)
    assert not rules.allows(Operation.OVERWRITE)
    rules.grant(Privilege.DELETE, TABLE)
    assert rules.allows(Operation.MERGE)
    assert rules.allows(Operation.OVERWRITE)
    assert not rules.allows(Operation.RENAME)
    rules.grant(Privilege.ALTER, TABLE)
    assert not rules.allows(Operation.RENAME)
    rules.grant(Privilege.DROP, TABLE)
    assert rules.allows(Operation.RENAME)
    assert not rules.allows(Operation.REPLACE_TABLE)
    rules.grant(Privilege.CREATE, SCHEMA)
    assert rules.allows(Operation.REPLACE_TABLE)


def test_all_privileges_are_all_but_the_owners(rules: Rules) -> None:
    rules.grant(Privilege.ALL, CATALOG)
    refused = {operation for operation in Operation if not rules.allows(operation)}
    assert refused == {Operation.SET_TAGS}


def test_all_privileges_on_a_table_do_not_reach_its_schema(rules: Rules) -> None:
    rules.grant(Privilege.ALL, TABLE)
    assert rules.allows(Operation.SELECT)
    schema = Resource(Kind.SCHEMA, "lake", ("sales",))
    for operation in (Operation.DROP_SCHEMA, Operation.ALTER_SCHEMA, Operation.CREATE_SCHEMA):
        assert not rules.allows(operation, schema)
    assert not rules.allows(Operation.CREATE_TABLE, replace(ORDERS, uuid=None, owner=None))


@pytest.mark.parametrize("to", [USER, ROLE, GROUP])
def test_users_roles_and_groups_get_what_is_theirs(rules: Rules, to: Grantee) -> None:
    rules.grant(Privilege.SELECT, TABLE, to)
    assert rules.allows(Operation.SELECT)
    assert not rules.allows(Operation.SELECT, principal=Principal("eve", "test"))
    namesake = Principal("analyst", "test", groups=frozenset({"ada"}), roles=frozenset({"eng", "ada"}))
    assert not rules.allows(Operation.SELECT, principal=namesake)
    assert not rules.allows(
        Operation.SELECT, principal=Principal("ADA", "test", roles=frozenset({"Analyst"}))
    )


@pytest.mark.parametrize("place", [TABLE, SCHEMA, CATALOG, ALL_TABLES, FUTURE_TABLES])
def test_a_grant_holds_for_what_is_inside(rules: Rules, place: Place) -> None:
    rules.grant(Privilege.SELECT, place)
    assert rules.allows(Operation.SELECT)
    for other in (
        replace(ORDERS, catalog="pond"),
        *((replace(ORDERS, namespace=("hr",), uuid="u-9"),) if place is not CATALOG else ()),
    ):
        assert not rules.allows(Operation.SELECT, other)


def test_a_schema_holds_what_is_nested_in_it_and_its_tables_do_not(rules: Rules) -> None:
    nested = replace(ORDERS, namespace=("sales", "eu"), uuid="u-2")
    rules.grant(Privilege.SELECT, ALL_TABLES)
    assert not rules.allows(Operation.SELECT, nested)
    rules.grant(Privilege.SELECT, SCHEMA)
    assert rules.allows(Operation.SELECT, nested)
    assert not rules.allows(Operation.SELECT, replace(ORDERS, namespace=("sales.eu",), uuid="u-3"))


def test_a_new_table_under_an_old_name_inherits_nothing(rules: Rules) -> None:
    rules.grant(Privilege.SELECT, TABLE)
    assert not rules.allows(Operation.SELECT, replace(ORDERS, uuid="u-2"))
    assert not rules.allows(Operation.SELECT, replace(ORDERS, uuid=None))
    assert rules.allows(Operation.SELECT, replace(ORDERS, name="renamed", namespace=("hr",)))


def test_a_grant_without_a_uuid_holds_for_the_name(rules: Rules) -> None:
    rules.grant(Privilege.SELECT, Place(ObjectKind.VIEW, "lake", ("sales",), "v"))
    view = Resource(Kind.VIEW, "lake", ("sales",), "v")
    assert rules.allows(Operation.SELECT, view)
    assert not rules.allows(Operation.SELECT, replace(view, name="V"))


def test_future_tables_are_those_that_were_not_there(rules: Rules) -> None:
    present = (PresentTable("orders", "u-1"), PresentTable("a_view", None))
    rules.grant(Privilege.SELECT, FUTURE_TABLES, present=present)
    assert not rules.allows(Operation.SELECT)
    assert not rules.allows(Operation.SELECT, replace(ORDERS, name="renamed"))
    assert not rules.allows(Operation.SELECT, Resource(Kind.VIEW, "lake", ("sales",), "A_view"))
    assert rules.allows(Operation.SELECT, replace(ORDERS, uuid="u-2"))
    assert rules.allows(Operation.SELECT, replace(ORDERS, name="new", uuid="u-3"))


@pytest.mark.parametrize("granted", [TABLE, SCHEMA, CATALOG])
@pytest.mark.parametrize("denied", [TABLE, SCHEMA, CATALOG, ALL_TABLES, FUTURE_TABLES])
def test_a_denial_beats_a_grant(rules: Rules, granted: Place, denied: Place) -> None:
    rules.grant(Privilege.ALL, granted, USER)
    assert rules.allows(Operation.SELECT)
    rules.deny(Privilege.SELECT, denied, GROUP)
    verdict = rules.ask(Operation.SELECT)
    assert not verdict.allow
    assert "DENY SELECT" in verdict.source
    assert rules.allows(Operation.INSERT)


def test_a_denial_of_everything_hides_the_table_from_its_owner_too(rules: Rules) -> None:
    assert rules.allows(Operation.SELECT, principal=OLGA)
    rules.deny(Privilege.ALL, TABLE, Grantee(GranteeKind.USER, "olga"))
    assert [operation for operation in Operation if rules.allows(operation, principal=OLGA)] == [
        Operation.SET_TAGS
    ]


@pytest.mark.parametrize(
    "other",
    [
        replace(ORDERS, name="renamed", namespace=("public",)),
        replace(ORDERS, uuid="u-2"),
        replace(ORDERS, uuid=None),
        replace(ORDERS, name="ORDERS", namespace=("Sales",), uuid=None),
        replace(ORDERS, catalog="LAKE", uuid=None),
    ],
)
def test_a_restriction_follows_the_table_and_the_name(rules: Rules, other: Resource) -> None:
    rules.grant(Privilege.SELECT, Place(ObjectKind.CATALOG, "lake"))
    rules.deny(Privilege.SELECT, TABLE)
    assert not rules.allows(Operation.SELECT, other)


def test_the_owner_has_all_privileges_on_a_table(rules: Rules) -> None:
    refused = {operation for operation in Operation if not rules.allows(operation, principal=OLGA)}
    # A schema is nobody's: what is done in it, or with it, has to be granted.
    assert refused == {
        *(Operation.CREATE_TABLE, Operation.CREATE_VIEW, Operation.REPLACE_TABLE, Operation.CREATE_SCHEMA)
    }
    schema = Resource(Kind.SCHEMA, "lake", ("sales",), owner="olga")
    assert not any(rules.allows(operation, schema, OLGA) for operation in Operation)
    assert not rules.allows(Operation.SELECT, replace(ORDERS, owner=None), OLGA)


def test_policies_apply_to_the_owner_too(rules: Rules) -> None:
    rules.policy(PolicyKind.ROW_FILTER, place=TABLE, expression=expression("region = 'eu'"))
    assert [each.text for each in rules.ask(Operation.SELECT, principal=OLGA).filters] == ["region = 'eu'"]


def test_administrators_see_what_there_is_and_no_data(rules: Rules) -> None:
    allowed = {operation for operation in Operation if rules.allows(operation, principal=ROOT)}
    assert allowed == {Operation.LIST, Operation.DESCRIBE, Operation.SET_TAGS}


def test_names_are_shown_to_those_who_may_do_something_there(rules: Rules) -> None:
    listed = replace(ORDERS, columns=(), uuid=None, owner=None)
    lake, sales = Resource(Kind.CATALOG, "lake"), Resource(Kind.SCHEMA, "lake", ("sales",))
    assert not any(rules.allows(Operation.LIST, each) for each in (listed, lake, sales))
    rules.grant(Privilege.INSERT, TABLE)
    assert all(rules.allows(Operation.LIST, each) for each in (listed, lake, sales))
    for other in (
        replace(listed, name="other"),
        Resource(Kind.CATALOG, "pond"),
        Resource(Kind.SCHEMA, "lake", ("hr",)),
        Resource(Kind.SCHEMA, "lake", ("sales", "inner")),
    ):
        assert not rules.allows(Operation.LIST, other)
    rules.grant(Privilege.SELECT, Place(ObjectKind.SCHEMA, "lake", ("a", "b")))
    assert rules.allows(Operation.LIST, Resource(Kind.SCHEMA, "lake", ("a",)))
    assert rules.allows(Operation.LIST, Resource(Kind.SCHEMA, "lake", ("a", "b", "c")))
    rules.deny(Privilege.INSERT, TABLE)
    assert not rules.allows(Operation.LIST, listed)
    rules.deny(Privilege.ALL, SCHEMA)
    assert not rules.allows(Operation.LIST, sales)


def test_a_schema_is_made_by_who_may_create_around_it(rules: Rules) -> None:
    inner = Resource(Kind.SCHEMA, "lake", ("sales", "eu"))
    rules.grant(Privilege.CREATE, Place(ObjectKind.SCHEMA, "lake", ("sales", "eu")))
    assert not rules.allows(Operation.CREATE_SCHEMA, inner)
    rules.grant(Privilege.CREATE, SCHEMA)
    assert rules.allows(Operation.CREATE_SCHEMA, inner)
    assert not rules.allows(Operation.CREATE_SCHEMA, Resource(Kind.SCHEMA, "lake", ("sales",)))
    rules.grant(Privilege.CREATE, CATALOG)
    assert rules.allows(Operation.CREATE_SCHEMA, Resource(Kind.SCHEMA, "lake", ("sales",)))


def test_filters_of_all_grants_and_policies_hold_together(rules: Rules) -> None:
    rules.grant(Privilege.SELECT, SCHEMA, ROLE)
    rules.grant(Privilege.SELECT, TABLE, rows=expression("region = 'eu'"))
    rules.grant(Privilege.SELECT, TABLE, GROUP, rows=expression("id > 0"))
    rules.grant(Privilege.SELECT, TABLE, Grantee(GranteeKind.USER, "eve"), rows=expression("id < 0"))
    rules.grant(Privilege.INSERT, TABLE, rows=expression("id = 7"))
    rules.policy(PolicyKind.ROW_FILTER, place=SCHEMA, expression=expression("id <> 1"))
    rules.policy(PolicyKind.ROW_FILTER, place=CATALOG, to=(ROLE,), expression=expression("id <> 2"))
    rules.policy(
        PolicyKind.ROW_FILTER,
        place=TABLE,
        to=(Grantee(GranteeKind.ROLE, "boss"),),
        expression=expression("id <> 3"),
    )
    verdict = rules.ask(Operation.SELECT)
    assert {each.text for each in verdict.filters} == {"region = 'eu'", "id > 0", "id <> 1", "id <> 2"}
    assert {each.text for each in rules.ask(Operation.INSERT).filters} >= {
        "id = 7",
        "id <> 1",
        "region = 'eu'",
    }
    assert any("policy p" in each.source for each in verdict.filters)


def test_a_filter_of_a_grant_holds_for_a_new_table_of_the_name(rules: Rules) -> None:
    rules.grant(Privilege.SELECT, SCHEMA)
    rules.grant(Privilege.SELECT, TABLE, rows=BoundExpression("region = 'eu'", Dialect.SPARK))
    assert rules.ask(Operation.SELECT, replace(ORDERS, uuid="u-2")).filters


def test_masks_follow_field_ids_and_names(rules: Rules) -> None:
    rules.grant(Privilege.SELECT, SCHEMA)
    mask = expression("mask_last(ssn, 4)")
    rules.policy(PolicyKind.COLUMN_MASK, place=TABLE, columns=(ColumnReference("ssn", 3),), expression=mask)
    assert {name: each.text for name, each in rules.ask(Operation.SELECT).masks.items()} == {
        "ssn": "mask_last(ssn, 4)"
    }
    renamed = (*COLUMNS[:2], Column("x y", "string", 3), Column("SSN", "string", 4))
    verdict = rules.ask(Operation.SELECT, replace(ORDERS, columns=renamed))
    # The column under its new name, and the other one that has taken the old one.
    assert {name: each.text for name, each in verdict.masks.items()} == {
        "x y": "mask_last(`x y`, 4)",
        "SSN": "mask_last(`x y`, 4)",
    }


def test_two_columns_that_swap_names_do_not_swap_filters(rules: Rules) -> None:
    rules.grant(Privilege.SELECT, SCHEMA)
    rules.policy(PolicyKind.ROW_FILTER, place=TABLE, expression=expression("region = 'eu'"))
    swapped = (COLUMNS[0], Column("mail", "string", 2), COLUMNS[2], Column("region", "string", 4))
    (found,) = rules.ask(Operation.SELECT, replace(ORDERS, columns=swapped)).filters
    assert found.text == "`mail` = 'eu'"


def test_a_filter_whose_column_is_gone_is_a_refusal(rules: Rules) -> None:
    rules.grant(Privilege.SELECT, SCHEMA)
    rules.policy(PolicyKind.ROW_FILTER, place=TABLE, expression=expression("region = 'eu'"))
    new = (COLUMNS[0], Column("region", "string", 99), *COLUMNS[2:])
    assert not rules.allows(Operation.SELECT, replace(ORDERS, columns=new))
    assert rules.allows(Operation.DESCRIBE, replace(ORDERS, columns=new))


def test_a_mask_whose_column_is_gone_hides_what_it_masked(rules: Rules) -> None:
    rules.grant(Privilege.SELECT, SCHEMA)
    mask = expression("concat(region, ssn)")
    rules.policy(PolicyKind.COLUMN_MASK, place=TABLE, columns=(ColumnReference("ssn", 3),), expression=mask)
    verdict = rules.ask(Operation.SELECT, replace(ORDERS, columns=(COLUMNS[0], *COLUMNS[2:])))
    assert (dict(verdict.masks), list(verdict.restricted)) == ({}, ["ssn"])


def test_of_two_masks_the_stronger_counts(rules: Rules) -> None:
    rules.grant(
        Privilege.SELECT, TABLE, masks=((ColumnReference("ssn", 3), expression("mask_last(ssn, 4)")),)
    )
    rules.policy(
        PolicyKind.COLUMN_MASK,
        place=TABLE,
        columns=(ColumnReference("ssn", 3),),
        expression=expression("mask_hash(ssn)"),
    )
    assert rules.ask(Operation.SELECT).masks["ssn"].text == "mask_hash(ssn)"
    rules.policy(PolicyKind.COLUMN_MASK, tag="pii", expression=expression("mask_hash(value)", ()))
    verdict = rules.ask(Operation.SELECT)
    assert verdict.masks["ssn"].text == "mask_null()"  # two that are as strong, and differ
    assert verdict.masks["mail"].text == "mask_hash(`mail`)"


def test_policies_on_tags_find_their_columns(rules: Rules) -> None:
    rules.grant(Privilege.SELECT, SCHEMA)
    rules.policy(PolicyKind.COLUMN_MASK, tag="PII", expression=expression("concat(value, `value`)", ()))
    rules.policy(PolicyKind.RESTRICT_COLUMNS, tag="contact", to=(GROUP,))
    rules.policy(PolicyKind.RESTRICT_COLUMNS, tag="other")
    verdict = rules.ask(Operation.SELECT)
    assert {name: each.text for name, each in verdict.masks.items()} == {"ssn": "concat(`ssn`, `value`)"}
    assert list(verdict.restricted) == ["mail"]
    assert list(rules.ask(Operation.DESCRIBE).restricted) == ["mail"]


def test_columns_that_are_denied_or_restricted_do_not_exist(rules: Rules) -> None:
    rules.grant(Privilege.SELECT, SCHEMA)
    rules.deny(Privilege.SELECT, TABLE, ROLE, columns=(ColumnReference("ssn", 3),))
    rules.policy(PolicyKind.RESTRICT_COLUMNS, place=TABLE, columns=(ColumnReference("MAIL"),))
    verdict = rules.ask(Operation.SELECT)
    assert verdict.allow
    assert sorted(verdict.restricted) == ["mail", "ssn"]
    renamed = (*COLUMNS[:2], Column("hidden", "string", 3), Column("ssn", "string", 9))
    verdict = rules.ask(Operation.SELECT, replace(ORDERS, columns=renamed))
    assert sorted(verdict.restricted) == ["hidden", "ssn"]
    assert not rules.ask(Operation.DESCRIBE, principal=OLGA).restricted  # who administers has to know
    assert rules.ask(Operation.SELECT, principal=OLGA).restricted


def test_a_grant_on_columns_shows_these_and_no_others(rules: Rules) -> None:
    rules.grant(Privilege.SELECT, TABLE, columns=(ColumnReference("id", 1),))
    assert list(rules.ask(Operation.SELECT).restricted) == ["region", "ssn", "mail"]
    rules.grant(Privilege.SELECT, TABLE, ROLE, columns=(ColumnReference("ssn", 3),))
    assert list(rules.ask(Operation.SELECT).restricted) == ["region", "mail"]
    assert list(rules.ask(Operation.DESCRIBE).restricted) == ["region", "mail"]
    # A new column under an old name is another column.
    new = (Column("id", "bigint", 9), Column("old id", "bigint", 1), *COLUMNS[1:])
    verdict = rules.ask(Operation.SELECT, replace(ORDERS, columns=new))
    assert list(verdict.restricted) == ["id", "region", "mail"]
    rules.grant(Privilege.SELECT, SCHEMA, GROUP)
    assert not rules.ask(Operation.SELECT).restricted


def test_restrictions_on_columns_hold_where_no_columns_are_told(rules: Rules) -> None:
    rules.grant(Privilege.ALL, SCHEMA)
    rules.policy(PolicyKind.RESTRICT_COLUMNS, place=TABLE, columns=(ColumnReference("ssn", 3),))
    assert list(rules.ask(Operation.UPDATE, replace(ORDERS, columns=())).restricted) == ["ssn"]


@pytest.mark.parametrize("place", [SCHEMA, CATALOG, ALL_TABLES])
def test_nobody_can_rename_a_table_out_of_what_restricts_its_schema(rules: Rules, place: Place) -> None:
    rules.grant(Privilege.ALL, CATALOG)
    rules.grant(Privilege.ALL, CATALOG, Grantee(GranteeKind.USER, "root"))
    assert rules.allows(Operation.RENAME)
    rules.deny(Privilege.SELECT, place, Grantee(GranteeKind.USER, "eve"))
    assert not rules.allows(Operation.RENAME)
    assert not rules.allows(Operation.RENAME, principal=OLGA)
    assert rules.allows(Operation.RENAME, principal=ROOT)
    assert rules.allows(Operation.ALTER)


def test_nobody_can_rename_a_table_out_of_a_policy_of_its_schema(rules: Rules) -> None:
    rules.policy(PolicyKind.ROW_FILTER, place=TABLE, expression=expression("region = 'eu'"))
    assert rules.allows(Operation.RENAME, principal=OLGA)
    rules.policy(PolicyKind.ROW_FILTER, place=SCHEMA, expression=expression("region = 'eu'"))
    assert not rules.allows(Operation.RENAME, principal=OLGA)


def test_the_version_changes_with_what_it_answers(rules: Rules) -> None:
    before = rules.engine.version
    assert not rules.allows(Operation.SELECT)
    rules.grant(Privilege.SELECT, TABLE)
    assert rules.engine.version != before
    assert rules.allows(Operation.SELECT)
    assert rules.engine.name == "grants"


def test_one_verdict_for_each_question_in_their_order(rules: Rules) -> None:
    rules.grant(Privilege.SELECT, TABLE)
    questions = [
        Question(operation, ORDERS) for operation in (Operation.DROP, Operation.SELECT, Operation.ALTER)
    ]
    assert [verdict.allow for verdict in rules.engine.decide(ADA, questions)] == [False, True, False]
