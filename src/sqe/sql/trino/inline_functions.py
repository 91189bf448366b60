"""Read SQL functions, and put what they return into the place of their calls.

They are in the query itself (`WITH FUNCTION f(x integer) RETURNS integer RETURN x + 1`), or stored in a schema
(CREATE FUNCTION). What takes the place of a call is a part of the caller's own statement, with the caller's rights.
Arguments and results are converted to their declared types by a function that refuses what Trino does not convert
(`trino_coerced`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from sqe.errors import (
    ColumnNotFoundError,
    FunctionNotFoundError,
    SqlSyntaxError,
    StatementTooComplexError,
    UnsupportedError,
)
from sqe.sql.lexer import Token, TokenKind, position_at
from sqe.sql.trino.lexer import syntax_error, trino_string, unquote_name
from sqe.sql.trino.rules.rule import analyzed, twice
from sqe.sql.trino.scope import Scope
from sqe.sql.trino.stored_functions import StoredFunction
from sqe.sql.trino.type_text import type_text

_QUERY = frozenset({"SELECT", "WITH", "VALUES", "TABLE"})
_CHANGING = frozenset({"rand", "random", "uuid", "shuffle"})
_MOST_NODES = 10_000  # of a function whose calls of other functions have been replaced
_MOST_MADE = 200_000  # nodes that take the places of calls in one statement

Parse = Callable[[str], exp.Expr]
"""Parses the text of a query. Raises SqeError."""


@dataclass(frozen=True)
class InlineFunction:
    """One function: the names and types of its parameters, and its value."""

    name: str
    parameters: tuple[tuple[str, str], ...]
    returns: str
    value: exp.Expr
    null_for_null: bool
    deterministic: bool = True  # as declared
    comment: str | None = None
    written: str = ""  # the value as it was written


def begins(words: Sequence[Token]) -> bool:
    """Return whether a query begins with inline functions."""
    starts = [word.keyword for word in words[:2]] == ["WITH", "FUNCTION"]
    return starts and len(words) > 3 and words[3].is_symbol("(")


def read_functions(text: str, words: Sequence[Token], parse: Parse) -> tuple[list[InlineFunction], int]:
    """Read the functions, and return them with the place of the query's first word. Raises SqeError."""
    functions: list[InlineFunction] = []
    reader = _Reader(text, words, parse)
    reader.place = 1
    while True:
        function = reader.function()
        if any(other.name == function.name for other in functions):
            raise UnsupportedError(f"Two inline functions {function.name} are not supported.")
        value = expanded(function.value, functions)
        if _nodes(value) > _MOST_NODES:
            raise UnsupportedError(f"The function {function.name} is too long.")
        functions.append(replace(function, value=value))
        if not reader.symbol(","):
            return functions, reader.place


def read_definition(text: str, words: Sequence[Token], parse: Parse) -> InlineFunction:
    """Read one function, `FUNCTION f(x integer) RETURNS integer RETURN x + 1`, and nothing else. Raises SqeError."""
    reader = _Reader(text, words, parse)
    function = reader.function()
    reader.end()
    return function


def read_types(text: str, words: Sequence[Token], parse: Parse) -> list[str]:
    """Read `(integer, varchar)`, the types of a function's parameters. Raises SqeError."""
    reader = _Reader(text, words, parse)
    types = reader.types()
    reader.end()
    return types


