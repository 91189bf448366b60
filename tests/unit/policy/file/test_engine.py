from __future__ import annotations

import os
from pathlib import Path

import pytest

from sqe.errors import ConfigError, PolicyUnavailableError
from sqe.model.decision import Column, Kind, Operation, Question, Resource, Verdict
from sqe.model.identity import Principal
from sqe.policy.decision_point import DecisionPoint
from sqe.policy.file.engine import FileEngine

COLUMNS = (
    Column("id", "bigint"),
    Column("Email", "string", tags=("PII",)),
    Column("region", "string"),
    Column("margin", "double", tags=("secret",)),
)
ORDERS = Resource(Kind.TABLE, "lake", ("shop",), "orders", COLUMNS)
ANN = Principal("ann", "test", frozenset({"sales"}), frozenset({"analyst"}))
EVE = Principal("eve", "test")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "rules.yaml"


def rules(path: Path, text: str) -> FileEngine:
    path.write_text(text)
    return FileEngine(path)


def decide(
    engine: FileEngine,
    principal: Principal,
    operation: Operation = Operation.SELECT,
    resource: Resource = ORDERS,
) -> Verdict:
    [verdict] = engine.decide(principal, [Question(operation, resource)])
    return verdict


def test_nothing_is_allowed_by_default(path: Path) -> None:
    engine = rules(path, "rules: []")
    for operation in Operation:
        assert not decide(engine, ANN, operation).allow


def test_everything_is_allowed_where_the_file_says_so(path: Path) -> None:
    engine = rules(path, "default: allow")
    for operation in Operation:
        assert decide(engine, ANN, operation) == Verdict(allow=True, source="file: default")


@pytest.mark.parametrize(
    "who", ["users: ann", "users: [a*, b]", "roles: analyst", "groups: sales", 'users: "*"']
)
def test_whom_a_rule_concerns(path: Path, who: str) -> None:
    engine = rules(path, f"rules:\n  - {who}\n    tables: lake.shop.orders\n")
    assert decide(engine, ANN).allow
    assert decide(engine, EVE).allow is ("*" in who and "a*" not in who)


def test_names_of_people_are_exact(path: Path) -> None:
    engine = rules(
        path,
        "rules: [{users: Ann, tables: '*'}, {roles: sales, tables: '*'}, {groups: analyst, tables: '*'}]",
    )
    assert not decide(engine, ANN).allow


@pytest.mark.parametrize(
    ("operations", "allowed"),
    [
        ("read", {"select", "describe", "show_create", "list"}),
        ("write", {"insert", "update", "delete", "merge", "overwrite", "truncate"}),
        ("[select, insert]", {"select", "insert", "list"}),
        ("all", set(Operation)),
    ],
)
def test_operations_and_their_groups(path: Path, operations: str, allowed: set[str]) -> None:
    engine = rules(path, f"rules: [{{users: ann, tables: lake.shop.orders, operations: {operations}}}]")
    assert {operation for operation in Operation if decide(engine, ANN, operation).allow} == allowed


def test_groups_of_operations_have_each_once() -> None:
    from sqe.policy.file.document import ALL, READ, WRITE, RuleEntry

    manage = RuleEntry.model_validate({"users": "a", "tables": "*", "operations": "manage"}).covered
    assert READ | WRITE | manage == ALL == frozenset(Operation)
    assert sum(map(len, (READ, WRITE, manage))) == len(ALL)


def test_who_denies_beats_who_allows(path: Path) -> None:
    engine = rules(
        path,
        """
rules:
  - {users: "*", tables: "*", operations: all}
  - {name: closed, groups: sales, tables: LAKE.shop.Order*, operations: [select, drop], effect: deny}
""",
    )
    assert decide(engine, EVE).allow
    assert decide(engine, ANN) == Verdict(allow=False, source="file: rule 2 (closed)")
    assert not decide(engine, ANN, Operation.DROP).allow
    assert decide(engine, ANN, Operation.INSERT).allow
    assert decide(engine, ANN, Operation.LIST).allow  # its columns may still be seen


def test_a_name_in_other_letters_is_not_allowed_but_restricted(path: Path) -> None:
    other = Resource(Kind.TABLE, "lake", ("shop",), "ORDERS", COLUMNS)
    engine = rules(path, "rules: [{users: ann, tables: lake.shop.orders, rows: id > 1}]")
    assert not decide(engine, ANN, resource=other).allow
    more = rules(
        path, "rules: [{users: ann, tables: lake.shop.orders, rows: id > 1}, {users: ann, tables: lake.**}]"
    )
    assert [row.text for row in decide(more, ANN, resource=other).filters] == ["id > 1"]


