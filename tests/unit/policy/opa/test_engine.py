from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from tests.fakes.opa import UNDEFINED, FakeOpa, Trouble

from sqe.config.schema import Config
from sqe.errors import ConfigError, PolicyUnavailableError
from sqe.model.decision import Column, Expression, Kind, Operation, Question, Resource, Verdict
from sqe.model.identity import Principal
from sqe.model.session import Dialect
from sqe.policy.opa.engine import OpaEngine

ALICE = Principal("alice", "users_file", groups=frozenset({"analysts"}))
COLUMNS = (Column("id", "bigint"), Column("Region", "string"), Column("card", "string"))
ORDERS = Resource(Kind.TABLE, "lake", ("sales",), "orders", COLUMNS)
READ = Question(Operation.SELECT, ORDERS)

Ask = Callable[..., list[Verdict]]
Asked = Mapping[str, Any]


@pytest.fixture
def opa() -> Iterator[FakeOpa]:
    with FakeOpa() as opa:
        yield opa


@pytest.fixture
def ask(opa: FakeOpa) -> Iterator[Ask]:
    engines = []

    def ask(*questions: Question, **config: Any) -> list[Verdict]:
        engine = OpaEngine(opa.config(**config))
        engines.append(engine)
        return list(engine.decide(ALICE, questions))

    yield ask
    for engine in engines:
        engine.close()


def columns(asked: Asked) -> list[str]:
    named: list[str] = asked["action"].get("resource", {}).get("table", {}).get("columns", [])
    return named


def denies(*operations: str) -> Callable[[Asked], bool]:
    return lambda asked: asked["action"]["operation"] not in operations


def expression(text: str, acts_as: str | None = None) -> Expression:
    return Expression(text, Dialect.TRINO, "opa", acts_as)


def test_reading_asks_what_trino_would(opa: FakeOpa, ask: Ask) -> None:
    assert ask(READ) == [Verdict(True, "opa")]
    operations = opa.operations()
    assert sorted(operations) == [
        "AccessCatalog",
        "ExecuteQuery",
        "FilterColumns",
        "FilterColumns",
        "FilterColumns",
        "SelectFromColumns",
    ]
    assert operations[-1] == "SelectFromColumns"
    assert columns({"action": opa.actions()[-1]}) == ["id", "region", "card"]


def test_columns_that_are_filtered_do_not_exist(opa: FakeOpa, ask: Ask) -> None:
    opa.rules["allow"] = lambda asked: "region" not in columns(asked)
    [verdict] = ask(READ)
    assert verdict == Verdict(True, "opa", restricted={"Region": "opa"})
    assert columns({"action": opa.actions()[-1]}) == ["id", "card"]


def test_columns_that_may_not_be_read_do_not_exist(opa: FakeOpa, ask: Ask) -> None:
    opa.rules["allow"] = lambda asked: (
        asked["action"]["operation"] != "SelectFromColumns" or "card" not in columns(asked)
    )
    assert ask(READ) == [Verdict(True, "opa", restricted={"card": "opa"})]


def test_columns_that_may_only_be_read_apart_are_not_read(opa: FakeOpa, ask: Ask) -> None:
    opa.rules["allow"] = lambda asked: (
        asked["action"]["operation"] != "SelectFromColumns" or len(columns(asked)) == 1
    )
    assert ask(READ) == [Verdict(False, "opa")]


@pytest.mark.parametrize("operation", ["ExecuteQuery", "AccessCatalog", "SelectFromColumns", "FilterColumns"])
def test_each_of_it_can_refuse(opa: FakeOpa, ask: Ask, operation: str) -> None:
    opa.rules["allow"] = denies(operation)
    [verdict] = ask(READ)
    assert not verdict.allow


def test_undefined_refuses(opa: FakeOpa, ask: Ask) -> None:
    opa.rules["allow"] = lambda asked: UNDEFINED
    assert not ask(READ)[0].allow