class StoredCalls:
    """Replaces the calls of stored functions, which have the name of their schema: `lake.sales.f(1)`."""

    def __init__(self, scope: Scope, read: Callable[[StoredFunction], InlineFunction]) -> None:
        self._catalog = scope.catalog
        self._read = read
        self._known: dict[tuple[str, str, str], list[StoredFunction]] = {}
        for function in scope.functions:
            name = (function.catalog.lower(), function.schema, function.name)
            self._known.setdefault(name, []).append(function)
        self._size = _Size()
        self._made: dict[StoredFunction, InlineFunction] = {}
        self._open: list[StoredFunction] = []  # those that are being read, each called by the one before

    def expanded(self, tree: exp.Expr) -> exp.Expr:
        """Replace the calls in a tree, and return its root. Raises SqeError."""
        for node in reversed(list(tree.walk(bfs=False))):
            name = self._name(node)
            functions = self._known.get(name) if name is not None else None
            if functions is None:
                continue
            arguments = node.expression.expressions
            wanted = [function for function in functions if function.count == len(arguments)]
            if not wanted:
                raise FunctionNotFoundError(
                    f"Unexpected parameters for function {_shown(functions[0])}: there are {len(arguments)}."
                )
            value = _value(self._function(wanted[0]), arguments, self._size)
            if node is tree:
                return value
            node.replace(value)
        return tree

    def _name(self, node: exp.Expr) -> tuple[str, str, str] | None:
        if not isinstance(node, exp.Dot) or not isinstance(node.expression, exp.Anonymous):
            return None
        schema = [node.this] if isinstance(node.this, exp.Identifier) else list(node.this.flatten())
        parts = [part.name if part.args.get("quoted") else part.name.lower() for part in schema]
        name = node.expression.name.lower()
        if len(parts) == 1 and self._catalog is not None:
            return self._catalog.lower(), parts[0], name
        return (parts[0].lower(), parts[1], name) if len(parts) == 2 else None

    def _function(self, stored: StoredFunction) -> InlineFunction:
        if stored in self._open:
            raise UnsupportedError(f"The function {_shown(stored)} calls itself, which is not supported.")
        if stored not in self._made:
            self._open.append(stored)
            function = self._read(stored)
            value = self.expanded(function.value)
            if _nodes(value) > _MOST_NODES:
                raise UnsupportedError(f"The function {_shown(stored)} is too long.")
            self._open.pop()
            self._made[stored] = replace(function, value=value)
        return self._made[stored]


def _shown(function: StoredFunction) -> str:
    return f"{function.catalog}.{function.schema}.{function.name}"


def expanded(tree: exp.Expr, functions: Sequence[InlineFunction]) -> exp.Expr:
    """Replace the calls of functions in a tree, and return its root. Raises SqeError."""
    known = {function.name: function for function in functions}
    size = _Size()
    for node in reversed(list(tree.walk(bfs=False))):
        function = known.get(node.name.lower()) if isinstance(node, exp.Anonymous) else None
        if function is None or isinstance(node.parent, exp.Dot):  # a function of a schema
            continue
        value = _value(function, node.expressions, size)
        if node is tree:
            return value
        node.replace(value)
    return tree


class _Size:
    """Counts what calls become, so that a short statement does not fill the memory."""

    def __init__(self) -> None:
        self._nodes = 0

    def add(self, function: InlineFunction, arguments: Sequence[exp.Expr]) -> None:
        """Add a call before it is replaced. Raises StatementTooComplexError."""
        sizes = dict(zip((name for name, _ in function.parameters), map(_nodes, arguments), strict=True))
        self._nodes += _nodes(function.value)
        for column in function.value.find_all(exp.Column):
            self._nodes += sizes[column.name.lower()]
        if self._nodes > _MOST_MADE:
            raise StatementTooComplexError("The statement is too complex with its SQL functions.")


def _nodes(tree: exp.Expr) -> int:
    return sum(1 for _ in tree.walk())


