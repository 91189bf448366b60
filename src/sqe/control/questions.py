"""Read the guard's questions from JSON, and write decisions to JSON, in the form of `control.protocol`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from operator import itemgetter
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from sqe.control.protocol import (
    AllowedDecision,
    ColumnFields,
    DecideRequest,
    DecideResponse,
    QuestionFields,
    RefusedDecision,
)
from sqe.model.decision import Column, Decision, Kind, Operation, Question, Resource

_OF_SCHEMAS = frozenset({Operation.CREATE_SCHEMA, Operation.DROP_SCHEMA, Operation.ALTER_SCHEMA})
_SHOWN = 40  # characters of an unknown field's name

# By pydantic's type of error; all others are about texts.
_EXPECTED = {
    "model_type": "an object",
    "tuple_type": "a list",
    "int_type": "a whole number",
    "bool_type": "true or false",
}


class InvalidQuestionError(ValueError):
    """A request that is not in the form of the protocol; the message says why."""


@dataclass(frozen=True, slots=True)
class DecisionRequest:
    """One request: whose session, for which query of the gateway, and the questions."""

    handle: str
    query: str | None
    questions: tuple[Question, ...]


def read_questions(body: bytes) -> DecisionRequest:
    """Read a request for decisions. Raises InvalidQuestionError."""
    try:
        request = DecideRequest.model_validate_json(body)
    except ValidationError as error:
        raise InvalidQuestionError(_describe(error.errors(include_url=False)[0])) from None
    return DecisionRequest(
        request.handle,
        request.query,
        tuple(_question(fields, f"questions[{index}]") for index, fields in enumerate(request.questions)),
    )


def write_decisions(user: str, decisions: Sequence[Decision]) -> dict[str, Any]:
    """Return the response, with decisions in the order of the questions."""
    response = DecideResponse(user=user, decisions=tuple(map(_decision, decisions)))
    return response.model_dump(mode="json")


def _decision(decision: Decision) -> AllowedDecision | RefusedDecision:
    if not decision.allow:
        return RefusedDecision(refusal=decision.refusal, reason=decision.reason)
    return AllowedDecision(
        filter=decision.filter,
        masks=dict(decision.masks),
        restricted=tuple(decision.restricted),
        protected=decision.protected,
    )


def _question(fields: QuestionFields, place: str) -> Question:
    resource = Resource(
        fields.kind,
        fields.catalog,
        fields.namespace or (),
        fields.name,
        columns=tuple(map(_column, fields.columns or ())),
        past=tuple(map(_column, fields.past or ())),
        uuid=fields.uuid,
        owner=fields.owner,
        metadata=fields.metadata,
        ref=fields.ref,
    )
    _check(fields.operation, resource, fields.procedure, place)
    return Question(fields.operation, resource, fields.procedure)


def _column(fields: ColumnFields) -> Column:
    return Column(
        fields.name,
        fields.type,
        fields.field_id,
        fields.tags or (),
        fields.now,
        fields.moved is True,
        fields.former or (),
        fields.in_paths is True,
    )


def _check(operation: Operation, resource: Resource, procedure: str | None, place: str) -> None:
    """Refuse fields that do not go together: an engine would decide on something else than what is done."""
    named = resource.kind in (Kind.TABLE, Kind.VIEW)
    if named is not (resource.name is not None):
        raise InvalidQuestionError(
            f"{place}: a {resource.kind} has {'a name' if named else 'no name of its own'}."
        )
    if (resource.kind is Kind.SCHEMA and not resource.namespace) or (
        resource.kind is Kind.CATALOG and resource.namespace
    ):
        raise InvalidQuestionError(f"{place}: the namespace does not go with a {resource.kind}.")
    if operation is not Operation.LIST and named is (operation in _OF_SCHEMAS):
        raise InvalidQuestionError(f"{place}: {operation} is nothing that is done with a {resource.kind}.")
    if (operation is Operation.PROCEDURE) is not (procedure is not None):
        raise InvalidQuestionError(f"{place}: a procedure goes with the operation procedure, and only there.")
    if resource.metadata is not None and resource.kind is not Kind.TABLE:
        raise InvalidQuestionError(f"{place}: a {resource.kind} has no metadata tables.")
    names = [column.name for column in resource.columns]
    if len(set(names)) < len(names):
        raise InvalidQuestionError(f"{place}.columns: a name is there twice.")


def _describe(error: ErrorDetails) -> str:
    kind, location, given = itemgetter("type", "loc", "input")(error)
    place = _place(location)
    if kind == "json_invalid":
        return "The request is not JSON."
    if kind == "extra_forbidden":
        return f"{_place(location[:-1])} has '{str(location[-1])[:_SHOWN]}', which is not known."
    if kind == "too_short":
        return f"{place} is empty."
    if kind == "enum" and isinstance(given, str) and given:
        words: type[StrEnum] = Operation if location[-1] == "operation" else Kind
        return f"{place} is not one of {', '.join(words)}."
    if kind == "missing" and location == ("questions",):
        return f"{place} is not a list."
    return f"{place} is not {_EXPECTED.get(kind, 'a text')}."


def _place(location: tuple[int | str, ...]) -> str:
    place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location)
    return place.removeprefix(".") or "The request"
