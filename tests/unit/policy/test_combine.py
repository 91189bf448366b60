from __future__ import annotations

import pytest
from tests.fakes.policy import ANN, COLUMNS, PlainRenderer, allow, sql

from sqe.errors import SemanticError
from sqe.model.decision import Column, Expression, Verdict
from sqe.model.session import Dialect
from sqe.policy.combine import CombinedPolicy, combine, strongest_mask
from sqe.sql.policy import expression as policy_expression

# From the strongest to the weakest kind.
KINDS = ["NULL", "mask_constant('x')", "mask_hash(ssn)", "mask_last(ssn, 4)", "upper(ssn)"]


def combined(*verdicts: Verdict) -> CombinedPolicy:
    return combine(verdicts, ANN, COLUMNS, PlainRenderer(), keyed=True)


def masked(*masks: str) -> str:
    verdicts = [allow(masks={"ssn": sql(mask, f"engine {at}")}) for at, mask in enumerate(masks)]
    return combine(verdicts, ANN, COLUMNS, policy_expression, keyed=True).masks["ssn"]


def test_nothing_restricts() -> None:
    assert combined(allow(), allow()) == CombinedPolicy()
    assert combined(allow()).empty


def test_filters_hold_together_and_each_once() -> None:
    policy = combined(
        allow(filters=(sql("dept = 'eu' OR id = 1", "a"), sql("id > 0", "b"))),
        allow(filters=(sql("id > 0", "c"), sql("dept = current_user()", "d"))),
    )
    assert policy.filter == "(dept = 'eu' OR id = 1) AND (id > 0) AND (dept = 'ann')"
    assert policy.sources == ("filter by a", "filter by b", "filter by d")


def test_a_restricted_column_needs_no_mask() -> None:
    policy = combined(
        allow(masks={"ssn": sql("upper(ssn)"), "dept": sql("'x'", "b")}),
        allow(restricted={"SSN": "file: rule 3", "id": "opa"}),
    )
    assert policy.masks == {"dept": "'x'"}
    assert policy.restricted == ("id", "ssn")
    assert policy.sources == ("mask of dept by b", "no ssn by file: rule 3", "no id by opa")
    assert policy.hides_values


@pytest.mark.parametrize(
    ("stronger", "weaker"), [(a, b) for at, a in enumerate(KINDS) for b in KINDS[at + 1 :]]
)
def test_the_stronger_mask_counts_whoever_says_it(stronger: str, weaker: str) -> None:
    assert masked(stronger, weaker) == masked(weaker, stronger) == masked(stronger)
    assert masked(weaker) != masked(stronger)


def test_two_different_masks_of_equal_strength_make_null() -> None:
    assert masked("mask_first(ssn, 1)", "mask_last(ssn, 1)") == "NULL"
    assert masked("upper(ssn)", "upper(ssn)") == masked("upper(ssn)")
    policy = combined(
        allow(masks={"ssn": sql("aaa", "one")}),
        allow(masks={"ssn": sql("bbb", "two")}),
        allow(masks={"ssn": sql("cc", "three")}),
    )
    assert policy.masks == {"ssn": "NULL"}
    assert policy.sources == ("mask of ssn by one and two",)


def test_a_mask_for_a_column_that_is_not_there_is_an_error() -> None:
    with pytest.raises(SemanticError, match="no column 'ss_n'"):
        combined(allow(masks={"ss_n": sql("NULL")}))
    with pytest.raises(SemanticError, match="no column 'ss_n'"):
        combined(allow(restricted={"ss_n": "opa"}))


def test_a_name_that_could_be_two_columns_is_an_error() -> None:
    columns = (Column("Ssn", "string"), Column("ssn", "string"))
    verdict = allow(restricted={"SSN": "opa"})
    with pytest.raises(SemanticError):
        combine([verdict], ANN, columns, PlainRenderer(), keyed=True)
    exact = combine([allow(restricted={"ssn": "opa"})], ANN, columns, PlainRenderer(), keyed=True)
    assert exact.restricted == ("ssn",)


def test_a_mask_that_does_not_count_has_to_be_a_sound_one_too() -> None:
    masks: list[Expression] = [sql("NULL"), sql("no_such_function(ssn)")]
    verdicts = [allow(masks={"ssn": mask}) for mask in masks]
    with pytest.raises(SemanticError):
        combine(verdicts, ANN, COLUMNS, policy_expression, keyed=True)


def test_the_mask_that_hides_most_counts() -> None:
    weak, strong = sql("mask_last(a, 4)"), sql("mask_hash(a)")
    assert strongest_mask([weak, strong]) is strong
    assert strongest_mask([strong, weak]) is strong
    assert strongest_mask([weak, sql("mask_last(a, 4)", "other")]) is weak


def test_different_masks_of_the_same_strength_make_null() -> None:
    both = strongest_mask([sql("mask_last(a, 4)", "one"), sql("mask_first(a, 4)", "two")])
    assert both == Expression("mask_null()", Dialect.SPARK, "one and two")
