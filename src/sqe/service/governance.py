"""Answer statements about access through `policy.governance`, with the facts that the session's engine has."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from sqe.errors import SqeError, TableNotFoundError, UnsupportedError
from sqe.model.decision import Column, Kind
from sqe.model.query import QueryId
from sqe.model.session import SYSTEM_CATALOG, Dialect
from sqe.policy.governance.statement_context import TableFacts, TableName
from sqe.service.listing import Listing
from sqe.service.session import GatewaySession
from sqe.sql import namespace
from sqe.sql.statement import Statement

if TYPE_CHECKING:  # it loads a parser and a database's client, which most gateways can do without
    from sqe.policy.governance.statements import Governance


def answer(
    governance: Governance | None,
    statement: Statement,
    session: GatewaySession,
    query_id: QueryId,
    given_up: Callable[[], bool],
) -> pa.Table:
    """Return the rows of a statement about access; `governance` is None where no policy engine is configured.

    Raises:
        SqeError: it cannot be done, or the user may not do it.
    """
    if governance is None:
        raise UnsupportedError(
            "This statement needs a policy engine, and none is configured here.",
            hint='Set policy.engines, such as ["grants"].',
        )
    assert statement.policy is not None
    return governance.run(
        statement.policy, statement.text, session.principal, _Session(session, query_id, given_up)
    )


class _Session:
    """The session of the statement's author; what it asks of the engine runs under the query's id."""

    def __init__(self, session: GatewaySession, query_id: QueryId, given_up: Callable[[], bool]) -> None:
        self._engine = session.engine
        self._spec = session.spec
        self._query_id = query_id
        self._given_up = given_up

    @property
    def dialect(self) -> Dialect:
        return self._spec.dialect

    def catalogs(self) -> Sequence[str]:
        return [catalog.name for catalog in self._spec.catalogs]

    def place(self) -> tuple[str, tuple[str, ...]]:
        current = self._spec.catalog
        if current is not None and current.lower() == SYSTEM_CATALOG:
            return current, ()  # the gateway's own, which Spark does not have
        rows = self._ask("SELECT current_catalog(), current_schema()")
        catalog, schema = (column[0].as_py() for column in rows.columns)
        return catalog, namespace.split(schema)

    def facts(self, name: TableName) -> TableFacts:
        try:
            return self._table(name)
        except TableNotFoundError:
            if not self._is_view(name):
                raise
            return TableFacts(name, Kind.VIEW, None, None, ())  # no catalog keeps more of a view

    def _is_view(self, name: TableName) -> bool:
        entries = (
            self._listing().tables(name.catalog, namespace.join(name.namespace)) if name.namespace else []
        )
        return any(entry.kind == "VIEW" and entry.name == name.name for entry in entries)

    def _table(self, name: TableName) -> TableFacts:
        parts = [name.catalog, *name.namespace, name.name]
        found = _object(self._engine.table_facts(parts, self._query_id))
        try:
            return TableFacts(
                name,
                Kind(found["kind"]),
                found["uuid"],
                found["owner"],
                tuple(
                    Column(column["name"], column["type"], column["field_id"], tuple(column["tags"]))
                    for column in found["columns"]
                ),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise _invalid(found) from error

    def tables(self, catalog: str, namespace_: tuple[str, ...]) -> Sequence[str]:
        return [entry.name for entry in self._listing().tables(catalog, namespace.join(namespace_))]

    def set_tags(self, name: TableName, tags: Mapping[str, Sequence[str]], removed: Sequence[str]) -> None:
        change = {
            "table": [name.catalog, *name.namespace, name.name],
            "set": {column: list(each) for column, each in tags.items()},
            "unset": list(removed),
        }
        self._engine.set_tags(json.dumps(change), self._query_id)

    def describe(self, sql: str) -> pa.Schema:
        return self._engine.describe(sql, self._query_id)

    def _listing(self) -> Listing:
        return Listing(self._engine, self._spec, self._query_id, given_up=self._given_up)

    def _ask(self, sql: str) -> pa.Table:
        schema, *batches = self._engine.stream(sql, self._query_id, lambda progress: None)
        return pa.Table.from_batches(batches, schema)


def _object(text: str) -> Mapping[str, Any]:
    try:
        found = json.loads(text)
    except ValueError as error:
        raise _invalid(text) from error
    if not isinstance(found, dict):
        raise _invalid(found)
    return found


def _invalid(found: object) -> SqeError:
    return SqeError("The engine returned an invalid answer about a table.", detail=repr(found))
