"""Errors for statements about access on a gateway without the policy engine that they need."""

from __future__ import annotations

from sqe.errors import SqeError, UnsupportedError


def no_policy_engine() -> SqeError:
    return UnsupportedError(
        "This statement needs a policy engine, and none is configured here.",
        hint='Set policy.engines, such as ["grants"].',
    )


def no_grants_engine() -> SqeError:
    return UnsupportedError(
        "This statement needs the policy engine grants, which is not configured here.",
        hint='Add "grants" to policy.engines.',
    )
