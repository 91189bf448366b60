"""Derive the decision on an operation from the engines' verdicts, by Trino's rules for reads and writes.

- select: rows and columns are hidden.
- describe, show_create: restricted columns are hidden.
- insert, delete: a row filter holds for the rows; masks and restricted columns are a refusal.
- update, merge, overwrite, truncate, procedure, replace_table, analyze, alter, rename, drop, set_tags: any of them is
  refused.
- Every other operation depends on privileges alone.
- Every operation on a metadata table of a protected table is refused.

A table keeps values of columns that it no longer has: in older snapshots, in the metadata of files and, for partitions,
in the names of files. A column that is hidden in this way counts for what shows or moves the whole table.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace

from sqe.errors import SqeError
from sqe.model.decision import Column, Decision, Kind, Operation, Question, Verdict
from sqe.model.identity import Principal
from sqe.policy.combine import CombinedPolicy, Renderer, combine, restricts
from sqe.policy.denials import denied, unsupported

_log = logging.getLogger(__name__)

_FILTERED = frozenset({Operation.INSERT, Operation.DELETE})
_WHOLE = frozenset(
    {
        *(Operation.UPDATE, Operation.MERGE, Operation.OVERWRITE, Operation.TRUNCATE),
        *(Operation.PROCEDURE, Operation.REPLACE_TABLE, Operation.ANALYZE),
        *(Operation.ALTER, Operation.RENAME),
    }
)
_GUARDED = frozenset({Operation.SELECT}) | _FILTERED | _WHOLE
# A user who does not see all of a table cannot know what they destroy, nor the purpose of a column's tag.
_DISPOSING = frozenset({Operation.DROP, Operation.SET_TAGS})
_SHOWN = frozenset({Operation.DESCRIBE, Operation.SHOW_CREATE})
# These operations concern all states of a table. A rename could take its history away from rules about its name.
_WITH_HISTORY = frozenset({Operation.RENAME, Operation.DROP, Operation.PROCEDURE})
# These operations also read: the changed rows would reveal what the user must not read.
_READING = frozenset({Operation.UPDATE, Operation.DELETE, Operation.MERGE})

Verdicts = Mapping[Question, tuple[Verdict, ...]]  # of all engines


def needed_questions(question: Question) -> list[Question]:
    """Return the questions to the engines that one decision needs; the first is the question itself."""
    if question.resource.kind is not Kind.TABLE:
        return [question]
    return [*_present_questions(question), *(_past_questions(question) if _shows_past(question) else ())]


def _present_questions(question: Question) -> list[Question]:
    operation = question.operation
    if question.resource.metadata is not None:
        return [question, reading(question)]
    if operation is Operation.SELECT:
        return [question]
    if operation in _FILTERED | _WHOLE | _DISPOSING:
        return [question, reading(question)]
    if operation in _SHOWN:
        return [question, reading(question), _administering(question)]
    return [question]


def reading(question: Question) -> Question:
    """Return the question whose verdicts hold the policy of the table."""
    return Question(Operation.SELECT, replace(question.resource, metadata=None))


def _shows_past(question: Question) -> bool:
    """Return whether past columns count: an INSERT neither reads the table nor moves it."""
    return question.resource.metadata is not None or (
        question.operation in _GUARDED | _DISPOSING and question.operation is not Operation.INSERT
    )


def _past_questions(question: Question) -> list[Question]:
    """Return the questions about past columns, in each of which no two columns have the same name."""
    resource = question.resource
    whole = resource.metadata is not None or question.operation in _WITH_HISTORY
    groups: list[list[Column]] = []
    for column in resource.past:
        if whole or column.in_paths:
            names = {name.casefold() for name in (column.name, column.now) if name is not None}
            fitting = next((group for group in groups if names.isdisjoint(_all_names(group))), None)
            if fitting is None:
                fitting = []
                groups.append(fitting)
            fitting.append(column)
    return [
        Question(Operation.SELECT, replace(resource, metadata=None, columns=tuple(group), past=()))
        for group in groups
    ]


def _all_names(columns: Sequence[Column]) -> set[str]:
    return {name.casefold() for column in columns for name in (column.name, column.now) if name is not None}


def _administering(question: Question) -> Question:
    return Question(Operation.SET_TAGS, replace(question.resource, metadata=None))


class DecisionRules:
    def __init__(self, *, keyed: bool, renderer: Renderer | None = None) -> None:
        self._keyed = keyed
        self._renderer = renderer

    def decide(self, principal: Principal, question: Question, verdicts: Verdicts) -> Decision:
        """Decide on `question`; `verdicts` has those on all its `needed_questions`."""
        own = verdicts[question]
        against = _against(own)
        if against:
            return replace(denied(question), sources=against)
        try:
            return self._allowed(principal, question, own, verdicts)
        except SqeError as error:
            # The error is for the policy's author, in the log. The user must not see it.
            _log.error(
                "%s: a policy on %s cannot be used: %s",
                principal.user,
                question.resource,
                error.located_message,
            )
        except Exception:  # noqa: BLE001 - every failure denies
            _log.exception("%s: a policy on %s cannot be used", principal.user, question.resource)
        return replace(denied(question), sources=("a policy that cannot be used",))

    def _allowed(
        self, principal: Principal, question: Question, own: tuple[Verdict, ...], verdicts: Verdicts
    ) -> Decision:
        operation, kind = question.operation, question.resource.kind
        sources = tuple(verdict.source for verdict in own)
        if kind is Kind.TABLE and operation in _GUARDED and not question.resource.columns:
            # Without the columns, an engine cannot say which of them are hidden.
            return replace(denied(question), sources=("the columns of the table are not known",))
        if question.resource.metadata is not None:
            return self._metadata(question, own, verdicts)
        if kind is Kind.VIEW and operation in (Operation.SELECT, *_SHOWN):
            # A view's columns are expressions; only the tables below it can be guarded.
            return replace(unsupported(question), sources=sources) if restricts(own) else _plain(sources)
        if kind is not Kind.TABLE or operation not in _GUARDED | _DISPOSING | _SHOWN:
            return _plain(sources)
        read = verdicts.get(reading(question), ())
        unreadable = _against(read)
        if operation in _SHOWN:
            return self._shown(principal, question, own, () if unreadable else read, verdicts)
        if unreadable and operation in _READING:
            return replace(denied(question, ", which needs SELECT"), sources=unreadable)
        policy = self._policy(principal, question, (*own, *(() if unreadable else read)))
        hidden = () if unreadable else _hidden_past(question, verdicts)
        if hidden and operation is not Operation.SELECT:
            return replace(unsupported(question), sources=hidden)
        if policy.empty:
            return replace(_plain((*sources, *hidden)), hides_paths=bool(hidden))
        if operation in _WHOLE | _DISPOSING or (operation in _FILTERED and policy.hides_values):
            return replace(unsupported(question), sources=policy.sources)
        return Decision(
            allow=True,
            filter=policy.filter,
            masks=policy.masks,
            restricted=policy.restricted,
            sources=(*policy.sources, *hidden),
            hides_paths=bool(hidden),
        )

    @staticmethod
    def _metadata(question: Question, own: tuple[Verdict, ...], verdicts: Verdicts) -> Decision:
        """Decide on a metadata table, which shows bounds of columns, paths with values, and all column names."""
        read = verdicts[reading(question)]
        if question.operation is not Operation.SELECT and question.operation not in _SHOWN:
            return replace(denied(question), sources=("metadata tables can only be read and described",))
        if unreadable := _against(read):
            return replace(denied(question), sources=unreadable)
        if restricts((*own, *read)):
            return replace(denied(question), sources=("the table is protected",))
        if hidden := _hidden_past(question, verdicts):
            return replace(denied(question), sources=hidden)
        return _plain(tuple(verdict.source for verdict in own))

    def _shown(
        self,
        principal: Principal,
        question: Question,
        own: tuple[Verdict, ...],
        read: tuple[Verdict, ...],
        verdicts: Verdicts,
    ) -> Decision:
        """Hide the columns that the user must not read, unless the user administers the table."""
        administers = not _against(verdicts[_administering(question)])
        shown = [
            Verdict(allow=True, source=verdict.source, restricted=verdict.restricted)
            for verdict in (own if administers else (*own, *read))
        ]
        policy = self._policy(principal, question, shown)
        return Decision(allow=True, restricted=policy.restricted, sources=policy.sources)

    def _policy(
        self, principal: Principal, question: Question, verdicts: Sequence[Verdict]
    ) -> CombinedPolicy:
        return combine(
            verdicts, principal, question.resource.columns, self._get_renderer(), keyed=self._keyed
        )

    def _get_renderer(self) -> Renderer:
        if self._renderer is None:
            # This loads a parser, which is not needed before the first policy.
            from sqe.sql.policy import expression as policy_expression

            self._renderer = policy_expression
        return self._renderer


def _hidden_past(question: Question, verdicts: Verdicts) -> tuple[str, ...]:
    """Return the sources of verdicts that mask or restrict past columns, if they count for the operation."""
    if not _shows_past(question):
        return ()
    return tuple(
        f"no past column by {verdict.source}"
        for asked in _past_questions(question)
        for verdict in verdicts[asked]
        if not verdict.allow or verdict.masks or verdict.restricted
    )


def _plain(sources: tuple[str, ...]) -> Decision:
    return Decision(allow=True, sources=sources)


def _against(verdicts: Sequence[Verdict]) -> tuple[str, ...]:
    """Return the sources of the verdicts that deny."""
    return tuple(verdict.source for verdict in verdicts if not verdict.allow)
