"""Dispatch each statement to its translator."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from string import hexdigits

from sqe.errors import UnsupportedError
from sqe.sql.lexer import Token, TokenKind, position_at
from sqe.sql.trino.lexer import number_text, statement_tokens, syntax_error, trino_string, unicode_problem
from sqe.sql.trino.scope import Scope
from sqe.sql.trino.statement_editor import StatementEditor
from sqe.sql.trino.statements import (
    alter,
    analyze,
    comment,
    create_schema,
    create_table,
    create_view,
    drop,
    explain,
    insert,
    show,
)
from sqe.sql.trino.translate import Translation

_QUERIES = frozenset({"SELECT", "WITH", "VALUES", "TABLE"})
_ROW_CHANGES = frozenset({"UPDATE", "DELETE", "MERGE"})
# Statements of Spark and Iceberg, and those that Trino has too: only quotes change.
_UNCHANGED = frozenset({"CALL", "REFRESH", "CACHE", "UNCACHE"})
_UNSUPPORTED: Mapping[str, str | None] = {
    "GRANT": None,
    "REVOKE": None,
    "DENY": None,
    "SET": "SET SESSION dialect = 'spark' switches the session to Spark's SQL.",
    "RESET": None,
}
_SHOWN = frozenset({"SHOW", "DESCRIBE", "DESC"})
_REFUSED = (
    ("REFRESH", "MATERIALIZED", "VIEW"),
    ("ALTER", "MATERIALIZED", "VIEW"),
    ("SHOW", "CREATE", "MATERIALIZED", "VIEW"),
    ("SHOW", "CREATE", "FUNCTION"),
)
_EXPECTED = (
    "'ALTER', 'CALL', 'CREATE', 'DELETE', 'DROP', 'EXPLAIN', 'INSERT', 'MERGE', 'SELECT', 'SHOW', 'UPDATE', "
    "'VALUES', 'WITH'"
)

_INSTEAD = {
    "MATERIALIZED": "Use CREATE VIEW, or CREATE TABLE AS.",
}
_BIGINT = 2**63 - 1
_LONG = len(str(_BIGINT))

Translator = Callable[[StatementEditor], None]


def rewrite(text: str, tokens: list[Token], scope: Scope) -> Translation:
    """Translate one statement. Raises SqeError."""
    _check_literals(text, tokens)
    _refuse_materialized(text, tokens)
    if tokens[0].keyword in _SHOWN:
        written = show.rewritten(StatementEditor(text, tokens, scope))
        if written is not None:
            inner = rewrite(written, statement_tokens(written), scope)
            named = tokens[1].keyword == "TABLES"
            virtual = tuple(replace(reference, named_schema=named) for reference in inner.virtual)
            return Translation(inner.text, virtual, None, False)
    editor = StatementEditor(text, tokens, scope)
    read(editor)
    splice = editor.finish()
    virtual = tuple(editor.context.virtual)
    changed = splice.text if splice is not None else text
    outline = editor.context.outline
    return Translation(changed, virtual, splice, allowed=tuple(editor.allowed), outline=outline)


def _refuse_materialized(text: str, tokens: list[Token]) -> None:
    """Refuse statements about materialized views, and SHOW CREATE FUNCTION. Raises UnsupportedError."""
    words = [token.keyword for token in tokens[:4]]
    for refused in _REFUSED:
        if tuple(words[: len(refused)]) == refused:
            message = f"{' '.join(refused)} is not supported."
            raise UnsupportedError(message, position=position_at(text, tokens[0].start))


def _check_literals(text: str, tokens: list[Token]) -> None:
    """Refuse literals that Spark would read, and Trino does not. Raises SqlSyntaxError."""
    for place, token in enumerate(tokens):
        if token.kind is TokenKind.STRING and token.text[0] != "'":
            problem = _literal_problem(tokens, place)
            if problem is not None:
                raise syntax_error(text, token.start, problem)
            continue
        if len(token.text) < _LONG and token.text[0] != "0":
            continue
        number = number_text(token)
        if number is not None and number.isdecimal() and len(number) >= _LONG:
            largest = _BIGINT + (place > 0 and tokens[place - 1].is_symbol("-"))
            if int(number) > largest:
                raise syntax_error(text, token.start, f"Invalid numeric literal: {token.text}")


def _literal_problem(tokens: list[Token], place: int) -> str | None:
    """Return what is wrong with an `X'..'` or `U&'..'`, in Trino's words."""
    token = tokens[place]
    if token.text[0] in "xX":
        digits = "".join(token.text[2:-1].split())
        if len(digits) % 2:
            return "Binary literal must contain an even number of digits"
        if not all(digit in hexdigits for digit in digits):
            return "Binary literal can only contain hexadecimal digits"
        return None
    after = tokens[place + 1 : place + 3]
    escaped = len(after) == 2 and after[0].keyword == "UESCAPE" and after[1].kind is TokenKind.STRING
    escape = trino_string(after[1]) if escaped else "\\"
    return unicode_problem(token.text[3:-1].replace("''", "'"), escape)


