"""The engine `opa` with a real agent, and the policies of docs/policy/opa."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator

import pytest
from stack.opa import EXAMPLES, VERSION, Opa, running_opa

from sqe.config.schema import Config
from sqe.config.sections.opa import OpaConfig
from sqe.config.sections.policy import PolicyConfig
from sqe.errors import PolicyUnavailableError
from sqe.model.decision import Column, Expression, Kind, Operation, Question, Resource, Verdict
from sqe.model.identity import Principal
from sqe.model.session import Dialect
from sqe.policy.opa.engine import OpaEngine
from sqe.sql.policy import expression as policy_expression
from sqe.units import Duration

COLUMNS = tuple(Column(name, "string") for name in ("id", "customer", "region", "amount", "Card"))
ORDERS = Resource(Kind.TABLE, "lake", ("sales",), "orders", COLUMNS)
SALARIES = Resource(Kind.TABLE, "lake", ("hr",), "salaries", (Column("amount", "int"),))
READ = Question(Operation.SELECT, ORDERS)

EU = Expression("region = 'eu'", Dialect.TRINO, "opa")
MASK = Expression("'****' || substr(card, -4)", Dialect.TRINO, "opa")


def member(*groups: str) -> Principal:
    return Principal("somebody", "users_file", groups=frozenset(groups))


ADMIN, ANALYST, INTERN, CLERK, VISITOR = map(member, ("admins", "analysts", "interns", "clerks", "visitors"))


@pytest.fixture(scope="module")
def opa(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opa]:
    with running_opa(tmp_path_factory.mktemp("opa")) as opa:
        yield opa


def make(opa: Opa, *, batched: bool) -> OpaEngine:
    urls = {"url": opa.endpoint("allow"), "row_filters_url": opa.endpoint("rowFilters")}
    if batched:
        urls |= {
            "batched_url": opa.endpoint("batch"),
            "batch_column_masks_url": opa.endpoint("batchColumnMasks"),
        }
    else:
        urls["column_mask_url"] = opa.endpoint("columnMask")
    policy = PolicyConfig(engines=("opa",), timeout=Duration("10s"))
    return OpaEngine(Config(opa=OpaConfig.model_validate(urls), policy=policy))


@pytest.fixture(params=[False, True], ids=["one-by-one", "batched"])
def engine(opa: Opa, request: pytest.FixtureRequest) -> Iterator[OpaEngine]:
    engine = make(opa, batched=request.param)
    yield engine
    engine.close()


def test_the_examples_are_sound(opa: Opa) -> None:
    def run(*arguments: str) -> str:
        done = subprocess.run(
            [str(opa.binary), *arguments], capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    assert f"Version: {VERSION}" in run("version")
    run("check", "--strict", str(EXAMPLES))
    run("fmt", "--fail", "--diff", str(EXAMPLES))
    assert "PASS" in run("test", str(EXAMPLES))


@pytest.mark.parametrize(
    ("who", "expected"),
    [
        (ADMIN, Verdict(True, "opa")),
        (ANALYST, Verdict(True, "opa", (EU,), {"Card": MASK})),
        (INTERN, Verdict(True, "opa", (EU,), restricted={"Card": "opa"})),
        (CLERK, Verdict(True, "opa", (EU,))),
        (VISITOR, Verdict(False, "opa")),
    ],
    ids=["admin", "analyst", "intern", "clerk", "visitor"],
)
def test_who_reads_what(engine: OpaEngine, who: Principal, expected: Verdict) -> None:
    [verdict] = engine.decide(who, [READ])
    assert verdict == expected
    for row_filter in verdict.filters:
        policy_expression.check(row_filter, COLUMNS)
    for name, mask in verdict.masks.items():
        [column] = [column for column in COLUMNS if column.name == name]
        policy_expression.check(mask, COLUMNS, column=column)


@pytest.mark.parametrize(
    ("who", "operation", "resource", "expected"),
    [
        (ADMIN, Operation.MERGE, ORDERS, True),
        (ADMIN, Operation.ALTER, ORDERS, True),
        (ADMIN, Operation.SELECT, SALARIES, True),
        (ANALYST, Operation.SELECT, SALARIES, False),
        (ANALYST, Operation.INSERT, ORDERS, False),
        (CLERK, Operation.INSERT, ORDERS, True),
        (CLERK, Operation.MERGE, ORDERS, False),
        (CLERK, Operation.DELETE, ORDERS, False),
        (ANALYST, Operation.DESCRIBE, ORDERS, True),
        (ANALYST, Operation.CREATE_SCHEMA, Resource(Kind.SCHEMA, "lake", ("x",)), False),
        (ADMIN, Operation.CREATE_SCHEMA, Resource(Kind.SCHEMA, "lake", ("x",)), True),
    ],
)
def test_who_does_what(
    engine: OpaEngine, who: Principal, operation: Operation, resource: Resource, expected: bool
) -> None:
    [verdict] = engine.decide(who, [Question(operation, resource)])
    assert verdict.allow is expected


def test_who_sees_which_names(engine: OpaEngine) -> None:
    resources = [
        Resource(Kind.CATALOG, "lake"),
        Resource(Kind.CATALOG, "attic"),
        Resource(Kind.SCHEMA, "lake", ("sales",)),
        Resource(Kind.SCHEMA, "lake", ("hr",)),
        ORDERS,
        SALARIES,
    ]
    questions = [Question(Operation.LIST, resource) for resource in resources]
    shown = {
        who: [
            str(one)
            for one, verdict in zip(resources, engine.decide(who, questions), strict=True)
            if verdict.allow
        ]
        for who in (ADMIN, ANALYST, VISITOR)
    }
    assert shown == {
        ADMIN: [str(resource) for resource in resources],
        ANALYST: ["lake", "lake.sales", "lake.sales.orders"],
        VISITOR: [],
    }


def test_a_conflict_in_a_policy_is_no_answer(opa: Opa) -> None:
    opa.put("conflict.rego", 'package trino\n\nallow := true\nallow := false if operation != ""\n')
    engine = make(opa, batched=False)
    _eventually(lambda: _is_silent(engine))
    (opa.policies / "conflict.rego").unlink()
    _eventually(lambda: not _is_silent(engine))
    engine.close()


def test_a_change_counts_from_then_on(opa: Opa) -> None:
    engine = make(opa, batched=True)
    [before] = engine.decide(ANALYST, [READ])
    assert before.allow
    text = (EXAMPLES / "policy.rego").read_text(encoding="utf-8")
    opa.put("policy.rego", text.replace("region = 'eu'", "region = 'us'"))
    changed = (Expression("region = 'us'", Dialect.TRINO, "opa"),)
    _eventually(lambda: engine.decide(ANALYST, [READ])[0].filters == changed)
    opa.put("policy.rego", text)
    _eventually(lambda: engine.decide(ANALYST, [READ])[0] == before)
    engine.close()


def test_an_agent_that_is_gone_and_comes_back(opa: Opa) -> None:
    engine = make(opa, batched=True)
    opa.stop()
    for _ in range(8):  # the last ones are not sent any more
        with pytest.raises(PolicyUnavailableError, match="invalid response"):
            engine.decide(ANALYST, [READ])
    opa.start()
    _eventually(lambda: not _is_silent(engine))
    assert engine.decide(ANALYST, [READ])[0].allow
    engine.close()


def _is_silent(engine: OpaEngine) -> bool:
    try:
        engine.decide(ANALYST, [READ])
    except PolicyUnavailableError:
        return True
    return False


def _eventually(holds: Callable[[], bool], seconds: float = 30.0) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)
