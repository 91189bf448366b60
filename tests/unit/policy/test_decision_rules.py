from __future__ import annotations

import logging
from dataclasses import replace

import pytest
from tests.fakes.policy import ANN, DENY, ORDERS, PlainRenderer, allow, question, sql

from sqe.model.decision import Column, Decision, Kind, Operation, Question, Refusal, Resource, Verdict
from sqe.policy.decision_rules import DecisionRules, needed_questions, reading

FILTER = allow(filters=(sql("dept = 'eu'", "a"),))
MASK = allow(masks={"ssn": sql("NULL", "b")})
RESTRICT = allow(restricted={"ssn": "c"})
POLICIES = [FILTER, MASK, RESTRICT]

# What nobody may do whom a policy restricts.
WHOLE = [
    *(Operation.UPDATE, Operation.MERGE, Operation.OVERWRITE, Operation.TRUNCATE),
    *(Operation.PROCEDURE, Operation.REPLACE_TABLE, Operation.ANALYZE),
    *(Operation.ALTER, Operation.RENAME),
]
WRITES = [*WHOLE, Operation.INSERT, Operation.DELETE]
SHOWN = [Operation.DESCRIBE, Operation.SHOW_CREATE]
# The same, where it does not matter which columns there are.
DISPOSING = [Operation.DROP, Operation.SET_TAGS]
PRIVILEGES = [Operation.CREATE_TABLE, Operation.CREATE_VIEW, Operation.LIST]
VIEW = Resource(Kind.VIEW, "lake", ("sales",), "recent", columns=ORDERS.columns)
FILES = replace(ORDERS, metadata="files")


def decide(asked: Question, **answers: Verdict) -> Decision:
    """Rule on a question; `answers` are by operation, and what is not there is allowed."""
    verdicts = {each: (answers.get(each.operation.value, allow()),) for each in needed_questions(asked)}
    return DecisionRules(keyed=True, renderer=PlainRenderer()).decide(ANN, asked, verdicts)


def test_every_operation_has_its_rule_here() -> None:
    schemas = [Operation.CREATE_SCHEMA, Operation.DROP_SCHEMA, Operation.ALTER_SCHEMA]
    assert {Operation.SELECT, *WRITES, *DISPOSING, *SHOWN, *PRIVILEGES, *schemas} == set(Operation)


def test_reading_is_filtered_masked_and_restricted() -> None:
    verdict = Verdict(True, "fake", (sql("id > 1", "a"),), {"dept": sql("'x'", "b")}, {"ssn": "c"})
    decision = decide(question(), select=verdict)
    assert decision.allow
    assert decision.protected
    assert decision.filter == "(id > 1)"
    assert decision.masks == {"dept": "'x'"}
    assert decision.restricted == ("ssn",)
    assert decision.sources == ("filter by a", "mask of dept by b", "no ssn by c")


@pytest.mark.parametrize("operation", [*Operation])
def test_what_an_engine_does_not_allow_is_denied(operation: Operation) -> None:
    decision = decide(question(operation), **{operation.value: DENY})
    assert not decision.allow
    assert decision.refusal is Refusal.DENIED
    assert decision.reason.startswith("Access denied: cannot ")
    assert decision.reason.endswith("lake.sales.orders.")
    assert decision.sources == ("fake: not granted",)


@pytest.mark.parametrize("operation", [*Operation])
def test_what_all_allow_and_nothing_restricts_is_allowed(operation: Operation) -> None:
    decision = decide(question(operation))
    assert decision.allow
    assert not decision.protected


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("operation", [*WHOLE, *DISPOSING])
def test_a_table_with_a_policy_is_not_changed_as_a_whole(operation: Operation, policy: Verdict) -> None:
    for decision in (
        decide(question(operation), select=policy),
        decide(question(operation), **{operation.value: policy}),
    ):
        assert not decision.allow
        assert decision.refusal is Refusal.UNSUPPORTED
        assert "lake.sales.orders" in decision.reason
        assert "dept" not in decision.reason


@pytest.mark.parametrize("operation", [Operation.INSERT, Operation.DELETE])
def test_rows_are_inserted_and_deleted_within_the_filter(operation: Operation) -> None:
    decision = decide(question(operation), select=FILTER)
    assert decision.allow
    assert decision.filter == "(dept = 'eu')"
    assert decision.protected
    own = decide(question(operation), **{"select": FILTER, operation.value: allow(filters=(sql("id > 1"),))})
    assert own.filter == "(id > 1) AND (dept = 'eu')"


