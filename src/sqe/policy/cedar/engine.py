"""The engine `cedar`: policies in files, evaluated in this process.

Reading is asked about a table and about each of its columns: the table must be permitted, and a column that is not does
not exist for the person. Every permit that applies counts: all its row filters hold, and its mask is put on.
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
from sqe.policy.cedar.policies import Annotated, Compiled, compile_policies
from sqe.policy.masks import strongest

_log = logging.getLogger(__name__)

_SOURCE = "cedar"
_TABLES = frozenset({Kind.TABLE, Kind.VIEW})
_ANYTHING = frozenset(Kind)
# What each operation can be about, as the schema says; other questions are refused.
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
        self._compiled: Compiled | None = compile_policies(*self._files.read())
        self._lock = threading.Lock()
        self._reloads = 0
        self._version = self._compiled.digest

    @property
    def version(self) -> str | None:
        """Of the files as they are now: they are looked at before every decision, so that a change counts at once."""
        self.look()
        return self._version

    def decide(self, principal: Principal, questions: Sequence[Question]) -> Sequence[Verdict]:
        compiled = self._compiled
        if compiled is None:
            raise _unavailable("the policies cannot be read since they were changed")
        batches: list[_Batch] = []
        asked: list[_Asked] = []
        for question in questions:
            entities = cedar_entities.resources(question.resource)
            batch = next((batch for batch in batches if batch.takes(entities)), None)
            if batch is None:
                batch = _Batch(compiled, principal)
                batches.append(batch)
            batch.entities |= entities
            asked.append(_Asked(batch, question))
        for batch in batches:
            batch.run()
        return [each.verdict() for each in asked]

    def look(self) -> None:
        """Take up files that have changed. Broken ones are not used, and neither are the old ones any more."""
        with self._lock:
            self._look()

    def _look(self) -> None:
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
        self._state = None  # look again, until it is repaired
        if self._compiled is not None:
            _log.error("cedar: nothing is permitted until the policies are repaired: %s", error.message)
            self._reloads += 1
            self._compiled, self._version = None, f"broken-{self._reloads}"


@dataclass
class _Batch:
    """The requests of one decision, which are evaluated together."""

    compiled: Compiled
    principal: Principal
    entities: dict[tuple[str, str], Json] = field(default_factory=dict)
    _requests: list[Json] = field(default_factory=list)
    _results: list[cedarpy.AuthzResult] = field(default_factory=list)

    def takes(self, entities: Mapping[tuple[str, str], Json]) -> bool:
        """Whether they are what is known here already. Two tables whose names differ in case only are not."""
        return all(self.entities.get(key, entity) == entity for key, entity in entities.items())

    def add(self, action: Operation, name: Json, about: Resource, procedure: str | None) -> int:
        """Ask for one thing; the number is for the answer."""
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
            raise _unavailable("there is not a result for each request")
        for result in self._results:
            if result.diagnostics.errors or result.decision is cedarpy.Decision.NoDecision:
                raise _unavailable("; ".join(map(str, result.diagnostics.errors)) or "there is no decision")

    def allowed(self, number: int) -> bool:
        return self._results[number].allowed

    def forbidden(self, number: int) -> bool:
        """Whether a policy forbids it, rather than none permitting it."""
        return not self.allowed(number) and bool(self._results[number].diagnostics.reasons)

    def determining(self, number: int) -> list[Annotated]:
        """The policies that decided, in the order of their files."""
        found = self._results[number].diagnostics.reasons
        try:
            return [self.compiled.annotated[name] for name in sorted(found, key=_number)]
        except KeyError as error:
            raise _unavailable(f"the policy {error} is not known") from None


class _Asked:
    """One question as requests about the resource and, where they are shown, its columns."""

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
        # Who may not read a column need not know of it, unless somebody says so: a forbid of select counts everywhere.
        hides = shows and operation is not Operation.SELECT
        self._reads = {column: self._ask(Operation.SELECT, column) for column in resource.columns if hides}

    def _ask(self, operation: Operation, column: Column) -> int:
        resource = self._question.resource
        name = cedar_entities.column_uid(resource, column)
        return self._batch.add(operation, name, resource, self._question.procedure)

    def verdict(self) -> Verdict:
        if not self._known:
            return Verdict(False, f"{_SOURCE}: the schema has nothing like it")
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
        # A permit of columns only may restrict rows too.
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


def _mask(column: Column, permits: Iterable[Annotated]) -> Expression | None:
    """The strongest mask of a column, in which `value` is that column; null, where two are as strong and differ."""
    offered = [
        Expression(
            for_column(BoundExpression(mask.text, mask.dialect, {}), column.name), mask.dialect, mask.source
        )
        for permit in permits
        if (mask := permit.mask) is not None
    ]
    return strongest(offered) if offered else None


def _number(policy: str) -> int:
    return int(policy.removeprefix("policy")) if policy.removeprefix("policy").isdigit() else -1


def _unavailable(detail: str) -> PolicyUnavailableError:
    return PolicyUnavailableError(
        "The policy engine cedar does not answer.",
        hint="Somebody who administers the policies has to repair them; the server's log says what is wrong.",
        detail=f"cedar: {detail}",
    )