def test_a_table_without_columns_is_asked_about_as_such(opa: FakeOpa, ask: Ask) -> None:
    view = Resource(Kind.VIEW, "lake", ("sales",), "recent")
    assert ask(Question(Operation.SELECT, view), filters=False, masks=True, batched=True)[0].allow
    [action] = [action for action in opa.actions() if action["operation"] == "SelectFromColumns"]
    assert action == {
        "operation": "SelectFromColumns",
        "resource": {
            "table": {
                "catalogName": "lake",
                "schemaName": "sales",
                "tableName": "recent",
                "columns": [],
            }
        },
    }
    assert opa.actions("batch") == opa.actions("batchColumnMasks") == []


def test_filters_and_masks(opa: FakeOpa, ask: Ask) -> None:
    opa.rules["rowFilters"] = lambda asked: [
        {"expression": "region = 'eu'"},
        {"expression": "id > 0", "identity": "bob"},
    ]
    opa.rules["columnMask"] = lambda asked: (
        {"expression": "NULL"}
        if asked["action"]["resource"]["column"]["columnName"] == "region"
        else UNDEFINED
    )
    assert ask(READ, filters=True, masks=True) == [
        Verdict(
            True,
            "opa",
            filters=(expression("region = 'eu'"), expression("id > 0", "bob")),
            masks={"Region": expression("NULL")},
        )
    ]
    assert opa.operations("rowFilters") == ["GetRowFilters"]
    assert len(opa.operations("columnMask")) == 3


def test_in_batches(opa: FakeOpa, ask: Ask) -> None:
    opa.rules["rowFilters"] = lambda asked: []
    opa.rules["batch"] = lambda asked: [0, 1]
    opa.rules["batchColumnMasks"] = lambda asked: [
        {"index": 1, "viewExpression": {"expression": "'x'", "identity": "bob"}},
        {"index": 2, "viewExpression": {"expression": "NULL"}},
    ]
    assert ask(READ, filters=True, masks=True, batched=True) == [
        Verdict(True, "opa", masks={"Region": expression("'x'", "bob")}, restricted={"card": "opa"})
    ]
    [hidden] = opa.actions("batch")
    assert hidden["operation"] == "FilterColumns"
    assert [item["table"]["columns"] for item in hidden["filterResources"]] == [["id", "region", "card"]]
    assert opa.operations("batchColumnMasks") == ["GetColumnMask"]
    assert len(opa.asked) == 6


def test_a_refusal_restricts_nothing(opa: FakeOpa, ask: Ask) -> None:
    opa.rules["allow"] = denies("AccessCatalog")
    opa.rules["rowFilters"] = lambda asked: [{"expression": "false"}]
    assert ask(READ, filters=True) == [Verdict(False, "opa")]


def test_what_changes_a_table_needs_all_of_its_operations(opa: FakeOpa, ask: Ask) -> None:
    merge = Question(Operation.MERGE, ORDERS)
    assert ask(merge)[0].allow
    opa.rules["allow"] = denies("DeleteFromTable")
    assert not ask(merge)[0].allow
    assert ask(Question(Operation.INSERT, ORDERS))[0].allow


def test_columns_that_are_hidden_are_not_described(opa: FakeOpa, ask: Ask) -> None:
    opa.rules["allow"] = lambda asked: columns(asked) != ["card"]
    for operation in (Operation.DESCRIBE, Operation.SHOW_CREATE):
        assert ask(Question(operation, ORDERS)) == [Verdict(True, "opa", restricted={"card": "opa"})]


def test_what_trino_does_not_know_is_refused(opa: FakeOpa, ask: Ask) -> None:
    dotted = Resource(Kind.TABLE, "lake", ("sales.eu",), "orders")
    for question in (
        Question(Operation.INSERT, Resource(Kind.VIEW, "lake", ("sales",), "v")),
        Question(Operation.SELECT, Resource(Kind.SCHEMA, "lake", ("sales",))),
        Question(Operation.SELECT, dotted),
        Question(Operation.LIST, dotted),
    ):
        [verdict] = ask(question)
        assert not verdict.allow
        assert verdict.source.startswith("opa: ")


def names(*tables: str) -> list[Question]:
    found = [Resource(Kind.TABLE, "lake", ("sales",), table) for table in tables]
    return [Question(Operation.LIST, resource) for resource in found]


