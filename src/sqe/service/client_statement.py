"""Submit or describe a statement of a network client: answer session statements here, give the rest to the engine.

This module keeps no state of a client (current schema, properties, prepared statements). The state comes in as a
`ClientContext` with each statement and goes out as `effects`, which the front end applies when the query has FINISHED,
and only then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import pyarrow as pa

from sqe.errors import (
    CatalogNotFoundError,
    SchemaNotFoundError,
    SqeError,
    UnsupportedError,
    UsageError,
    UsageReason,
)
from sqe.model.query import QueryId
from sqe.model.statement import StatementKind
from sqe.service import effects, properties
from sqe.service.description import Description
from sqe.service.effects import Effect
from sqe.service.engine_text import scope_of
from sqe.service.service import QueryService
from sqe.service.session import GatewaySession
from sqe.service.transactions import new_transaction, refuse_change
from sqe.sql import session_statement as statements
from sqe.sql.caps import too_deep
from sqe.sql.like import like
from sqe.sql.statement import Statement
from sqe.sql.trino.arguments import bind_arguments, check_count
from sqe.sql.trino.translate import translate
from sqe.sql.trino.types import trino_type

if TYPE_CHECKING:
    from sqe.sql.trino.output_columns import Outline

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
_VALID = pa.schema([("Valid", pa.bool_())])
_NOTHING = pa.table({})
_NESTING = (statements.Execute, statements.ExecuteImmediate, statements.Prepare)


@dataclass(frozen=True, slots=True)
class ClientContext:
    """The state of a client's session, as the client or its front end keeps it."""

    catalog: str | None = None
    schema: str | None = None
    properties: Mapping[str, str] = field(default_factory=dict)
    prepared: Mapping[str, str] = field(default_factory=dict)
    transaction: str | None = None
    time_zone: str | None = None
    source: str | None = None
    address: str | None = None  # the network address, if it is known


@dataclass(frozen=True, slots=True)
class Reply:
    """A statement that was submitted."""

    query_id: QueryId
    kind: StatementKind  # of the statement that really runs: an EXECUTE is what was prepared
    update_type: str | None
    effects: tuple[Effect, ...] = ()  # to be applied when the query has FINISHED


def submit_statement(
    service: QueryService,
    session: GatewaySession,
    text: str,
    context: ClientContext,
    *,
    parameters: Sequence[pa.Scalar] = (),
    spill: bool = False,
) -> Reply:
    """Submit a statement, whatever it is. Raises SqeError."""
    try:
        return _Submission(service, session, context, spill).submit(service.read(session, text), parameters)
    except RecursionError:
        raise too_deep() from None


def describe_statement(
    service: QueryService,
    session: GatewaySession,
    text: str,
    context: ClientContext,
    *,
    given: Sequence[pa.DataType | pa.Scalar] = (),
) -> Description:
    """Return what `QueryService.describe` returns, for session statements too. Raises SqeError."""
    try:
        return _describe(service, session, service.read(session, text), context, given)
    except RecursionError:
        raise too_deep() from None


def _describe(
    service: QueryService,
    session: GatewaySession,
    statement: Statement,
    context: ClientContext,
    given: Sequence[pa.DataType | pa.Scalar],
) -> Description:
    match statement.session:
        case None:
            return service.describe(session, statement, given)
        case statements.Execute(arguments=arguments) | statements.ExecuteImmediate(arguments=arguments):
            prepared = service.read(session, _executed(context, statement.session))
            inner, values = _bound(service, session, prepared, arguments)
            return replace(service.describe(session, inner, values), parameters=())
        case statements.DescribeInput():
            columns = _INPUT
        case statements.DescribeOutput():
            columns = _OUTPUT
        case statements.ShowSession():
            columns = _SESSION
        case statements.Validate():
            columns = _VALID
        case _:
            return Description(statement.kind, None, ())
    return Description(StatementKind.LISTING, columns, ())