def test_what_restricts_holds_together(path: Path) -> None:
    engine = rules(
        path,
        """
rules:
  - {users: "*", tables: "*"}
  - {name: eu, groups: sales, tables: lake.shop.orders, rows: region = 'eu', masks: {EMAIL: mask_hash(email)}}
  - roles: analyst
    tables: lake.*.*
    dialect: trino
    rows: id > 1
    masks: {email: "mask_last(email, 4)"}
    restrict: margin
""",
    )
    verdict = decide(engine, ANN)
    assert verdict.allow
    assert [(row.text, row.dialect.value, row.source) for row in verdict.filters] == [
        ("region = 'eu'", "spark", "file: rule 2 (eu)"),
        ("id > 1", "trino", "file: rule 3"),
    ]
    assert {name: mask.text for name, mask in verdict.masks.items()} == {"Email": "mask_hash(email)"}
    assert verdict.restricted == {"margin": "file: rule 3"}
    assert decide(engine, EVE) == Verdict(allow=True, source="file: rule 1")
    assert decide(engine, ANN, Operation.INSERT).allow is False


def test_only_select_carries_restrictions(path: Path) -> None:
    engine = rules(path, "rules: [{users: ann, tables: lake.shop.orders, operations: all, rows: id > 1}]")
    assert decide(engine, ANN, Operation.SELECT).filters
    assert not decide(engine, ANN, Operation.INSERT).filters


def test_tags(path: Path) -> None:
    engine = rules(
        path,
        """
rules:
  - users: ann
    tables: lake.shop.orders
    tags:
      pii: {mask: "CASE WHEN is_member('support') THEN value ELSE mask_hash(value) END"}
      secret: restrict
      none: restrict
""",
    )
    verdict = decide(engine, ANN)
    assert (
        verdict.masks["Email"].text
        == "CASE WHEN is_member('support') THEN `Email` ELSE mask_hash(`Email`) END"
    )
    assert set(verdict.masks) == {"Email"}
    assert set(verdict.restricted) == {"margin"}


def test_a_column_that_is_not_there(path: Path) -> None:
    wrong = rules(
        path, "rules: [{users: ann, tables: lake.shop.orders, masks: {nope: mask_null()}, restrict: nada}]"
    )
    verdict = decide(wrong, ANN)
    assert set(verdict.masks) == {"nope"}  # whoever puts verdicts together refuses it
    assert set(verdict.restricted) == {"nada"}
    pattern = rules(
        path, "rules: [{users: ann, tables: lake.shop.*, masks: {nope: mask_null()}, restrict: nada}]"
    )
    assert decide(pattern, ANN) == Verdict(allow=True, source="file: rule 1")


def test_listings_show_the_way_to_what_may_be_read(path: Path) -> None:
    engine = rules(
        path,
        """
rules:
  - {users: ann, tables: lake.shop.orders}
  - {users: ann, tables: lake.hidden.t, operations: write}
  - {users: eve, tables: "*"}
  - {users: eve, tables: lake.hidden.*, effect: deny}
""",
    )

    def shown(principal: Principal, kind: Kind, *names: str) -> bool:
        name = names[-1] if kind is Kind.TABLE else None
        resource = Resource(kind, names[0], names[1:-1] if name else names[1:], name)
        return decide(engine, principal, Operation.LIST, resource).allow

    assert shown(ANN, Kind.CATALOG, "lake")
    assert not shown(ANN, Kind.CATALOG, "other")
    assert shown(ANN, Kind.SCHEMA, "lake", "shop")
    assert not shown(ANN, Kind.SCHEMA, "lake", "hidden")
    assert shown(ANN, Kind.TABLE, "lake", "shop", "orders")
    assert not shown(ANN, Kind.TABLE, "lake", "shop", "customers")
    assert shown(EVE, Kind.SCHEMA, "lake", "shop")
    assert not shown(EVE, Kind.SCHEMA, "lake", "hidden")
    assert not shown(EVE, Kind.TABLE, "lake", "hidden", "t")


