"""Reading the names of types, as far as an adapter has to."""

from __future__ import annotations

import re


def compact(type_: str) -> str:
    """`decimal(10, 2)` and `INTERVAL ..` of Trino's protocol are `decimal(10,2)` and `interval ..` elsewhere."""
    lower = re.sub(r"INTERVAL [A-Z ]+", lambda found: found[0].lower(), type_)
    return re.sub(r"decimal\((\d+), (\d+)\)", r"decimal(\1,\2)", lower)


def parts(type_: str) -> tuple[str, list[str]]:
    """`map(varchar, array(double))` is `map` of `varchar` and `array(double)`; a simple type has no parts."""
    name, opened, rest = type_.partition("(")
    if not opened or name not in ("array", "map", "row"):
        return type_, []
    found, depth = [""], 0
    for character in rest.removesuffix(")"):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            found.append("")
        else:
            found[-1] += character
    return name, [part.strip() for part in found]


def field(part: str) -> tuple[str, str]:
    """`a integer` of a row is its name and its type."""
    name, _, type_ = part.partition(" ")
    return name, type_
