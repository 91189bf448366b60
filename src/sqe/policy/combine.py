"""One policy of the verdicts of several engines: filters hold together, the strongest mask of a column counts.

From strongest to weakest: a restricted column, null, a constant, a hash, a part (first or last characters, the year,
some fields), any other expression. Two different masks of the same strength make null: to follow one of them could show
what the other hides.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from sqe.errors import SemanticError
from sqe.model.decision import Column, Expression, Verdict
from sqe.model.identity import Principal

_NULL = "NULL"


class Renderer(Protocol):
    """What is needed of `sql.policy_expression`. Raises SemanticError for what is not allowed in a policy."""

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
class Policy:
    """What restricts one person on one table, in SQL that Spark reads."""

    filter: str | None = None
    masks: Mapping[str, str] = field(default_factory=dict)
    restricted: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()  # for the audit: what each of them is, and who says so

    @property
    def hides_values(self) -> bool:
        return bool(self.masks) or bool(self.restricted)

    @property
    def empty(self) -> bool:
        return self.filter is None and not self.hides_values


def restricts(verdicts: Iterable[Verdict]) -> bool:
    """Whether any of them has a filter, a mask or a restricted column."""
    return any(verdict.filters or verdict.masks or verdict.restricted for verdict in verdicts)


def combine(
    verdicts: Iterable[Verdict],
    principal: Principal,
    columns: Sequence[Column],
    renderer: Renderer,
    *,
    keyed: bool,
) -> Policy:
    """Put verdicts that allow together.

    Args:
        verdicts: of all engines.
        principal: for whom; identity functions in expressions become this person's.
        columns: all that the table has.
        renderer: makes Spark's SQL of expressions.
        keyed: whether there is a key for hash masks.

    Raises:
        SemanticError: an expression is not allowed, or a mask is for a column that is not there.
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
    return Policy(
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
    """The mask that counts, and who says so."""
    # Each has to be a sound one, also those that do not count: nobody would notice otherwise.
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
    """The column that an engine means. One that there is not is an error: it could be a column by another spelling."""
    exact = [column for column in columns if column.name == name]
    alike = [column for column in columns if column.name.casefold() == name.casefold()]
    for found in (exact, alike):
        if len(found) == 1:
            return found[0]
    raise SemanticError(f"The table has no column '{name}', which a policy names.")
