"""The engine `file`: decides by the rules of a YAML or TOML file, and reads the file again after a change.

A file that is not valid at the start is an error. After an invalid change the engine is unavailable until the file is
repaired: the old rules may allow what the change was to remove.
"""

from __future__ import annotations

import hashlib
import logging
import os
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqe.common.file_stamp import Stamp, stamp
from sqe.errors import ConfigError, PolicyUnavailableError, SqeError
from sqe.model.decision import Column, Expression, Kind, Operation, Question, Resource, Verdict
from sqe.model.identity import Principal
from sqe.policy.binding import BoundExpression, for_column
from sqe.policy.combine import strongest_mask
from sqe.policy.documents import parse
from sqe.policy.file.document import READ, Effect, RuleEntry, RulesDocument, TagMask
from sqe.policy.file.patterns import TablePattern, name_matches

_log = logging.getLogger(__name__)

_WHAT = "rules file"
_CONTAINERS = (Kind.CATALOG, Kind.SCHEMA)


class FileEngine:
    name = "file"

    def __init__(self, path: Path) -> None:
        """Read the rules. Raises ConfigError."""
        self._path = path
        self._lock = threading.Lock()
        self._stamp: Stamp | None = None
        self._state: _Rules | _Broken = self._read()

    @property
    def version(self) -> str:
        """The digest of the current file, which is checked before every decision, so that a change counts at once."""
        self.refresh()
        return self._state.version

    def decide(self, principal: Principal, questions: Sequence[Question]) -> Sequence[Verdict]:
        state = self._state
        if isinstance(state, _Broken):
            raise PolicyUnavailableError("The rules file is not valid.", detail=state.why)
        try:
            own = [rule for rule in state.rules if rule.concerns(principal)]
            return [_verdict(own, state.default, question) for question in questions]
        except SqeError as error:
            raise PolicyUnavailableError("The rules file cannot be used.", detail=error.message) from error

    def refresh(self) -> None:
        with self._lock:
            self._refresh()

    def _refresh(self) -> None:
        if self._stamp is not None and self._stamp == self._stamp_now():
            return
        try:
            rules = self._read()
        except ConfigError as error:
            if not isinstance(self._state, _Broken) or self._state.why != error.message:
                _log.error("%s All access is denied until it is repaired.", error.message)
            self._state = _Broken(error.message)
        else:
            if self._state.version != rules.version:
                _log.info("the rules file %s was read again: version %s", self._path, rules.version[:12])
            self._state = rules

    def close(self) -> None: ...

    def _stamp_now(self) -> Stamp | None:
        try:
            return stamp(self._path.stat())
        except OSError:
            return None

    def _read(self) -> _Rules:
        self._stamp = None
        try:
            with self._path.open("rb") as file:
                # Before reading, so that a change during the read is noticed.
                found = stamp(os.fstat(file.fileno()))
                content = file.read()
        except OSError as error:
            raise ConfigError(f"The {_WHAT} {self._path} cannot be read: {error.strerror}.") from error
        self._stamp = found
        version = hashlib.sha256(content).hexdigest()
        known = getattr(self, "_state", None)
        if isinstance(known, _Rules) and known.version == version:
            return known
        document = parse(self._path, content, RulesDocument, _WHAT)
        rules = [_Rule.of(number, entry, document) for number, entry in enumerate(document.rules, 1)]
        return _Rules(tuple(rules), document.default, version)


@dataclass(frozen=True, slots=True)
class _Rule:
    source: str
    entry: RuleEntry
    patterns: tuple[TablePattern, ...]
    operations: frozenset[Operation]
    rows: Expression | None
    masks: tuple[tuple[str, Expression], ...]
    tags: tuple[tuple[str, Expression | None], ...]  # None: restricted

    @classmethod
    def of(cls, number: int, entry: RuleEntry, document: RulesDocument) -> _Rule:
        def expression(text: str) -> Expression:
            return document.expression(number, entry, text)

        return cls(
            expression("").source,
            entry,
            tuple(TablePattern.read(table) for table in entry.tables),
            entry.covered,
            expression(entry.rows) if entry.rows is not None else None,
            tuple((column, expression(mask)) for column, mask in entry.masks.items()),
            tuple(
                (tag, expression(treatment.mask) if isinstance(treatment, TagMask) else None)
                for tag, treatment in entry.tags.items()
            ),
        )

    def concerns(self, principal: Principal) -> bool:
        entry = self.entry
        return (
            any(name_matches(pattern, principal.user) for pattern in entry.users)
            or any(name_matches(pattern, role) for pattern in entry.roles for role in principal.roles)
            or any(name_matches(pattern, group) for pattern in entry.groups for group in principal.groups)
        )

    @property
    def allows(self) -> bool:
        return self.entry.effect is Effect.ALLOW

    def matches(self, resource: Resource, *, wide: bool) -> bool:
        names = _names(resource)
        if resource.kind in _CONTAINERS:
            return any(pattern.covers(names, wide=wide) for pattern in self.patterns)
        return any(pattern.matches(names, wide=wide) for pattern in self.patterns)

    def restrictions(self, resource: Resource) -> Iterator[tuple[str, Expression | None]]:
        """Yield columns with their masks; None: the column is restricted."""
        # A pattern may match tables without such a column. Where one table is named, a wrong name is an error,
        # which `combine` raises.
        exact = any(
            pattern.is_exact and pattern.matches(_names(resource), wide=True) for pattern in self.patterns
        )
        for name in self.entry.restrict:
            for column in _called(name, resource.columns, exact=exact):
                yield column, None
        for name, mask in self.masks:
            for column in _called(name, resource.columns, exact=exact):
                yield column, mask
        for tag, tag_mask in self.tags:
            for tagged in resource.columns:
                if tag.casefold() in (own.casefold() for own in tagged.tags):
                    yield tagged.name, None if tag_mask is None else _about(tag_mask, tagged.name)


