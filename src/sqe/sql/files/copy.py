"""Read `COPY (query) TO 'file' (options)` and `COPY table TO 'file' (options)`, as DuckDB has them."""

from __future__ import annotations

from dataclasses import dataclass

from sqe.errors import SqlSyntaxError, UnsupportedError, UsageError
from sqe.model.session import Dialect
from sqe.model.statement import StatementKind
from sqe.sql.classify import classify
from sqe.sql.files.formats import check_path
from sqe.sql.lexer import Token, TokenKind, position_at, string_value, tokens
from sqe.sql.token_reader import TokenReader

FORMATS = ("parquet", "csv", "json")

_EXTENSIONS = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".csv": "csv",
    ".json": "json",
    ".jsonl": "json",
    ".ndjson": "json",
}
_CODECS = ("zstd", "snappy", "gzip", "none")
_FLAGS = {"TRUE": True, "FALSE": False, "1": True, "0": False}


@dataclass(frozen=True, slots=True)
class Copy:
    """A query whose result goes to a file."""

    query: str  # Spark's SQL; of the same length up to its end as the statement, unless a table is copied
    placed: bool  # whether a position in the query is one in the statement
    path: str  # as it was written
    format: str  # one of FORMATS
    header: bool = True  # of csv
    compression: str = "zstd"  # of parquet
    overwrite: bool = False


def begins_copy(sql: str) -> bool:
    """Whether a statement is COPY, which Spark does not have."""
    first = next(iter(tokens(sql)), None)
    return first is not None and first.keyword == "COPY"


def read_copy(sql: str) -> Copy:
    """Read one statement in Spark's dialect.

    Raises:
        SqlSyntaxError: it does not go on like COPY .. TO; with its position.
        UsageError: an option or its value is not one of COPY's.
        UnsupportedError: an option or an extension is DuckDB's, and not supported.

    Example:
        >>> read_copy("COPY (SELECT 1) TO 'a.csv' (HEADER false)")  # doctest: +ELLIPSIS
        Copy(query='      SELECT 1', placed=True, path='a.csv', format='csv', header=False, ...)
    """
    words = list(tokens(sql))
    if words and words[-1].is_symbol(";"):
        words.pop()
    reader = TokenReader(sql, words)
    reader.expect("COPY")
    query, placed = _query(reader)
    if reader.peek() == "FROM":
        raise UnsupportedError(
            "COPY .. FROM is not supported.",
            hint="Write INSERT INTO table SELECT * FROM 'file'.",
            position=position_at(sql, reader.offset),
        )
    reader.expect("TO")
    if not reader.at_kind(TokenKind.STRING):
        reader.mismatch("'file'")
    path = string_value(reader.take())
    check_path(path)
    reader.accept("WITH")
    given = _options(reader) if reader.at_symbol("(") else {}
    reader.end()
    return _copy(query, placed, path, given)


def _query(reader: TokenReader) -> tuple[str, bool]:
    sql = reader.text
    if reader.at_symbol("("):
        start = reader.tokens[reader.index].end
        inner = reader.bracketed()
        if not inner or classify(inner, Dialect.SPARK)[0] is not StatementKind.QUERY:
            raise SqlSyntaxError("COPY takes a query in parentheses.", position=position_at(sql, start))
        # Blanks for what is before it: a position in the query is one in the statement.
        blank = "".join(character if character == "\n" else " " for character in sql[:start])
        return blank + sql[start : inner[-1].end], True
    start = reader.offset
    reader.name()
    while reader.accept_symbol("."):
        reader.name()
    name = sql[start : reader.tokens[reader.index - 1].end]
    columns = "*"
    if reader.at_symbol("("):
        inner = reader.bracketed()
        if not inner:
            raise SqlSyntaxError("COPY takes at least one column.", position=position_at(sql, start))
        columns = sql[inner[0].start : inner[-1].end]
    return f"SELECT {columns} FROM {name}", False  # noqa: S608 - the user's own text, in the user's own session


def _options(reader: TokenReader) -> dict[str, Token | None]:
    """Return the options by their names, each with the token of its value; None for a name alone."""
    reader.expect_symbol("(")
    given: dict[str, Token | None] = {}
    while True:
        at = reader.offset
        name = reader.name().upper()
        reader.accept_symbol("=")
        value = None if reader.at_symbol(",") or reader.at_symbol(")") else reader.take()
        if name in given:
            raise UsageError(f"The option {name} occurs twice.", position=position_at(reader.text, at))
        given[name] = value
        if not reader.accept_symbol(","):
            reader.expect_symbol(")")
            return given


def _copy(query: str, placed: bool, path: str, given: dict[str, Token | None]) -> Copy:
    format_ = _choice(given, "FORMAT", FORMATS) if "FORMAT" in given else _format_of(path)
    flags = {name: _flag(given, name) for name in ("HEADER", "OVERWRITE") if name in given}
    codec = _choice(given, "COMPRESSION", _CODECS) if "COMPRESSION" in given else None
    for name in given:
        if name not in ("FORMAT", "HEADER", "OVERWRITE", "COMPRESSION"):
            raise UnsupportedError(
                f"COPY has no option {name}.",
                hint=f"It has FORMAT ({', '.join(FORMATS)}), HEADER (of csv), COMPRESSION (of parquet) and OVERWRITE.",
            )
    if "HEADER" in flags and format_ != "csv":
        raise UsageError(f"HEADER is an option of csv, not of {format_}.")
    if codec is not None and format_ != "parquet" and codec != "none":
        raise UnsupportedError(
            f"COPY does not compress {format_}.", hint="Compress the file, or write parquet."
        )
    return Copy(
        query,
        placed,
        path,
        format_,
        flags.get("HEADER", True),
        codec or "zstd",
        flags.get("OVERWRITE", False),
    )


def _format_of(path: str) -> str:
    name = path.rpartition("/")[2].lower()
    for extension, format_ in _EXTENSIONS.items():
        if name.endswith(extension) and name != extension:
            return format_
    raise UnsupportedError(
        f"The name of '{path}' does not tell a format that COPY writes.",
        hint=f"Use one of {', '.join(_EXTENSIONS)}, or write (FORMAT {'|'.join(FORMATS)}).",
    )


def _choice(given: dict[str, Token | None], name: str, choices: tuple[str, ...]) -> str:
    value = _text(given[name]).lower()
    if value not in choices:
        raise UsageError(f"{name} takes {', '.join(choices)}.")
    return value


def _flag(given: dict[str, Token | None], name: str) -> bool:
    token = given[name]
    if token is None:
        return True
    value = _FLAGS.get(_text(token).upper())
    if value is None:
        raise UsageError(f"{name} takes true or false.")
    return value


def _text(token: Token | None) -> str:
    if token is None:
        return ""
    return string_value(token) if token.kind is TokenKind.STRING else token.text
