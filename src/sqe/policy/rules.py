"""What follows from the engines' verdicts, by what is being done: Trino's rules for reads and writes.

- select: rows and columns are hidden.
- describe, show_create: restricted columns are hidden.
- insert, delete: a row filter holds for the rows; masks and restricted columns are a refusal.
- update, merge, overwrite, truncate, procedure, replace_table, analyze, alter, rename, drop, set_tags: any of them is
  refused.
- Everything else is a matter of privileges alone.
- A metadata table of a protected table is refused, whatever is done with it.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace

from sqe.errors import SqeError
from sqe.model.decision import Decision, Kind, Operation, Question, Verdict
from sqe.model.identity import Principal
from sqe.policy.combine import Policy, Renderer, combine, restricts
from sqe.policy.refusals import denied, unsupported

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
# Who does not see all of a table cannot know what they destroy, nor what a tag on a column is for.
_DISPOSING = frozenset({Operation.DROP, Operation.SET_TAGS})
_SHOWN = frozenset({Operation.DESCRIBE, Operation.SHOW_CREATE})
# They read as well as they write: what may not be read could be found out by what was changed.
_READING = frozenset({Operation.UPDATE, Operation.DELETE, Operation.MERGE})

Verdicts = Mapping[Question, tuple[Verdict, ...]]  # of all engines


def needed(question: Question) -> list[Question]:
    """What engines have to be asked for one decision; first the question itself."""
    resource, operation = question.resource, question.operation
    if resource.kind is not Kind.TABLE:
        return [question]
    if resource.metadata is not None:
        return [question, reading(question)]
    if operation is Operation.SELECT:
        return [question]
    if operation in _FILTERED | _WHOLE | _DISPOSING:
        return [question, reading(question)]
    if operation in _SHOWN:
        return [question, reading(question), _administering(question)]
    return [question]


def reading(question: Question) -> Question:
    """The question whose answer is the policy of the table."""
    return Question(Operation.SELECT, replace(question.resource, metadata=None))


def _administering(question: Question) -> Question:
    return Question(Operation.SET_TAGS, replace(question.resource, metadata=None))


class Ruling:
    def __init__(self, *, keyed: bool, renderer: Renderer | None = None) -> None:
        self._keyed = keyed
        self._renderer = renderer

    def decide(self, principal: Principal, question: Question, verdicts: Verdicts) -> Decision:
        """The decision on `question`; `verdicts` has the answers to all that it `needed`."""
        own = verdicts[question]
        against = _against(own)
        if against:
            return replace(denied(question), sources=against)
        try:
            return self._allowed(principal, question, own, verdicts)
        except SqeError as error:
            # Whoever wrote the policy has to know; whoever asks must not see it.
            _log.error(
                "%s: a policy on %s cannot be used: %s",
                principal.user,
                question.resource,
                error.located_message,
            )
        except Exception:  # noqa: BLE001 - whatever it is, it is a refusal
            _log.exception("%s: a policy on %s cannot be used", principal.user, question.resource)
        return replace(denied(question), sources=("a policy that cannot be used",))

    def _allowed(
        self, principal: Principal, question: Question, own: tuple[Verdict, ...], verdicts: Verdicts
    ) -> Decision:
        operation, kind = question.operation, question.resource.kind
        sources = tuple(verdict.source for verdict in own)
        if kind is Kind.TABLE and operation in _GUARDED and not question.resource.columns:
            # Who is not told the columns cannot say which of them are hidden.
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
            return replace(denied(question, ", which takes being allowed to select"), sources=unreadable)
        policy = self._policy(principal, question, (*own, *(() if unreadable else read)))
        if policy.empty:
            return _plain(sources)
        if operation in _WHOLE | _DISPOSING or (operation in _FILTERED and policy.hides_values):
            return replace(unsupported(question), sources=policy.sources)
        return Decision(
            allow=True,
            filter=policy.filter,
            masks=policy.masks,
            restricted=policy.restricted,
            sources=policy.sources,
        )

    @staticmethod
    def _metadata(question: Question, own: tuple[Verdict, ...], verdicts: Verdicts) -> Decision:
        """Files, snapshots and the like of a table: bounds of columns, paths with values, names of all columns."""
        read = verdicts[reading(question)]
        if question.operation is not Operation.SELECT and question.operation not in _SHOWN:
            return replace(denied(question), sources=("nothing else is done with metadata tables",))
        if unreadable := _against(read):
            return replace(denied(question), sources=unreadable)
        if restricts((*own, *read)):
            return replace(denied(question), sources=("the table is protected",))
        return _plain(tuple(verdict.source for verdict in own))

    def _shown(
        self,
        principal: Principal,
        question: Question,
        own: tuple[Verdict, ...],
        read: tuple[Verdict, ...],
        verdicts: Verdicts,
    ) -> Decision:
        """Columns that cannot be read are not shown either, except to who may administer them."""
        administers = not _against(verdicts[_administering(question)])
        shown = [
            Verdict(allow=True, source=verdict.source, restricted=verdict.restricted)
            for verdict in (own if administers else (*own, *read))
        ]
        policy = self._policy(principal, question, shown)
        return Decision(allow=True, restricted=policy.restricted, sources=policy.sources)

    def _policy(self, principal: Principal, question: Question, verdicts: Sequence[Verdict]) -> Policy:
        return combine(
            verdicts, principal, question.resource.columns, self._get_renderer(), keyed=self._keyed
        )

    def _get_renderer(self) -> Renderer:
        if self._renderer is None:
            # Loads a parser, which is not needed before the first policy.
            from sqe.sql.policy import expression as policy_expression

            self._renderer = policy_expression
        return self._renderer


def _plain(sources: tuple[str, ...]) -> Decision:
    return Decision(allow=True, sources=sources)


def _against(verdicts: Sequence[Verdict]) -> tuple[str, ...]:
    """Who does not allow it."""
    return tuple(verdict.source for verdict in verdicts if not verdict.allow)
