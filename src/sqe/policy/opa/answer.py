"""What an Open Policy Agent answers, read as Trino's plugin reads it, and refused where it is anything else.

An undefined `allow` is no; an undefined mask is none, because that is how masks are written for Trino. Undefined row
filters are no answer: a set of filters is never undefined unless the address is wrong.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sqe.errors import PolicyUnavailableError
from sqe.model.decision import Expression
from sqe.model.session import Dialect

SOURCE = "opa"
_EXPRESSION_KEYS = frozenset({"expression", "identity"})
_ITEM_KEYS = frozenset({"index", "viewExpression"})


def unavailable(detail: str) -> PolicyUnavailableError:
    """The one error for an agent that does not do its work; `detail` is for the log."""
    return PolicyUnavailableError(MESSAGE, hint="Try again in a moment.", detail=f"opa: {detail}")


MESSAGE = "The policy engine opa does not answer."


def document(body: bytes) -> Mapping[str, Any]:
    """The answer as an object; besides `result` it may have anything, such as `decision_id`."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise unavailable("the answer is not a JSON object")
    return value


def allowed(answer: Mapping[str, Any]) -> bool:
    result = answer.get("result", False)
    if not isinstance(result, bool):
        raise unavailable(f"allow is {_kind(result)} instead of true or false")
    return result


def indices(answer: Mapping[str, Any], count: int) -> frozenset[int]:
    """Which of `count` items are allowed."""
    result = answer.get("result")
    if result is None:
        return frozenset()
    if not isinstance(result, list):
        raise unavailable(f"the batch is {_kind(result)} instead of a list of numbers")
    return frozenset(_index(item, count) for item in result)


def row_filters(answer: Mapping[str, Any]) -> tuple[Expression, ...]:
    result = answer.get("result")
    if not isinstance(result, list):
        raise unavailable(f"the row filters are {_kind(result)} instead of a list")
    return tuple(_expression(item) for item in result)


def column_mask(answer: Mapping[str, Any]) -> Expression | None:
    result = answer.get("result")
    return None if result is None else _expression(result)


def column_masks(answer: Mapping[str, Any], count: int) -> Mapping[int, Expression]:
    """By the number of the column, of `count`."""
    result = answer.get("result")
    if not isinstance(result, list):
        raise unavailable(f"the column masks are {_kind(result)} instead of a list")
    masks: dict[int, Expression] = {}
    for item in result:
        if not isinstance(item, dict) or item.keys() != _ITEM_KEYS:
            raise unavailable("a column mask is not an object of index and viewExpression")
        index = _index(item["index"], count)
        if index in masks:
            raise unavailable("a column has two masks")
        masks[index] = _expression(item["viewExpression"])
    return masks


def _expression(item: object) -> Expression:
    if not isinstance(item, dict) or not item.keys() <= _EXPRESSION_KEYS:
        raise unavailable("an expression is not an object of expression and perhaps identity")
    text, identity = item.get("expression"), item.get("identity")
    if not isinstance(text, str) or not text.strip():
        raise unavailable("an expression has no text")
    if identity is not None and (not isinstance(identity, str) or not identity):
        raise unavailable("an expression's identity is not the name of a user")
    return Expression(text, Dialect.TRINO, SOURCE, acts_as=identity)


def _index(item: object, count: int) -> int:
    if not isinstance(item, int) or isinstance(item, bool) or not 0 <= item < count:
        raise unavailable(f"an index is not a number below {count}")
    return item


def _kind(value: object) -> str:
    return "undefined" if value is None else type(value).__name__
