"""Read YAML and TOML documents, such as rules and test cases, strictly: no duplicate keys and no unknown ones."""

from __future__ import annotations

import tomllib
from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from sqe.errors import ConfigError

_LARGEST = 16 * 1024 * 1024
_SHOWN = 5  # problems


class StrictModel(BaseModel):
    """A model of a document or a part of one, without unknown keys and without conversion of types."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


Model = TypeVar("Model", bound=StrictModel)


def as_tuple(value: object) -> object:
    """Convert a list to a tuple, and a single string to a tuple of one."""
    if isinstance(value, str):
        return (value,)
    return tuple(value) if isinstance(value, list) else value


class _Loader(yaml.SafeLoader):
    """YAML's safe loader, which refuses duplicate keys instead of taking the last one."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[Hashable] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if not isinstance(key, str):
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {key!r} is not text; put it in quotes", key_node.start_mark
                )
            if key in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key '{key}' occurs twice", key_node.start_mark
                )
            seen.add(key)
        return super().construct_mapping(node, deep)


def read(path: Path, model: type[Model], what: str) -> Model:
    """Read and validate a file.

    Args:
        path: the file; `.yaml`, `.yml` or `.toml`.
        model: validates the content.
        what: the kind of file in errors, such as "rules file".

    Raises:
        ConfigError: the file is unreadable or not valid.
    """
    try:
        with path.open("rb") as file:
            content = file.read(_LARGEST + 1)
    except OSError as error:
        raise ConfigError(f"The {what} {path} cannot be read: {error.strerror}.") from error
    return parse(path, content, model, what)


def parse(path: Path, content: bytes, model: type[Model], what: str) -> Model:
    """Parse and validate the content of a file. Raises ConfigError."""
    if len(content) > _LARGEST:
        raise ConfigError(f"The {what} {path} is larger than {_LARGEST} bytes.")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        raise ConfigError(f"The {what} {path} is not UTF-8 text.") from None
    try:
        return model.model_validate(_parsed(path, text, what))
    except ValidationError as error:
        problems = [_described(problem) for problem in error.errors(include_url=False, include_context=False)]
        more = [f"and {len(problems) - _SHOWN} more"] if len(problems) > _SHOWN else []
        raise ConfigError(
            f"The {what} {path} is not valid: {'; '.join([*problems[:_SHOWN], *more])}."
        ) from None


def _parsed(path: Path, text: str, what: str) -> Mapping[str, Any]:
    try:
        match path.suffix.lower():
            case ".toml":
                return tomllib.loads(text)
            case ".yaml" | ".yml":
                found = yaml.load(text, _Loader)  # noqa: S506  # a SafeLoader, made stricter
            case _:
                raise ConfigError(
                    f"The {what} {path} is neither YAML nor TOML.",
                    hint="Let its name end in .yaml, .yml or .toml.",
                )
    except (tomllib.TOMLDecodeError, yaml.YAMLError, RecursionError) as error:
        raise ConfigError(f"The {what} {path} cannot be read: {' '.join(str(error).split())}.") from None
    if not isinstance(found, dict):
        raise ConfigError(f"The {what} {path} is not valid: its top level has to be a mapping.")
    return found


def _described(problem: Any) -> str:
    place = "".join(f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in problem["loc"])
    message = str(problem["msg"]).removeprefix("Value error, ")
    return f"{place.removeprefix('.')}: {message}" if place else message