@pytest.mark.parametrize("policy", [MASK, RESTRICT])
@pytest.mark.parametrize("operation", [Operation.INSERT, Operation.DELETE])
def test_nothing_is_inserted_or_deleted_where_values_are_hidden(
    operation: Operation, policy: Verdict
) -> None:
    decision = decide(question(operation), select=policy)
    assert not decision.allow
    assert decision.refusal is Refusal.UNSUPPORTED


@pytest.mark.parametrize("operation", [Operation.UPDATE, Operation.DELETE, Operation.MERGE])
def test_who_may_not_read_cannot_change_by_what_is_there(operation: Operation) -> None:
    decision = decide(question(operation), select=DENY)
    assert not decision.allow
    assert decision.refusal is Refusal.DENIED
    assert decision.reason.endswith("which needs SELECT.")


def test_who_may_not_read_can_still_insert() -> None:
    assert decide(question(Operation.INSERT), select=DENY).allow
    filtered = decide(question(Operation.INSERT), select=DENY, insert=FILTER)
    assert filtered.filter == "(dept = 'eu')"


@pytest.mark.parametrize("policy", POLICIES)
def test_metadata_of_a_protected_table_is_denied(policy: Verdict) -> None:
    asked = question(resource=FILES)
    assert reading(asked).resource == ORDERS
    assert decide(asked).allow
    verdicts = {asked: (allow(),), reading(asked): (policy,)}
    decision = DecisionRules(keyed=True, renderer=PlainRenderer()).decide(ANN, asked, verdicts)
    assert not decision.allow
    assert decision.refusal is Refusal.DENIED
    assert decision.reason == "Access denied: cannot select from lake.sales.orders.files."


@pytest.mark.parametrize("operation", SHOWN)
@pytest.mark.parametrize("policy", POLICIES)
def test_what_metadata_of_a_protected_table_is_made_of_is_not_shown(
    operation: Operation, policy: Verdict
) -> None:
    asked = question(operation, FILES)
    assert decide(asked).allow
    assert not decide(asked, select=policy).allow


@pytest.mark.parametrize("operation", [Operation.INSERT, Operation.DROP, Operation.ALTER, Operation.TRUNCATE])
def test_metadata_is_only_read(operation: Operation) -> None:
    assert not decide(question(operation, FILES)).allow


def test_metadata_of_a_table_that_cannot_be_read_is_denied() -> None:
    asked = question(resource=FILES)
    verdicts = {asked: (allow(),), reading(asked): (DENY,)}
    assert not DecisionRules(keyed=True, renderer=PlainRenderer()).decide(ANN, asked, verdicts).allow


@pytest.mark.parametrize("policy", POLICIES)
def test_a_view_with_a_policy_is_not_read(policy: Verdict) -> None:
    assert decide(question(resource=VIEW)).allow
    decision = decide(question(resource=VIEW), select=policy)
    assert decision.refusal is Refusal.UNSUPPORTED
    assert not decision.allow


@pytest.mark.parametrize("operation", SHOWN)
def test_a_restricted_column_is_not_shown(operation: Operation) -> None:
    verdict = Verdict(True, "fake", (sql("id > 1"),), {"dept": sql("'x'")}, {"ssn": "c"})
    decision = decide(question(operation), select=verdict, set_tags=DENY)
    assert decision.allow
    assert decision.restricted == ("ssn",)
    assert (decision.filter, decision.masks) == (None, {})  # there are no rows in it
    own = decide(question(operation), **{operation.value: RESTRICT, "set_tags": DENY})
    assert own.restricted == ("ssn",)


def test_who_administers_tags_sees_all_columns_unless_the_answer_itself_hides_one() -> None:
    assert decide(question(Operation.DESCRIBE), select=RESTRICT).restricted == ()
    assert decide(question(Operation.DESCRIBE), describe=RESTRICT).restricted == ("ssn",)


def test_who_may_not_read_may_see_what_a_table_is_made_of() -> None:
    assert decide(question(Operation.DESCRIBE), select=DENY, set_tags=DENY).allow


@pytest.mark.parametrize("operation", PRIVILEGES)
def test_other_operations_are_a_matter_of_privileges_alone(operation: Operation) -> None:
    assert needed_questions(question(operation)) == [question(operation)]
    verdict = Verdict(True, "fake", (sql("id > 1"),), {"dept": sql("'x'")}, {"ssn": "c"})
    decision = decide(question(operation), **{operation.value: verdict})
    assert decision.allow
    assert not decision.protected


def test_schemas_are_asked_about_alone() -> None:
    asked = Question(Operation.CREATE_SCHEMA, Resource(Kind.SCHEMA, "lake", ("new",)))
    assert needed_questions(asked) == [asked]
    assert decide(asked).allow
    denied = decide(asked, create_schema=DENY)
    assert denied.reason == "Access denied: cannot create lake.new."


