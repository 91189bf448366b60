"""Of several masks for one column, the one that counts."""

from __future__ import annotations

from collections.abc import Sequence

from sqe.model.decision import Expression
from sqe.model.session import Dialect
from sqe.sql.policy import expression as policy_expression


def strongest(masks: Sequence[Expression]) -> Expression:
    """The mask that hides most; where several hide as much in different ways, nothing is shown.

    Raises:
        QueryError: one of them is no expression.
    """
    strengths = [policy_expression.strength(mask) for mask in masks]
    most = [mask for mask, strength in zip(masks, strengths, strict=True) if strength == max(strengths)]
    if len({(mask.text, mask.dialect) for mask in most}) == 1:
        return most[0]
    return Expression("mask_null()", Dialect.SPARK, " and ".join(dict.fromkeys(mask.source for mask in most)))
