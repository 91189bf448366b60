"""Old states of a table, and engines that know columns by their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from sqe.model.decision import Column, Expression, Kind, Operation, Question, Resource, Verdict
from sqe.model.identity import Principal
from sqe.model.session import Dialect
from sqe.policy.current_names import CurrentNamesEngine

ANN = Principal("ann", "file")


class Asked:
    """An engine that remembers what it was asked, and always answers the same."""

    name, version = "by-name", "1"

    def __init__(self, *verdicts: Verdict) -> None:
        self.verdicts = verdicts
        self.questions: Sequence[Question] = ()
        self.refreshed = self.closed = False

    def decide(self, principal: Principal, questions: Sequence[Question]) -> Sequence[Verdict]:
        assert principal is ANN
        self.questions = questions
        return self.verdicts

    def refresh(self) -> None:
        self.refreshed = True

    def close(self) -> None:
        self.closed = True


def spark(text: str) -> Expression:
    return Expression(text, Dialect.SPARK, "rule")


def read(*columns: Column) -> Question:
    return Question(Operation.SELECT, Resource(Kind.TABLE, "lake", ("hr",), "people", columns))


def column(name: str, number: int, now: str | None = None) -> Column:
    return Column(name, "string", number, (), now)


def answer(verdict: Verdict, *columns: Column) -> tuple[Verdict, list[str]]:
    engine = Asked(verdict)
    [translated] = CurrentNamesEngine(engine).decide(ANN, [read(*columns)])
    return translated, [each.name for each in engine.questions[0].resource.columns]


def masking(masks: Mapping[str, str], restricted: Sequence[str] = (), rows: Sequence[str] = ()) -> Verdict:
    return Verdict(
        True,
        "rule",
        tuple(map(spark, rows)),
        {name: spark(text) for name, text in masks.items()},
        dict.fromkeys(restricted, "rule"),
    )


def test_the_present_state_is_asked_about_as_it_is() -> None:
    verdict = masking({"ssn": "upper(ssn)"}, ["pay"], ["id > 0"])
    engine = Asked(verdict)
    question = read(column("id", 1), column("ssn", 2), column("pay", 3))
    [given] = CurrentNamesEngine(engine).decide(ANN, [question])
    assert given is verdict
    assert engine.questions[0] is question


def test_a_column_is_asked_about_by_its_name_of_today() -> None:
    verdict, asked = answer(
        masking({"ssn": "upper(ssn)"}, ["pay"], ["dept = 'hr'"]),
        column("code", 2, "ssn"),
        column("wage", 3, "pay"),
        column("team", 4, "dept"),
    )
    assert asked == ["ssn", "pay", "dept"]
    assert {name: mask.text for name, mask in verdict.masks.items()} == {"code": "upper(`code`)"}
    assert verdict.restricted == {"wage": "rule"}
    assert [each.text for each in verdict.filters] == ["`team` = 'hr'"]


def test_two_that_have_swapped_their_names() -> None:
    verdict, asked = answer(
        masking({"ssn": "mask_last(ssn, 4)"}, rows=["note = 'x'"]),
        column("ssn", 1, "note"),
        column("note", 2, "ssn"),
    )
    assert asked == ["note", "ssn"]
    assert {name: mask.text for name, mask in verdict.masks.items()} == {"note": "mask_last(`note`, 4)"}
    assert [each.text for each in verdict.filters] == ["`ssn` = 'x'"]


def test_names_are_compared_as_spark_does() -> None:
    verdict, _ = answer(
        masking({"SSN": "mask_null()"}, ["Pay"]), column("a", 1, "ssn"), column("b", 2, "pay")
    )
    assert set(verdict.masks) == {"a"}
    assert set(verdict.restricted) == {"b"}


def test_one_that_is_gone_keeps_what_is_said_of_its_name() -> None:
    verdict, asked = answer(masking({"ssn": "mask_null()"}), column("ssn", 1), column("code", 2, "ssn"))
    assert asked == ["ssn"]
    assert set(verdict.masks) == {"ssn", "code"}


def test_an_expression_that_cannot_follow_is_a_refusal() -> None:
    verdict, _ = answer(
        masking({}, rows=["dept IN (SELECT dept FROM lake.hr.allowed)"]), column("team", 1, "dept")
    )
    assert not verdict.allow
    assert verdict.filters == ()


@pytest.mark.parametrize("text", ["region = 'eu'", "upper(`REGION`) = 'EU'"])
def test_a_column_that_was_added_since_under_an_old_name_is_no_column_of_then(text: str) -> None:
    """`region` was renamed to `area`, and another `region` was added: the filter is about that one."""
    verdict, _ = answer(masking({}, rows=[text]), column("region", 1, "area"))
    assert not verdict.allow
    verdict, _ = answer(masking({"area": text}), column("region", 1, "area"))
    assert not verdict.allow


def test_a_refusal_stays_one() -> None:
    refusal = Verdict(False, "rule")
    assert answer(refusal, column("a", 1, "b"))[0] is refusal


@pytest.mark.parametrize("given", [(), (Verdict(True, "a"), Verdict(True, "b"))])
def test_no_answer_stays_none(given: tuple[Verdict, ...]) -> None:
    assert CurrentNamesEngine(Asked(*given)).decide(ANN, [read(column("a", 1, "b"))]) == given


def test_the_rest_is_the_engine_s() -> None:
    engine = Asked()
    wrapped = CurrentNamesEngine(engine)
    wrapped.refresh()
    wrapped.close()
    assert (wrapped.name, wrapped.version, engine.refreshed, engine.closed) == ("by-name", "1", True, True)
