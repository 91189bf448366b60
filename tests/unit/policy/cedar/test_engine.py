from __future__ import annotations

import json
import logging
from collections.abc import Callable
from pathlib import Path

import pytest

from sqe.config.schema import Config
from sqe.config.sections.policy import PolicyConfig
from sqe.errors import ConfigError, PolicyUnavailableError
from sqe.model.decision import Column, Expression, Kind, Operation, Question, Resource, Verdict
from sqe.model.identity import Principal
from sqe.model.session import Dialect
from sqe.policy.cedar.engine import CedarEngine
from sqe.policy.decision_point import DecisionPoint
from sqe.sql.policy import expression as policy_expression

EXAMPLES = Path(__file__).parents[4] / "docs" / "policy" / "cedar"
COLUMNS = (Column("id", "bigint"), Column("region", "string"), Column("Card", "string", 3, ("card_number",)))
ORDERS = Resource(Kind.TABLE, "lake", ("sales",), "orders", COLUMNS, owner="zoe")
SALARIES = Resource(Kind.TABLE, "lake", ("hr",), "salaries", (Column("amount", "int"),))
READ = Question(Operation.SELECT, ORDERS)

Make = Callable[..., CedarEngine]


def member(*groups: str, user: str = "somebody", roles: tuple[str, ...] = ()) -> Principal:
    return Principal(user, "users_file", frozenset(groups), frozenset(roles))


ADMIN, ANALYST, INTERN, CLERK, VISITOR = map(member, ("admins", "analysts", "interns", "clerks", "visitors"))


def engine_of(policies: Path, entities: Path | None = None) -> CedarEngine:
    policy = PolicyConfig(engines=("cedar",), cedar_policies=policies, cedar_entities=entities)
    return CedarEngine(Config(policy=policy))


@pytest.fixture
def make(tmp_path: Path) -> Make:
    def make(text: str, entities: object = None) -> CedarEngine:
        (tmp_path / "a.cedar").write_text(text, encoding="utf-8")
        if entities is not None:
            (tmp_path / "entities.json").write_text(json.dumps(entities), encoding="utf-8")
        return engine_of(tmp_path / "a.cedar", tmp_path / "entities.json" if entities is not None else None)

    return make


def expression(text: str, source: str) -> Expression:
    return Expression(text, Dialect.SPARK, f"cedar: {source}")


EU = expression("region = 'eu'", "readers see the orders of the EU")
MASK = expression("mask_last(`Card`, 4)", "numbers of cards are masked")
HIDDEN = {"Card": "cedar: cards do not exist for interns"}


@pytest.mark.parametrize(
    ("who", "filters", "masks", "restricted"),
    [
        (ADMIN, (), {}, {}),
        (ANALYST, (EU,), {"Card": MASK}, {}),
        (INTERN, (EU,), {}, HIDDEN),
        (CLERK, (EU,), {}, {}),
        (member(user="zoe"), (), {}, {}),
        (member("analysts", "interns"), (EU,), {}, HIDDEN),
        (member("analysts", "admins"), (), {}, {}),
    ],
    ids=["admin", "analyst", "intern", "clerk", "owner", "both", "admin-too"],
)
def test_who_reads_what_in_the_example(
    who: Principal,
    filters: tuple[Expression, ...],
    masks: dict[str, Expression],
    restricted: dict[str, str],
) -> None:
    [verdict] = engine_of(EXAMPLES).decide(who, [READ])
    assert verdict == Verdict(True, verdict.source, filters, masks, restricted)
    for row_filter in verdict.filters:
        policy_expression.check(row_filter, COLUMNS)
    for mask in verdict.masks.values():
        policy_expression.check(mask, COLUMNS, column=COLUMNS[2])


