"""Gaps: features that a client lacks, declared so that the suite notices when one appears.

A case with a gap is still run. It has to fail, and with what the gap says it raises: when it passes, or fails in
another way, the suite fails.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


class NotOffered(Exception):  # noqa: N818 - it is an answer, not an error
    """The client's own interface has no such thing."""


@dataclass(frozen=True, slots=True)
class Gap:
    kind: Literal["notimpl", "never"]
    reason: str
    raises: tuple[type[BaseException], ...]


def notimpl(reason: str, *, raises: type[BaseException] | tuple[type[BaseException], ...]) -> Gap:
    """SQE could do this and does not yet."""
    return Gap("notimpl", reason, raises if isinstance(raises, tuple) else (raises,))


def never(reason: str, *, raises: type[BaseException] | tuple[type[BaseException], ...]) -> Gap:
    """The client or its protocol cannot."""
    return Gap("never", reason, raises if isinstance(raises, tuple) else (raises,))