@pytest.mark.parametrize("batched", [False, True])
def test_lists_keep_their_order(opa: FakeOpa, ask: Ask, batched: bool) -> None:
    opa.rules["allow"] = lambda asked: (
        asked["action"]["operation"] != "FilterTables"
        or asked["action"]["resource"]["table"]["tableName"] != "b"
    )
    opa.rules["batch"] = lambda asked: [
        number
        for number, item in enumerate(asked["action"]["filterResources"])
        if item.get("table", {}).get("tableName") != "b"
    ]
    others = [
        Question(Operation.LIST, Resource(Kind.CATALOG, "lake")),
        READ,
        Question(Operation.LIST, Resource(Kind.SCHEMA, "lake", ("sales",))),
    ]
    verdicts = ask(*names("a", "b", "c"), *others, batched=batched)
    assert [verdict.allow for verdict in verdicts] == [True, False, True, True, True, True]
    asked = opa.operations("batch") if batched else opa.operations()
    assert asked.count("FilterTables") == (1 if batched else 3)
    assert asked.count("FilterCatalogs") == asked.count("FilterSchemas") == 1
    assert opa.operations().count("ExecuteQuery") == opa.operations().count("AccessCatalog") == 1


def test_nothing_is_listed_of_a_catalog_that_may_not_be_entered(opa: FakeOpa, ask: Ask) -> None:
    opa.rules["allow"] = denies("AccessCatalog")
    table, catalog = names("a")[0], Question(Operation.LIST, Resource(Kind.CATALOG, "lake"))
    assert [verdict.allow for verdict in ask(table, catalog)] == [False, True]


def test_questions_are_under_way_at_once(opa: FakeOpa, ask: Ask) -> None:
    together = threading.Barrier(3)

    def wait(asked: Asked) -> bool:
        if asked["action"]["operation"] == "FilterColumns":
            together.wait(120)  # it breaks if they come one after the other
        return True

    opa.rules["allow"] = wait
    assert ask(READ, timeout="1min")[0].allow


TROUBLES: list[Trouble] = ["down", "slow", "half", "nonsense", "huge", "redirect", "error", "missing", "busy"]


@pytest.mark.parametrize("trouble", TROUBLES)
def test_no_answer_is_no_verdict(opa: FakeOpa, ask: Ask, trouble: Trouble) -> None:
    opa.trouble = trouble
    began = time.monotonic()
    with pytest.raises(PolicyUnavailableError, match="invalid response"):
        ask(READ, filters=True, masks=True, timeout="300ms")
    assert time.monotonic() - began < 60


@pytest.mark.parametrize(
    ("rule", "answer"),
    [("allow", "yes"), ("rowFilters", UNDEFINED), ("columnMask", "NULL"), ("rowFilters", ["true"])],
)
def test_an_odd_answer_to_one_question_is_no_verdict(
    opa: FakeOpa, ask: Ask, rule: str, answer: object
) -> None:
    opa.rules["rowFilters"] = lambda asked: []
    opa.rules[rule] = lambda asked: answer
    with pytest.raises(PolicyUnavailableError):
        ask(READ, filters=True, masks=True)


def test_it_works_again_with_the_first_good_answer(opa: FakeOpa) -> None:
    engine = OpaEngine(opa.config())
    opa.trouble = "nonsense"
    with pytest.raises(PolicyUnavailableError):
        engine.decide(ALICE, [READ])
    opa.trouble = None
    assert engine.decide(ALICE, [READ])[0].allow
    opa.rules["allow"] = lambda asked: False
    assert not engine.decide(ALICE, [READ])[0].allow
    engine.close()


def test_the_context_goes_along(opa: FakeOpa, ask: Ask) -> None:
    ask(READ, context={"cluster": "a"})
    assert {asked["context"]["properties"]["cluster"] for _, asked in opa.asked} == {"a"}
    assert opa.asked[0][1]["context"]["identity"] == {"user": "alice", "groups": ["analysts"]}


def test_it_cannot_tell_its_version(opa: FakeOpa) -> None:
    engine = OpaEngine(opa.config())
    assert engine.name == "opa"
    assert engine.version is None
    engine.refresh()
    engine.close()


def test_an_address_is_needed() -> None:
    with pytest.raises(ConfigError, match=r"opa\.url"):
        OpaEngine(Config())