@pytest.mark.parametrize(
    ("who", "operation", "resource", "expected"),
    [
        (VISITOR, Operation.SELECT, ORDERS, False),
        (ANALYST, Operation.SELECT, SALARIES, False),
        (ADMIN, Operation.SELECT, SALARIES, True),
        (CLERK, Operation.INSERT, ORDERS, True),
        (ANALYST, Operation.INSERT, ORDERS, False),
        (CLERK, Operation.DELETE, ORDERS, False),
        (CLERK, Operation.CREATE_TABLE, ORDERS, False),
        (ADMIN, Operation.CREATE_SCHEMA, Resource(Kind.SCHEMA, "lake", ("x",)), True),
        (member(user="zoe"), Operation.DROP, ORDERS, True),
        (VISITOR, Operation.LIST, Resource(Kind.CATALOG, "lake"), True),
        (VISITOR, Operation.LIST, Resource(Kind.SCHEMA, "lake", ("sales",)), False),
        (ANALYST, Operation.LIST, Resource(Kind.SCHEMA, "lake", ("sales",)), True),
        (ANALYST, Operation.LIST, ORDERS, True),
        (ANALYST, Operation.LIST, SALARIES, False),
    ],
)
def test_who_does_what_in_the_example(
    who: Principal, operation: Operation, resource: Resource, expected: bool
) -> None:
    [verdict] = engine_of(EXAMPLES).decide(who, [Question(operation, resource)])
    assert verdict.allow is expected


def test_one_line_is_enough(make: Make) -> None:
    engine = make(
        """permit(principal in Role::"reader", action == Action::"select", resource in Schema::"lake.sales");"""
    )
    assert engine.decide(member(roles=("reader",)), [READ])[0] == Verdict(True, "cedar: policy 1 in a.cedar")
    assert engine.decide(VISITOR, [READ]) == [Verdict(False, "cedar")]


def test_a_column_that_nobody_permits_does_not_exist(make: Make) -> None:
    engine = make(
        """
        permit(principal, action == Action::"select", resource == Table::"lake.sales.orders");
        permit(principal, action == Action::"select", resource == Column::"lake.sales.orders.id");
        """
    )
    [verdict] = engine.decide(VISITOR, [READ])
    assert verdict.restricted == {"region": "cedar", "Card": "cedar"}


def test_a_table_without_a_permitted_column_is_refused(make: Make) -> None:
    engine = make("""permit(principal, action, resource == Table::"lake.sales.orders");""")
    assert engine.decide(VISITOR, [READ]) == [Verdict(False, "cedar: no column is permitted")]
    assert engine.decide(VISITOR, [Question(Operation.INSERT, ORDERS)])[0].allow


def test_columns_alone_do_not_open_a_table(make: Make) -> None:
    engine = make("""permit(principal, action, resource == Column::"lake.sales.orders.id");""")
    assert not engine.decide(VISITOR, [READ])[0].allow


def test_row_filters_of_columns_count(make: Make) -> None:
    engine = make(
        """
        permit(principal, action, resource);
        @row_filter("id > 0") permit(principal, action, resource in Tag::"card_number");
        @row_filter("id > 1") permit(principal, action, resource in Catalog::"lake");
        """
    )
    [verdict] = engine.decide(VISITOR, [READ])
    assert [one.text for one in verdict.filters] == ["id > 1", "id > 0"]


@pytest.mark.parametrize(
    ("masks", "expected"),
    [
        (["mask_hash(value)"], "mask_hash(`Card`)"),
        (["mask_hash(value)", "mask_hash(value)"], "mask_hash(`Card`)"),
        (["mask_last(value, 4)", "mask_hash(value)"], "mask_hash(`Card`)"),
        (["mask_last(value, 4)", "mask_first(value, 4)"], "mask_null()"),
        (["mask_last(value, 4)", "NULL", "mask_hash(value)"], "NULL"),
        (["mask_constant('value')"], "mask_constant('value')"),
    ],
)
def test_the_strongest_mask_counts(make: Make, masks: list[str], expected: str) -> None:
    permits = [
        f'@mask("{mask}") permit(principal, action, resource in Tag::"card_number");' for mask in masks
    ]
    engine = make("\n".join(["permit(principal, action, resource);", *permits]))
    [verdict] = engine.decide(VISITOR, [READ])
    assert {name: mask.text for name, mask in verdict.masks.items()} == {"Card": expected}


