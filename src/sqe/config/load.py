"""Load the configuration: read its sources, merge and check them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from sqe.config.allowed_values import allowed
from sqe.config.fields import InconsistentValuesError, RedactedValueError
from sqe.config.rendering import is_secret_name, toml_value
from sqe.config.schema import Config, known_keys
from sqe.config.sources import Kind, Origin, Place, Problem, Value, find, gather, is_secret, leaf_types
from sqe.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Resolved:
    """A configuration, the file that was read for it, and the origin of each value by its dotted key."""

    config: Config
    file: Path | None
    origins: Mapping[str, Origin]


def load(file: Path | None, environ: Mapping[str, str], flags: Mapping[str, Any] | None = None) -> Config:
    """Read, merge and check the configuration.

    `file` None means `$SQE_CONFIG`, else `sqe.toml` in SQE's home if there is one. The current directory is
    not looked at: a file there could decide where the engine's code comes from. `flags` are by dotted key;
    None counts as not given.

    Raises:
        ConfigError: naming the place, the key and what is allowed.
    """
    return resolve(file, environ, flags).config


def resolve(
    file: Path | None, environ: Mapping[str, str], flags: Mapping[str, Any] | None = None
) -> Resolved:
    """Do what `load` does, and return the origin of each value, too."""
    resolved, problems = examine(file, environ, flags)
    refuse(problems)
    assert resolved is not None
    return resolved


def refuse(problems: list[Problem]) -> None:
    """Raise one ConfigError with all problems, if there are any."""
    if len(problems) == 1:
        raise ConfigError(problems[0].message, hint=problems[0].hint)
    if problems:
        raise ConfigError(
            "\n".join([f"The configuration has {len(problems)} problems:", *map(str, problems)])
        )


def examine(
    file: Path | None, environ: Mapping[str, str], flags: Mapping[str, Any] | None = None
) -> tuple[Resolved | None, list[Problem]]:
    """Do what `resolve` does, but return problems instead of raising them."""
    known = known_keys()
    found, values, problems = gather(known, file, environ, flags or {})
    try:
        config = Config.model_validate(_merged(values))
    except ValidationError as error:
        return None, [*problems, *_value_problems(error, values)]
    if problems:
        return None, problems
    default = Origin(Kind.DEFAULT)
    origins = {f"{section}.{key}": default for section, content in config for key, _ in _keys(content)}
    origins.update({".".join(place): value.origin for place, value in values.items()})
    return Resolved(config, found, origins), []


def _keys(content: Any) -> Iterator[tuple[str, Any]]:
    """Yield the dotted keys of a section, or of all sections with a name of the user's choice."""
    if isinstance(content, dict):
        for name, section in content.items():
            yield from ((f"{name}.{key}", value) for key, value in section)
    else:
        yield from content


def _merged(values: Mapping[Place, Value]) -> dict[str, Any]:
    """Build the nested tables. A plain value where a table belongs stays, for the schema to refuse."""
    merged: dict[str, Any] = {}
    for place, value in values.items():
        node: Any = merged
        for part in place[:-1]:
            node = node.setdefault(part, {}) if isinstance(node, dict) else node
        if isinstance(node, dict):
            if value.content == {}:  # a table without entries must not hide those from elsewhere
                node.setdefault(place[-1], {})
            else:
                node[place[-1]] = value.content
    return merged


def _value_problems(error: ValidationError, values: Mapping[Place, Value]) -> Iterator[Problem]:
    for item in error.errors(include_url=False):
        path = tuple(str(part) for part in item["loc"])
        custom = item.get("ctx", {}).get("error") if item["type"] == "value_error" else None
        if isinstance(custom, InconsistentValuesError):
            for key, reason in custom.reasons.items():
                yield _problem((*path, key), ValueError(reason), values)
        else:
            yield _problem(path, custom, values)


def _problem(path: Place, reason: ValueError | None, values: Mapping[Place, Value]) -> Problem:
    """Describe one problem. `reason` None: the field does not take the value."""
    place, field = find(known_keys(), path)
    if field is not None and tuple in leaf_types(field.annotation):
        path = place  # a source has the list as a whole
    value = _nearest(path, values)
    entry = path[len(place) :]
    hidden = isinstance(reason, RedactedValueError) or (
        field is not None and (is_secret(field) or any(is_secret_name(name) for name in entry))
    )
    written = path in values and not hidden and values[path].content not in (None, {})
    shown = f" = {toml_value(values[path].content, redact=False)}" if written else ""
    hint = f"Allowed is {allowed(field)}." if field is not None and reason is None else None
    return Problem(f"{value.origin.place}: {'.'.join(path)}{shown} {reason or 'is not allowed'}.", hint)


def _nearest(path: Place, values: Mapping[Place, Value]) -> Value:
    """Return the value that a source has for a path, or the nearest one to it."""
    for length in range(len(path), 0, -1):
        for place, value in values.items():
            if place[:length] == path[:length] and value.origin.kind is not Kind.DEFAULT:
                return value
    return Value(None, Origin(Kind.DEFAULT))
