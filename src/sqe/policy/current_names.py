"""Adapt engines that know columns by name to older snapshots, in which columns have other names.

A rule about `ssn` is about the column with this current name. In an older snapshot the same column may have another
name, and another column this one. `CurrentNamesEngine` sends questions with the current names, and rewrites the
verdicts for the names of the snapshot.
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


class CurrentNamesEngine:
    """An engine that gets questions with the current names of columns."""

    def __init__(self, engine: PolicyEngine) -> None:
        self.inner = engine

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def version(self) -> str | None:
        return self.inner.version

    def decide(self, principal: Principal, questions: Sequence[Question]) -> Sequence[Verdict]:
        asked = [_questions(question) for question in questions]
        verdicts = self.inner.decide(principal, [each for several in asked for each in several])
        if len(verdicts) != sum(map(len, asked)):
            # `PolicyFanOut` refuses it: as many verdicts as questions would look like an answer.
            return verdicts if len(verdicts) != len(questions) else ()
        remaining = iter(verdicts)
        return [
            _with_snapshot_names(question, several, [next(remaining) for _ in several])
            for question, several in zip(questions, asked, strict=True)
        ]

    def refresh(self) -> None:
        self.inner.refresh()

    def close(self) -> None:
        self.inner.close()


def _questions(question: Question) -> list[Question]:
    """Return the question by current names, and a second one if a dropped column had a name that another has now.

    No engine can be asked about two columns of one name at once. The second question has the dropped columns in the
    place of those that have their names now.
    """
    columns = question.resource.columns
    if not _renamed(columns):
        return [question]
    taken = _taken(columns)
    present = [replace(column, name=column.now) for column in columns if column.now is not None]
    dropped = [column for column in columns if column.now is None]
    asked = [[*(column for column in dropped if column.name.casefold() not in taken), *present]]
    if taken:
        asked.append([*dropped, *(column for column in present if column.name.casefold() not in taken)])
    return [replace(question, resource=replace(question.resource, columns=tuple(each))) for each in asked]


def _taken(columns: Sequence[Column]) -> frozenset[str]:
    """Return the names of dropped columns that other columns have now, compared as Spark does."""
    dropped = {column.name.casefold() for column in columns if column.now is None}
    return frozenset(dropped & {column.now.casefold() for column in columns if column.now is not None})


def _with_snapshot_names(
    question: Question, asked: Sequence[Question], verdicts: Sequence[Verdict]
) -> Verdict:
    """Return one verdict with the snapshot's names, from those on one question or two."""
    columns = question.resource.columns
    first = verdicts[0]
    if not first.allow or not _renamed(columns):
        return first
    taken = _taken(columns)
    others = [column for column in columns if column.now is not None or column.name.casefold() not in taken]
    verdict = _rewritten(first, others, asked[0].resource.columns, columns)
    if len(asked) == 1 or not verdict.allow:
        return verdict
    dropped = [column for column in columns if column not in others]
    return _both(verdict, first, dropped, asked[1].resource.columns, columns, verdicts[1])


def _both(
    verdict: Verdict,
    first: Verdict,
    dropped: Sequence[Column],
    current: Sequence[Column],
    columns: Sequence[Column],
    second: Verdict,
) -> Verdict:
    """Add the second verdict on the dropped columns, and the row filters that only it has."""
    if not second.allow:
        hidden = {column.name: second.source for column in dropped}
        return replace(verdict, restricted={**verdict.restricted, **hidden})
    names = {column.name.casefold() for column in dropped}
    of_dropped = Verdict(
        allow=True,
        source=second.source,
        filters=tuple(each for each in second.filters if each not in first.filters),
        masks={name: mask for name, mask in second.masks.items() if name.casefold() in names},
        restricted={name: why for name, why in second.restricted.items() if name.casefold() in names},
    )
    added = _rewritten(of_dropped, dropped, current, columns)
    if not added.allow:
        return added
    return replace(
        verdict,
        filters=(*verdict.filters, *added.filters),
        masks={**verdict.masks, **added.masks},
        restricted={**verdict.restricted, **added.restricted},
    )


def _rewritten(
    verdict: Verdict, asked_for: Sequence[Column], current: Sequence[Column], columns: Sequence[Column]
) -> Verdict:
    """Return the verdict on `asked_for` with the snapshot's names. `current` are the columns of the question."""
    names: dict[str, list[str]] = {}  # the snapshot's names by current name, compared as Spark does
    for column in asked_for:
        names.setdefault(_current_name(column).casefold(), []).append(column.name)
    filters = [_expression(each, current, columns) for each in verdict.filters]
    masks = {name: _expression(mask, current, columns) for name, mask in verdict.masks.items()}
    if None in filters or None in masks.values():
        return Verdict(allow=False, source=f"{verdict.source}: the columns have other names in this snapshot")
    return Verdict(
        allow=True,
        source=verdict.source,
        filters=tuple(each for each in filters if each is not None),
        masks=_spread({name: mask for name, mask in masks.items() if mask is not None}, names),
        restricted=_spread(verdict.restricted, names),
    )


def _spread(by_name: Mapping[str, Value], names: Mapping[str, Sequence[str]]) -> dict[str, Value]:
    """Map values by current name to values by snapshot name; an unknown name stays as it is."""
    return {old: value for name, value in by_name.items() for old in names.get(name.casefold(), (name,))}


def _expression(
    expression: Expression, current: Sequence[Column], columns: Sequence[Column]
) -> Expression | None:
    """Return the expression with the snapshot's names; None: a name in it is ambiguous."""
    # A name that only the snapshot has: in the expression it means a column that was added since.
    known = {column.name.casefold() for column in current}
    only_old = {column.name.casefold() for column in columns} - known
    if any(name.casefold() in only_old for name in candidates(expression.text, expression.dialect)):
        return None
    text = rebind(bind(expression.text, expression.dialect, current), columns)
    return None if text is None else replace(expression, text=text)


def _renamed(columns: Sequence[Column]) -> bool:
    return any(column.now is not None and column.now != column.name for column in columns)


def _current_name(column: Column) -> str:
    return column.name if column.now is None else column.now
