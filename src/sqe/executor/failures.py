"""Failures of the local executor. They never reach a user: the caller runs the statement on Spark instead."""

from __future__ import annotations


class LocalExecutionError(Exception):
    """A plan that could not be run here to its end.

    `reason` is for logs and metrics, and holds no value of data. `delivered` says whether the caller has had a batch
    already, so that running the statement again would return rows twice.
    """

    def __init__(self, reason: str, *, delivered: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.delivered = delivered
