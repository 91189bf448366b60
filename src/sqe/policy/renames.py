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
        verdicts = self.inner.decide(principal, [_today(question) for question in questions])
        if len(verdicts) != len(questions):
            return verdicts  # it is no answer, and whoever asked says so
        return [_then(verdict, question) for verdict, question in zip(verdicts, questions, strict=True)]

    def look(self) -> None:
        self.inner.look()

    def close(self) -> None:
        self.inner.close()


def _today(question: Question) -> Question:
    resource = question.resource
    if not _renamed(resource.columns):
        return question
    return replace(question, resource=replace(resource, columns=_by_names_of_today(resource.columns)))


def _by_names_of_today(columns: Sequence[Column]) -> tuple[Column, ...]:
    """One column for each name: that which has it now goes before one that had it and is gone."""
    gone = {column.name: column for column in columns if column.now is None}
    present = {column.now: replace(column, name=column.now) for column in columns if column.now is not None}
    return tuple({**gone, **present}.values())


def _then(verdict: Verdict, question: Question) -> Verdict:
    columns = question.resource.columns
    if not verdict.allow or not _renamed(columns):
        return verdict
    names: dict[str, list[str]] = {}  # those that a name of today stands for, compared as Spark does
    for column in columns:
        names.setdefault(_name_of_today(column).casefold(), []).append(column.name)
    filters = [_expression(each, columns) for each in verdict.filters]
    masks = {name: _expression(mask, columns) for name, mask in verdict.masks.items()}
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


def _expression(expression: Expression, columns: Sequence[Column]) -> Expression | None:
    """The expression with the names of then; None: whose column a name is cannot be told."""
    today = _by_names_of_today(columns)
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
