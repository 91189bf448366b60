"""What is said where statements about access cannot be carried out at all."""

from __future__ import annotations

from sqe.errors import SqeError, UnsupportedError


def needs_an_engine() -> SqeError:
    return UnsupportedError(
        "This statement needs a policy engine, and none is configured here.",
        hint='Set policy.engines, such as ["grants"].',
    )


def needs_grants() -> SqeError:
    return UnsupportedError(
        "This statement needs the policy engine grants, which is not configured here.",
        hint='Add "grants" to policy.engines.',
    )
