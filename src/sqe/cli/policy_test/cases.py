"""The file format of `sqe policy test`: cases of a user, a query and the expected result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from sqe.policy.documents import StrictModel, as_tuple

Texts = Annotated[tuple[str, ...], BeforeValidator(as_tuple)]
Rows = tuple[tuple[Any, ...], ...]

_LONGEST_NAME = 100


def _as_rows(value: object) -> object:
    """Turn lists of lists into tuples; validation refuses anything else."""
    if isinstance(value, list) and all(isinstance(row, list) for row in value):
        return tuple(tuple(row) for row in value)
    return value


class Expectation(StrictModel):
    rows: Annotated[Rows | None, BeforeValidator(_as_rows)] = None
    ordered: bool = False  # whether the rows have to come in this order
    columns: Annotated[tuple[str, ...] | None, BeforeValidator(as_tuple)] = None
    count: Annotated[int, Field(ge=0)] | None = None
    refused: str | None = None

    @model_validator(mode="after")
    def _check_consistency(self) -> Expectation:
        results = (self.rows, self.columns, self.count)
        if self.refused is None and all(each is None for each in results):
            raise ValueError("expects nothing; add rows, columns, count or refused")
        if self.refused is not None and any(each is not None for each in results):
            raise ValueError("expects both a result and a refusal")
        if self.refused == "":
            raise ValueError("refused is empty; give a code such as ACCESS_DENIED, or a part of the message")
        return self


class Case(StrictModel):
    name: str | None = None
    user: Annotated[str, Field(min_length=1)]
    roles: Texts = ()
    groups: Texts = ()
    query: Annotated[str, Field(min_length=1)]
    dialect: Literal["spark", "trino"] = "spark"
    expect: Expectation

    @property
    def title(self) -> str:
        text = self.name or f"{self.user}: {' '.join(self.query.split())}"
        return text if len(text) <= _LONGEST_NAME else f"{text[: _LONGEST_NAME - 3]}..."


class CasesDocument(StrictModel):
    setup: Texts = ()
    cases: Annotated[tuple[Case, ...], BeforeValidator(as_tuple), Field(min_length=1)]

    def titles(self) -> Iterator[str]:
        """Yield a unique title for each case: reports identify cases by name."""
        seen: dict[str, int] = {}
        for case in self.cases:
            count = seen[case.title] = seen.get(case.title, 0) + 1
            yield case.title if count == 1 else f"{case.title} ({count})"
