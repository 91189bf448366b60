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
        verdicts = self.inner.decide(principal, [_with_current_names(question) for question in questions])
        if len(verdicts) != len(questions):
            return verdicts  # `PolicyFanOut` refuses it
        return [
            _with_snapshot_names(verdict, question)
            for verdict, question in zip(verdicts, questions, strict=True)
        ]

    def refresh(self) -> None:
        self.inner.refresh()

    def close(self) -> None:
        self.inner.close()


def _with_current_names(question: Question) -> Question:
    resource = question.resource
    if not _renamed(resource.columns):
        return question
    return replace(question, resource=replace(resource, columns=_by_current_name(resource.columns)))


def _by_current_name(columns: Sequence[Column]) -> tuple[Column, ...]:
    """Return one column for each name: a current column takes precedence over a dropped one of the same name."""
    dropped = {column.name: column for column in columns if column.now is None}
    present = {column.now: replace(column, name=column.now) for column in columns if column.now is not None}
    return tuple({**dropped, **present}.values())


def _with_snapshot_names(verdict: Verdict, question: Question) -> Verdict:
    columns = question.resource.columns
    if not verdict.allow or not _renamed(columns):
        return verdict
    names: dict[str, list[str]] = {}  # the snapshot's names by current name, compared as Spark does
    for column in columns:
        names.setdefault(_current_name(column).casefold(), []).append(column.name)
    filters = [_expression(each, columns) for each in verdict.filters]
    masks = {name: _expression(mask, columns) for name, mask in verdict.masks.items()}
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


def _expression(expression: Expression, columns: Sequence[Column]) -> Expression | None:
    """Return the expression with the snapshot's names; None: a name in it is ambiguous."""
    current = _by_current_name(columns)
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