@pytest.mark.parametrize("operation", [Operation.SELECT, *WRITES])
def test_nothing_is_read_or_written_whose_columns_nobody_knows(operation: Operation) -> None:
    bare = replace(ORDERS, columns=())
    assert not decide(question(operation, bare)).allow
    assert not decide(question(resource=replace(bare, metadata="files"))).allow
    assert decide(question(Operation.DESCRIBE, bare)).allow
    assert decide(question(Operation.DROP, bare)).allow


def test_a_policy_that_cannot_be_used_is_a_refusal_whose_reason_is_in_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.ERROR):
        broken = decide(question(), select=allow(filters=(sql("broken"),)))
        misplaced = decide(question(), select=allow(masks={"nowhere": sql("NULL")}))
    for decision in (broken, misplaced):
        assert not decision.allow
        assert decision.reason == "Access denied: cannot select from lake.sales.orders."
    assert "secret 4711" in caplog.text
    assert "no column 'nowhere'" in caplog.text


GONE = Column("ssn", "string", 9)
PAST = replace(ORDERS, past=(GONE,))
IN_PATHS = replace(ORDERS, past=(replace(GONE, in_paths=True),))
HISTORY = [Operation.RENAME, Operation.DROP, Operation.PROCEDURE]
HIDING = [MASK, RESTRICT, DENY]


def decide_past(asked: Question, past: Verdict, read: Verdict | None = None) -> Decision:
    """Rule on a question where only the verdict on past columns restricts."""
    gone = {column.name for column in asked.resource.past}
    verdicts = {
        each: (past if {column.name for column in each.resource.columns} == gone else read or allow(),)
        for each in needed_questions(asked)
    }
    return DecisionRules(keyed=True, renderer=PlainRenderer()).decide(ANN, asked, verdicts)


@pytest.mark.parametrize("policy", HIDING)
def test_metadata_of_a_table_that_had_a_hidden_column_is_denied(policy: Verdict) -> None:
    for resource in (PAST, IN_PATHS):
        asked = question(resource=replace(resource, metadata="files"))
        assert decide_past(asked, allow()).allow
        decision = decide_past(asked, policy)
        assert not decision.allow
        assert decision.refusal is Refusal.DENIED


@pytest.mark.parametrize("policy", HIDING)
@pytest.mark.parametrize("operation", HISTORY)
def test_the_history_of_a_hidden_column_is_not_moved_or_removed(
    operation: Operation, policy: Verdict
) -> None:
    assert decide_past(question(operation, PAST), allow()).allow
    decision = decide_past(question(operation, PAST), policy)
    assert decision.refusal is Refusal.UNSUPPORTED
    assert not decision.allow


@pytest.mark.parametrize("operation", HISTORY[:1])
def test_who_may_not_read_a_table_is_not_asked_about_its_past(operation: Operation) -> None:
    assert decide_past(question(operation, PAST), DENY, read=None).refusal is Refusal.UNSUPPORTED
    verdicts = {
        each: (DENY if each.operation is Operation.SELECT else allow(),)
        for each in needed_questions(question(operation, PAST))
    }
    assert DecisionRules(keyed=True).decide(ANN, question(operation, PAST), verdicts).allow


@pytest.mark.parametrize("policy", HIDING)
def test_names_of_files_that_hold_values_of_a_hidden_column_are_hidden(policy: Verdict) -> None:
    open_table = decide_past(question(resource=PAST), policy)
    assert open_table.allow
    assert not open_table.protected
    decision = decide_past(question(resource=IN_PATHS), policy)
    assert decision.allow
    assert decision.protected
    assert (decision.filter, decision.masks, decision.restricted) == (None, {}, ())
    for operation in [*WHOLE, Operation.DELETE, *DISPOSING]:
        assert not decide_past(question(operation, IN_PATHS), policy).allow
    assert decide_past(question(Operation.INSERT, IN_PATHS), policy).allow
    if policy is not DENY:
        assert decide_past(question(Operation.UPDATE, PAST), policy).allow


def test_past_columns_of_one_name_are_asked_about_one_by_one() -> None:
    columns = (GONE, replace(GONE, name="SSN", field_id=10), Column("x", "string", 11, now="ssn"))
    asked = question(resource=replace(ORDERS, metadata="files", past=columns))
    _, _, *past = needed_questions(asked)
    assert [[column.field_id for column in each.resource.columns] for each in past] == [[9], [10], [11]]
    assert all(each.resource.metadata is None and not each.resource.past for each in past)
