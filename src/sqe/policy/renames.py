"""Old states of a table, for engines that know columns by their names.

A rule about `ssn` is about the column that has this name today. In an older snapshot the same column may have had
another name, and another column this one. Such an engine is asked about columns by the names that they have now, and
its answer is written for the names that they had then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from sqe.model.decision import Column, Expression, Question, Verdict
from sqe.model.identity import Principal
from sqe.policy.binding import bind, candidates, rebind
from sqe.policy.engine import PolicyEngine

Value = TypeVar("Value")


class ByCurrentNames:
    """An engine, asked about columns by the names of today."""

    def __init__(self, engine: PolicyEngine) -> None:
        self.inner = engine

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def version(self) -> str | None:
        return self.inner.version

    def decide(self, principal: Principal, questions: Sequence[Question]) -> Sequence[Verdict]:
        asked = [_asked(question) for question in questions]
        verdicts = self.inner.decide(principal, [each for several in asked for each in several])
        if len(verdicts) != sum(map(len, asked)):
            # It is no answer, and the panel says so: as many verdicts as questions would look like one.
            return verdicts if len(verdicts) != len(questions) else ()
        remaining = iter(verdicts)
        return [
            _then(question, several, [next(remaining) for _ in several])
            for question, several in zip(questions, asked, strict=True)
        ]

    def look(self) -> None:
        self.inner.look()

    def close(self) -> None:
        self.inner.close()


def _asked(question: Question) -> list[Question]:
    """Return the question by the names of today; a second one if a column that is gone had a name that another has now.

    No engine can be asked about two columns of one name at once. The second question has the columns that are gone in
    the place of those that bear their names today.
    """
    columns = question.resource.columns
    if not _renamed(columns):
        return [question]
    taken = _taken(columns)
    present = [replace(column, name=column.now) for column in columns if column.now is not None]
    gone = [column for column in columns if column.now is None]
    asked = [[*(column for column in gone if column.name.casefold() not in taken), *present]]
    if taken:
        asked.append([*gone, *(column for column in present if column.name.casefold() not in taken)])
    return [replace(question, resource=replace(question.resource, columns=tuple(each))) for each in asked]


def _taken(columns: Sequence[Column]) -> frozenset[str]:
    """Names of columns that are gone and of others today, compared as Spark does."""
    gone = {column.name.casefold() for column in columns if column.now is None}
    return frozenset(gone & {column.now.casefold() for column in columns if column.now is not None})


def _then(question: Question, asked: Sequence[Question], verdicts: Sequence[Verdict]) -> Verdict:
    """Return one verdict for the names of then, of those on one question or two."""
    columns = question.resource.columns
    first = verdicts[0]
    if not first.allow or not _renamed(columns):
        return first
    taken = _taken(columns)
    others = [column for column in columns if column.now is not None or column.name.casefold() not in taken]
    verdict = _translated(first, others, asked[0].resource.columns, columns)
    if len(asked) == 1 or not verdict.allow:
        return verdict
    gone = [column for column in columns if column not in others]
    return _both(verdict, first, gone, asked[1].resource.columns, columns, verdicts[1])


def _both(
    verdict: Verdict,
    first: Verdict,
    gone: Sequence[Column],
    today: Sequence[Column],
    columns: Sequence[Column],
    second: Verdict,
) -> Verdict:
    """Add what the second verdict says of the columns that are gone, and row filters that only it has."""
    if not second.allow:
        hidden = {column.name: second.source for column in gone}
        return replace(verdict, restricted={**verdict.restricted, **hidden})
    names = {column.name.casefold() for column in gone}
    of_gone = Verdict(
        allow=True,
        source=second.source,
        filters=tuple(each for each in second.filters if each not in first.filters),
        masks={name: mask for name, mask in second.masks.items() if name.casefold() in names},
        restricted={name: why for name, why in second.restricted.items() if name.casefold() in names},
    )
    added = _translated(of_gone, gone, today, columns)
    if not added.allow:
        return added
    return replace(
        verdict,
        filters=(*verdict.filters, *added.filters),
        masks={**verdict.masks, **added.masks},
        restricted={**verdict.restricted, **added.restricted},
    )


def _translated(
    verdict: Verdict, asked_for: Sequence[Column], today: Sequence[Column], columns: Sequence[Column]
) -> Verdict:
    """Return the verdict on `asked_for` for the names of then. `today` is as the engine was asked."""
    names: dict[str, list[str]] = {}  # those that a name of today stands for, compared as Spark does
    for column in asked_for:
        names.setdefault(_name_of_today(column).casefold(), []).append(column.name)
    filters = [_expression(each, today, columns) for each in verdict.filters]
    masks = {name: _expression(mask, today, columns) for name, mask in verdict.masks.items()}
    if None in filters or None in masks.values():
        return Verdict(allow=False, source=f"{verdict.source}: the columns had other names then")
    return Verdict(
        allow=True,
        source=verdict.source,
        filters=tuple(each for each in filters if each is not None),
        masks=_spread({name: mask for name, mask in masks.items() if mask is not None}, names),
        restricted=_spread(verdict.restricted, names),
    )


def _spread(by_name: Mapping[str, Value], names: Mapping[str, Sequence[str]]) -> dict[str, Value]:
    """What is said of a name of today, for all columns that it stands for; a name that is unknown stays as it is."""
    return {then: value for name, value in by_name.items() for then in names.get(name.casefold(), (name,))}


def _expression(
    expression: Expression, today: Sequence[Column], columns: Sequence[Column]
) -> Expression | None:
    """The expression with the names of then; None: whose column a name is cannot be told."""
    # A name that no column of then has today, but one had: it is of a column that was added since.
    known = {column.name.casefold() for column in today}
    then = {column.name.casefold() for column in columns} - known
    if any(name.casefold() in then for name in candidates(expression.text, expression.dialect)):
        return None
    text = rebind(bind(expression.text, expression.dialect, today), columns)
    return None if text is None else replace(expression, text=text)


def _renamed(columns: Sequence[Column]) -> bool:
    return any(column.now is not None and column.now != column.name for column in columns)


def _name_of_today(column: Column) -> str:
    return column.name if column.now is None else column.now