@dataclass(frozen=True, slots=True)
class _Rules:
    rules: tuple[_Rule, ...]
    default: Effect
    version: str


@dataclass(frozen=True, slots=True)
class _Broken:
    why: str

    @property
    def version(self) -> str:
        return f"broken: {self.why}"


def _verdict(rules: Sequence[_Rule], default: Effect, question: Question) -> Verdict:
    """Return the verdict of `rules`, those that concern the principal. Only rules that allow are case-sensitive."""
    resource, operation = question.resource, question.operation
    for rule in rules:
        if not rule.allows and operation in rule.operations and rule.matches(resource, wide=True):
            return Verdict(allow=False, source=rule.source)
    if operation is Operation.LIST or (operation is Operation.DESCRIBE and resource.kind in _CONTAINERS):
        return _listed(rules, default, resource)
    given = _given(rules, operation, resource)
    if given is None and default is Effect.DENY:
        return Verdict(allow=False, source="file: no rule allows it")
    source = given.source if given is not None else "file: default"
    if operation is not Operation.SELECT:
        return Verdict(allow=True, source=source)
    return _restricted(rules, resource, source)


def _given(rules: Sequence[_Rule], operation: Operation, resource: Resource) -> _Rule | None:
    return next(
        (
            rule
            for rule in rules
            if rule.allows and operation in rule.operations and rule.matches(resource, wide=False)
        ),
        None,
    )


def _listed(rules: Sequence[_Rule], default: Effect, resource: Resource) -> Verdict:
    """Decide whether a name is shown: the user has to be allowed to read the object or anything inside of it."""
    if resource.kind in _CONTAINERS:
        reading = [rule for rule in rules if rule.allows and rule.operations & READ]
        names = _names(resource)
        shown = next(
            (rule for rule in reading if any(pattern.reaches(names) for pattern in rule.patterns)), None
        )
        if shown is not None or default is Effect.ALLOW:
            return Verdict(allow=True, source=shown.source if shown is not None else "file: default")
        return Verdict(allow=False, source="file: no rule allows reading anything there")
    given = _given(rules, Operation.LIST, resource)
    if given is not None:
        return Verdict(allow=True, source=given.source)
    for operation in READ - {Operation.LIST}:
        verdict = _verdict(rules, default, Question(operation, resource))
        if verdict.allow:
            return Verdict(allow=True, source=verdict.source)
    return Verdict(allow=False, source="file: no rule allows reading it")


def _restricted(rules: Sequence[_Rule], resource: Resource, source: str) -> Verdict:
    filters: list[Expression] = []
    offered: dict[str, list[Expression]] = {}
    restricted: dict[str, str] = {}
    for rule in rules:
        if rule.allows and Operation.SELECT in rule.operations and rule.matches(resource, wide=True):
            if rule.rows is not None:
                filters.append(rule.rows)
            for column, mask in rule.restrictions(resource):
                if mask is None:
                    restricted.setdefault(column, rule.source)
                else:
                    offered.setdefault(column, []).append(mask)
    masks = {column: strongest_mask(each) for column, each in offered.items()}
    return Verdict(allow=True, source=source, filters=tuple(filters), masks=masks, restricted=restricted)


def _names(resource: Resource) -> tuple[str, ...]:
    return (resource.catalog, *resource.namespace, *((resource.name,) if resource.name is not None else ()))


def _called(name: str, columns: Sequence[Column], *, exact: bool) -> list[str]:
    found = [column.name for column in columns if column.name.casefold() == name.casefold()]
    return found or ([name] if exact else [])


def _about(mask: Expression, column: str) -> Expression:
    """Return a tag's mask for one column, which it calls `value`."""
    return Expression(
        for_column(BoundExpression(mask.text, mask.dialect), column), mask.dialect, mask.source, mask.acts_as
    )
