"""The privileges that each operation needs, and the operations to which filters and masks apply."""

from __future__ import annotations

from collections.abc import Mapping

from sqe.model.decision import ROW_CHANGES, Operation
from sqe.sql.policy.statement_types import Privilege

NEEDED: Mapping[Operation, tuple[Privilege, ...]] = {
    Operation.SELECT: (Privilege.SELECT,),
    Operation.INSERT: (Privilege.INSERT,),
    Operation.UPDATE: (Privilege.UPDATE,),
    Operation.DELETE: (Privilege.DELETE,),
    Operation.MERGE: (Privilege.INSERT, Privilege.UPDATE, Privilege.DELETE),
    Operation.OVERWRITE: (Privilege.INSERT, Privilege.DELETE),
    Operation.TRUNCATE: (Privilege.DELETE,),
    Operation.SHOW_CREATE: (Privilege.SELECT,),
    Operation.ANALYZE: (Privilege.ALTER,),
    Operation.PROCEDURE: (Privilege.ALTER,),
    Operation.CREATE_TABLE: (Privilege.CREATE,),
    Operation.CREATE_VIEW: (Privilege.CREATE,),
    Operation.REPLACE_TABLE: (Privilege.CREATE, Privilege.DROP),
    Operation.DROP: (Privilege.DROP,),
    Operation.ALTER: (Privilege.ALTER,),
    Operation.RENAME: (Privilege.ALTER, Privilege.DROP),
    Operation.CREATE_SCHEMA: (Privilege.CREATE,),
    Operation.DROP_SCHEMA: (Privilege.DROP,),
    Operation.ALTER_SCHEMA: (Privilege.ALTER,),
}
"""An operation needs all its privileges. LIST, DESCRIBE and SET_TAGS have their own rules; others are denied."""

EACH = tuple(privilege for privilege in Privilege if privilege is not Privilege.ALL)

RESTRICTED = ROW_CHANGES | frozenset(
    {
        Operation.SELECT,
        Operation.SHOW_CREATE,
        Operation.ANALYZE,
        Operation.PROCEDURE,
        Operation.REPLACE_TABLE,
    }
)
"""Operations whose verdict has the filters and masks of the table."""
