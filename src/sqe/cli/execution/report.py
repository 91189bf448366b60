"""Format errors for users: code, message, the place in the statement, a hint.

error: SYNTAX_ERROR [42601]: Syntax error at or near 'FORM'.
LINE 1: SELECT 1 FORM t
                 ^
hint: Check the spelling of the keyword.
"""

from __future__ import annotations

from collections.abc import Callable

from sqe.cli.output.cells import width
from sqe.cli.output.escape import visible, visible_lines
from sqe.errors import Position, SqeError

LONGEST_LINE = 100

Paint = Callable[[str, str], str]


def plain(_style: str, text: str) -> str:
    return text


def report(
    error: SqeError,
    *,
    statement: str | None = None,
    first_line: int = 1,
    source: str | None = None,
    paint: Paint = plain,
) -> str:
    """Format an error.

    Args:
        error: The error.
        statement: The statement that was sent, to which the error's position refers.
        first_line: The line of the script on which the statement starts.
        source: The script's name, if it is a file.
        paint: Colours a part of the text by its style: "error", "caret", "hint".
    """
    label = f"{error.code} [{error.sqlstate}]"
    lines = [f"{paint('error', 'error:')} {label}: {visible_lines(error.message)}"]
    if statement is not None and error.position is not None:
        lines += _place(statement, error.position, first_line, source, paint)
    elif source is not None:
        lines.append(f"  at {visible(source)}:{first_line}")
    if error.hint:
        lines.append(f"{paint('hint', 'hint:')} {visible_lines(error.hint)}")
    return "\n".join(lines)


def _place(
    statement: str, position: Position, first_line: int, source: str | None, paint: Paint
) -> list[str]:
    lines = statement.split("\n")
    if not 1 <= position.line <= len(lines):
        return []
    line = lines[position.line - 1].replace("\t", " ").rstrip()
    column = min(max(position.column - 1, 0), len(line))
    start = max(0, min(column - LONGEST_LINE * 2 // 3, len(line) - LONGEST_LINE))
    before = ("…" if start else "") + visible(line[start:column])
    after = visible(line[column : start + LONGEST_LINE]) + ("…" if len(line) > start + LONGEST_LINE else "")
    number = first_line + position.line - 1
    prefix = f"{visible(source)}:{number}: " if source else f"LINE {number}: "
    return [prefix + before + after, " " * (width(prefix) + width(before)) + paint("caret", "^")]
