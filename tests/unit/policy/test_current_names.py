"""Old states of a table, and engines that know columns by their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

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


class ByTag:
    """An engine that answers each question by the tags and names of its columns."""

    name, version = "by-tag", "1"

    def __init__(self, *, hide: bool = False, refuse: bool = False, rows: bool = False) -> None:
        self.hide, self.refuse, self.rows = hide, refuse, rows
        self.asked: list[list[str]] = []

    def decide(self, principal: Principal, questions: Sequence[Question]) -> Sequence[Verdict]:
        assert principal is ANN
        return [self._verdict(question.resource.columns) for question in questions]

    def _verdict(self, columns: Sequence[Column]) -> Verdict:
        names = [each.name.casefold() for each in columns]
        self.asked.append(names)
        assert len(set(names)) == len(names)
        tagged = [each.name for each in columns if "pii" in each.tags]
        if tagged and self.refuse:
            return Verdict(False, "by tag")
        if self.hide:
            return masking({}, tagged)
        return masking({name: f"upper({name})" for name in tagged}, rows=["id > 0"] if self.rows else [])

    def refresh(self) -> None: ...

    def close(self) -> None: ...


def tagged(name: str, number: int, now: str | None = None) -> Column:
    return Column(name, "string", number, ("pii",), now)


def masked(engine: ByTag, *columns: Column) -> dict[str, str]:
    [verdict] = CurrentNamesEngine(engine).decide(ANN, [read(*columns)])
    assert verdict.allow
    return {name: mask.text for name, mask in verdict.masks.items()}


def test_one_that_is_gone_keeps_what_is_said_of_its_name() -> None:
    verdict = masking({"ssn": "mask_null()"})
    engine = Asked(verdict, verdict)
    [translated] = CurrentNamesEngine(engine).decide(ANN, [read(column("ssn", 1), column("code", 2, "ssn"))])
    assert [[each.name for each in question.resource.columns] for question in engine.questions] == [
        ["ssn"],
        ["ssn"],
    ]
    assert [question.resource.columns[0].field_id for question in engine.questions] == [2, 1]
    assert set(translated.masks) == {"ssn", "code"}


HISTORIES = {
    "drop": [tagged("ssn", 1), column("id", 2, "id")],
    "drop-and-rename-onto-it": [tagged("ssn", 1), column("id", 2, "ssn")],
    "with-another-case": [tagged("SSN", 1), column("id", 2, "ssn")],
    "drop-and-swap": [tagged("ssn", 1), column("id", 2, "note"), column("note", 3, "ssn")],
    "two-gone": [tagged("ssn", 1), column("note", 2), column("a", 3, "ssn"), column("b", 4, "note")],
    "chain": [tagged("ssn", 1), column("a", 2, "ssn"), column("b", 3, "a"), column("c", 4, "b")],
}


@pytest.mark.parametrize("columns", HISTORIES.values(), ids=HISTORIES.keys())
def test_tags_of_one_that_is_gone_count_whoever_has_its_name_now(columns: list[Column]) -> None:
    name = columns[0].name
    assert masked(ByTag(), *columns) in ({name: f"upper({name})"}, {name: f"upper(`{name}`)"})
    [hidden] = CurrentNamesEngine(ByTag(hide=True)).decide(ANN, [read(*columns)])
    assert hidden.restricted == {name: "rule"}


def test_tags_of_whoever_has_the_name_now_do_not_count_for_one_that_is_gone() -> None:
    columns = column("ssn", 1), tagged("id", 2, "ssn"), column("note", 3, "note")
    assert masked(ByTag(), *columns) == {"id": "upper(`id`)"}


def test_both_are_masked_each_by_itself() -> None:
    assert masked(ByTag(), tagged("ssn", 1), tagged("id", 2, "ssn")) == {
        "ssn": "upper(ssn)",
        "id": "upper(`id`)",
    }


def test_a_refusal_because_of_one_that_is_gone_hides_it() -> None:
    engine = ByTag(refuse=True)
    columns = tagged("ssn", 1), column("id", 2, "ssn"), column("note", 3, "note")
    [verdict] = CurrentNamesEngine(engine).decide(ANN, [read(*columns)])
    assert verdict.allow
    assert verdict.restricted == {"ssn": "by tag"}
    assert engine.asked == [["ssn", "note"], ["ssn", "note"]]


def test_a_row_filter_of_both_questions_counts_once_and_means_the_column_of_today() -> None:
    columns = column("id", 1), column("key", 2, "id"), tagged("ssn", 3, "ssn")
    [verdict] = CurrentNamesEngine(ByTag(rows=True)).decide(ANN, [read(*columns)])
    assert [each.text for each in verdict.filters] == ["`key` > 0"]


def test_a_row_filter_of_the_second_question_alone_counts_too() -> None:
    engine = Asked(masking({}), masking({}, rows=["ssn = 'x'"]))
    [verdict] = CurrentNamesEngine(engine).decide(ANN, [read(tagged("ssn", 1), column("id", 2, "ssn"))])
    assert [each.text for each in verdict.filters] == ["ssn = 'x'"]


def test_a_mask_of_one_that_is_gone_that_cannot_follow_is_a_refusal() -> None:
    engine = Asked(masking({}), masking({"ssn": "concat(ssn, id)"}))
    [verdict] = CurrentNamesEngine(engine).decide(ANN, [read(tagged("ssn", 1), column("id", 2, "ssn"))])
    assert not verdict.allow


def test_a_verdict_short_of_the_second_question_is_no_answer() -> None:
    engine = Asked(masking({}))
    assert CurrentNamesEngine(engine).decide(ANN, [read(tagged("ssn", 1), column("id", 2, "ssn"))]) == ()


def test_random_histories_mask_what_is_tagged_and_nothing_else() -> None:
    random = Random(1)
    for _ in range(500):
        names = list("abcdef")
        then = dict(enumerate(names))
        now = dict(then)
        for _ in range(random.randrange(8)):
            number = random.choice([*now, None])
            match random.choice(["drop", "add", "rename", "swap"]):
                case "drop" if number is not None:
                    del now[number]
                case "add":
                    free = [each for each in names if each not in now.values()]
                    now |= {100 + len(now) + random.randrange(10**6): free[0]} if free else {}
                case "rename" if number is not None:
                    free = [each for each in names if each not in now.values()]
                    now[number] = random.choice([*free, now[number]])
                case "swap" if number is not None:
                    other = random.choice([*now])
                    now[number], now[other] = now[other], now[number]
        pii = {number for number in then if random.random() < 0.3}
        columns = [
            (tagged if number in pii else column)(name, number, now.get(number))
            for number, name in then.items()
        ]
        found = masked(ByTag(), *columns)
        assert set(found) == {then[number] for number in pii}, columns
        assert all(text.replace("`", "") == f"upper({name})" for name, text in found.items()), columns


def named(name: str, number: int, now: str | None, *former: str) -> Column:
    return Column(name, "string", number, (), now, False, former)


class Hiding:
    """An engine that hides a column by its name."""

    name, version = "hiding", "1"

    def __init__(self, hidden: str) -> None:
        self.hidden = hidden

    def decide(self, principal: Principal, questions: Sequence[Question]) -> Sequence[Verdict]:
        return [
            masking(
                {each.name: "mask_null()" for each in question.resource.columns if each.name == self.hidden}
            )
            for question in questions
        ]

    def refresh(self) -> None: ...

    def close(self) -> None: ...


@pytest.mark.parametrize(
    ("columns", "masked"),
    [
        ([named("tax", 1, None, "tax", "ssn"), named("code", 2, "code")], {"tax"}),
        ([named("tax", 1, None, "tax", "ssn"), named("code", 2, "tax")], {"tax"}),
        ([named("a", 1, None, "a", "b", "ssn"), named("b", 2, "a"), named("c", 3, "b")], {"a"}),
        ([named("tax", 1, None, "tax", "ssn"), named("code", 2, "ssn")], {"tax", "code"}),
        ([named("tax", 1, None, "ssn", "tax"), named("pay", 2, None, "pay", "ssn")], {"tax", "pay"}),
        ([named("\u017fsn", 1, None, "ssn", "\u017fsn"), named("code", 2, "code")], {"\u017fsn"}),
        ([named("tax", 1, None, "tax"), named("code", 2, "code")], set()),
        ([named("tax", 1, "x"), named("ssn", 2, "y")], set()),
    ],
)
def test_the_rules_of_all_its_names_hold_for_one_that_is_gone(
    columns: list[Column], masked: set[str]
) -> None:
    [verdict] = CurrentNamesEngine(Hiding("ssn")).decide(ANN, [read(*columns)])
    assert set(verdict.masks) == masked


def test_two_names_that_are_compared_as_one_are_both_hidden() -> None:
    columns = [column("a", 1, "ssn"), column("b", 2, "\u017fsn"), column("c", 3, "d")]
    [verdict] = CurrentNamesEngine(Hiding("ssn")).decide(ANN, [read(*columns)])
    assert set(verdict.masks) == {"a", "b"}


def test_of_two_masks_by_two_names_the_stronger_one_applies() -> None:
    columns = [named("tax", 1, None, "tax", "ssn"), named("code", 2, "id")]
    engine = Asked(masking({"tax": "mask_first(tax, 1)"}), masking({"ssn": "mask_null()"}))
    [verdict] = CurrentNamesEngine(engine).decide(ANN, [read(*columns)])
    assert verdict.masks["tax"].text == "mask_null()"


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