def read(editor: StatementEditor) -> None:
    """Make the edits for the statement at the reader's position."""
    start = editor.reader.index
    first = editor.tokens[start]
    word = first.keyword
    if word in _QUERIES or first.is_symbol("("):
        editor.query(start, names_columns=start == 0)
    elif word in _ROW_CHANGES:
        editor.query(start)
    elif word in _TRANSLATORS:
        _TRANSLATORS[word](editor)
    elif word == "CREATE":
        _create(editor)
    elif word in _UNSUPPORTED:
        raise UnsupportedError(
            f"{word} is not supported.",
            hint=_UNSUPPORTED[word],
            position=position_at(editor.text, first.start),
        )
    elif word in _SHOWN:
        _show(editor)
    elif word not in _UNCHANGED:
        raise syntax_error(
            editor.text, first.start, f"mismatched input '{first.text}'. Expecting: {_EXPECTED}"
        )


def _show(editor: StatementEditor) -> None:
    """Translate SHOW CREATE of tables and views; Spark's own forms of SHOW stay unchanged."""
    words = [token.keyword for token in editor.tokens[:2]]
    if words != ["SHOW", "CREATE"]:
        return
    if editor.tokens[2].keyword == "VIEW":
        editor.replace(2, 3, "TABLE")
    editor.reader.index = 3
    editor.name()


def _create(editor: StatementEditor) -> None:
    words = [token.keyword for token in editor.tokens[editor.reader.index + 1 : editor.reader.index + 5]]
    while words and words[0] in ("OR", "REPLACE"):
        words.pop(0)
    made = words[0] if words else ""
    if made == "TABLE":
        create_table.rewrite(editor)
    elif made == "VIEW":
        create_view.rewrite(editor)
    elif made == "SCHEMA":
        create_schema.rewrite(editor)
    elif made in ("MATERIALIZED", "ROLE", "CATALOG", "FUNCTION"):
        raise UnsupportedError(
            f"CREATE {made}{' VIEW' if made == 'MATERIALIZED' else ''} is not supported.",
            hint=_INSTEAD.get(made),
            position=position_at(editor.text, editor.tokens[editor.reader.index].start),
        )
    elif made not in ("NAMESPACE", "DATABASE"):
        editor.reader.take()
        editor.reader.mismatch("'OR', 'SCHEMA', 'TABLE', 'VIEW'")


def _explain(editor: StatementEditor) -> None:
    explain.rewrite(editor)
    read(editor)


_TRANSLATORS: Mapping[str, Translator] = {
    "ALTER": alter.rewrite,
    "ANALYZE": analyze.rewrite,
    "COMMENT": comment.rewrite,
    "DROP": drop.rewrite,
    "EXPLAIN": _explain,
    "INSERT": insert.rewrite,
    "TRUNCATE": drop.rewrite,
}
