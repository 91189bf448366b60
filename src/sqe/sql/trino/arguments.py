"""Bind the arguments of EXECUTE .. USING: literals as values, other constant expressions in the statement's text.

The engine takes values for parameters, and no expressions. So an argument that has to be computed replaces its `?` in
the statement, in parentheses, before the statement is translated. Trino replaces its parameters in the same way.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import pyarrow as pa

from sqe.errors import Position, SqeError, SqlSyntaxError, UnsupportedError, UsageError, UsageReason
from sqe.model.session import Dialect
from sqe.sql.lexer import Token, TokenKind
from sqe.sql.session_statement import Argument
from sqe.sql.splice import Edit, splice
from sqe.sql.statement import Statement
from sqe.sql.trino.lexer import statement_tokens
from sqe.sql.trino.literals import NOT_LITERAL, moved, value

_SELECT = "SELECT "
# The literals with a text whose type a value has, too.
_TYPED_BY_VALUE = re.compile(
    r"\s*(TIMESTAMP\s*'\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}'|DATE\s*'\d{4}-\d\d-\d\d'|DECIMAL\s*'[^']*')\s*",
    re.IGNORECASE,
)
# The words after which an expression follows. After any other word, parentheses could be those of a call.
_BEFORE_EXPRESSION = frozenset(
    {
        "AND",
        "BETWEEN",
        "BY",
        "CASE",
        "DISTINCT",
        "ELSE",
        "ESCAPE",
        "FIRST",
        "FOR",
        "FROM",
        "HAVING",
        "LIKE",
        "LIMIT",
        "NEXT",
        "NOT",
        "OFFSET",
        "ON",
        "OR",
        "SELECT",
        "THEN",
        "VALUES",
        "WHEN",
        "WHERE",
    }
)


def bind_arguments(statement: Statement, arguments: Sequence[Argument]) -> tuple[str | None, list[pa.Scalar]]:
    """Return the text with the arguments that are no literals, and the values of the parameters that it still has.

    The text is None when it has not changed.

    Raises:
        UsageError: the number of arguments is not that of the parameters.
        UnsupportedError: an argument is not constant, or stands for a parameter that takes no expression.
        SqlSyntaxError, CastError: an argument is no expression, or a literal of no value.
    """
    values: list[pa.Scalar] = []
    edits: list[Edit] = []
    parameters = _parameters(statement)
    for number, argument in enumerate(arguments):
        try:
            before = parameters[number][0] if number < len(parameters) else None
            values.append(_value(statement, argument, before))
        except (UnsupportedError, SqlSyntaxError) as error:
            computed = isinstance(error, SqlSyntaxError) or error.message == NOT_LITERAL
            if not computed or statement.dialect is not Dialect.TRINO or statement.session is not None:
                raise
            _check_constant(argument)
            check_count(statement, len(arguments))
            before, parameter = parameters[number]
            _check_place(before, argument)
            edits.append(Edit(parameter.start, parameter.end, f"({argument.text})"))
    return (splice(statement.text, edits).text if edits else None), values


def _value(statement: Statement, argument: Argument, before: Token | None) -> pa.Scalar:
    """Return the value of a literal. Raises SqeError; UnsupportedError for one that has to stay in the text."""
    if _takes_expression(before) and _is_typed_by_text(statement, argument):
        raise UnsupportedError(NOT_LITERAL, position=argument.position)
    return value(argument)


def _is_typed_by_text(statement: Statement, argument: Argument) -> bool:
    """Whether the type of a literal follows from its text in a way that a value cannot tell the engine.

    `TIMESTAMP '2024-10-27 02:30:00 Europe/Amsterdam'` is a `timestamp(0) with time zone` in that zone; a value would
    be one of microseconds, in UTC. `UUID '...'` and `CAST('a' AS char(3))` would be values of type varchar.
    """
    if statement.dialect is not Dialect.TRINO or statement.session is not None:
        return False
    tokens = statement_tokens(argument.text)
    texts = [
        index
        for index, token in enumerate(tokens)
        if token.kind is TokenKind.STRING and token.text[0] not in "xX"
    ]
    typed = any(index and tokens[index - 1].kind is TokenKind.WORD for index in texts)
    cast = bool(texts) and any(token.keyword == "CAST" for token in tokens)
    return (typed or cast) and _TYPED_BY_VALUE.fullmatch(argument.text) is None


def check_count(statement: Statement, given: int) -> None:
    """Refuse another number of values than there are parameters. Raises UsageError."""
    if statement.parameters != given:
        raise UsageError.of(
            UsageReason.PARAMETERS,
            f"Incorrect number of parameters: expected {statement.parameters} but found {given}.",
        )


def _parameters(statement: Statement) -> list[tuple[Token | None, Token]]:
    """Return each `?` with the token before it."""
    tokens = statement.tokens
    return [
        (tokens[index - 1] if index else None, token)
        for index, token in enumerate(tokens)
        if token.is_symbol("?")
    ]


def _takes_expression(before: Token | None) -> bool:
    """Whether the parameter behind a token can be an expression."""
    if before is not None and before.kind is TokenKind.SYMBOL and before.text not in (")", "]", "?"):
        return True
    return before is not None and before.keyword in _BEFORE_EXPRESSION


def _check_place(before: Token | None, argument: Argument) -> None:
    if not _takes_expression(before):
        raise UnsupportedError(
            "Only a literal can be given as the value of this parameter.", position=argument.position
        )


def _check_constant(argument: Argument) -> None:
    """Refuse what is no expression, or refers to anything outside of it. Raises SqlSyntaxError, UnsupportedError."""
    from sqlglot import exp

    from sqe.sql.trino.query import parse

    text = _SELECT + argument.text
    try:
        tree = parse(text, text, statement_tokens(text))
    except SqeError as error:
        inside = error.position
        if inside is not None and inside.line == 1:
            inside = Position(1, max(inside.column - len(_SELECT), 1))
        place = moved(inside, argument.position)
        raise type(error)(error.message, hint=error.hint, position=place) from None
    clauses = [key for key, clause in tree.args.items() if clause and key != "expressions"]
    if not isinstance(tree, exp.Select) or clauses or len(tree.expressions) != 1:
        raise _not_constant(argument)
    (found,) = tree.expressions
    references = (exp.Alias, exp.Aliases, exp.Column, exp.Star, exp.Query, exp.Window, exp.Placeholder)
    if any(isinstance(node, (*references, exp.Parameter, exp.Unnest, exp.Values)) for node in found.walk()):
        raise _not_constant(argument)


def _not_constant(argument: Argument) -> UnsupportedError:
    return UnsupportedError(
        "The value of a parameter must be a constant expression.",
        hint="It has no columns, subqueries, window functions or parameters.",
        position=argument.position,
    )
