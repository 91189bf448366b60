"""Random histories without Spark: the decisions on every state of a table, by the real policy engines.

test_histories.py and test_engines.py run fewer of them on real tables.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest
from stack.opa import running_opa
from tests.security.random_histories import HIDDEN_NAME, TAG, Field, History, State, histories
from tests.security.serving import write_rules

from sqe.config.schema import Config
from sqe.config.sections.opa import OpaConfig
from sqe.config.sections.policy import PolicyConfig
from sqe.model.decision import Column, Decision, Kind, Operation, Question, Resource, Verdict
from sqe.model.identity import Principal
from sqe.model.session import Dialect
from sqe.policy.binding import BoundExpression
from sqe.policy.cedar.engine import CedarEngine
from sqe.policy.current_names import CurrentNamesEngine
from sqe.policy.decision_point import DecisionPoint
from sqe.policy.engine import PolicyEngine
from sqe.policy.file.engine import FileEngine
from sqe.policy.grants.entries import Authority, ColumnReference, Effect, Grant, Place, Policy, Snapshot
from sqe.policy.grants.evaluation import Evaluation
from sqe.policy.opa.engine import OpaEngine
from sqe.sql.policy.statement_types import Grantee, GranteeKind, ObjectKind, PolicyKind, Privilege
from sqe.units import Duration

HISTORIES = 1000 if "SQE_TEST_AT_LENGTH" in os.environ else 25
STEPS = 25
ENGINES = Path(__file__).parent / "engines"
ANN = Principal("ann", "users_file", groups=frozenset({"analysts"}))
UUID = "of the table"
TO = Grantee(GranteeKind.USER, "ann")
NULL = BoundExpression("mask_null()", Dialect.SPARK)


class GrantsOfHistory:
    """The engine grants without a database: SELECT on the schema, a mask on the tag, and one on the first column."""

    name, version = "grants", "1"

    def decide(self, principal: Principal, questions: Sequence[Question]) -> Sequence[Verdict]:
        table = next(question.resource.name for question in questions)
        granted = [
            Grant(
                *(Effect.GRANT, privilege, Place(ObjectKind.SCHEMA, "lake", ("hist",)), TO, "adm"),
                authority=Authority.ADMIN,
            )
            for privilege in Privilege
        ]
        place = Place(ObjectKind.TABLE, "lake", ("hist",), table, UUID)
        of_tag = Policy(
            *("tag", PolicyKind.COLUMN_MASK, "adm", Authority.ADMIN), tag=TAG, to=(TO,), expression=NULL
        )
        of_column = Policy(
            *("column", PolicyKind.COLUMN_MASK, "adm", Authority.ADMIN, place),
            columns=(ColumnReference(HIDDEN_NAME, _id(0)),),
            to=(TO,),
            expression=NULL,
        )
        evaluation = Evaluation(Snapshot("1", tuple(granted), (of_tag, of_column)), principal, admin=False)
        return [evaluation.verdict(question) for question in questions]

    def refresh(self) -> None: ...

    def close(self) -> None: ...


@pytest.fixture(scope="module", params=["file", "cedar", "grants", "opa"])
def engine(request: pytest.FixtureRequest) -> Iterator[PolicyEngine]:
    with ExitStack() as ending:
        directory = Path(ending.enter_context(tempfile.TemporaryDirectory(prefix="sqe-histories-")))
        made: PolicyEngine
        match request.param:
            case "file":
                made = CurrentNamesEngine(FileEngine(write_rules(directory / "rules.yaml")))
            case "cedar":
                policy = PolicyConfig(engines=("cedar",), cedar_policies=ENGINES / "rules.cedar")
                made = CurrentNamesEngine(CedarEngine(Config(policy=policy)))
            case "opa":
                opa = ending.enter_context(running_opa(directory, ENGINES))
                urls = {
                    "url": opa.endpoint("allow"),
                    "row_filters_url": opa.endpoint("rowFilters"),
                    "column_mask_url": opa.endpoint("columnMask"),
                }
                policy = PolicyConfig(engines=("opa",), timeout=Duration("30s"))
                made = CurrentNamesEngine(
                    OpaEngine(Config(opa=OpaConfig.model_validate(urls), policy=policy))
                )
            case _:
                made = GrantsOfHistory()
        yield made
        made.close()


def test_every_state_of_a_history_is_decided_by_its_own_columns(engine: PolicyEngine) -> None:
    name = engine.name
    point = DecisionPoint([engine], timeout=30, cache_seconds=0, keyed=True)
    protected = 0
    for seed in range(HISTORIES if name != "opa" else HISTORIES // 5):
        generator = histories(
            Random(f"{name} {seed}"),
            seed,
            by_name=name != "grants",
            by_tag=name != "opa",
            by_id=name == "grants",
        )
        statements = list(generator.statements(STEPS))
        for state in (*generator.history.snapshots, generator.history.state()):
            _check(point, generator.history, state, statements)
        protected += generator.history.protected
    assert protected > 0


def _check(point: DecisionPoint, history: History, state: State, statements: list[str]) -> None:
    resource = _resource(history, state)
    files = Question(Operation.SELECT, _resource(history, history.state(), metadata="files"))
    read, metadata, renamed = point.decide(
        ANN, [Question(Operation.SELECT, resource), files, Question(Operation.RENAME, resource)]
    )
    context = "\n".join((*statements, f"in the state {[name for name, _ in state]}: {read}"))
    assert read.allow, context
    masked = {name for name, each in state if history.must_hide(each, name)}
    possible = {name for name, each in state if history.may_hide(each, name)}
    assert masked <= set(read.masks) <= possible, context
    paths = [each for each in history.fields if each.in_paths and history.must_hide(each, each.name)]
    if any(each not in dict(state).values() for each in paths):
        assert read.protected, context
    _judge_whole(history, metadata, renamed, context)


def _judge_whole(history: History, metadata: Decision, renamed: Decision, context: str) -> None:
    if history.protected:
        assert not metadata.allow, f"{context}\n{metadata}"
        assert not renamed.allow, f"{context}\n{renamed}"
    elif history.open:
        assert metadata.allow, f"{context}\n{metadata}"


def _resource(history: History, state: State, metadata: str | None = None) -> Resource:
    """Return what the guard asks about: `TableFacts` in Java, on the model of the table."""
    shown = [each for _, each in state]
    old = state != history.state()
    return Resource(
        Kind.TABLE,
        "lake",
        ("hist",),
        history.table,
        tuple(_column(name, each, old=old) for name, each in state),
        uuid=UUID,
        metadata=metadata,
        past=tuple(_column(each.name, each, old=True) for each in history.fields if each not in shown),
    )


def _column(name: str, each: Field, *, old: bool) -> Column:
    now = each.name if old and not each.dropped else None
    former = tuple(dict.fromkeys(each.names)) if old and each.dropped else ()
    tags = (TAG,) if each.tagged else ()
    return Column(name, _type(each), _id(each.number), tags, now, False, former, each.in_paths)


def _type(each: Field) -> str:
    return each.type.lower().replace(": ", ":").replace(", ", ",")


def _id(number: int) -> int:
    return number + 1
