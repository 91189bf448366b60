"""Combine the verdicts of several engines into one policy: all row filters, and the strongest mask of each column.

From strongest to weakest: a restricted column, null, a constant, a hash, a part (first or last characters, the year,
some fields), any other expression. Two different masks of the same strength make null, because each could show what
the other hides.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from sqe.errors import SemanticError
from sqe.model.decision import Column, Expression, Verdict
from sqe.model.identity import Principal
from sqe.model.session import Dialect

_NULL = "NULL"


class Renderer(Protocol):
    """Renders policy expressions, as `sql.policy.expression` does; raises SemanticError for an invalid one."""

    def render(
        self, expression: Expression, principal: Principal, columns: Sequence[Column], *, keyed: bool
    ) -> str: ...

    def render_mask(
        self,
        expression: Expression,
        principal: Principal,
        column: Column,
        columns: Sequence[Column],
        *,
        keyed: bool,
    ) -> str: ...

    def strength(self, expression: Expression) -> int: ...


@dataclass(frozen=True, slots=True)
class CombinedPolicy:
    """The restrictions of one principal on one table, in Spark's SQL."""

    filter: str | None = None
    masks: Mapping[str, str] = field(default_factory=dict)
    restricted: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()  # for the audit: each restriction and its origin

    @property
    def hides_values(self) -> bool:
        return bool(self.masks) or bool(self.restricted)

    @property
    def empty(self) -> bool:
        return self.filter is None and not self.hides_values


def restricts(verdicts: Iterable[Verdict]) -> bool:
    """Return whether any verdict has a filter, a mask or a restricted column."""
    return any(verdict.filters or verdict.masks or verdict.restricted for verdict in verdicts)


def combine(
    verdicts: Iterable[Verdict],
    principal: Principal,
    columns: Sequence[Column],
    renderer: Renderer,
    *,
    keyed: bool,
) -> CombinedPolicy:
    """Combine verdicts that allow.

    Args:
        verdicts: of all engines.
        principal: replaces the identity functions in expressions.
        columns: all columns of the table.
        renderer: renders expressions in Spark's SQL.
        keyed: whether there is a key for hash masks.

    Raises:
        SemanticError: an expression is not allowed, or a mask names an unknown column.
    """
    restricted: dict[str, str] = {}
    offered: dict[str, list[Expression]] = {}
    filters: dict[str, str] = {}
    for verdict in verdicts:
        for name, source in verdict.restricted.items():
            restricted.setdefault(_known(name, columns).name, source)
        for name, mask in verdict.masks.items():
            offered.setdefault(_known(name, columns).name, []).append(mask)
        for row_filter in verdict.filters:
            text = renderer.render(row_filter, principal, columns, keyed=keyed)
            filters.setdefault(text, row_filter.source)
    masks: dict[str, str] = {}
    masked_by: dict[str, str] = {}
    for column in columns:
        if column.name in offered and column.name not in restricted:
            text, source = _strongest(offered[column.name], principal, column, columns, renderer, keyed=keyed)
            masks[column.name], masked_by[column.name] = text, source
    return CombinedPolicy(
        " AND ".join(f"({text})" for text in filters) if filters else None,
        masks,
        tuple(column.name for column in columns if column.name in restricted),
        (
            *(f"filter by {source}" for source in dict.fromkeys(filters.values())),
            *(f"mask of {name} by {source}" for name, source in masked_by.items()),
            *(f"no {name} by {source}" for name, source in restricted.items()),
        ),
    )


def _strongest(
    masks: Sequence[Expression],
    principal: Principal,
    column: Column,
    columns: Sequence[Column],
    renderer: Renderer,
    *,
    keyed: bool,
) -> tuple[str, str]:
    """Return the rendered mask that applies, and its source."""
    # Every mask is rendered, also a weaker one, so that an invalid mask is always an error.
    rendered = [
        (
            renderer.strength(mask),
            renderer.render_mask(mask, principal, column, columns, keyed=keyed),
            mask.source,
        )
        for mask in masks
    ]
    most = max(strength for strength, _, _ in rendered)
    texts = {text: source for strength, text, source in reversed(rendered) if strength == most}
    if len(texts) == 1:
        [(text, source)] = texts.items()
        return text, source
    return _NULL, " and ".join(dict.fromkeys(reversed(texts.values())))


def _known(name: str, columns: Sequence[Column]) -> Column:
    """Return the column of that name. An unknown name is an error: it could be a misspelled column."""
    exact = [column for column in columns if column.name == name]
    alike = [column for column in columns if column.name.casefold() == name.casefold()]
    for found in (exact, alike):
        if len(found) == 1:
            return found[0]
    raise SemanticError(f"The table has no column '{name}', which a policy names.")


def strongest_mask(masks: Sequence[Expression]) -> Expression:
    """Return the mask that hides most; several different masks of that strength become NULL.

    Raises:
        QueryError: a mask is not a valid expression.
    """
    from sqe.sql.policy.expression import strength  # loads a parser

    strengths = [strength(mask) for mask in masks]
    most = [mask for mask, each in zip(masks, strengths, strict=True) if each == max(strengths)]
    if len({(mask.text, mask.dialect) for mask in most}) == 1:
        return most[0]
    return Expression("mask_null()", Dialect.SPARK, " and ".join(dict.fromkeys(mask.source for mask in most)))