def _value(function: InlineFunction, arguments: Sequence[exp.Expr], size: _Size) -> exp.Expr:
    if len(arguments) != len(function.parameters):
        count = len(arguments)
        raise FunctionNotFoundError(f"Unexpected parameters for function {function.name}: there are {count}.")
    size.add(function, arguments)
    values: dict[str, exp.Expr] = {}
    for (name, kind), argument in zip(function.parameters, arguments, strict=True):
        values[name] = analyzed("coerced", argument.copy(), kind, f"Argument {name} of {function.name}")
    value = function.value.copy()
    if function.null_for_null:
        value = _null_for_null(value, list(values))
    uses: dict[str, int] = {}

    def replaced(node: exp.Expr) -> exp.Expr:
        if not isinstance(node, exp.Column):
            return node
        name = node.name.lower()
        uses[name] = uses.get(name, 0) + 1
        return values[name].copy()

    value = exp.Paren(this=value).transform(replaced)
    for name, count in uses.items():
        if count > 1:
            _check_repeated(values[name])
    for name, made in values.items():
        if name not in uses and made.find(exp.Placeholder):
            raise UnsupportedError(f"A parameter is not supported for the unused argument {name}.")
    return analyzed("coerced", value, function.returns, "Value of RETURN")


def _null_for_null(value: exp.Expr, names: Sequence[str]) -> exp.Expr:
    missing: exp.Expr | None = None
    for name in names:
        one = exp.Is(this=exp.column(name), expression=exp.Null())
        missing = one if missing is None else exp.Or(this=missing, expression=one)
    return value if missing is None else exp.Case(ifs=[exp.If(this=missing, true=exp.Null())], default=value)


def _check_repeated(argument: exp.Expr) -> None:
    """Refuse an argument whose value would be computed twice, with two results."""
    twice(argument)
    changes = any(call.name.lower() in _CHANGING for call in argument.find_all(exp.Anonymous))
    if changes or argument.find(exp.Query):
        raise UnsupportedError("This argument of an inline function is not supported, as it is used twice.")


