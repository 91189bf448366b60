r"""Split scripts into statements, at each `;` outside of quotes and comments.

The shell imports this: only the standard library, and nothing is lexed twice however the text arrives.

A statement's text goes from its first token to its last: comments before and after it are dropped with the
white space, comments inside it stay. So a statement never ends in a `--` comment that would swallow what is
put behind it. What has no token at all is dropped. A quote or a bracketed comment that is never closed is
kept as part of the last statement, for Spark to refuse, and not taken for an end of the script.

Blocks of SQL scripting (`BEGIN .. END` with `;` inside) are not known here: they would be split at each `;`,
and the engine has scripting switched off.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from sqe.sql.lexer import COMMENT_EDGE, SCHEME_LETTERS, WHITE_SPACE


@dataclass(frozen=True, slots=True)
class ScriptStatement:
    """One statement of a script."""

    text: str  # without the `;`
    offset: int  # of its first character in the script
    line: int  # of its first character, from 1


class _Mode(Enum):
    CODE = "code"
    WORD = "word"  # a long word, or the path of a `scheme://path`, that the last chunk cut in two
    PATH = "path"
    SINGLE = "'"
    DOUBLE = '"'
    RAW_SINGLE = "r'"
    RAW_DOUBLE = 'r"'
    NAME = "`"
    LINE_COMMENT = "--"
    COMMENT = "/*"


_SCHEME = rf"[^\W\d_]{{1,{SCHEME_LETTERS}}}+://(?=[\w/\-.?=&#%])"
_CODE = re.compile(rf"(?:[^\w'\"`;/*\-]++|\*/?+|(?!{_SCHEME})(?![rR]['\"])\w++|-(?!-)|/(?!\*(?!\+)))++")
_SCHEME_START = re.compile(_SCHEME)
# What the next chunk may turn into the start of a comment, a raw string or a `scheme://path`.
_OPEN_END = re.compile(rf"(?:(?<!\w)\w{{1,{SCHEME_LETTERS}}}(?::/{{0,2}})?|[-*]|(?<!\*)/)\Z")
_BODY = {
    _Mode.WORD: re.compile(r"\w*+"),
    _Mode.PATH: re.compile(r"[\w/\-.?=&#%]*+"),
    _Mode.SINGLE: re.compile(r"[^'\\]*+(?:\\.[^'\\]*+)*+", re.DOTALL),
    _Mode.DOUBLE: re.compile(r'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL),
    _Mode.RAW_SINGLE: re.compile(r"[^']*+"),
    _Mode.RAW_DOUBLE: re.compile(r'[^"]*+'),
    _Mode.NAME: re.compile(r"[^`]*+"),
    _Mode.LINE_COMMENT: re.compile(r"(?:\\\n|[^\r\n\\]++|\\(?!\n|\Z))*+"),
}
_QUOTES = {"'": _Mode.SINGLE, '"': _Mode.DOUBLE, "`": _Mode.NAME}


class Splitter:
    """Takes a script chunk by chunk and gives each statement as soon as its `;` is there."""

    def __init__(self) -> None:
        self._mode = _Mode.CODE
        self._depth = 0  # of bracketed comments
        self._tail = ""  # the end of the last chunk, when it must be read together with the next
        self._offset = 0  # of the next character to read
        self._line = 1
        self._ended = False  # the last thing that was no white space or comment is a `;`
        self._start = 0, 1  # offset and line of the parts
        self._parts: list[str] = []
        self._length = 0  # of the parts
        self._end = 0  # of the last token in the parts

    @property
    def ended(self) -> bool:
        """Whether all that was fed ends in a `;`, with only white space and comments behind it."""
        return self._ended and not self._tail and self._mode in (_Mode.CODE, _Mode.LINE_COMMENT)

    def feed(self, chunk: str) -> Iterator[ScriptStatement]:
        """Yield the statements that `chunk` ends. Iterate to the end before the next call."""
        return self._scan(self._tail + chunk, final=False)

    def finish(self) -> Iterator[ScriptStatement]:
        """Yield what is left at the end of the script."""
        yield from self._scan(self._tail, final=True)
        if self._mode is _Mode.COMMENT:
            self._end = self._length  # not closed: Spark must see it
        if self._end:
            yield self._take()

    def _scan(self, text: str, final: bool) -> Iterator[ScriptStatement]:
        self._tail = ""
        position, size = 0, len(text)
        while position < size:
            if self._mode is _Mode.CODE:
                if text[position] == ";":
                    if self._end:
                        yield self._take()
                    self._forget()
                    self._ended = True
                    self._advance(";")
                    position += 1
                    continue
                stop = self._code(text, position, final)
            elif self._mode is _Mode.COMMENT:
                stop = self._comment(text, position, final)
            else:
                stop = self._body(text, position, final)
            position = stop
            if self._tail:
                return

    def _code(self, text: str, position: int, final: bool) -> int:
        """Read code up to what opens something else, or that opening."""
        match = _CODE.match(text, position)
        if match is not None:
            stop = match.end()
            if stop == len(text) and not final:
                open_end = _OPEN_END.search(text, max(position, stop - SCHEME_LETTERS - 4))
                if open_end is not None:
                    stop = open_end.start()
                    self._tail = text[stop:]
                elif text[-1].isalnum() or text[-1] == "_":
                    self._mode = _Mode.WORD
            self._token(text[position:stop])
            return stop
        opening = text[position]
        if opening in "-/":
            if opening == "/" and position + 2 == len(text) and not final:
                self._tail = text[position:]
                return len(text)
            self._mode = _Mode.LINE_COMMENT if opening == "-" else _Mode.COMMENT
            self._depth = 1
            self._space(text[position : position + 2], tentative=opening == "/")
            return position + 2
        scheme = _SCHEME_START.match(text, position)
        if scheme is not None:
            self._mode, stop = _Mode.PATH, scheme.end()
        elif opening in "rR":
            self._mode, stop = _Mode("r" + text[position + 1]), position + 2
        else:
            self._mode, stop = _QUOTES[opening], position + 1
        self._token(text[position:stop])
        return stop

    def _body(self, text: str, position: int, final: bool) -> int:
        """Read what a quote, a line comment or a word holds, with the closing quote."""
        match = _BODY[self._mode].match(text, position)
        stop = match.end() if match else position
        take = self._space if self._mode is _Mode.LINE_COMMENT else self._token
        if stop == len(text):
            take(text[position:stop])
            return stop
        if text[stop] == "\\" and self._mode in (_Mode.SINGLE, _Mode.DOUBLE, _Mode.LINE_COMMENT):
            if final:
                stop += 1
            else:
                self._tail = text[stop:]
            take(text[position:stop])
            return stop if final else len(text)
        if self._mode not in (_Mode.WORD, _Mode.PATH, _Mode.LINE_COMMENT):
            stop += 1
        take(text[position:stop])
        self._mode = _Mode.CODE
        return stop

    def _comment(self, text: str, position: int, final: bool) -> int:
        """Read a bracketed comment up to its end."""
        read = position
        for edge in COMMENT_EDGE.finditer(text, position):
            if edge.group() == "/*" and edge.end() == len(text) and not final:
                break  # a `+` may follow, and a hint does not nest
            read = edge.end()
            self._depth += 1 if edge.group() == "/*" else -1
            if self._depth == 0:
                self._mode = _Mode.CODE
                self._space(text[position : edge.end()], tentative=True)
                if not self._end:
                    self._forget()
                return edge.end()
        stop = len(text)
        if not final:
            while stop > read and len(text) - stop < 2 and text[stop - 1] in "/*":
                stop -= 1
            self._tail = text[stop:]
        self._space(text[position:stop], tentative=True)
        return len(text)

    def _token(self, piece: str) -> None:
        """Take a piece of code, which may have white space around it."""
        if not self._end:
            bare = piece.lstrip(WHITE_SPACE)
            self._forget()
            self._advance(piece[: len(piece) - len(bare)])
            if not bare:
                return
            piece = bare
            self._start = self._offset, self._line
        self._ended = False
        self._parts.append(piece)
        significant = len(piece.rstrip(WHITE_SPACE) if self._mode is _Mode.CODE else piece)
        if significant:
            self._end = self._length + significant
        self._length += len(piece)
        self._advance(piece)

    def _space(self, piece: str, tentative: bool = False) -> None:
        """Take a piece of a comment; before a statement only a bracketed one is kept, until it closes."""
        if self._end or tentative:
            if not self._parts:
                self._start = self._offset, self._line
            self._parts.append(piece)
            self._length += len(piece)
        self._advance(piece)

    def _advance(self, piece: str) -> None:
        self._offset += len(piece)
        self._line += piece.count("\n")

    def _take(self) -> ScriptStatement:
        statement = ScriptStatement("".join(self._parts)[: self._end], *self._start)
        self._forget()
        return statement

    def _forget(self) -> None:
        self._parts, self._length, self._end = [], 0, 0


def split(text: str) -> Iterator[ScriptStatement]:
    """Yield the statements of a script; the last may lack its `;`.

    Example:
        >>> [statement.text for statement in split("SELECT ';'; -- done;")]
        ["SELECT ';'"]
    """
    splitter = Splitter()
    yield from splitter.feed(text)
    yield from splitter.finish()


def complete(text: str) -> bool:
    """Whether `text` ends in a `;` outside of quotes and comments, so that nothing more need be typed."""
    splitter = Splitter()
    for part in (splitter.feed(text), splitter.finish()):
        for _ in part:
            pass
    return splitter.ended
