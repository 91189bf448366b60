"""Build denial messages that never reveal the policy."""

from __future__ import annotations

from collections.abc import Mapping

from sqe.model.decision import Decision, Operation, Question, Refusal

# The words between "cannot" and the name of the resource.
_VERBS: Mapping[Operation, str] = {
    Operation.SELECT: "select from",
    Operation.INSERT: "insert into",
    Operation.UPDATE: "update",
    Operation.DELETE: "delete from",
    Operation.MERGE: "merge into",
    Operation.OVERWRITE: "overwrite",
    Operation.TRUNCATE: "truncate",
    Operation.DESCRIBE: "describe",
    Operation.SHOW_CREATE: "show the definition of",
    Operation.ANALYZE: "analyze",
    Operation.CREATE_TABLE: "create",
    Operation.REPLACE_TABLE: "replace",
    Operation.CREATE_VIEW: "create",
    Operation.DROP: "drop",
    Operation.ALTER: "alter",
    Operation.RENAME: "rename",
    Operation.SET_TAGS: "set tags of",
    Operation.PROCEDURE: "maintain",
    Operation.CREATE_SCHEMA: "create",
    Operation.DROP_SCHEMA: "drop",
    Operation.ALTER_SCHEMA: "alter",
    Operation.LIST: "list",
}


def denied(question: Question, why: str = "") -> Decision:
    """Build a denial. `why` is appended to the message."""
    return Decision(allow=False, reason=f"Access denied: cannot {describe_request(question)}{why}.")


def unsupported(question: Question) -> Decision:
    """Build the denial of an operation that is not supported on a table with a policy for this user."""
    return Decision(
        allow=False,
        reason=f"Cannot {describe_request(question)}: a row filter, a mask or a hidden column restricts you there.",
        refusal=Refusal.UNSUPPORTED,
    )


def describe_request(question: Question) -> str:
    """Return the operation and the resource of a question in words, such as "select from lake.sales.orders"."""
    name = str(question.resource)
    if question.resource.metadata is not None:
        name = f"{name}.{question.resource.metadata}"
    return f"{_VERBS[question.operation]} {name}"