class _Submission:
    """Submits one statement of a client: to the engine, or to be answered here."""

    def __init__(
        self, service: QueryService, session: GatewaySession, context: ClientContext, spill: bool
    ) -> None:
        self._service = service
        self._session = session
        self._context = context
        self._spill = spill

    def submit(self, statement: Statement, parameters: Sequence[pa.Scalar]) -> Reply:
        asked = statement.session
        if not isinstance(asked, statements.Execute | statements.ExecuteImmediate):
            return self._run(statement, parameters)
        inner = self._service.read(self._session, _executed(self._context, asked))
        if isinstance(inner.session, _NESTING):
            raise UnsupportedError("A prepared statement cannot prepare or execute another one.")
        bound, values = _bound(self._service, self._session, inner, asked.arguments)
        return self._run(bound, values, sent=statement.text)

    def _run(
        self, statement: Statement, parameters: Sequence[pa.Scalar], *, sent: str | None = None
    ) -> Reply:
        if statement.session is not None:
            return self._answer(statement, statement.session, sent)
        check_count(statement, len(parameters))
        if self._context.transaction is not None:
            refuse_change(statement, self._session.spec.current_catalog)
        query_id = self._submit(statement, parameters=parameters, sent=sent)
        return Reply(query_id, statement.kind, statement.update_type)

    def _answer(
        self, statement: Statement, asked: statements.SessionStatement, sent: str | None = None
    ) -> Reply:
        work, changes = self._answer_and_effects(asked)
        query_id = self._submit(statement, answer=work, sent=sent)
        kind = StatementKind.SESSION if statement.update_type else StatementKind.LISTING
        return Reply(query_id, kind, statement.update_type, changes)

    def _submit(
        self,
        statement: Statement,
        *,
        parameters: Sequence[pa.Scalar] = (),
        answer: Callable[[], pa.Table] | None = None,
        sent: str | None = None,
    ) -> QueryId:
        return self._service.submit(
            self._session,
            statement,
            parameters=parameters,
            answer=answer,
            spill=self._spill,
            source=self._context.source,
            address=self._context.address,
            run_time=properties.run_time(self._context.properties),
            local=properties.local_executor(self._context.properties),
            sent=sent,
        )

    def _answer_and_effects(  # noqa: C901 - one line for each statement there is
        self, statement: statements.SessionStatement
    ) -> tuple[Callable[[], pa.Table], tuple[Effect, ...]]:
        """Return what makes the rows, and what the statement changes."""
        match statement:
            case statements.Use(catalog=catalog, schema=schema):
                changes: tuple[Effect, ...] = (effects.SetSchema(schema),)
                if catalog is not None:
                    changes = (effects.SetCatalog(catalog), *changes)
                return lambda: self._check_schema(catalog, schema), changes
            case statements.SetSession(name=name, value=text):
                properties.check(name, text)
                return _nothing, (effects.SetProperty(name.lower(), text),)
            case statements.ResetSession(name=name):
                return _nothing, (effects.ClearProperty(name.lower()),)
            case statements.ShowSession(like=pattern, escape=escape):
                return lambda: self._show_session(pattern, escape), ()
            case statements.Prepare(name=name, sql=sql):
                self._service.read(self._session, sql)  # what cannot be read is not kept
                return _nothing, (effects.AddPrepared(name, sql),)
            case statements.Deallocate(name=name):
                _prepared(self._context, name)
                return _nothing, (effects.DropPrepared(name),)
            case statements.Validate(sql=sql):
                return lambda: self._validate(sql), ()
            case statements.DescribeInput(name=name):
                return lambda: self._describe_input(name), ()
            case statements.DescribeOutput(name=name):
                return lambda: self._describe_output(name), ()
            case statements.StartTransaction():
                if self._context.transaction is not None:
                    raise UnsupportedError("Nested transactions not supported")
                return _nothing, (effects.StartTransaction(new_transaction()),)
            case statements.Commit() | statements.Rollback():
                return _nothing, (effects.EndTransaction(),)
            case statements.SetTimeZone(zone=zone):
                known = None if zone is None else properties.time_zone(zone)
                return _nothing, (effects.SetTimeZone(known),)
            case statements.SetRole(role=role):
                return _nothing, (effects.SetRole(role),)
            case statements.SetPath(path=path):
                return _nothing, (effects.SetPath(path),)
            case statements.KillQuery(query_id=query_id, message=message):
                return lambda: self._kill(query_id, message), ()
            case _:
                raise UnsupportedError("This statement is not supported here.")

    def _kill(self, query_id: str, message: str | None) -> pa.Table:
        self._service.kill(self._session.user, query_id, message)
        return _NOTHING

    def _check_schema(self, catalog: str | None, schema: str) -> pa.Table:
        from sqe.sql.trino.virtual.tables import is_virtual_schema

        listing = self._service.listing(self._session)
        catalog = catalog or self._context.catalog or self._session.spec.current_catalog
        if catalog is not None and is_virtual_schema(catalog, schema):
            return _NOTHING
        if catalog is None or catalog.lower() not in (name.lower() for name in listing.catalogs()):
            raise CatalogNotFoundError(f"Catalog '{catalog}' does not exist.")
        if schema.lower() not in (name.lower() for name in listing.schemas(catalog)):
            raise SchemaNotFoundError(f"Schema does not exist: {catalog}.{schema}.")
        return _NOTHING

    def _show_session(self, pattern: str | None, escape: str | None) -> pa.Table:
        matches = like(pattern, escape) if pattern is not None else lambda name: True
        given = self._context.properties
        catalogs = {item.name.lower() for item in self._session.spec.catalogs}
        catalogs.update(name.rpartition(".")[0] for name in given if "." in name)
        shown = [item for item in properties.known_properties(catalogs) if matches(item.name)]
        columns = [
            [item.name for item in shown],
            [given.get(item.name, item.default) for item in shown],
            [item.default for item in shown],
            [item.type for item in shown],
            [item.description for item in shown],
        ]
        return pa.table([pa.array(column, pa.string()) for column in columns], schema=_SESSION)

    def _validate(self, sql: str) -> pa.Table:
        """Have the engine analyze a query, without running it. Raises SqeError if it is not valid."""
        statement = self._service.read(self._session, sql)
        if statement.kind is not StatementKind.QUERY:
            raise UnsupportedError("EXPLAIN (TYPE VALIDATE) is supported for queries.")
        self._service.describe(self._session, statement)
        return pa.table([pa.array([True])], schema=_VALID)

    def _describe_input(self, name: str) -> pa.Table:
        types = self._describe_prepared(name).parameters
        positions = pa.array(range(len(types)), pa.int64())
        return pa.table([positions, pa.array([trino_type(item).text for item in types])], schema=_INPUT)

    def _describe_output(self, name: str) -> pa.Table:
        from sqe.sql.trino.output_columns import type_size, unknown

        statement = self._read_prepared(name)
        columns = self._service.describe(self._session, statement).columns or pa.schema([])
        types = [trino_type(column.type, column.metadata) for column in columns]
        outline = self._outline(statement)
        origins = unknown(len(types)) if outline is None else outline.columns(len(types))
        return pa.table(
            [
                pa.array(columns.names, pa.string()),
                pa.array([origin.catalog for origin in origins], pa.string()),
                pa.array([origin.schema for origin in origins], pa.string()),
                pa.array([origin.table for origin in origins], pa.string()),
                pa.array([item.text for item in types], pa.string()),
                pa.array([type_size(item) for item in types], pa.int64()),
                pa.array([origin.aliased for origin in origins], pa.bool_()),
            ],
            schema=_OUTPUT,
        )

    def _outline(self, statement: Statement) -> Outline | None:
        """Return the outline of a query, from the translation that its description has made."""
        try:
            return translate(statement, scope_of(self._session)).outline
        except SqeError:
            return None  # without the stored functions that it calls

    def _read_prepared(self, name: str) -> Statement:
        return self._service.read(self._session, _prepared(self._context, name))

    def _describe_prepared(self, name: str) -> Description:
        return self._service.describe(self._session, self._read_prepared(name))


def _bound(
    service: QueryService,
    session: GatewaySession,
    statement: Statement,
    arguments: Sequence[statements.Argument],
) -> tuple[Statement, list[pa.Scalar]]:
    """Put the arguments that are expressions into the statement, and return the others' values. Raises SqeError."""
    text, values = bind_arguments(statement, arguments)
    return (statement if text is None else service.read(session, text)), values


def _executed(context: ClientContext, asked: statements.Execute | statements.ExecuteImmediate) -> str:
    """Return the text that an EXECUTE runs. Raises UsageError."""
    return asked.sql if isinstance(asked, statements.ExecuteImmediate) else _prepared(context, asked.name)


def _prepared(context: ClientContext, name: str) -> str:
    try:
        return context.prepared[name]
    except KeyError:
        raise UsageError.of(UsageReason.PREPARED_STATEMENT, f"Prepared statement not found: {name}") from None


def _nothing() -> pa.Table:
    return _NOTHING