class _Reader:
    """Reads the tokens of functions."""

    def __init__(self, text: str, words: Sequence[Token], parse: Parse) -> None:
        self._text = text
        self._words = words
        self._parse = parse
        self.place = 0

    def symbol(self, symbol: str) -> bool:
        found = self.place < len(self._words) and self._words[self.place].is_symbol(symbol)
        self.place += found
        return found

    def _word(self, *words: str) -> bool:
        found = [word.keyword for word in self._words[self.place : self.place + len(words)]]
        if found != list(words):
            return False
        self.place += len(words)
        return True

    def _fail(self) -> SqlSyntaxError:
        if self.place >= len(self._words):
            return syntax_error(self._text, self._words[-1].end, "mismatched input '<EOF>'")
        word = self._words[self.place]
        return syntax_error(self._text, word.start, f"mismatched input '{word.text}'")

    def _expect(self, found: bool) -> None:
        if not found:
            raise self._fail()

    def _name(self) -> str:
        word = self._words[self.place] if self.place < len(self._words) else None
        if word is None or word.kind not in (TokenKind.WORD, TokenKind.QUOTED_NAME):
            raise self._fail()
        self.place += 1
        return unquote_name(word).lower()

    def end(self) -> None:
        if self.place < len(self._words):
            raise self._fail()

    def types(self) -> list[str]:
        self._expect(self.symbol("("))
        types: list[str] = []
        while not self.symbol(")"):
            if types:
                self._expect(self.symbol(","))
            types.append(self._type(self._until(lambda at: self._words[at].text in (",", ")"))))
        return types

    def _until(self, is_end: Callable[[int], bool]) -> str:
        """Return the text up to a token outside of all brackets."""
        start, depth = self.place, 0
        while self.place < len(self._words):
            word = self._words[self.place]
            if depth == 0 and is_end(self.place):
                break
            depth += (word.text in ("(", "[")) - (word.text in (")", "]"))
            self.place += 1
        if self.place == start:
            raise self._fail()
        return self._text[self._words[start].start : self._words[self.place - 1].end]

    def function(self) -> InlineFunction:
        self._expect(self._word("FUNCTION"))
        name = self._name()
        self._expect(self.symbol("("))
        parameters: list[tuple[str, str]] = []
        while not self.symbol(")"):
            if parameters:
                self._expect(self.symbol(","))
            parameter = self._name()
            written = self._until(lambda at: self._words[at].text in (",", ")"))
            if parameter in dict(parameters):
                raise UnsupportedError(f"The function {name} has two parameters {parameter}.")
            parameters.append((parameter, self._type(written)))
        self._expect(self._word("RETURNS"))
        returns = self._type(self._until(self._is_characteristic))
        null_for_null, deterministic, comment = self._characteristics()
        if self.place < len(self._words) and self._words[self.place].keyword != "RETURN":
            raise UnsupportedError(
                "A function is supported with one RETURN only.",
                position=position_at(self._text, self._words[self.place].start),
            )
        self._expect(self._word("RETURN"))
        first = self.place
        written = self._until(self._is_end)
        value = self._value(written, name, dict(parameters), first)
        return InlineFunction(
            name, tuple(parameters), returns, value, null_for_null, deterministic, comment, written
        )

    def _is_characteristic(self, at: int) -> bool:
        word = self._words[at].keyword
        return word in (
            "LANGUAGE", "NOT", "DETERMINISTIC", "RETURNS", "CALLED", "SECURITY", "COMMENT", "RETURN", "BEGIN", "WITH"
        ) and not (word == "WITH" and self._words[at + 1].keyword == "TIME")  # fmt: skip

    def _is_end(self, at: int) -> bool:
        word = self._words[at]
        after = self._words[at + 1].keyword if at + 1 < len(self._words) else ""
        return word.keyword in _QUERY or (word.is_symbol(",") and after == "FUNCTION")

    def _characteristics(self) -> tuple[bool, bool, str | None]:
        """Read what stands before RETURN: whether NULL gives NULL, whether it is deterministic, and the comment."""
        null_for_null, deterministic = False, True
        comment: str | None = None
        while True:
            if self._word("RETURNS", "NULL", "ON", "NULL", "INPUT"):
                null_for_null = True
            elif self._word("NOT", "DETERMINISTIC"):
                deterministic = False
            elif self._word("COMMENT"):
                comment = self._string()
            elif not (
                self._word("LANGUAGE", "SQL")
                or self._word("DETERMINISTIC")
                or self._word("CALLED", "ON", "NULL", "INPUT")
                or self._word("SECURITY", "INVOKER")
                or self._word("SECURITY", "DEFINER")
            ):
                return null_for_null, deterministic, comment

    def _string(self) -> str:
        self._expect(self.place < len(self._words) and self._words[self.place].kind is TokenKind.STRING)
        self.place += 1
        return trino_string(self._words[self.place - 1])

    def _type(self, written: str) -> str:
        cast = self._parse(f"SELECT CAST(NULL AS {written})").find(exp.Cast)
        assert cast is not None
        return type_text(cast.to)

    def _value(self, written: str, name: str, parameters: dict[str, str], first: int) -> exp.Expr:
        tree = self._parse(f"SELECT {written}")
        if (
            not isinstance(tree, exp.Select)
            or len(tree.expressions) != 1
            or len(list(tree.find_all(exp.Query))) > 1
        ):
            raise UnsupportedError(f"The value of the function {name} is not supported.")
        value: exp.Expr = tree.expressions[0]
        used = [key for key, clause in tree.args.items() if clause and key not in ("expressions", "kind")]
        if (
            used
            or isinstance(value, exp.Alias | exp.Aliases)
            or value.find(exp.Placeholder, exp.Star, exp.Window)
        ):
            raise UnsupportedError(f"The value of the function {name} is not supported.")
        place = position_at(self._text, self._words[first].start)
        if any(call.name.lower() == name for call in value.find_all(exp.Anonymous)):
            raise UnsupportedError("Recursive language functions are not supported.", position=place)
        for column in value.find_all(exp.Column):
            if column.table or column.name.lower() not in parameters:
                raise ColumnNotFoundError(f"Column '{column.name}' cannot be resolved", position=place)
        for inner in value.find_all(exp.Lambda):
            if any(item.name.lower() in parameters for item in inner.expressions):
                raise UnsupportedError("A lambda's argument with the name of a parameter is not supported.")
        value.pop()
        return value
