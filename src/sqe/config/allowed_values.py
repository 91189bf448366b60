"""Describe the values that a setting takes, for messages and the reference page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin

from pydantic.fields import FieldInfo

from sqe.config.fields import ValueDescription
from sqe.config.sources import leaf_types
from sqe.units import DURATION_HELP, SIZE_HELP, Duration, Secret, Size

_DESCRIPTIONS: dict[type, str] = {
    Secret: "a secret text, or a reference to it: `env:NAME` or `file:PATH`",
    dict: "a table of texts",
    Size: SIZE_HELP,
    Duration: DURATION_HELP,
    Path: "a path",
    tuple: "a list of texts",
    bool: "true or false",
    int: "a whole number",
    str: "text",
}


def allowed(field: FieldInfo) -> str:
    """Describe the values that a field takes."""
    [kind] = leaf_types(field.annotation) - {NoneType}
    if kind is Literal:
        return "one of " + ", ".join(_choices(field.annotation))
    if kind is tuple and (choices := _choices(get_args(field.annotation)[0])):
        return "a list of " + ", ".join(choices)
    words = next(_described(field), _DESCRIPTIONS[kind])
    low, high = (
        next((getattr(bound, name) for bound in field.metadata if hasattr(bound, name)), None)
        for name in ("ge", "le")
    )
    if low is not None and high is not None:
        return f"{words}, from {low} to {high}"
    return words + (
        f", at least {low}" if low is not None else f", at most {high}" if high is not None else ""
    )


def _choices(annotation: Any) -> tuple[str, ...]:
    """Return the allowed texts; empty: any."""
    return tuple(map(str, get_args(annotation))) if get_origin(annotation) is Literal else ()


def _described(field: FieldInfo) -> Iterator[str]:
    """Yield the description that comes with the type, also for `Url | None`."""
    alternatives = [item for item in get_args(field.annotation) if get_origin(item) is Annotated]
    for mark in (*field.metadata, *(mark for item in alternatives for mark in get_args(item)[1:])):
        if isinstance(mark, ValueDescription):
            yield mark.text
