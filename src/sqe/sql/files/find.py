"""Find the files that a statement uses as tables: `FROM '/data/x.parquet'`, `FROM read_csv('x.csv', header => false)`.

Spark SQL has neither. The gateway creates a temporary view for each file, and replaces the file in the text by the
view's name (`sqe.sql.splice`).

A string literal is a path, and `read_…(` one of our functions, only where a table can stand:

- after FROM, when it belongs to a query: its parenthesis, or the statement, starts with SELECT, WITH or FROM, has a
  SELECT before it, or is a statement that holds a query (INSERT, CREATE, CACHE, EXPLAIN ...). So `EXTRACT(DAY FROM
  '…')`, `TRIM(BOTH 'x' FROM '…')`, `SUBSTRING('…' FROM 2)`, `SHOW TABLES FROM x` and `DELETE FROM x` are left alone;
- but not after DISTINCT FROM, which is a comparison;
- after JOIN, and after a comma between the relations of a FROM, up to the clause that ends it (WHERE, GROUP, a set
  operation, a `|>` ...); after VALUES a comma separates rows;
- after the USING of a MERGE;
- after a parenthesis that is opened at such a place: `FROM ('a.csv' a JOIN 'b.csv' b)`.

A keyword after a dot is a name. Spark checks everything else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from sqe.errors import SqeError
from sqe.sql.files.formats import FUNCTIONS, check_path, format_of
from sqe.sql.files.function import read_function
from sqe.sql.files.table import FileTable
from sqe.sql.keywords import CLAUSES, JOINS, SET_OPERATIONS
from sqe.sql.lexer import Token, TokenKind, placed, string_value, tokens

_QUERY_STATEMENTS = frozenset({"SELECT", "WITH", "FROM", "INSERT", "CREATE", "REPLACE", "CACHE", "EXPLAIN"})
_QUERY_STARTS = frozenset({"SELECT", "WITH", "FROM"})
_NO_TABLES_AFTER = CLAUSES | SET_OPERATIONS | {"SELECT", "INSERT", "VALUES"}
_MAY_NAME_FILES = re.compile(r"(?i)\b(?:FROM|USING)\b")  # avoids lexing a long list of VALUES
_FROM_IN_CALL = frozenset({"EXTRACT", "TRIM", "SUBSTRING", "SUBSTR", "OVERLAY", "POSITION"})


@dataclass(slots=True)
class _Frame:
    """The state of a statement, or of a pair of parentheses in it."""

    query: bool  # tables follow its FROM
    tables: bool = False  # the current token is between a FROM and the end of its clause
    merge: bool = False  # a MERGE before its USING


def find_files(sql: str, lex: Callable[[str], Iterable[Token]] = tokens) -> tuple[FileTable, ...]:
    """Return the files that a statement uses as tables, in the order of the text.

    `lex` returns the tokens of Spark's lexer, for a caller that has them already.

    Raises:
        SqeError: a path or a function's arguments are not valid; with the position.

    Example:
        >>> [table.paths for table in find_files("SELECT * FROM 'a.csv' JOIN read_json('b') USING (id)")]
        [('a.csv',), ('b',)]
    """
    if not _MAY_NAME_FILES.search(sql):
        return ()
    found: list[FileTable] = []
    words = list(lex(sql))
    frames: list[_Frame] = []
    expected = False  # a table comes next
    index = 0
    while index < len(words):
        token = words[index]
        if not frames:
            verb = token.keyword
            frames.append(_Frame(verb in _QUERY_STATEMENTS or token.is_symbol("("), merge=verb == "MERGE"))
        if expected and token.kind is TokenKind.STRING:
            found.append(_path_literal(sql, token))
            expected = False
        elif expected and token.keyword.lower() in FUNCTIONS and _symbol_at(words, index + 1, "("):
            table, index = read_function(sql, words, index)
            found.append(table)
            expected = False
            continue
        elif token.is_symbol("("):
            frames.append(_frame_inside(words, index, expected))
            expected = frames[-1].tables
        elif token.is_symbol(")"):
            if len(frames) > 1:
                frames.pop()
            expected = False
        else:
            expected = _table_follows(words, index, frames[-1])
        index += 1
    return tuple(found)


def _frame_inside(words: Sequence[Token], index: int, table_expected: bool) -> _Frame:
    """Return the frame that the parenthesis at `index` opens."""
    first = words[index + 1].keyword if index + 1 < len(words) else ""
    called = words[index - 1].keyword if index else ""
    query = first in _QUERY_STARTS and called not in _FROM_IN_CALL
    return _Frame(query or table_expected, tables=table_expected and not query and first != "VALUES")


def _table_follows(words: Sequence[Token], index: int, frame: _Frame) -> bool:
    """Update the frame for a token other than a parenthesis; return whether a table comes next."""
    token = words[index]
    before = words[index - 1] if index else token
    keyword = "" if before.is_symbol(".") else token.keyword
    if token.is_symbol(",") or keyword == "JOIN":
        return frame.tables
    if token.is_symbol("|>"):
        frame.tables = index + 1 < len(words) and words[index + 1].keyword in JOINS
    elif keyword == "FROM" and before.keyword not in ("DISTINCT", "DELETE"):
        frame.tables = frame.query
        return frame.tables
    elif keyword == "MERGE" and words[0].keyword == "EXPLAIN":
        frame.merge = True
    elif keyword == "USING" and frame.merge:
        frame.merge = False
        return True
    elif keyword in _NO_TABLES_AFTER:
        frame.tables = False
        frame.query = frame.query or keyword == "SELECT"
    return False


def _symbol_at(words: Sequence[Token], index: int, symbol: str) -> bool:
    return index < len(words) and words[index].is_symbol(symbol)


def _path_literal(sql: str, token: Token) -> FileTable:
    path = string_value(token)
    try:
        check_path(path)
        known = format_of(path)
    except SqeError as error:
        raise placed(error, sql, token) from None
    return FileTable(token.start, token.end, known.name, (path,), MappingProxyType(dict(known.options)))
