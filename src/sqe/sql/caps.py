"""Cap a statement's size and depth before Spark's parser sees it.

Spark 4.1.4 with the default stack of 1 MB gave these up with a stack overflow, in the parser (a clean
FAILED_TO_PARSE_TOO_COMPLEX) or later (an error without any text); the exact figure moves with what the JVM has
compiled:

    works      fails
    512        600      parentheses
    320        400      nested function calls
    700        800      CASE in the ELSE of a CASE
    150        180      subqueries inside subqueries, in FROM or as values
    600        700      1 + 1 + 1 …, also with ||
    1,024      2,048    NOT NOT …, - - …, ::int::int …
    1,000      1,024    UNION ALL of plain SELECTs, after 38 s
    256        320      JOINs

No stack overflow ended the server. Time is the greater danger: 20,000 parentheses or as many nested CASE kept it busy
for more than a minute, and 8,192 of AND kept both cores of a small machine, and with them all other
statements, for as long. Chains of AND and OR are balanced trees for Spark, so that 16,384 of OR work (11 s), but 4,096
of AND need 15 s in its optimizer. With a stack of 4 MB (-Xss4m) all shapes of the table worked at 400; 3,000
parentheses worked too, and 1,024 of + took 9 s.

Spark's lexer calls itself for each comment inside a comment, and 10,000 levels take it minutes: they may go to
`COMMENT_DEPTH`. A number of 100,000 digits is refused, too: Java reads it in the square of their time.

What is flat for Spark too has no cap here: a list of 50,000 values in IN, 100,000 rows of VALUES (4.7 s), 8,192
branches of one CASE. `LongLists` and `Interpreted` in spark-guard keep their planning quick, and a cancel ends it.

So nesting may go to `max_depth` (limits.sql_depth), operators in one expression, joins and set operations in one
query to `FLAT_FACTOR` times that, AND and OR to `LOGICAL_FACTOR` times. Operators are counted along a path: those of a
parenthesis or of a call's argument add to those around it, because the tree is as deep as all of them together.

Types have a cap of their own. A schema travels as a protocol buffer, of which 100 levels can be read; an array in an
array takes two of them and a struct in a struct three. 60 levels of array(...) could not be read any more.

sqlglot, which reads Trino's SQL, parses some texts again and again: 14 levels of `ARRAY[` took 16 s, and each level
twice as long. `sqe.sql.dialects.bounded` bounds that work.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sqe.errors import StatementTooComplexError, StatementTooLargeError
from sqe.model.session import Dialect
from sqe.sql.lexer import Token, TokenKind, deep_comment, position_at
from sqe.sql.trino.lexer import lexed

FLAT_FACTOR = 2
LOGICAL_FACTOR = 16
TYPE_DEPTH = 24
COMMENT_DEPTH = 32
NUMBER_LENGTH = 1_000

_LOGICAL = frozenset({"AND", "OR"})
_RELATIONAL = frozenset({"UNION", "EXCEPT", "INTERSECT", "MINUS", "JOIN", "LATERAL"})
_OPERATORS = frozenset({"NOT", "DIV", "IS", "LIKE", "ILIKE", "RLIKE", "REGEXP", "COLLATE"})
# What stands between two expressions of one query.
_NEXT_EXPRESSION = frozenset(
    {
        "SELECT",
        "FROM",
        "ON",
        "WHERE",
        "BY",
        "HAVING",
        "QUALIFY",
        "WHEN",
        "THEN",
        "ELSE",
        "SET",
        "VALUES",
        "LIMIT",
    }
)
_AFTER_TABLES = frozenset({"SELECT", "WHERE", "BY", "HAVING", "QUALIFY", "SET", "VALUES", "LIMIT"})
_OPENING = {"(": ")", "[": "]"}
_TYPES = frozenset({"ARRAY", "MAP", "STRUCT", "ROW"})
_NO_OPERATORS = frozenset({",", ";", "?", "@", "$", "#"})
_PIPE = "|>"
_VALUES = frozenset({TokenKind.STRING, TokenKind.NUMBER, TokenKind.QUOTED_NAME})


@dataclass(slots=True)
class _Level:
    """The tokens between two brackets, or between CASE and its END."""

    closing: str
    types: int = 0  # arrays, maps and structs around it
    logical: int = 0  # in the condition that is being read
    operators: int = 0  # in the expression that is being read
    inside: int = 0  # the longest path through the brackets of that expression
    longest: int = 0  # the longest path of an expression that has been read
    relational: int = 0
    tables: bool = (
        False  # between FROM and the end of its clause, or WITH and its query: a comma adds a relation
    )

    @property
    def path(self) -> int:
        return self.operators + self.inside

    def next_expression(self) -> None:
        self.longest = max(self.longest, self.path)
        self.operators = self.inside = 0


def check_size(sql: str, max_bytes: int) -> None:
    """Refuse a statement of more bytes than `max_bytes`, in UTF-8.

    Raises:
        StatementTooLargeError
    """
    # A character has at least one byte, so that an enormous text need not be encoded to be refused.
    size = len(sql) if len(sql) > max_bytes else len(sql.encode("utf-8", "surrogatepass"))
    if size > max_bytes:
        raise StatementTooLargeError(
            f"The statement has {size:,} bytes or more; {max_bytes:,} are allowed.",
            hint="Put long lists of values into a file or a table and join it, or raise limits.sql_bytes.",
        )


def check_depth(sql: str, max_depth: int, dialect: Dialect = Dialect.SPARK) -> None:
    """Refuse a statement that is nested too deeply or has too long a chain of operators.

    The tokens are those of `dialect`: a quote that ends a string in one of them does not end it in another.

    Raises:
        StatementTooComplexError
    """
    if _can_be_too_deep(sql, max_depth):
        check_comments(sql, dialect)
        for _ in checked_tokens(sql, lexed(sql, dialect), max_depth):
            pass


def check_comments(sql: str, dialect: Dialect) -> None:
    """Refuse comments that are nested too deeply for Spark's lexer; Trino's do not nest.

    Raises:
        StatementTooComplexError
    """
    if dialect is Dialect.TRINO or sql.count("/*") <= COMMENT_DEPTH:
        return
    at = deep_comment(sql, COMMENT_DEPTH)
    if at is not None:
        raise StatementTooComplexError(
            f"The statement has comments that are nested more than {COMMENT_DEPTH} levels deep.",
            hint="Leave them out.",
            position=position_at(sql, at),
        )


def checked_tokens(sql: str, tokens: Iterable[Token], max_depth: int) -> Iterator[Token]:
    """Yield the tokens of `sql`, and stop at the first one that is beyond a cap, as `check_depth` does.

    Raises:
        StatementTooComplexError
    """
    if not _can_be_too_deep(sql, max_depth):
        yield from tokens
        return
    check = _DepthCheck(sql, max_depth)
    before: Token | None = None
    for token in tokens:
        if token.kind not in _VALUES:  # of which a statement may have very many
            check.take(token, before)
        if len(token.text) > NUMBER_LENGTH and _is_number(token):
            raise check.too_complex(token, f"has a number of more than {NUMBER_LENGTH:,} characters")
        yield token
        before = token


def _can_be_too_deep(sql: str, max_depth: int) -> bool:
    return len(sql) > min(max_depth, TYPE_DEPTH)


class _DepthCheck:
    """Counts nesting and operators while it goes through the tokens of one statement."""

    def __init__(self, sql: str, max_depth: int) -> None:
        self._sql = sql
        self._depth = max_depth
        self._chain = max_depth * FLAT_FACTOR
        self._conditions = max_depth * LOGICAL_FACTOR
        self._levels = [_Level("")]
        self._around = 0  # operators of the open levels but the innermost
        self._relations = 0  # in the whole statement

    def take(self, token: Token, before: Token | None) -> None:
        text, word = token.text, token.keyword
        if word and before is not None and before.is_symbol("."):
            return  # a name, whatever it spells
        level = self._levels[-1]
        if text in _OPENING or word == "CASE" or (text == "<" and _is_type(before)):
            # `a[0][0]…` is as deep for Spark as it is long, and so is `f(x)` behind an operator.
            level.operators += text == "["
            self._open(token, before)
            level = self._levels[-1]
        elif len(self._levels) > 1 and (text in (")", "]", ">") or word == "END"):
            self._close(text if text in (")", "]", ">") else word)
            level = self._levels[-1]
        elif text == "," and _is_symbol(token):
            level.next_expression()
            level.logical = 0
            self._relate(level, int(level.tables))
        elif word in _NEXT_EXPRESSION and not _is_operand(before):
            # Spark takes most keywords for names, too: `by + by + by` is one expression.
            level = self._leave_types()
            level.next_expression()
            level.logical = 0
            level.tables = word == "FROM" or (level.tables and word not in _AFTER_TABLES)
        elif word in _LOGICAL:
            level = self._leave_types()
            level.logical += 1
            level.next_expression()
        elif word in _RELATIONAL or text == _PIPE:
            level = self._leave_types()
            level.next_expression()
            level.logical = 0
            self._relate(level, 1)
        elif word in ("WITH", "FROM"):  # also FROM behind `*`, which does not end an expression for certain
            level.tables = True
        elif word in _OPERATORS or (_is_symbol(token) and text not in _NO_OPERATORS):
            level.operators += 1
        else:
            return
        self._check(token, level)

    def _check(self, token: Token, level: _Level) -> None:
        if level.logical > self._conditions:
            raise self.too_complex(token, f"has a chain of more than {self._conditions:,} AND and OR")
        if max(self._around + level.path, level.relational) > self._chain:
            raise self.too_complex(token, f"has a chain of more than {self._chain:,} operators")
        if self._relations > self._conditions:
            raise self.too_complex(token, f"has more than {self._conditions:,} joins and set operations")

    def _relate(self, level: _Level, count: int) -> None:
        level.relational += count
        self._relations += count

    def _open(self, token: Token, before: Token | None) -> None:
        level = self._levels[-1]
        types = level.types + _is_type(before)
        closing = ">" if token.text == "<" else _OPENING.get(token.text, "END")
        self._around += level.operators
        self._levels.append(_Level(closing, types))
        if len(self._levels) - 1 > self._depth:
            raise self.too_complex(token, f"is nested more than {self._depth} levels deep")
        if types > TYPE_DEPTH:
            raise self.too_complex(token, f"has a type of more than {TYPE_DEPTH} levels")

    def _close(self, closing: str) -> None:
        """Leave the innermost level that `closing` can end; a CASE without END ends with its parenthesis."""
        for index in range(len(self._levels) - 1, 0, -1):
            if self._levels[index].closing == closing:
                self._drop(index)
                return
            if self._levels[index].closing not in ("END", ">"):
                return
        if closing == ">":
            self._levels[-1].operators += 1  # a comparison

    def _leave_types(self) -> _Level:
        """Close the types that are open: what follows is no type, so that a `<` behind `map` was a comparison."""
        while self._levels[-1].closing == ">":
            self._drop(len(self._levels) - 1)
        return self._levels[-1]

    def _drop(self, index: int) -> None:
        """Leave the levels from `index` on; the longest path through them belongs to the expression around."""
        while len(self._levels) > index:
            left = self._levels.pop()
            around = self._levels[-1]
            self._around -= around.operators
            around.inside = max(around.inside, left.longest, left.path)

    def too_complex(self, token: Token, problem: str) -> StatementTooComplexError:
        return StatementTooComplexError(
            f"The statement {problem}.",
            hint="Use IN, a table of values or temporary views instead, or raise limits.sql_depth.",
            position=position_at(self._sql, token.start),
        )


def too_deep() -> StatementTooComplexError:
    """Return the error for a statement on which a parser of the gateway has run out of stack."""
    return StatementTooComplexError(
        "The statement is nested too deeply.",
        hint="Use IN, a table of values or temporary views instead.",
    )


def _is_type(token: Token | None) -> bool:
    return token is not None and token.keyword in _TYPES


def _is_number(token: Token) -> bool:
    return token.kind is TokenKind.NUMBER or (token.kind is TokenKind.WORD and token.text[0].isdigit())


def _is_operand(before: Token | None) -> bool:
    """Whether a word behind this token can only be an operand."""
    if before is None:
        return False
    if before.keyword:
        return before.keyword in _OPERATORS
    return _is_symbol(before) and before.text not in (*_NO_OPERATORS, ")", "]", "(", "[")


def _is_symbol(token: Token) -> bool:
    return token.kind is TokenKind.SYMBOL
