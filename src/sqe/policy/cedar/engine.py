"""The engine `cedar`: evaluates Cedar policies from files in this process.

For reading, policies are evaluated for a table and for each of its columns: the table has to be permitted, and a column
without a permit is restricted. The row filters and masks of all permits that apply are used.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import cedarpy

from sqe.config.schema import Config
from sqe.errors import ConfigError, PolicyUnavailableError
from sqe.model.decision import Column, Expression, Kind, Operation, Question, Resource, Verdict
from sqe.model.identity import Principal
from sqe.policy.binding import BoundExpression, for_column
from sqe.policy.cedar import entities as cedar_entities
from sqe.policy.cedar.entities import Json
from sqe.policy.cedar.files import CedarFiles, State
from sqe.policy.cedar.policies import AnnotatedPolicy, CompiledPolicies, compile_policies
from sqe.policy.combine import strongest_mask

_log = logging.getLogger(__name__)

_SOURCE = "cedar"
_TABLES = frozenset({Kind.TABLE, Kind.VIEW})
_ANYTHING = frozenset(Kind)
# The kinds of resources of each operation, as in the Cedar schema; other questions are denied.
_OF_SCHEMAS = frozenset({Operation.CREATE_SCHEMA, Operation.DROP_SCHEMA, Operation.ALTER_SCHEMA})
_OF_ANYTHING = frozenset({Operation.DESCRIBE, Operation.SHOW_CREATE, Operation.LIST})
# Operations that show columns.
_SHOWING = frozenset({Operation.SELECT, Operation.DESCRIBE, Operation.SHOW_CREATE})


class CedarEngine:
    name = "cedar"

    def __init__(self, config: Config) -> None:
        """Read the policies. Raises ConfigError."""
        if config.policy.cedar_policies is None:
            raise ConfigError(
                "The engine cedar in policy.engines needs policy.cedar_policies, which is not set."
            )
        self._files = CedarFiles(config.policy.cedar_policies, config.policy.cedar_entities)
        self._state: State | None = self._files.state()
        self._compiled: CompiledPolicies | None = compile_policies(*self._files.read())
        self._lock = threading.Lock()
        self._reloads = 0
        self._version = self._compiled.digest

    @property
    def version(self) -> str | None:
        """The digest of the current files, which are checked before every decision, so that a change counts at once."""
        self.refresh()
        return self._version

    def decide(self, principal: Principal, questions: Sequence[Question]) -> Sequence[Verdict]:
        compiled = self._compiled
        if compiled is None:
            raise _unavailable("the policies are not valid since a change")
        batches: list[_Batch] = []
        asked: list[_QuestionRequests] = []
        for question in questions:
            entities = cedar_entities.resources(question.resource)
            batch = next((batch for batch in batches if batch.takes(entities)), None)
            if batch is None:
                batch = _Batch(compiled, principal)
                batches.append(batch)
            batch.entities |= entities
            asked.append(_QuestionRequests(batch, question))
        for batch in batches:
            batch.run()
        return [each.verdict() for each in asked]

    def refresh(self) -> None:
        """Read changed files. If they are not valid, nothing is permitted: the old policies may be too permissive."""
        with self._lock:
            self._refresh()

    def _refresh(self) -> None:
        try:
            state = self._files.state()
            if state is not None and state == self._state:
                return
            compiled = compile_policies(*self._files.read())
        except ConfigError as error:
            self._refuse(error)
            return
        if self._compiled is None or compiled.digest != self._compiled.digest:
            _log.info("cedar: %d policies are in force", len(compiled.annotated))
        self._compiled, self._version, self._state = compiled, compiled.digest, state

    def close(self) -> None:
        pass

    def _refuse(self, error: ConfigError) -> None:
        self._state = None  # read the files again with every decision until they are valid
        if self._compiled is not None:
            _log.error("cedar: nothing is permitted until the policies are valid: %s", error.message)
            self._reloads += 1
            self._compiled, self._version = None, f"broken-{self._reloads}"


@dataclass
class _Batch:
    """The requests that are evaluated together."""

    compiled: CompiledPolicies
    principal: Principal
    entities: dict[tuple[str, str], Json] = field(default_factory=dict)
    _requests: list[Json] = field(default_factory=list)
    _results: list[cedarpy.AuthzResult] = field(default_factory=list)

    def takes(self, entities: Mapping[tuple[str, str], Json]) -> bool:
        """Return whether the entities agree with those of the batch. Tables whose names differ in case only do not."""
        return all(self.entities.get(key, entity) == entity for key, entity in entities.items())

    def add(self, action: Operation, name: Json, about: Resource, procedure: str | None) -> int:
        """Add a request, and return its number."""
        more = {"metadata": about.metadata, "ref": about.ref, "procedure": procedure}
        self._requests.append(
            {
                "principal": cedar_entities.uid("User", self.principal.user),
                "action": cedar_entities.uid("Action", action.value),
                "resource": name,
                "context": {key: value for key, value in more.items() if value is not None},
            }
        )
        return len(self._requests) - 1

    def run(self) -> None:
        if not self._requests:
            return
        user = cedar_entities.user(self.principal, self.compiled.users.get(self.principal.user))
        made = json.dumps([user, *self.entities.values()])
        try:
            entities = self.compiled.entities.with_added_json_str(made)
            self._results = cedarpy.is_authorized_batch(
                self._requests, self.compiled.policies, entities, self.compiled.schema
            )
        except ValueError as error:
            raise _unavailable(str(error)) from None
        if len(self._results) != len(self._requests):
            raise _unavailable("the number of results differs from the number of requests")
        for result in self._results:
            if result.diagnostics.errors or result.decision is cedarpy.Decision.NoDecision:
                raise _unavailable("; ".join(map(str, result.diagnostics.errors)) or "there is no decision")

    def allowed(self, number: int) -> bool:
        return self._results[number].allowed

    def forbidden(self, number: int) -> bool:
        """Return whether a policy forbids the request, rather than none permitting it."""
        return not self.allowed(number) and bool(self._results[number].diagnostics.reasons)

    def determining(self, number: int) -> list[AnnotatedPolicy]:
        """Return the policies that decided, in the order of their files."""
        found = self._results[number].diagnostics.reasons
        try:
            return [self.compiled.annotated[name] for name in sorted(found, key=_number)]
        except KeyError as error:
            raise _unavailable(f"the policy {error} is not known") from None


class _QuestionRequests:
    """The requests of one question: about the resource and, if the operation shows them, its columns."""

    def __init__(self, batch: _Batch, question: Question) -> None:
        self._batch = batch
        self._question = question
        operation, resource = question.operation, question.resource
        self._known = resource.kind in _kinds(operation)
        if not self._known:
            return
        name = cedar_entities.resource_uid(resource)
        self._whole = batch.add(operation, name, resource, question.procedure)
        shows = operation in _SHOWING and resource.kind in _TABLES
        self._columns = [(column, self._ask(operation, column)) for column in resource.columns if shows]
        # A forbid of select hides a column in every operation that shows columns; a missing permit of select does not.
        hides = shows and operation is not Operation.SELECT
        self._reads = {column: self._ask(Operation.SELECT, column) for column in resource.columns if hides}

    def _ask(self, operation: Operation, column: Column) -> int:
        resource = self._question.resource
        name = cedar_entities.column_uid(resource, column)
        return self._batch.add(operation, name, resource, self._question.procedure)

    def verdict(self) -> Verdict:
        if not self._known:
            return Verdict(False, f"{_SOURCE}: the schema has no such action and resource")
        batch = self._batch
        decided = batch.determining(self._whole)
        source = decided[0].source if decided else _SOURCE
        if not batch.allowed(self._whole):
            return Verdict(False, source)
        visible = [(column, number) for column, number in self._columns if self._is_visible(column, number)]
        if self._columns and not visible:
            return Verdict(False, f"{_SOURCE}: no column is permitted")
        shown = {column for column, _ in visible}
        restricted = {
            column.name: self._why(number) for column, number in self._columns if column not in shown
        }
        if self._question.operation is not Operation.SELECT:
            return Verdict(True, source, restricted=restricted)
        by_column = [(column, batch.determining(number)) for column, number in visible]
        # A permit of single columns may have a row filter too.
        permits = dict.fromkeys([*decided, *(permit for _, found in by_column for permit in found)])
        filters = dict.fromkeys(permit.row_filter for permit in permits if permit.row_filter is not None)
        masks = {
            column.name: mask for column, found in by_column if (mask := _mask(column, found)) is not None
        }
        return Verdict(True, source, tuple(filters), masks, restricted)

    def _is_visible(self, column: Column, number: int) -> bool:
        read = self._reads.get(column)
        return self._batch.allowed(number) and (read is None or not self._batch.forbidden(read))

    def _why(self, number: int) -> str:
        decided = [] if self._batch.allowed(number) else self._batch.determining(number)
        return decided[0].source if decided else _SOURCE


def _kinds(operation: Operation) -> frozenset[Kind]:
    if operation in _OF_ANYTHING:
        return _ANYTHING
    return _ANYTHING - _TABLES if operation in _OF_SCHEMAS else _TABLES


def _mask(column: Column, permits: Iterable[AnnotatedPolicy]) -> Expression | None:
    """Return the strongest mask of a column, which `value` stands for; NULL where two of that strength differ."""
    offered = [
        Expression(
            for_column(BoundExpression(mask.text, mask.dialect, {}), column.name), mask.dialect, mask.source
        )
        for permit in permits
        if (mask := permit.mask) is not None
    ]
    return strongest_mask(offered) if offered else None


def _number(policy: str) -> int:
    return int(policy.removeprefix("policy")) if policy.removeprefix("policy").isdigit() else -1


def _unavailable(detail: str) -> PolicyUnavailableError:
    return PolicyUnavailableError(
        'Policy engine "cedar" failed or returned an invalid response.',
        hint="An administrator has to repair the policies; the server's log has the details.",
        detail=f"cedar: {detail}",
    )
