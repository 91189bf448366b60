"""Find the stored SQL functions that a statement calls, in the properties of their schemas.

Spark is asked as the user, so that a user finds the functions of those schemas only that they may see.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqe.errors import CatalogNotFoundError, SchemaNotFoundError, UnsupportedError
from sqe.model.query import QueryId
from sqe.model.session import Dialect
from sqe.service.listing import Listing
from sqe.service.session import GatewaySession
from sqe.sql.lexer import Token
from sqe.sql.namespace import split
from sqe.sql.quote import quote_name
from sqe.sql.statement import Statement
from sqe.sql.trino.lexer import statement_tokens
from sqe.sql.trino.scope import Scope
from sqe.sql.trino.stored_functions import StoredFunction, called_schemas, functions_in

_MOST_SCHEMAS = 32  # that one statement's functions may be in
_PROPERTIES = "Properties"


def with_functions(session: GatewaySession, query_id: QueryId, statement: Statement, scope: Scope) -> Scope:
    """Return the scope with the stored functions that a statement in Trino's dialect may call. Raises SqeError."""
    if statement.dialect is not Dialect.TRINO or "(" not in statement.text or "." not in statement.text:
        return scope
    listing = Listing(session.engine, session.spec, query_id)
    return replace(scope, functions=called_functions(listing, statement.tokens, scope))


def called_functions(
    listing: Listing, words: Sequence[Token], scope: Scope, own: Sequence[StoredFunction] = ()
) -> tuple[StoredFunction, ...]:
    """Return the functions of the schemas that calls name, and of those that their functions call. Raises SqeError.

    Args:
        listing: asks Spark.
        words: of the statement, or of a function.
        scope: its current catalog.
        own: functions that are known already, and are not stored yet.
    """
    return _Search(listing, scope.catalog, own).found(words)


def functions_of(listing: Listing, catalog: str, schema: str) -> list[StoredFunction]:
    """Return the functions of one schema. Raises SqeError."""
    rows = listing.ask(catalog, f"DESCRIBE NAMESPACE EXTENDED {quote_name(catalog, *split(schema))}")
    shown = dict(zip(rows.column(0).to_pylist(), rows.column(1).to_pylist(), strict=True))
    return functions_in(catalog, schema, shown.get(_PROPERTIES) or "")


class _Search:
    """Collects functions, schema by schema."""

    def __init__(self, listing: Listing, catalog: str | None, own: Sequence[StoredFunction]) -> None:
        self._listing = listing
        self._catalog = catalog
        self._own = own
        self._schemas: dict[tuple[str, str], list[StoredFunction]] = {}

    def found(self, words: Sequence[Token]) -> tuple[StoredFunction, ...]:
        waiting = [words]
        while waiting:
            for place in called_schemas(waiting.pop(), self._catalog):
                if place in self._schemas:
                    continue
                if len(self._schemas) == _MOST_SCHEMAS:
                    raise UnsupportedError(f"The functions are in more than {_MOST_SCHEMAS} schemas.")
                self._schemas[place] = self._functions(*place)
                waiting += [statement_tokens(each.definition) for each in self._schemas[place]]
        return tuple(function for functions in self._schemas.values() for function in functions)

    def _functions(self, catalog: str, schema: str) -> list[StoredFunction]:
        try:
            stored = functions_of(self._listing, catalog, schema)
        except (CatalogNotFoundError, SchemaNotFoundError, UnsupportedError):
            stored = []  # it may be a column with a field; Spark says what is wrong with it
        new = [each for each in self._own if (each.catalog, each.schema) == (catalog, schema)]
        replaced = {(each.name, each.count) for each in new}
        return [*new, *(each for each in stored if (each.name, each.count) not in replaced)]