def test_an_expression_in_trinos_sql(make: Make) -> None:
    engine = make(
        '@row_filter("\\"region\\" = \'eu\'") @dialect("trino") permit(principal, action, resource);'
    )
    [verdict] = engine.decide(VISITOR, [READ])
    assert verdict.filters == (Expression("\"region\" = 'eu'", Dialect.TRINO, "cedar: policy 1 in a.cedar"),)


def test_what_must_not_be_read_is_not_described(make: Make) -> None:
    engine = make(
        """
        permit(principal, action == Action::"describe", resource);
        forbid(principal, action == Action::"select", resource == Column::"lake.sales.orders.card");
        """
    )
    describe = Question(Operation.DESCRIBE, ORDERS)
    assert engine.decide(VISITOR, [describe])[0].restricted == {"Card": "cedar"}
    schema = Question(Operation.DESCRIBE, Resource(Kind.SCHEMA, "lake", ("sales",)))
    assert engine.decide(VISITOR, [schema])[0].allow
    assert not engine.decide(VISITOR, [READ])[0].allow


def test_names_in_another_case_are_the_same(make: Make) -> None:
    engine = make(
        """
        permit(principal, action, resource);
        forbid(principal, action, resource in Table::"lake.sales.orders");
        """
    )
    shouted = Resource(Kind.TABLE, "LAKE", ("Sales",), "ORDERS", (Column("ID", "int"),))
    assert not engine.decide(VISITOR, [Question(Operation.SELECT, shouted)])[0].allow


def test_an_owner_of_one_table_is_not_that_of_another_which_is_called_alike(make: Make) -> None:
    engine = make(
        "permit(principal, action, resource) when { resource has owner && resource.owner == principal };"
    )
    mine = Resource(Kind.TABLE, "lake", ("x",), "T", (Column("a", "int"),), owner="somebody")
    other = Resource(Kind.TABLE, "lake", ("x",), "t", (Column("a", "int"),), owner="bob")
    questions = [Question(Operation.SELECT, one) for one in (mine, other, mine)]
    assert [verdict.allow for verdict in engine.decide(VISITOR, questions)] == [True, False, True]


def test_context(make: Make) -> None:
    engine = make(
        """
        permit(principal, action, resource) unless { context has metadata || context has ref };
        permit(principal, action == Action::"procedure", resource)
        when { context has procedure && context.procedure == "rewrite_data_files" };
        """
    )
    files = Resource(Kind.TABLE, "lake", ("sales",), "orders", COLUMNS, metadata="files")
    branch = Resource(Kind.TABLE, "lake", ("sales",), "orders", COLUMNS, ref="audit")
    questions = [Question(Operation.SELECT, one) for one in (ORDERS, files, branch)]
    assert [verdict.allow for verdict in engine.decide(VISITOR, questions)] == [True, False, False]


def test_entities_add_groups_and_tags_of_users(make: Make) -> None:
    engine = make(
        """
        permit(principal in Group::"staff", action in Action::"read", resource);
        forbid(principal, action, resource in Tag::"personal")
        unless { principal.hasTag("cleared") && principal.getTag("cleared") == "yes" };
        """,
        [
            {
                "uid": {"type": "Group", "id": "interns"},
                "attrs": {},
                "parents": [{"type": "Group", "id": "staff"}],
            },
            {
                "uid": {"type": "Tag", "id": "card_number"},
                "attrs": {},
                "parents": [{"type": "Tag", "id": "personal"}],
            },
            {"uid": {"type": "User", "id": "carol"}, "parents": [], "tags": {"cleared": "yes"}},
        ],
    )
    assert engine.decide(INTERN, [READ])[0].restricted == {"Card": "cedar: policy 2 in a.cedar"}
    assert engine.decide(member("interns", user="carol"), [READ])[0].restricted == {}
    assert not engine.decide(ANALYST, [READ])[0].allow


