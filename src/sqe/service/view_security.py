"""Refuse views with SECURITY DEFINER where users have different rights.

A view runs with the rights of the user who queries it. Where every user may read every table, those are the rights of
the user who made it too, and the clause changes nothing. Everywhere else the clause would promise what is not done.
"""

from __future__ import annotations

from sqe.errors import UnsupportedError
from sqe.model.session import Dialect, RestCatalog, SessionSpec
from sqe.sql.lexer import position_at
from sqe.sql.statement import Statement
from sqe.sql.trino.statements.create_view import definer_clause


def refuse_definer(statement: Statement, spec: SessionSpec, *, policies: bool) -> None:
    """Refuse CREATE VIEW .. SECURITY DEFINER of Trino's, unless all users have the same rights.

    Args:
        statement: any statement.
        spec: the session's; a REST catalog decides itself on the rights of each user.
        policies: whether policy engines are configured.

    Raises:
        UnsupportedError: the clause cannot be carried out.
    """
    if statement.dialect is not Dialect.TRINO:
        return
    clause = definer_clause(statement.tokens)
    if clause is None:
        return
    if policies or any(isinstance(catalog, RestCatalog) for catalog in spec.catalogs):
        raise UnsupportedError(
            "SECURITY DEFINER is not supported: a view runs with the rights of the user who queries it.",
            hint="Write SECURITY INVOKER; in dbt-trino, set view_security: invoker.",
            position=position_at(statement.text, clause.start),
        )
