"""How a refusal is told: what somebody wanted to do with what, and nobody's rule."""

from __future__ import annotations

from collections.abc import Mapping

from sqe.model.decision import Decision, Operation, Question, Refusal

# What follows "cannot"; the resource comes after it.
_WORDS: Mapping[Operation, str] = {
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
    """They may not. `why` is a half-sentence for the person, if there is more to say."""
    return Decision(allow=False, reason=f"Access denied: cannot {wish(question)}{why}.")


def unsupported(question: Question) -> Decision:
    """Nobody may whom a filter or mask restricts there."""
    return Decision(
        allow=False,
        reason=f"Cannot {wish(question)}: a row filter, a mask or a hidden column restricts you there.",
        refusal=Refusal.UNSUPPORTED,
    )


def wish(question: Question) -> str:
    """What is wanted, in words."""
    name = str(question.resource)
    if question.resource.metadata is not None:
        name = f"{name}.{question.resource.metadata}"
    return f"{_WORDS[question.operation]} {name}"
