"""Compare an answer of SQE with the one that Trino gave."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

from tests.parity.client import Answer

# The order in which an engine adds up rows decides the last digits.
_AGGREGATES = re.compile(
    r"\b(avg|sum|stddev\w*|var_\w+|variance|corr|covar_\w+|regr_\w+|geometric_mean|kurtosis|skewness"
    r"|approx_percentile|numeric_histogram|value_at_quantile|values_at_quantiles|reduce_agg)\s*\(",
    re.IGNORECASE,
)
_RELATIVE = 1e-12
_LENGTH = re.compile(r"\bvarchar\(\d+\)")
# An error that says nothing about the values: SQE does not know the function or the syntax, or has failed.
_NOT_UNDERSTOOD = {"NOT_SUPPORTED", "FUNCTION_NOT_FOUND", "SYNTAX_ERROR", "GENERIC_INTERNAL_ERROR"}


def verdict(sql: str, expected: Answer, actual: Answer) -> str:
    """Return `same`, `different`, `type`, `refused` or `accepted`.

    Two errors are the same, whatever their names, unless SQE refuses what it does not understand:
    that it fails as well is then an accident.
    """
    if expected.error is not None:
        if actual.error is None:
            return "accepted"
        accident = actual.error in _NOT_UNDERSTOOD and actual.error != expected.error
        return "refused" if accident else "same"
    if actual.error is not None:
        return "refused"
    relative = _RELATIVE if _AGGREGATES.search(sql) else 0.0
    if not _same_rows(expected.rows, actual.rows, ordered=is_ordered(sql), relative=relative):
        return "different"
    return "same" if _without_lengths(expected) == _without_lengths(actual) else "type"


def is_ordered(sql: str) -> bool:
    """Return whether the query itself, not a part of it in parentheses, has ORDER BY."""
    text = re.sub(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"", "''", sql)
    depth = 0
    outer: list[str] = []
    for character in text:
        depth += (character == "(") - (character == ")")
        if depth == 0:
            outer.append(character)
    return re.search(r"\border\s+by\b", "".join(outer), re.IGNORECASE) is not None


def _without_lengths(answer: Answer) -> list[str]:
    return [_LENGTH.sub("varchar", name) for name in answer.types]


def _same_rows(expected: Sequence[Any], actual: Sequence[Any], *, ordered: bool, relative: float) -> bool:
    if len(expected) != len(actual):
        return False
    if ordered:
        return all(_same(a, b, relative) for a, b in zip(expected, actual, strict=True))
    left = list(actual)
    for row in expected:
        found = next((number for number, other in enumerate(left) if _same(row, other, relative)), None)
        if found is None:
            return False
        del left[found]
    return True


def _same(a: Any, b: Any, relative: float) -> bool:
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(_same(x, y, relative) for x, y in zip(a, b, strict=True))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_same(a[key], b[key], relative) for key in a)
    if type(a) is not type(b):  # 1, 1.0 and true are equal in Python
        return False
    if isinstance(a, float):
        return repr(a) == repr(b) or (relative > 0 and math.isclose(a, b, rel_tol=relative))
    return bool(a == b)
