"""Resolve the objects and columns that a statement about access names, in the catalog of its author."""

from __future__ import annotations

from collections.abc import Sequence

from sqe.errors import ColumnNotFoundError, SchemaNotFoundError, SemanticError, TableNotFoundError
from sqe.model.decision import Column, Kind
from sqe.policy.governance import names
from sqe.policy.governance.statement_context import StatementContext, TableFacts
from sqe.policy.grants.entries import ColumnReference, Place
from sqe.sql.policy.statement_types import CheckAccess, ObjectKind, Privilege, Securable

_KINDS = {ObjectKind.TABLE: Kind.TABLE, ObjectKind.VIEW: Kind.VIEW}


class Targets:
    def __init__(self, context: StatementContext) -> None:
        self._context = context

    def facts(self, on: Securable) -> TableFacts:
        """Return the facts about a table or view that has to exist."""
        facts = self._context.facts(names.table_name(on.name, self._context))
        if on.kind is ObjectKind.VIEW and facts.kind is not Kind.VIEW:
            raise SemanticError(f"{facts.name} is not a view.")
        return facts

    def checked(self, statement: CheckAccess) -> TableFacts:
        """Return the facts about the table of CHECK ACCESS; with CREATE it need not exist."""
        if statement.privilege is not Privilege.CREATE:
            return self.facts(statement.on)
        name = names.table_name(statement.on.name, self._context)
        return TableFacts(name, _KINDS[statement.on.kind], None, None, ())

    def place(self, on: Securable, *, must_exist: bool) -> tuple[Place, TableFacts | None]:
        """Return the full name of an object, and the facts if it is a table or view that exists. Raises SqeError."""
        if on.kind is ObjectKind.CATALOG:
            return Place(on.kind, names.catalog_name(on.name[0], self._context)), None
        if on.kind not in _KINDS:
            catalog, namespace = names.schema_name(on.name, self._context)
            if must_exist:
                self._context.tables(catalog, namespace)  # raises if there is no such schema
            return Place(on.kind, catalog, namespace), None
        name = names.table_name(on.name, self._context)
        try:
            facts = self._context.facts(name)
        except (TableNotFoundError, SchemaNotFoundError):
            if must_exist:
                raise
            return Place(on.kind, name.catalog, name.namespace, name.name), None
        if facts.kind is not _KINDS[on.kind]:
            raise SemanticError(f"{name} is a {facts.kind}.", hint=f"Write ON {facts.kind.upper()}.")
        return Place(on.kind, name.catalog, name.namespace, name.name, facts.uuid), facts


def columns_of(wanted: Sequence[str], facts: TableFacts | None) -> tuple[ColumnReference, ...]:
    """Return the columns of a list, each once. Raises ColumnNotFoundError."""
    if facts is None:
        return tuple(ColumnReference(name) for name in dict.fromkeys(wanted))
    found = dict.fromkeys(column_of(name, facts) for name in wanted)
    return tuple(ColumnReference(column.name, column.field_id) for column in found)


def column_of(name: str, facts: TableFacts) -> Column:
    """Return the column of a name; case matters only where two columns differ in nothing else."""
    exact = [column for column in facts.columns if column.name == name]
    alike = [column for column in facts.columns if column.name.casefold() == name.casefold()]
    for found in (exact, alike):
        if len(found) == 1:
            return found[0]
    raise ColumnNotFoundError(f"{facts.name} has no column '{name}'.")
