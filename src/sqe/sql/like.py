"""Match names that the gateway has itself against patterns of SQL's LIKE."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from sqe.errors import DataError

_ANYTHING, _ONE = "%", "_"


def like(pattern: str, escape: str | None = None) -> Callable[[str], bool]:
    r"""Return a predicate for names that match a pattern: `%` is anything, `_` one character, case matters.

    Raises:
        DataError: `escape` is not one character, or stands before something that needs none.

    Example:
        >>> matches = like(r"order\_%", escape="\\")
        >>> matches("order_lines"), matches("orderlines")
        (True, False)
    """
    between = [""]  # what stands between the `%`, as regular expressions
    for character, special in characters(pattern, escape):
        if special and character == _ANYTHING:
            between.append("")
        else:
            between[-1] += "." if special else re.escape(character)
    first, *rest = between
    # The first position at which a part matches is always good enough. An atomic group never tries another one, so that
    # many `%` do not take for ever.
    middle = "".join(f"(?>.*?{part})" for part in rest[:-1] if part)
    compiled = re.compile(first + middle + (f".*{rest[-1]}" if rest else ""), re.DOTALL)
    return lambda name: compiled.fullmatch(name) is not None


def only_match(pattern: str, escape: str | None = None) -> str | None:
    r"""Return the one name that is like a pattern, or None for a pattern that more than one can be like.

    Raises:
        DataError: as `like`.

    Example:
        >>> only_match(r"order\_lines", escape="\\")
        'order_lines'
    """
    found = list(characters(pattern, escape))
    if any(special for _, special in found):
        return None
    return "".join(character for character, _ in found)


def characters(pattern: str, escape: str | None) -> Iterator[tuple[str, bool]]:
    """Yield the characters of a pattern without its escapes, each with whether it is a wildcard. Raises DataError."""
    if escape is not None and len(escape) != 1:
        raise DataError("The escape of a LIKE pattern must be one character.")
    rest = iter(pattern)
    for character in rest:
        if character == escape:
            escaped = next(rest, None)
            if escaped not in (_ANYTHING, _ONE, escape):
                raise DataError(
                    f"In the LIKE pattern '{pattern}' the escape '{escape}' must be followed by '%', '_' or itself."
                )
            yield escaped, False
        else:
            yield character, character in (_ANYTHING, _ONE)
