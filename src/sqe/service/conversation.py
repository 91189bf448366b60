"""One statement of a client that talks in sessions: what the gateway answers itself, and what goes to the engine.

A client's state (current schema, properties, prepared statements) is not kept here. It comes in as a `ClientContext`
with each statement and goes out as `effects`, which the front end applies when the query has FINISHED, and only then.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from sqe.errors import CatalogNotFoundError, SchemaNotFoundError, UnsupportedError, UsageError
from sqe.model.query import QueryId
from sqe.model.statement import StatementClass, StatementKind
from sqe.service import effects, properties
from sqe.service.description import Description
from sqe.service.effects import Effect
from sqe.service.service import QueryService
from sqe.service.session import GatewaySession
from sqe.sql import session_statement as statements
from sqe.sql.caps import too_deep
from sqe.sql.classify import classify
from sqe.sql.literals import value
from sqe.sql.trino_types import trino_type

_INPUT = pa.schema([("Position", pa.int64()), ("Type", pa.string())])
_OUTPUT = pa.schema(
    [
        ("Column Name", pa.string()),
        ("Catalog", pa.string()),
        ("Schema", pa.string()),
        ("Table", pa.string()),
        ("Type", pa.string()),
        ("Type Size", pa.int64()),
        ("Aliased", pa.bool_()),
    ]
)
_SESSION = pa.schema([(name, pa.string()) for name in ("Name", "Value", "Default", "Type", "Description")])
_NOTHING = pa.table({})
_CHANGING = (StatementKind.CALL, StatementKind.CHANGE, StatementKind.DEFINITION)

# The sizes in bytes that DESCRIBE OUTPUT tells, as Trino does: 0 for what has no fixed one.
_SIZES = {
    "boolean": 1,
    "tinyint": 1,
    "smallint": 2,
    "integer": 4,
    "bigint": 8,
    "real": 4,
    "double": 8,
    "date": 4,
}


@dataclass(frozen=True, slots=True)
class ClientContext:
    """What a client has told of itself so far."""

    catalog: str | None = None
    schema: str | None = None
    properties: Mapping[str, str] = field(default_factory=dict)
    prepared: Mapping[str, str] = field(default_factory=dict)
    transaction: str | None = None
    time_zone: str | None = None
    source: str | None = None
    address: str | None = None  # where it sits, as far as that is known


@dataclass(frozen=True, slots=True)
class Reply:
    query_id: QueryId
    kind: StatementKind  # of the statement that really runs: an EXECUTE is what was prepared
    update_type: str | None
    effects: tuple[Effect, ...] = ()  # to be applied when the query has FINISHED


def converse(
    service: QueryService,
    session: GatewaySession,
    text: str,
    context: ClientContext,
    *,
    parameters: Sequence[pa.Scalar] = (),
    spill: bool = False,
) -> Reply:
    """Submit a statement, whatever it is. Raises SqeError."""
    service.check(session, text)
    try:
        return _Turn(service, session, context, spill).take(text, parameters)
    except RecursionError:
        raise too_deep() from None


def describe(
    service: QueryService,
    session: GatewaySession,
    text: str,
    context: ClientContext,
    *,
    given: Sequence[pa.DataType | pa.Scalar] = (),
) -> Description:
    """What `QueryService.describe` tells, for session statements too. Raises SqeError."""
    service.check(session, text)
    try:
        return _describe(service, session, text, context, given)
    except RecursionError:
        raise too_deep() from None


def _describe(
    service: QueryService,
    session: GatewaySession,
    text: str,
    context: ClientContext,
    given: Sequence[pa.DataType | pa.Scalar],
) -> Description:
    match statements.read(text):
        case None:
            return service.describe(session, text, given)
        case statements.Execute(name=name, arguments=arguments):
            values = [value(item) for item in arguments]
            return _without_parameters(service.describe(session, _prepared(context, name), values))
        case statements.ExecuteImmediate(sql=sql, arguments=arguments):
            values = [value(item) for item in arguments]
            return _without_parameters(service.describe(session, sql, values))
        case statements.DescribeInput():
            columns = _INPUT
        case statements.DescribeOutput():
            columns = _OUTPUT
        case statements.ShowSession():
            columns = _SESSION
        case _:
            return Description(classify(text, session.spec.dialect), None, ())
    return Description(StatementClass(StatementKind.LISTING, None, 0), columns, ())


class _Turn:
    """One statement on its way."""

    def __init__(
        self, service: QueryService, session: GatewaySession, context: ClientContext, spill: bool
    ) -> None:
        self._service = service
        self._session = session
        self._context = context
        self._spill = spill

    def take(self, text: str, parameters: Sequence[pa.Scalar]) -> Reply:
        match statements.read(text):
            case None:
                return self._run(text, text, parameters)
            case statements.Execute(name=name, arguments=arguments):
                return self._run(text, _prepared(self._context, name), [value(item) for item in arguments])
            case statements.ExecuteImmediate(sql=sql, arguments=arguments):
                return self._run(text, sql, [value(item) for item in arguments])
            case statement:
                return self._answer(text, statement)

    def _run(self, text: str, sql: str, parameters: Sequence[pa.Scalar]) -> Reply:
        """Run `sql`, which is `text` itself or was prepared."""
        if sql is not text:
            self._service.check(self._session, sql)
        inner = None if sql is text else statements.read(sql)
        if isinstance(inner, statements.Execute | statements.ExecuteImmediate | statements.Prepare):
            raise UnsupportedError("A prepared statement cannot prepare or execute another one.")
        if inner is not None:
            return self._answer(sql, inner)
        statement = classify(sql, self._session.spec.dialect)
        if statement.parameters != len(parameters):
            raise UsageError(
                f"Incorrect number of parameters: expected {statement.parameters} but found {len(parameters)}."
            )
        if statement.kind in _CHANGING:
            self._service.transactions.note_change(self._context.transaction)
        query_id = self._submit(sql, parameters=parameters)
        return Reply(query_id, statement.kind, statement.update_type)

    def _answer(self, text: str, statement: statements.SessionStatement) -> Reply:
        work, update_type, changes = self._meaning(statement)
        query_id = self._submit(text, answer=work)
        kind = StatementKind.SESSION if update_type else StatementKind.LISTING
        return Reply(query_id, kind, update_type, changes)

    def _submit(
        self,
        sql: str,
        *,
        parameters: Sequence[pa.Scalar] = (),
        answer: Callable[[], pa.Table] | None = None,
    ) -> QueryId:
        return self._service.submit(
            self._session,
            sql,
            parameters=parameters,
            answer=answer,
            spill=self._spill,
            source=self._context.source,
            address=self._context.address,
            run_time=properties.run_time(self._context.properties),
        )

    def _meaning(  # noqa: C901 - one line for each statement there is
        self, statement: statements.SessionStatement
    ) -> tuple[Callable[[], pa.Table], str | None, tuple[Effect, ...]]:
        """What makes the rows, how Trino calls it, and what it changes."""
        match statement:
            case statements.Use(catalog=catalog, schema=schema):
                changes: tuple[Effect, ...] = (effects.SetSchema(schema),)
                if catalog is not None:
                    changes = (effects.SetCatalog(catalog), *changes)
                return lambda: self._check_schema(catalog, schema), "USE", changes
            case statements.SetSession(name=name, value=text):
                properties.check(name, text)
                return _nothing, "SET SESSION", (effects.SetProperty(name.lower(), text),)
            case statements.ResetSession(name=name):
                return _nothing, "RESET SESSION", (effects.ClearProperty(name.lower()),)
            case statements.ShowSession(like=like):
                return lambda: self._show_session(like), None, ()
            case statements.Prepare(name=name, sql=sql):
                classify(sql, self._session.spec.dialect)  # what cannot be read is not kept
                return _nothing, "PREPARE", (effects.AddPrepared(name, sql),)
            case statements.Deallocate(name=name):
                _prepared(self._context, name)
                return _nothing, "DEALLOCATE", (effects.DropPrepared(name),)
            case statements.DescribeInput(name=name):
                return lambda: self._describe_input(_prepared(self._context, name)), None, ()
            case statements.DescribeOutput(name=name):
                return lambda: self._describe_output(_prepared(self._context, name)), None, ()
            case statements.StartTransaction():
                transaction = self._service.transactions.begin()
                return _nothing, "START TRANSACTION", (effects.StartTransaction(transaction),)
            case statements.Commit():
                self._service.transactions.commit(self._context.transaction)
                return _nothing, "COMMIT", (effects.EndTransaction(),)
            case statements.Rollback():
                self._service.transactions.roll_back(self._context.transaction)
                return _nothing, "ROLLBACK", (effects.EndTransaction(),)
            case statements.SetTimeZone(zone=zone):
                known = None if zone is None else properties.time_zone(zone)
                return _nothing, "SET TIME ZONE", (effects.SetTimeZone(known),)
            case statements.SetRole(role=role):
                return _nothing, "SET ROLE", (effects.SetRole(role),)
            case statements.SetPath(path=path):
                return _nothing, "SET PATH", (effects.SetPath(path),)
            case _:
                raise UnsupportedError("This statement is not supported here.")

    def _check_schema(self, catalog: str | None, schema: str) -> pa.Table:
        from sqe.sql.virtual.tables import is_virtual_schema

        listing = self._service.listing(self._session)
        catalog = catalog or self._context.catalog or self._session.spec.current_catalog
        if catalog is not None and is_virtual_schema(catalog, schema):
            return _NOTHING
        if catalog is None or catalog.lower() not in (name.lower() for name in listing.catalogs()):
            raise CatalogNotFoundError(f"Catalog '{catalog}' does not exist.")
        if schema.lower() not in (name.lower() for name in listing.schemas(catalog)):
            raise SchemaNotFoundError(f"Schema does not exist: {catalog}.{schema}.")
        return _NOTHING

    def _show_session(self, like: str | None) -> pa.Table:
        shown = [
            item
            for item in properties.PROPERTIES
            if like is None or fnmatch.fnmatchcase(item.name, like.replace("%", "*").replace("_", "?"))
        ]
        given = self._context.properties
        columns = [
            [item.name for item in shown],
            [given.get(item.name, item.default) for item in shown],
            [item.default for item in shown],
            [item.type for item in shown],
            [item.description for item in shown],
        ]
        return pa.table([pa.array(column, pa.string()) for column in columns], schema=_SESSION)

    def _describe_input(self, sql: str) -> pa.Table:
        types = self._service.describe(self._session, sql).parameters
        positions = pa.array(range(len(types)), pa.int64())
        return pa.table([positions, pa.array([trino_type(item).text for item in types])], schema=_INPUT)

    def _describe_output(self, sql: str) -> pa.Table:
        columns = self._service.describe(self._session, sql).columns or pa.schema([])
        types = [trino_type(column.type, column.metadata) for column in columns]
        empty = [""] * len(types)
        return pa.table(
            [
                pa.array(columns.names, pa.string()),
                pa.array(empty, pa.string()),
                pa.array(empty, pa.string()),
                pa.array(empty, pa.string()),
                pa.array([item.text for item in types], pa.string()),
                pa.array([_SIZES.get(item.name, 0) for item in types], pa.int64()),
                pa.array([False] * len(types), pa.bool_()),
            ],
            schema=_OUTPUT,
        )


def _prepared(context: ClientContext, name: str) -> str:
    try:
        return context.prepared[name]
    except KeyError:
        raise UsageError(f"Prepared statement not found: {name}") from None


def _nothing() -> pa.Table:
    return _NOTHING


def _without_parameters(description: Description) -> Description:
    return Description(description.statement, description.columns, ())
