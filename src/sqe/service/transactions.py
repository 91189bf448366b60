"""Accept transactions from clients that insist on them, for statements that only read.

Each statement commits by itself, in Iceberg. So a statement that changes something is refused in a transaction, as
Trino refuses it for its Iceberg connector: the change could not be rolled back.
"""

from __future__ import annotations

import secrets

from sqe.errors import SqeError, UnsupportedError, UsageError, UsageReason
from sqe.model.statement import StatementKind
from sqe.sql.statement import Statement
from sqe.sql.token_reader import TokenReader

_CHANGES = (StatementKind.CALL, StatementKind.CHANGE, StatementKind.DEFINITION)
# The words between a statement's beginning and the name of what it changes.
_BEFORE_NAME = frozenset(
    {
        *("ALTER", "ANALYZE", "COMMENT", "CREATE", "DELETE", "DROP", "INSERT", "MERGE", "TRUNCATE", "UPDATE"),
        *("COLUMN", "EXISTS", "FROM", "IF", "INTO", "NOT", "ON", "OR", "REPLACE", "SCHEMA", "TABLE", "VIEW"),
    }
)
_PARTS = {"SCHEMA": 2, "COLUMN": 4}  # of a name with its catalog, where it is not that of a table


def new_transaction() -> str:
    return secrets.token_hex(16)


def refuse_change(statement: Statement, current_catalog: str | None) -> None:
    """Refuse a statement that changes something, in a transaction.

    Raises:
        UnsupportedError: it calls a procedure.
        UsageError: it is another change.
    """
    if statement.kind not in _CHANGES:
        return
    if statement.kind is StatementKind.CALL:
        raise UnsupportedError("Procedures cannot be called within a transaction (use autocommit mode)")
    catalog = _catalog(statement) or current_catalog
    raise UsageError.of(UsageReason.AUTOCOMMIT, f"Catalog only supports writes using autocommit: {catalog}")


def _catalog(statement: Statement) -> str | None:
    """Return the catalog in the name of what a statement changes; None if the name does not have one."""
    reader = TokenReader(statement.text, statement.tokens)
    needed = 3
    while reader.left and reader.peek() in _BEFORE_NAME:
        needed = _PARTS.get(reader.take().keyword, needed)
    try:
        parts = reader.qualified()
    except SqeError:
        return None
    return parts[0] if len(parts) >= needed else None