def test_what_the_schema_does_not_have_is_refused(make: Make) -> None:
    engine = make("permit(principal, action, resource);")
    for operation, resource in (
        (Operation.SELECT, Resource(Kind.SCHEMA, "lake", ("sales",))),
        (Operation.DROP_SCHEMA, ORDERS),
    ):
        [verdict] = engine.decide(VISITOR, [Question(operation, resource)])
        assert verdict == Verdict(False, "cedar: the schema has no such action and resource")


def test_an_error_while_a_policy_is_evaluated_refuses(make: Make) -> None:
    engine = make(
        """
        permit(principal, action, resource);
        forbid(principal, action, resource) when { 9223372036854775807 + 1 > 0 };
        """
    )
    with pytest.raises(PolicyUnavailableError) as caught:
        engine.decide(VISITOR, [READ])
    assert caught.value.message == 'Policy engine "cedar" failed or returned an invalid response.'
    assert "overflow" in str(caught.value.detail)


def test_names_are_names_whatever_is_in_them(make: Make) -> None:
    engine = make('permit(principal == User::"alice", action, resource);')
    for user in ('alice"', "alice\\", "alice\n", 'x" || principal == User::"alice'):
        assert not engine.decide(member(user=user), [READ])[0].allow
    assert engine.decide(member(user="alice"), [READ])[0].allow


def test_changes_are_taken_up(make: Make, tmp_path: Path) -> None:
    engine = make("permit(principal, action, resource);")
    before = engine.version
    engine.refresh()
    assert engine.version == before
    (tmp_path / "a.cedar").write_text("forbid(principal, action, resource);", encoding="utf-8")
    assert engine.decide(VISITOR, [READ])[0].allow
    engine.refresh()
    assert engine.version != before
    assert not engine.decide(VISITOR, [READ])[0].allow


@pytest.mark.parametrize(
    "policy",
    [
        '@mask("mask_hash(value, \'k\')") permit(principal, action, resource in Tag::"pii");',
        '@mask("mask_hash(value, \'k\')") permit(principal, action, resource) when { resource in Tag::"pii" };',
    ],
)
def test_a_key_with_a_name_is_not_for_columns_with_a_tag(make: Make, policy: str) -> None:
    with pytest.raises(ConfigError, match="by its name for columns with a tag"):
        make(policy)


def test_a_change_counts_from_the_next_decision(make: Make, tmp_path: Path) -> None:
    engine = make("permit(principal, action, resource);")
    point = DecisionPoint([engine], timeout=120, cache_seconds=60, keyed=False)
    for word, allowed in (("forbid", False), ("permit", True)) * 3:
        (tmp_path / "a.cedar").write_text(f"{word}(principal, action, resource);", encoding="utf-8")
        assert point.decide(VISITOR, [READ])[0].allow is allowed
    point.close()


@pytest.mark.parametrize("broken", ["permit(", '@filter("x") permit(principal, action, resource);', None])
def test_a_broken_file_refuses_until_it_is_repaired(
    make: Make, tmp_path: Path, broken: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    file, good = tmp_path / "a.cedar", "permit(principal, action, resource);"
    engine = make(good)
    versions = [engine.version]
    if broken is None:
        file.unlink()
    else:
        file.write_text(broken, encoding="utf-8")
    with caplog.at_level(logging.INFO):
        for _ in range(3):
            engine.refresh()
            with pytest.raises(PolicyUnavailableError):
                engine.decide(VISITOR, [READ])
    assert len(caplog.records) == 1
    assert "a.cedar" in caplog.text
    versions.append(engine.version)
    file.write_text(good, encoding="utf-8")
    engine.refresh()
    versions.append(engine.version)
    assert engine.decide(VISITOR, [READ])[0].allow
    assert versions[0] == versions[2] != versions[1]
    engine.close()


def test_a_broken_file_at_the_start(make: Make) -> None:
    with pytest.raises(ConfigError, match=r"a\.cedar"):
        make("permit(")
    with pytest.raises(ConfigError, match="cedar_policies"):
        CedarEngine(Config())
