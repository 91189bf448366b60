"""Adapt engines that know columns by name to older snapshots, in which columns have other names.

A rule about `ssn` is about the column with this current name. In an older snapshot the same column may have another
name, and another column this one. `CurrentNamesEngine` sends questions with the current names, and rewrites the
verdicts for the names of the snapshot. A dropped column has no current name: the rules about all names that it had
apply to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from sqe.model.decision import Column, Expression, Question, Verdict
from sqe.model.identity import Principal
from sqe.policy.binding import bind, candidates, rebind
from sqe.policy.combine import strongest_mask
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
    """Return the question by current names, and more of them for the other names of dropped columns.

    No engine can be asked about two columns of one name at once. Each further question has dropped columns in the
    place of those that have these names in the first one.
    """
    columns = question.resource.columns
    if not _renamed(columns):
        return [question]
    present = [replace(column, name=column.now) for column in columns if column.now is not None]
    dropped = [
        replace(column, name=name) for column in columns if column.now is None for name in _names(column)
    ]
    asked: list[list[Column]] = [present]
    for column in dropped:
        fitting = next((each for each in asked if not _has(each, column)), None)
        if fitting is None:
            fitting = []
            asked.append(fitting)
        fitting.append(column)
    for further in asked[1:]:
        further += [column for column in present if not _has(further, column)]
    return [replace(question, resource=replace(question.resource, columns=tuple(each))) for each in asked]


def _names(column: Column) -> Sequence[str]:
    """Return the names of a dropped column, each spelling of it, with that of the snapshot first."""
    # Engines differ in which spellings they take for the same.
    return list(dict.fromkeys((column.name, *column.former)))


def _has(columns: Sequence[Column], column: Column) -> bool:
    """Return whether the name or the column itself is among `columns`."""
    return any(
        each.name.casefold() == column.name.casefold()
        or (each.field_id is not None and each.field_id == column.field_id)
        for each in columns
    )


def _with_snapshot_names(
    question: Question, asked: Sequence[Question], verdicts: Sequence[Verdict]
) -> Verdict:
    """Return one verdict with the snapshot's names, from those on one question or more."""
    columns = question.resource.columns
    first, *others = verdicts
    if not first.allow or not _renamed(columns):
        return first
    verdict = _rewritten(first, asked[0].resource.columns, columns)
    for further, other in zip(asked[1:], others, strict=True):
        if not verdict.allow:
            return verdict
        verdict = _both(verdict, first, further.resource.columns, columns, other)
    return verdict


def _both(
    verdict: Verdict,
    first: Verdict,
    asked: Sequence[Column],
    columns: Sequence[Column],
    other: Verdict,
) -> Verdict:
    """Add another verdict on the dropped columns, and the row filters that only it has."""
    dropped = [column for column in asked if column.now is None]
    if not other.allow:
        hidden = {name: other.source for column in dropped for name in _snapshot_names(column, columns)}
        return replace(verdict, restricted={**verdict.restricted, **hidden})
    names = {column.name.casefold() for column in dropped}
    of_dropped = Verdict(
        allow=True,
        source=other.source,
        filters=tuple(each for each in other.filters if each not in first.filters),
        masks={name: mask for name, mask in other.masks.items() if name.casefold() in names},
        restricted={name: why for name, why in other.restricted.items() if name.casefold() in names},
    )
    added = _rewritten(of_dropped, asked, columns)
    if not added.allow:
        return added
    masks = dict(verdict.masks)
    for name, mask in added.masks.items():
        masks[name] = strongest_mask([masks[name], mask]) if name in masks else mask
    return replace(
        verdict,
        filters=(*verdict.filters, *added.filters),
        masks=masks,
        restricted={**verdict.restricted, **added.restricted},
    )


def _rewritten(verdict: Verdict, asked: Sequence[Column], columns: Sequence[Column]) -> Verdict:
    """Return the verdict on a question about `asked` with the snapshot's names."""
    names: dict[str, list[str]] = {}  # the snapshot's names by current name, compared as Spark does
    for column in asked:
        names.setdefault(column.name.casefold(), []).extend(_snapshot_names(column, columns))
    filters = [_expression(each, asked, columns) for each in verdict.filters]
    masks = {name: _expression(mask, asked, columns) for name, mask in verdict.masks.items()}
    if None in filters or None in masks.values():
        return Verdict(allow=False, source=f"{verdict.source}: the columns have other names in this snapshot")
    return Verdict(
        allow=True,
        source=verdict.source,
        filters=tuple(each for each in filters if each is not None),
        masks=_spread({name: mask for name, mask in masks.items() if mask is not None}, names),
        restricted=_spread(verdict.restricted, names),
    )


def _snapshot_names(asked: Column, columns: Sequence[Column]) -> list[str]:
    """Return the snapshot's names of a column of a question."""
    if asked.field_id is not None:
        return [column.name for column in columns if column.field_id == asked.field_id]
    wanted = asked.name.casefold()
    return [column.name for column in columns if _current_name(column).casefold() == wanted]


def _spread(by_name: Mapping[str, Value], names: Mapping[str, Sequence[str]]) -> dict[str, Value]:
    """Map values by current name to values by snapshot name; an unknown name stays as it is."""
    return {old: value for name, value in by_name.items() for old in names.get(name.casefold(), (name,))}


def _expression(
    expression: Expression, asked: Sequence[Column], columns: Sequence[Column]
) -> Expression | None:
    """Return the expression with the snapshot's names; None: a name in it is ambiguous."""
    # A name that only the snapshot has: in the expression it means a column that was added since.
    known = {column.name.casefold() for column in asked}
    only_old = {column.name.casefold() for column in columns} - known
    if any(name.casefold() in only_old for name in candidates(expression.text, expression.dialect)):
        return None
    text = rebind(bind(expression.text, expression.dialect, asked), columns)
    return None if text is None else replace(expression, text=text)


def _renamed(columns: Sequence[Column]) -> bool:
    """Return whether the name in the snapshot is not the only one to ask about, for any column."""
    return any(
        column.now != column.name if column.now is not None else len(_names(column)) > 1 for column in columns
    )


def _current_name(column: Column) -> str:
    return column.name if column.now is None else column.now
