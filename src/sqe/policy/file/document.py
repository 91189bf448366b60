"""The schema of a rules file, which docs/policy/file.md documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, ValidationInfo, field_validator, model_validator

from sqe.errors import SemanticError, SqeError
from sqe.model.decision import ROW_CHANGES, Expression, Operation
from sqe.model.session import Dialect
from sqe.policy.documents import StrictModel, as_tuple
from sqe.policy.file.patterns import TablePattern
from sqe.sql.policy.expression import check_form, shares_key

READ = frozenset({Operation.SELECT, Operation.DESCRIBE, Operation.SHOW_CREATE, Operation.LIST})
WRITE = ROW_CHANGES
ALL = frozenset(Operation)

_GROUPS: Mapping[str, frozenset[Operation]] = {
    "read": READ,
    "write": WRITE,
    "manage": ALL - READ - WRITE,
    "all": ALL,
}

# Users who may tag columns of their own could otherwise have values of their choice hashed under the key.
SHARED_BY_TAG = "A named key of mask_hash cannot be used for columns with a tag."

Names = Annotated[tuple[Annotated[str, Field(min_length=1)], ...], BeforeValidator(as_tuple)]
DialectName = Literal["spark", "trino"]


class Effect(StrEnum):
    ALLOW = "allow"
    DENY = "deny"


def _effect(value: object) -> object:
    """Convert text to an effect, which a strict model does not do by itself."""
    return Effect(value) if isinstance(value, str) and value in list(Effect) else value


class TagMask(StrictModel):
    mask: str


class RuleEntry(StrictModel):
    """One rule of the file."""

    name: str | None = None
    users: Names = ()
    roles: Names = ()
    groups: Names = ()
    tables: Names
    operations: Names = ("read",)
    effect: Annotated[Effect, BeforeValidator(_effect)] = Effect.ALLOW
    rows: str | None = None
    masks: dict[str, str] = Field(default_factory=dict)
    restrict: Names = ()
    tags: dict[str, TagMask | Literal["restrict"]] = Field(default_factory=dict)
    dialect: DialectName | None = None

    @field_validator("tables")
    @classmethod
    def _check_tables(cls, tables: tuple[str, ...]) -> tuple[str, ...]:
        if not tables:
            raise ValueError("is empty")
        for table in tables:
            TablePattern.read(table)
        return tables

    @field_validator("operations")
    @classmethod
    def _check_operations(cls, operations: tuple[str, ...]) -> tuple[str, ...]:
        known = [*_GROUPS, *(operation.value for operation in Operation)]
        for operation in operations:
            if operation not in known:
                raise ValueError(f"'{operation}' is none of {', '.join(known)}")
        if not operations:
            raise ValueError("is empty")
        return operations

    @model_validator(mode="after")
    def _check_sense(self) -> RuleEntry:
        if not (self.users or self.roles or self.groups):
            raise ValueError('has neither users nor roles nor groups; write users: "*" for all users')
        restricts = self.rows is not None or self.masks or self.restrict or self.tags
        if restricts and self.effect is Effect.DENY:
            raise ValueError("denies, so that rows, masks, restrict and tags have no effect")
        if restricts and Operation.SELECT not in self.covered:
            raise ValueError(
                "has rows, masks, restrict or tags, which are about reading, but no operation select"
            )
        return self

    @property
    def covered(self) -> frozenset[Operation]:
        return frozenset[Operation]().union(
            *(_GROUPS[name] if name in _GROUPS else {Operation(name)} for name in self.operations)
        )


class RulesDocument(StrictModel):
    """The whole file."""

    default: Annotated[Effect, BeforeValidator(_effect)] = Effect.DENY
    dialect: DialectName = "spark"
    rules: Annotated[tuple[RuleEntry, ...], BeforeValidator(as_tuple)] = ()

    @model_validator(mode="after")
    def _check_expressions(self, info: ValidationInfo) -> RulesDocument:
        for number, rule in enumerate(self.rules, 1):
            for where, text in _expressions(rule):
                try:
                    expression = self.expression(number, rule, text)
                    check_form(expression)
                    if where.startswith("tags.") and shares_key(expression):
                        raise SemanticError(SHARED_BY_TAG)
                except SqeError as error:
                    raise ValueError(
                        f"rules[{number}].{where}: {error.located_message.removesuffix('.')}"
                    ) from None
        return self

    def expression(self, number: int, rule: RuleEntry, text: str) -> Expression:
        name = f" ({rule.name})" if rule.name else ""
        return Expression(text, Dialect(rule.dialect or self.dialect), f"file: rule {number}{name}")


def _expressions(rule: RuleEntry) -> Iterator[tuple[str, str]]:
    if rule.rows is not None:
        yield "rows", rule.rows
    for column, mask in rule.masks.items():
        yield f"masks.{column}", mask
    for tag, treatment in rule.tags.items():
        if isinstance(treatment, TagMask):
            yield f"tags.{tag}.mask", treatment.mask
