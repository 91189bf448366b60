"""What the guard asks, from JSON to questions and from decisions to JSON.

    {"handle": str, "query": str | null, "questions": [
        {"operation", "kind", "catalog", "namespace", "name", "columns": [{"name", "type", "field_id", "tags", "now",
         "moved"}], "uuid", "owner", "metadata", "ref", "procedure"}]}

What may be null or empty may also be left out. Whatever else is odd is no question, and so gets no answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

import orjson

from sqe.model.decision import Column, Decision, Kind, Operation, Question, Resource

_OUTER = frozenset({"handle", "query", "questions"})
_QUESTION = frozenset(
    {
        *("operation", "kind", "catalog", "namespace", "name", "columns"),
        *("uuid", "owner", "metadata", "ref", "procedure"),
    }
)
_COLUMN = frozenset({"name", "type", "field_id", "tags", "now", "moved"})
_OF_SCHEMAS = frozenset({Operation.CREATE_SCHEMA, Operation.DROP_SCHEMA, Operation.ALTER_SCHEMA})

Word = TypeVar("Word", bound=StrEnum)


class OddQuestionError(ValueError):
    """What is not a question; the message says why."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One call: whose session, for which query of the gateway, and what."""

    handle: str
    query: str | None
    questions: tuple[Question, ...]


def read_asked(body: bytes) -> Asked:
    """Raises OddQuestionError."""
    try:
        fields = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise OddQuestionError("The request is not JSON.") from error
    outer = _table(fields, "The request", _OUTER)
    questions = _list(outer.get("questions"), "questions")
    if not questions:
        raise OddQuestionError("questions is empty.")
    return Asked(
        _text(outer.get("handle"), "handle"),
        _maybe(outer.get("query"), "query"),
        tuple(_question(item, f"questions[{index}]") for index, item in enumerate(questions)),
    )


def write_decisions(user: str, decisions: Sequence[Decision]) -> dict[str, Any]:
    """The answer, in the order of the questions."""
    return {"user": user, "decisions": [_decision(decision) for decision in decisions]}


def _decision(decision: Decision) -> dict[str, Any]:
    if not decision.allow:
        return {"allow": False, "refusal": decision.refusal.value, "reason": decision.reason}
    return {
        "allow": True,
        "filter": decision.filter,
        "masks": dict(decision.masks),
        "restricted": list(decision.restricted),
        "protected": decision.protected,
    }


def _question(value: object, place: str) -> Question:
    fields = _table(value, place, _QUESTION)
    operation = _word(Operation, fields.get("operation"), f"{place}.operation")
    resource = Resource(
        _word(Kind, fields.get("kind"), f"{place}.kind"),
        _text(fields.get("catalog"), f"{place}.catalog"),
        _texts(fields.get("namespace"), f"{place}.namespace"),
        _maybe(fields.get("name"), f"{place}.name"),
        columns=_columns(fields.get("columns"), f"{place}.columns"),
        uuid=_maybe(fields.get("uuid"), f"{place}.uuid"),
        owner=_maybe(fields.get("owner"), f"{place}.owner"),
        metadata=_maybe(fields.get("metadata"), f"{place}.metadata"),
        ref=_maybe(fields.get("ref"), f"{place}.ref"),
    )
    procedure = _maybe(fields.get("procedure"), f"{place}.procedure")
    _check(operation, resource, procedure, place)
    return Question(operation, resource, procedure)


def _check(operation: Operation, resource: Resource, procedure: str | None, place: str) -> None:
    """What is good by itself has to go together, or an engine would decide on something else than what is done."""
    named = resource.kind in (Kind.TABLE, Kind.VIEW)
    if named is not (resource.name is not None):
        raise OddQuestionError(
            f"{place}: a {resource.kind} has {'a name' if named else 'no name of its own'}."
        )
    if (resource.kind is Kind.SCHEMA and not resource.namespace) or (
        resource.kind is Kind.CATALOG and resource.namespace
    ):
        raise OddQuestionError(f"{place}: the namespace does not go with a {resource.kind}.")
    if operation is not Operation.LIST and named is (operation in _OF_SCHEMAS):
        raise OddQuestionError(f"{place}: {operation} is nothing that is done with a {resource.kind}.")
    if (operation is Operation.PROCEDURE) is not (procedure is not None):
        raise OddQuestionError(f"{place}: a procedure goes with the operation procedure, and only there.")
    if resource.metadata is not None and resource.kind is not Kind.TABLE:
        raise OddQuestionError(f"{place}: a {resource.kind} has no metadata tables.")
    names = [column.name for column in resource.columns]
    if len(set(names)) < len(names):
        raise OddQuestionError(f"{place}.columns: a name is there twice.")


def _columns(value: object, place: str) -> tuple[Column, ...]:
    return tuple(
        _column(item, f"{place}[{index}]")
        for index, item in enumerate(_list(value, place) if value is not None else ())
    )


def _column(value: object, place: str) -> Column:
    fields = _table(value, place, _COLUMN)
    field_id = fields.get("field_id")
    if field_id is not None and type(field_id) is not int:
        raise OddQuestionError(f"{place}.field_id is not a whole number.")
    return Column(
        _text(fields.get("name"), f"{place}.name"),
        _text(fields.get("type"), f"{place}.type"),
        field_id,
        _texts(fields.get("tags"), f"{place}.tags"),
        _maybe(fields.get("now"), f"{place}.now"),
        _flag(fields.get("moved"), f"{place}.moved"),
    )


def _flag(value: object, place: str) -> bool:
    if value is not None and not isinstance(value, bool):
        raise OddQuestionError(f"{place} is neither true nor false.")
    return value is True


def _table(value: object, place: str, known: frozenset[str]) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise OddQuestionError(f"{place} is not an object.")
    foreign = sorted(value.keys() - known)
    if foreign:
        raise OddQuestionError(f"{place} has '{foreign[0][:40]}', which is not known.")
    return value


def _list(value: object, place: str) -> list[Any]:
    if not isinstance(value, list):
        raise OddQuestionError(f"{place} is not a list.")
    return value


def _texts(value: object, place: str) -> tuple[str, ...]:
    if value is None:
        return ()
    return tuple(_text(item, f"{place}[{index}]") for index, item in enumerate(_list(value, place)))


def _text(value: object, place: str) -> str:
    if not isinstance(value, str) or not value:
        raise OddQuestionError(f"{place} is not a text.")
    return value


def _maybe(value: object, place: str) -> str | None:
    return None if value is None else _text(value, place)


def _word(words: type[Word], value: object, place: str) -> Word:
    try:
        return words(_text(value, place))
    except ValueError as error:
        if isinstance(error, OddQuestionError):
            raise
        raise OddQuestionError(f"{place} is not one of {', '.join(words)}.") from error
