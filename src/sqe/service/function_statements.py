"""Carry out CREATE FUNCTION, DROP FUNCTION, SHOW CREATE FUNCTION and SHOW FUNCTIONS, in Trino's dialect.

A function is stored as a property of its schema (`sqe.sql.trino.stored_functions`) by ALTER NAMESPACE, which Spark runs
as the user: the catalog and the policies decide whether the user may change the schema. A function is a SQL expression
without tables, and takes the place of its calls, so that it gives nobody rights.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pyarrow as pa

from sqe.errors import (
    DataError,
    DuplicateObjectError,
    FunctionNotFoundError,
    SchemaNotFoundError,
    SqeError,
    SqlSyntaxError,
    TypeMismatchError,
    UnsupportedError,
)
from sqe.model.query import QueryId
from sqe.model.session import Dialect
from sqe.service.engine_text import scope_of
from sqe.service.listing import Listing
from sqe.service.session import GatewaySession
from sqe.service.stored_functions import called_functions, functions_of
from sqe.sql.lexer import position_at
from sqe.sql.like import like
from sqe.sql.namespace import join, split
from sqe.sql.quote import plain_trino_name, quote_literal, quote_name, trino_name, trino_text
from sqe.sql.statement import Statement, read
from sqe.sql.token_reader import TokenReader
from sqe.sql.trino.builtin_functions import builtin_functions
from sqe.sql.trino.lexer import statement_tokens
from sqe.sql.trino.stored_functions import StoredFunction, property_name, property_value
from sqe.sql.trino.translate import refuse_calls, translate

_LONGEST = 100_000  # characters of a function
_PARTS = 3  # of a function's name
_CREATED = pa.schema([pa.field("Create Function", pa.string())])
_LISTED = pa.schema(
    [
        pa.field("Function", pa.string()),
        pa.field("Return Type", pa.string()),
        pa.field("Argument Types", pa.string()),
        pa.field("Function Type", pa.string()),
        pa.field("Deterministic", pa.bool_()),
        pa.field("Description", pa.string()),
    ]
)
_NO_ROWS = pa.schema([])


def function_columns(statement: Statement) -> pa.Schema | None:
    """Return the columns of SHOW CREATE FUNCTION and SHOW FUNCTIONS; None for any other statement."""
    words = [token.keyword for token in statement.tokens[:3]]
    if statement.dialect is not Dialect.TRINO or words[:1] != ["SHOW"]:
        return None
    if words[1:2] == ["FUNCTIONS"]:
        return _LISTED
    return _CREATED if words[1:] == ["CREATE", "FUNCTION"] else None


class FunctionStatements:
    """Runs the statements about stored functions of one session."""

    def __init__(self, session: GatewaySession, query_id: QueryId, given_up: Callable[[], bool]) -> None:
        self._session = session
        self._query_id = query_id
        self._listing = Listing(session.engine, session.spec, query_id, given_up=given_up)

    def answer(self, statement: Statement) -> pa.Table | None:
        """Return the rows of a statement about stored functions; None for any other statement. Raises SqeError."""
        if statement.dialect is not Dialect.TRINO:
            return None
        reader = TokenReader(statement.text, statement.tokens)
        if statement.update_type == "CREATE FUNCTION":
            return self._create(reader)
        if statement.update_type == "DROP FUNCTION":
            return self._drop(reader)
        columns = function_columns(statement)
        if columns is None:
            return None
        return self._list(reader) if columns is _LISTED else self._show(reader)

    def _create(self, reader: TokenReader) -> pa.Table:
        reader.expect("CREATE")
        or_replace = reader.accept("OR", "REPLACE")
        reader.expect("FUNCTION")
        catalog, schema, name = _name(reader)
        definition = f"FUNCTION {trino_name(name)}{reader.text[reader.offset : reader.tokens[-1].end]}"
        if len(definition) > _LONGEST:
            raise UnsupportedError(f"A function has at most {_LONGEST} characters.")
        function = StoredFunction(catalog, schema, name, -1, definition)
        function = self._checked(function)
        same = [
            each
            for each in functions_of(self._listing, catalog, schema)
            if (each.name, each.count) == (name, function.count)
        ]
        if same and _types(same[0]) != _types(function):
            raise UnsupportedError(
                f"There is a function {name} with {function.count} parameters of other types.",
                hint="DROP FUNCTION it first: functions of one name differ in their number of parameters.",
                position=position_at(reader.text, 0),
            )
        if same and not or_replace:
            raise DuplicateObjectError("Function already exists", position=position_at(reader.text, 0))
        key, value = property_name(name, function.count), property_value(definition)
        self._alter(catalog, schema, f"SET PROPERTIES ({quote_literal(key)} = {quote_literal(value)})")
        return _NO_ROWS.empty_table()

    def _checked(self, function: StoredFunction) -> StoredFunction:
        """Return the function with the number of its parameters, if Spark can analyze a call of it. Raises SqeError."""
        from sqe.sql.trino.query import function_of

        words = statement_tokens(function.definition)
        try:
            refuse_calls(function.definition, words)
            made = function_of(function.definition)
        except SqeError as error:
            error.position = None  # in another text than the client's
            raise
        function = replace(function, count=len(made.parameters))
        scope = scope_of(self._session)
        arguments = ", ".join(f"CAST(NULL AS {kind})" for _, kind in made.parameters)
        name = ".".join(trino_name(part) for part in (function.catalog, function.schema, function.name))
        call = f"{name}({arguments})"
        # Spark refuses aggregates and generators in WHERE, as Trino refuses them in functions.
        query = read(f"SELECT 1 WHERE {call} IS NULL", Dialect.TRINO)
        known = called_functions(self._listing, [*query.tokens, *words], scope, [function])
        try:
            text = translate(query, replace(scope, functions=known)).text
            self._session.engine.describe(text, self._query_id)
        except SqeError as error:
            error.position = None
            raise
        return function

    def _drop(self, reader: TokenReader) -> pa.Table:
        from sqe.sql.trino.query import types_of

        reader.expect("DROP", "FUNCTION")
        if_exists = reader.accept("IF", "EXISTS")
        catalog, schema, name = _name(reader)
        types: list[str] | None = None
        if reader.at_symbol("("):
            types = types_of(reader.text[reader.offset : reader.tokens[-1].end])
        elif reader.left:
            reader.mismatch("'('")
        found = [
            each
            for each in self._named(catalog, schema, name, missing_schema=if_exists)
            if types is None or (each.count == len(types) and _types(each) in (types, None))
        ]
        if len(found) > 1:
            raise UnsupportedError(
                f"There are {len(found)} functions {name}.",
                hint="Write the types of its parameters behind its name.",
                position=position_at(reader.text, 0),
            )
        for function in found:
            key = quote_literal(property_name(name, function.count))
            self._alter(catalog, schema, f"UNSET PROPERTIES ({key})")
        if not found and not if_exists:
            raise FunctionNotFoundError("Function not found", position=position_at(reader.text, 0))
        return _NO_ROWS.empty_table()

    def _show(self, reader: TokenReader) -> pa.Table:
        reader.expect("SHOW", "CREATE", "FUNCTION")
        catalog, schema, name = _name(reader)
        reader.end()
        found = self._named(catalog, schema, name)
        if not found:
            raise FunctionNotFoundError("Function not found", position=position_at(reader.text, 0))
        return pa.table([pa.array([_shown(each) for each in found], pa.string())], schema=_CREATED)

    def _list(self, reader: TokenReader) -> pa.Table:
        """Answer SHOW FUNCTIONS [FROM schema] [LIKE pattern [ESCAPE character]]."""
        reader.expect("SHOW", "FUNCTIONS")
        stored = reader.accept("FROM") or reader.accept("IN")
        parts = reader.qualified() if stored else []
        matches = _pattern(reader)
        rows = (
            self._stored_rows(*self._schema(parts))
            if stored
            else [(*each, "") for each in builtin_functions()]
        )
        shown = [row for row in rows if matches(row[0])]
        columns = list(zip(*shown, strict=True)) or [()] * len(_LISTED)
        arrays = [pa.array(values, field.type) for values, field in zip(columns, _LISTED, strict=True)]
        return pa.table(arrays, schema=_LISTED)

    def _schema(self, parts: list[str]) -> tuple[str, str]:
        catalog = parts[0] if len(parts) > 1 else scope_of(self._session).catalog
        if catalog is None:
            raise UnsupportedError(
                "No catalog is set.", hint="Name the catalog.", position=position_at("", 0)
            )
        return catalog, parts[-1] if len(parts) <= 2 else join(tuple(parts[1:]))

    def _stored_rows(self, catalog: str, schema: str) -> list[tuple[str, str, str, str, bool, str]]:
        from sqe.sql.trino.query import stored_function

        rows: list[tuple[str, str, str, str, bool, str]] = []
        for stored in functions_of(self._listing, catalog, schema):
            try:
                function = stored_function(stored)
            except UnsupportedError:
                continue  # it cannot be called
            types = ", ".join(kind for _, kind in function.parameters)
            about = function.comment or ""
            rows.append((stored.name, function.returns, types, "scalar", function.deterministic, about))
        return rows

    def _named(
        self, catalog: str, schema: str, name: str, *, missing_schema: bool = False
    ) -> list[StoredFunction]:
        try:
            stored = functions_of(self._listing, catalog, schema)
        except SchemaNotFoundError:
            if missing_schema:
                return []
            raise
        return [function for function in stored if function.name == name]

    def _alter(self, catalog: str, schema: str, change: str) -> None:
        self._listing.ask(catalog, f"ALTER NAMESPACE {quote_name(catalog, *split(schema))} {change}")


def _name(reader: TokenReader) -> tuple[str, str, str]:
    """Read the name of a function, with its catalog and schema; it has no letters in upper case. Raises SqeError."""
    place = position_at(reader.text, 0)
    parts = reader.qualified()
    if len(parts) == 1:
        raise UnsupportedError(
            "Catalog and schema must be specified when function schema is not configured", position=place
        )
    if len(parts) < _PARTS:
        raise UnsupportedError(
            "Function name must be unqualified or fully qualified with catalog and schema", position=place
        )
    if len(parts) > _PARTS:
        raise SqlSyntaxError(f"Too many dots in function name: {'.'.join(parts)}", position=place)
    return parts[0], parts[1], parts[2].lower()


def _pattern(reader: TokenReader) -> Callable[[str], bool]:
    """Read LIKE at the end of a statement, and return what it is about. Raises SqeError."""
    pattern: str | None = None
    escape: str | None = None
    offset = reader.offset
    if reader.accept("LIKE"):
        offset = reader.offset
        pattern = reader.string()
        escape = reader.string() if reader.accept("ESCAPE") else None
    reader.end()
    try:
        return like("%" if pattern is None else pattern, escape)
    except DataError as error:
        error.position = position_at(reader.text, offset)
        raise


def _types(function: StoredFunction) -> Sequence[str] | None:
    """Return the types of a function's parameters; None if its text makes no sense."""
    from sqe.sql.trino.query import stored_function

    try:
        return [kind for _, kind in stored_function(function).parameters]
    except (UnsupportedError, TypeMismatchError):
        return None


def _shown(stored: StoredFunction) -> str:
    from sqe.sql.trino.query import stored_function

    function = stored_function(stored)
    parameters = ", ".join(f"{plain_trino_name(name)} {kind}" for name, kind in function.parameters)
    name = ".".join(plain_trino_name(part) for part in (stored.catalog, stored.schema, stored.name))
    lines = [f"CREATE FUNCTION {name}({parameters})", f"RETURNS {function.returns}"]
    if not function.deterministic:
        lines.append("NOT DETERMINISTIC")
    if function.null_for_null:
        lines.append("RETURNS NULL ON NULL INPUT")
    if function.comment is not None:
        lines.append(f"COMMENT {trino_text(function.comment)}")
    return "\n".join([*lines, f"RETURN {function.written}"])