def test_schemas_are_made_by_who_may_manage_all_of_them(path: Path) -> None:
    engine = rules(
        path,
        """
rules:
  - {users: ann, tables: lake.shop.*, operations: manage}
  - {users: eve, tables: lake.shop.a, operations: all}
""",
    )
    shop = Resource(Kind.SCHEMA, "lake", ("shop",))
    assert decide(engine, ANN, Operation.CREATE_SCHEMA, shop).allow
    assert not decide(engine, ANN, Operation.CREATE_SCHEMA, Resource(Kind.SCHEMA, "lake", ("other",))).allow
    assert not decide(engine, EVE, Operation.DROP_SCHEMA, shop).allow
    assert decide(engine, EVE, Operation.DESCRIBE, shop).allow


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("rules: [{tables: '*'}]", "neither users nor roles nor groups"),
        ("rules: [{users: a}]", "rules[1].tables: Field required"),
        ("rules: [{users: a, tables: a.b}]", "rules[1].tables: 'a.b' is not a catalog.schema.table"),
        ("rules: [{users: a, tables: []}]", "rules[1].tables: is empty"),
        ("rules: [{users: '', tables: '*'}]", "at least 1 character"),
        ("rules: [{users: a, tables: '*', operations: [reading]}]", "'reading' is none of read, write"),
        ("rules: [{users: a, tables: '*', operations: []}]", "rules[1].operations: is empty"),
        ("rules: [{users: a, tables: '*', effect: maybe}]", "rules[1].effect"),
        ("rules: [{users: a, tables: '*', effect: deny, rows: x = 1}]", "denies"),
        ("rules: [{users: a, tables: '*', operations: insert, rows: x = 1}]", "no operation select"),
        ("rules: [{users: a, tables: '*', rows: x = }]", "rules[1].rows: line 1:4: mismatched input"),
        (
            "rules: [{users: a, tables: '*', rows: rand() > 1}]",
            "rules[1].rows: The function rand cannot be used",
        ),
        (
            "rules: [{users: a, tables: '*', masks: {x: 'reflect(1)'}}]",
            "rules[1].masks.x: The function reflect",
        ),
        ("rules: [{users: a, tables: '*', tags: {x: {mask: 'a b'}}}]", "rules[1].tags.x.mask: line 1:3"),
        ("rules: [{users: a, tables: '*', tags: {x: hide}}]", "rules[1].tags.x"),
        (
            "rules: [{users: a, tables: '*', tags: {x: {mask: \"mask_hash(value, 'k')\"}}}]",
            "rules[1].tags.x.mask: A named key of mask_hash cannot be used",
        ),
        ("rules: [{users: a, tables: '*', row: x = 1}]", "rules[1].row: Extra inputs"),
        ("rule: []", "rule: Extra inputs"),
        ("default: maybe", "default"),
        ("dialect: mysql", "dialect"),
    ],
)
def test_a_broken_file_is_an_error_at_the_start(path: Path, text: str, says: str) -> None:
    with pytest.raises(ConfigError) as refused:
        rules(path, text)
    assert says in refused.value.message
    assert str(path) in refused.value.message


def test_a_change_is_taken_up(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    engine = rules(path, "rules: []")
    before = engine.version
    engine.refresh()
    assert engine.version == before
    path.write_text("default: allow")
    assert not decide(engine, ANN).allow
    engine.refresh()
    assert decide(engine, ANN).allow
    assert engine.version != before
    path.write_text("rules: []")
    engine.refresh()
    assert engine.version == before  # the same content


def test_a_file_that_was_replaced_is_seen_though_time_and_size_are_the_same(path: Path) -> None:
    engine = rules(path, "default: allow")
    found = path.stat()
    other = path.with_suffix(".new")
    other.write_text("default: deny ")
    os.utime(other, ns=(found.st_atime_ns, found.st_mtime_ns))
    other.replace(path)
    engine.refresh()
    assert not decide(engine, ANN).allow


def test_a_change_counts_from_the_next_decision(path: Path) -> None:
    engine = rules(path, "default: deny ")
    point = DecisionPoint([engine], timeout=120, cache_seconds=60, keyed=False)
    for text, allowed in (("default: allow", True), ("default: deny ", False)) * 5:
        path.write_text(text)  # of one size, and faster than the clock of the file system may be
        question = Question(Operation.DROP, Resource(Kind.TABLE, "lake", ("shop",), "orders"))
        assert point.decide(ANN, [question])[0].allow is allowed
        assert point.explain(ANN, question)[0].allow is allowed
    point.close()


@pytest.mark.parametrize("broken", ["rules: [", None])
def test_a_file_that_breaks_decides_nothing_until_it_is_repaired(
    path: Path, broken: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    engine = rules(path, "default: allow")
    version = engine.version
    if broken is None:
        path.unlink()
    else:
        path.write_text(broken)
    engine.refresh()
    assert engine.version != version
    with pytest.raises(PolicyUnavailableError):
        decide(engine, ANN)
    engine.refresh()
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    assert "until it is repaired" in caplog.text
    path.write_text("default: allow")
    engine.refresh()
    assert decide(engine, ANN).allow


def test_toml(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_text(
        """
default = "deny"
[[rules]]
users = "ann"
tables = ["lake.shop.orders"]
rows = "region = 'eu'"
masks.email = "mask_null()"
tags.secret = "restrict"
"""
    )
    verdict = decide(FileEngine(path), ANN)
    assert [row.text for row in verdict.filters] == ["region = 'eu'"]
    assert set(verdict.masks) == {"Email"}
    assert set(verdict.restricted) == {"margin"}


def test_the_example_of_the_documents_is_read() -> None:
    FileEngine(Path(__file__).parents[4] / "docs/policy/file/rules.yaml")
