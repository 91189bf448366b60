"""Parse the responses of an Open Policy Agent as Trino's plugin does, and refuse every other shape.

An undefined `allow` denies. An undefined mask is no mask, because that is how masks are written for Trino. Undefined
row filters are an invalid response: a set of filters is undefined only where the address is wrong.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from sqe.errors import PolicyUnavailableError
from sqe.model.decision import Expression
from sqe.model.session import Dialect

SOURCE = "opa"
MESSAGE = 'Policy engine "opa" failed or returned an invalid response.'

_Index = Annotated[int, Field(ge=0, strict=True)]
Result = TypeVar("Result")


class _StrictModel(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


def _check_not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("is blank")
    return text


class _ViewExpression(_StrictModel):
    expression: Annotated[str, AfterValidator(_check_not_blank)]
    identity: Annotated[str, Field(min_length=1)] | None = None

    def to_expression(self) -> Expression:
        return Expression(self.expression, Dialect.TRINO, SOURCE, acts_as=self.identity)


class _ColumnMask(_StrictModel):
    index: _Index
    view_expression: Annotated[_ViewExpression, Field(alias="viewExpression")]


_ALLOW: TypeAdapter[bool] = TypeAdapter(Annotated[bool, Field(strict=True)])
_INDICES: TypeAdapter[list[int] | None] = TypeAdapter(Annotated[list[_Index], Field(strict=True)] | None)
_ROW_FILTERS: TypeAdapter[list[_ViewExpression]] = TypeAdapter(
    Annotated[list[_ViewExpression], Field(strict=True)]
)
_COLUMN_MASK: TypeAdapter[_ViewExpression | None] = TypeAdapter(_ViewExpression | None)
_COLUMN_MASKS: TypeAdapter[list[_ColumnMask]] = TypeAdapter(Annotated[list[_ColumnMask], Field(strict=True)])


def unavailable(detail: str) -> PolicyUnavailableError:
    """Return the error for an agent that fails; `detail` is for the log."""
    return PolicyUnavailableError(MESSAGE, hint="Try again in a moment.", detail=f"opa: {detail}")


def document(body: bytes) -> Mapping[str, Any]:
    """Parse a response body; besides `result` the object may have other keys, such as `decision_id`."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise unavailable("the response is not a JSON object")
    return value


def allowed(response: Mapping[str, Any]) -> bool:
    return _validated(_ALLOW, response.get("result", False), "allow")


def indices(response: Mapping[str, Any], count: int) -> frozenset[int]:
    """Return the numbers of the allowed items, of `count` items."""
    found = _validated(_INDICES, response.get("result"), "the batch") or []
    _check_below(count, found)
    return frozenset(found)


def row_filters(response: Mapping[str, Any]) -> tuple[Expression, ...]:
    found = _validated(_ROW_FILTERS, response.get("result"), "the row filters")
    return tuple(item.to_expression() for item in found)


def column_mask(response: Mapping[str, Any]) -> Expression | None:
    found = _validated(_COLUMN_MASK, response.get("result"), "the column mask")
    return None if found is None else found.to_expression()


def column_masks(response: Mapping[str, Any], count: int) -> Mapping[int, Expression]:
    """Return the masks by the number of their column, of `count` columns."""
    found = _validated(_COLUMN_MASKS, response.get("result"), "the column masks")
    _check_below(count, [item.index for item in found])
    masks = {item.index: item.view_expression.to_expression() for item in found}
    if len(masks) != len(found):
        raise unavailable("a column has two masks")
    return masks


def _validated(adapter: TypeAdapter[Result], result: object, what: str) -> Result:
    try:
        return adapter.validate_python(result)
    except ValidationError as error:
        # Inputs are left out: an expression may hold values that the log must not show.
        problem = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(map(str, problem["loc"])) or "result"
        kind = "undefined" if result is None else type(result).__name__
        raise unavailable(f"{what} ({kind}) is invalid at {place}: {problem['msg']}") from None


def _check_below(count: int, numbers: Sequence[int]) -> None:
    if any(number >= count for number in numbers):
        raise unavailable(f"an index is not a number below {count}")
