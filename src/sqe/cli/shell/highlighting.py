"""Syntax highlighting of the input line."""

from __future__ import annotations

from collections.abc import Callable

from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.lexers import Lexer, PygmentsLexer
from prompt_toolkit.styles import Style
from pygments.lexers.sql import SqlLexer

from sqe.cli.execution.script import is_dot

STYLE = Style.from_dict(
    {
        "prompt": "ansigreen bold",
        "continuation": "ansigreen",
        "note": "ansibrightblack",
        "dot": "ansimagenta",
        "auto-suggestion": "ansibrightblack",
        "pygments.keyword": "ansiblue bold",
        "pygments.name.builtin": "ansicyan",
        "pygments.literal.string": "ansiyellow",
        "pygments.literal.number": "ansimagenta",
        "pygments.comment": "ansibrightblack",
        "pygments.operator": "",
    }
)


class ShellLexer(Lexer):
    """SQL, or a dot command in one colour."""

    def __init__(self) -> None:
        self._sql = PygmentsLexer(SqlLexer)

    def lex_document(self, document: Document) -> Callable[[int], StyleAndTextTuples]:
        if not is_dot(document.text):
            return self._sql.lex_document(document)
        lines = document.lines
        return lambda number: [("class:dot", lines[number])] if number < len(lines) else []
