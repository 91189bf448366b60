"""Merge a translated query into the client's text.

sqlglot writes a statement anew: its comments, its layout and the position of every token are lost. So this module
compares what sqlglot wrote with what the client wrote, token by token, and takes over only the tokens that differ. The
result has the tokens of the new text, so that Spark reads both alike; and its positions can be mapped back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from sqe.errors import UnsupportedError
from sqe.sql.lexer import Token, TokenKind, string_value, tokens
from sqe.sql.quote import quote_identifier, quote_literal
from sqe.sql.splice import Edit, splice
from sqe.sql.trino.lexer import trino_string, unquote_name

# Above this product of lengths, what is between the first and the last difference is taken over as a whole.
_MAX_COMPARED = 1_000_000
_COMMENT = re.compile(r"--[^\r\n]*|/\*(?:[^*]|\*(?!/))*\*/")
_OPEN, _CLOSED, _TIGHT, _OPERATORS = "([.", ")]", "),].;", "-<>=!|+*/:%&^~?"
_Key = tuple[str, str]


def merged(text: str, source: Sequence[Token], generated: str, parameter: str) -> list[Edit]:
    """Return the edits that make Spark's SQL of a part of the client's text.

    Args:
        text: the whole of the client's text.
        source: the tokens of the part, with their places in `text`.
        generated: the part as sqlglot wrote it.
        parameter: how a `?` is written in it; its number follows.

    Raises:
        UnsupportedError: the parameters would not be in the order in which the client gives their values.
    """
    target = list(tokens(generated))
    generated, target = _with_parameters(generated, target, parameter)
    old = [_source_key(token) for token in source]
    new = [_target_key(token) for token in target]
    edits: list[Edit] = []
    for tag, old_start, old_end, new_start, new_end in _differences(old, new):
        if tag == "equal":
            edits += _kept(source[old_start:old_end], target[new_start:new_end])
            continue
        snippet = generated[target[new_start].start : target[new_end - 1].end] if new_end > new_start else ""
        start, end = _range(source, old_start, old_end, before_next=snippet.endswith("("))
        edits.append(Edit(start, end, _spaced(text, start, end, snippet)))
    start, end = source[0].start, source[-1].end
    return edits if _reads_as(text, start, end, source, edits, new) else [Edit(start, end, generated)]


def _reads_as(
    text: str, start: int, end: int, source: Sequence[Token], edits: list[Edit], wanted: Sequence[_Key]
) -> bool:
    """Whether Spark reads the edited text as it reads what sqlglot wrote: that is all that counts."""
    part = [edit for edit in comment_edits(text, source) if start <= edit.start < end]
    taken = [(edit.start, edit.end) for edit in edits]
    part = [edit for edit in part if not any(low < edit.end and edit.start < high for low, high in taken)]
    moved = [Edit(edit.start - start, edit.end - start, edit.text) for edit in (*edits, *part)]
    return [_target_key(token) for token in tokens(splice(text[start:end], moved).text)] == list(wanted)


def _with_parameters(generated: str, target: list[Token], parameter: str) -> tuple[str, list[Token]]:
    """Put `?` in the place of numbered parameters, which must be in order."""
    found = [token for token in target if token.text.startswith(parameter)]
    if not found:
        return generated, target
    numbers = [int(token.text.removeprefix(parameter)) for token in found]
    if numbers != list(range(len(numbers))):
        raise UnsupportedError(
            "The parameters of this statement cannot be kept in their order.",
            hint="Write LIMIT before OFFSET, or use a constant in one of these places.",
        )
    parts: list[str] = []
    read = 0
    for token in found:
        parts += [generated[read : token.start], "?"]
        read = token.end
    generated = "".join([*parts, generated[read:]])
    return generated, list(tokens(generated))


def _differences(old: Sequence[_Key], new: Sequence[_Key]) -> Iterator[tuple[str, int, int, int, int]]:
    """Yield what is equal and what is not, in order."""
    front = 0
    shorter = min(len(old), len(new))
    while front < shorter and old[front] == new[front]:
        front += 1
    back = 0
    while back < shorter - front and old[-1 - back] == new[-1 - back]:
        back += 1
    yield "equal", 0, front, 0, front
    old_middle, new_middle = old[front : len(old) - back], new[front : len(new) - back]
    if old_middle or new_middle:
        if len(old_middle) * len(new_middle) > _MAX_COMPARED:
            yield "replace", front, len(old) - back, front, len(new) - back
        else:
            matcher = SequenceMatcher(None, old_middle, new_middle, autojunk=False)
            for tag, a, b, c, d in matcher.get_opcodes():
                yield tag, a + front, b + front, c + front, d + front
    yield "equal", len(old) - back, len(old), len(new) - back, len(new)


def _kept(source: Sequence[Token], target: Sequence[Token]) -> Iterator[Edit]:
    """Yield the edits for tokens that are the same, but may be quoted in another way."""
    for old, new in zip(source, target, strict=True):
        if old.kind in (TokenKind.QUOTED_NAME, TokenKind.STRING):
            yield from spelled(old)
        elif old.text[0].isdigit() and "_" in old.text:
            yield Edit(old.start, old.end, new.text)


def spelled(token: Token) -> Iterator[Edit]:
    """Yield what a quoted name or a string of Trino's is in Spark's SQL, if that differs."""
    text = token.text
    if token.kind is TokenKind.QUOTED_NAME and text[0] == '"':
        yield Edit(token.start, token.end, quote_identifier(unquote_name(token)))
    elif token.kind is TokenKind.STRING and text[0] not in "xX" and ("\\" in text or text[0] != "'"):
        yield Edit(token.start, token.end, quote_literal(trino_string(token)))


def comment_edits(text: str, source: Sequence[Token]) -> Iterator[Edit]:
    """Yield edits for the comments that Spark would end elsewhere, or take for a hint."""
    read = 0
    for start, end in [*((token.start, token.end) for token in source), (len(text), len(text))]:
        if start - read > 1:
            for match in _COMMENT.finditer(text, read, start):
                comment = match.group()
                inside = comment[2:-2] if comment.startswith("/*") else comment
                if "/*" in inside or inside.startswith("+") or comment.endswith("\\"):
                    yield Edit(match.start(), match.end(), " " + "\n" * comment.count("\n"))
        read = end


def _range(source: Sequence[Token], start: int, end: int, *, before_next: bool) -> tuple[int, int]:
    """Return the offsets of the tokens from `start` to `end`; an empty range is at one of its neighbours."""
    if end > start:
        return source[start].start, source[end - 1].end
    if start == 0 or (before_next and start < len(source)):
        return source[start].start, source[start].start
    return source[start - 1].end, source[start - 1].end


def _spaced(text: str, start: int, end: int, snippet: str) -> str:
    """Keep what is put in apart from what stands before and behind it."""
    before, behind = text[start - 1 : start], text[end : end + 1]
    if not snippet:
        return " " if _joins(before, behind) else ""
    return f"{' ' * _joins(before, snippet[0])}{snippet}{' ' * _joins(snippet[-1], behind)}"


def _joins(left: str, right: str) -> bool:
    """Whether two characters side by side could be read as one token, or are hard to read."""
    if not left or not right or left.isspace() or right.isspace():
        return False
    if left in _CLOSED and right not in _OPEN:
        return right not in _TIGHT
    return (left not in _OPEN and right not in _OPEN + _TIGHT) or (left in _OPERATORS and right in _OPERATORS)


def _source_key(token: Token) -> _Key:
    if token.kind is TokenKind.QUOTED_NAME:
        return "name", unquote_name(token)
    if token.kind is TokenKind.STRING:
        text = token.text
        return ("bytes", text[2:-1].upper()) if text[0] in "xX" else ("string", trino_string(token))
    return _plain_key(token.text)


def _target_key(token: Token) -> _Key:
    if token.kind is TokenKind.QUOTED_NAME:
        return "name", unquote_name(token)
    if token.kind is TokenKind.STRING:
        return "string", string_value(token)
    return _plain_key(token.text)


def _plain_key(text: str) -> _Key:
    if text == "!=":
        return "word", "<>"
    upper = text.upper()
    return "word", upper.replace("_", "") if upper[0].isdigit() else upper
