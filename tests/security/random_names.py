"""Random spellings of a name that a catalog, a file system or a reader could take for the same name."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

_SEPARATORS = (".", "..", "/", "\\", "\u001f", "\u0000", "./", "/../", "\u2024", "\uff0e", "\u2215")
_INVISIBLE = (
    "\u200b",
    "\u200d",
    "\u2060",
    "\ufeff",
    "\u00ad",
    "\u202e",
    "\u2066",
    "\u3164",
    "\u034f",
    "\ufe0f",
    "\t",
)
_ALIKE = {
    "e": "\u0435",
    "s": "\uff53",
    "i": "\u0456",
    "n": "\u0578",
    "d": "\u0501",
    "c": "\u0441",
    "p": "\u0440",
}


def quoted(parts: Sequence[str]) -> str:
    """The name as Spark reads it, each part in backticks."""
    return ".".join("`" + part.replace("`", "``") + "`" for part in parts)


@st.composite
def spellings(draw: st.DrawFn, catalog: str, parts: Sequence[str]) -> tuple[str, ...]:
    """Parts of a name that are not those of `parts`, each by one or two changes."""
    name = list(parts)
    for change in draw(st.lists(st.sampled_from(_CHANGES), min_size=1, max_size=2)):
        name = change(draw, name)
    return (catalog, *(name if tuple(name) != tuple(parts) else _joined(draw, name)))


def _joined(draw: st.DrawFn, name: list[str]) -> list[str]:
    """Two parts as one, with what somebody may join them by."""
    if len(name) == 1:
        return [name[0] + draw(st.sampled_from(_SEPARATORS))]
    at = draw(st.integers(0, len(name) - 2))
    return [*name[:at], name[at] + draw(st.sampled_from(_SEPARATORS)) + name[at + 1], *name[at + 2 :]]


def _traversing(draw: st.DrawFn, name: list[str]) -> list[str]:
    at = draw(st.integers(0, len(name) - 1))
    way = draw(st.sampled_from(["x/../{}", "./{}", "../{}", "{}/.", "{}/", "/{}", "..", "."]))
    return [*name[:at], way.format(name[at]), *name[at + 1 :]]


def _invisible(draw: st.DrawFn, name: list[str]) -> list[str]:
    at = draw(st.integers(0, len(name) - 1))
    place = draw(st.integers(0, len(name[at])))
    added = draw(st.sampled_from((*_INVISIBLE, " ", "\u00a0")))
    return [*name[:at], name[at][:place] + added + name[at][place:], *name[at + 1 :]]


def _alike(draw: st.DrawFn, name: list[str]) -> list[str]:
    at = draw(st.integers(0, len(name) - 1))
    letters = [place for place, letter in enumerate(name[at]) if letter in _ALIKE]
    if not letters:
        return [*name[:at], name[at].swapcase(), *name[at + 1 :]]
    place = draw(st.sampled_from(letters))
    return [*name[:at], name[at][:place] + _ALIKE[name[at][place]] + name[at][place + 1 :], *name[at + 1 :]]


def _other_case(draw: st.DrawFn, name: list[str]) -> list[str]:
    at = draw(st.integers(0, len(name) - 1))
    return [*name[:at], name[at].upper(), *name[at + 1 :]]


def _empty(draw: st.DrawFn, name: list[str]) -> list[str]:
    at = draw(st.integers(0, len(name)))
    return [*name[:at], "", *name[at:]]


_CHANGES = (_joined, _traversing, _invisible, _alike, _other_case, _empty)
