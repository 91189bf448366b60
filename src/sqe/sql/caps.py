"""Caps on a statement's size and depth, before Spark's parser sees it.

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
for more than a minute, and 8,192 of AND kept both cores of a small machine, and with them everybody else's
statements, for as long. Chains of AND and OR are balanced trees for Spark, so that 16,384 of OR work (11 s), but 4,096
of AND need 15 s in its optimizer. With a stack of 4 MB (-Xss4m) all shapes of the table worked at 400; 3,000
parentheses worked too, and 1,024 of + took 9 s.

What is flat for Spark too has no cap here: a list of 50,000 values in IN (4.5 s), 100,000 rows of VALUES (4.7 s),
8,192 branches of one CASE (9 s).

So nesting may go to `max_depth` (limits.sql_depth), operators in one expression, joins and set operations in one
query to `FLAT_FACTOR` times that, AND and OR to `LOGICAL_FACTOR` times.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqe.errors import StatementTooComplexError, StatementTooLargeError
from sqe.sql.lexer import Token, position_at, tokens

FLAT_FACTOR = 2
LOGICAL_FACTOR = 16

_LOGICAL = frozenset({"AND", "OR"})
_RELATIONAL = frozenset({"UNION", "EXCEPT", "INTERSECT", "MINUS", "JOIN"})
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
_OPENING = {"(": ")", "[": "]"}
_NO_OPERATORS = frozenset({",", ";", "?", "@", "$", "#"})


@dataclass(slots=True)
class _Level:
    closing: str
    logical: int = 0
    operators: int = 0
    relational: int = 0


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


def check_depth(sql: str, max_depth: int) -> None:
    """Refuse a statement that is nested too deeply or has too long a chain of operators.

    Raises:
        StatementTooComplexError
    """
    if len(sql) <= max_depth:
        return
    levels = [_Level("")]
    for token in tokens(sql):
        text, word = token.text, token.keyword
        level = levels[-1]
        if text in _OPENING or word == "CASE":
            # `a[0][0]…` is as deep for Spark as it is long, and so is `f(x)` behind an operator.
            level.operators += text == "["
            levels.append(_Level(_OPENING.get(text, "END")))
            if len(levels) - 1 > max_depth:
                raise _too_complex(sql, token, f"is nested more than {max_depth} levels deep")
        elif len(levels) > 1 and (text in (")", "]") or word == "END"):
            _close(levels, text if text in (")", "]") else word)
        elif text == "," or word in _NEXT_EXPRESSION:
            level.logical = level.operators = 0
        elif word in _LOGICAL:
            level.logical += 1
            level.operators = 0
        elif word in _RELATIONAL:
            level.relational += 1
            level.logical = level.operators = 0
        elif word in _OPERATORS or (_is_symbol(token) and text not in _NO_OPERATORS):
            level.operators += 1
        else:
            continue
        if level.logical > max_depth * LOGICAL_FACTOR:
            raise _too_complex(
                sql, token, f"has a chain of more than {max_depth * LOGICAL_FACTOR:,} AND and OR"
            )
        if max(level.operators, level.relational) > max_depth * FLAT_FACTOR:
            raise _too_complex(sql, token, f"has a chain of more than {max_depth * FLAT_FACTOR:,} operators")


def _close(levels: list[_Level], closing: str) -> None:
    """Leave the innermost level that `closing` can end; a CASE without END ends with its parenthesis."""
    for index in range(len(levels) - 1, 0, -1):
        if levels[index].closing == closing:
            del levels[index:]
            return
        if levels[index].closing != "END":
            return


def _is_symbol(token: Token) -> bool:
    return token.is_symbol(token.text)


def _too_complex(sql: str, token: Token, problem: str) -> StatementTooComplexError:
    return StatementTooComplexError(
        f"The statement {problem}.",
        hint="Use IN, a table of values or temporary views instead, or raise limits.sql_depth.",
        position=position_at(sql, token.start),
    )
