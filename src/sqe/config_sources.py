"""Where settings come from: flags, the environment and a TOML file, merged and not yet checked."""

from __future__ import annotations

import difflib
import os
import stat
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Protocol, Union, get_args, get_origin

from sqe.units import Secret

PREFIX = "SQE_"
FILE_VARIABLE = "SQE_CONFIG"
FILE_NAME = "sqe.toml"
DEFAULT_HOME = "~/.sqe"

# Values that a variable holds as TOML writes them.
_WRITTEN_AS_TOML: dict[type, str] = {
    dict: 'a TOML inline table such as {"spark.ui.enabled" = "true"}',
    tuple: 'a TOML list such as ["a", "b"]',
}

Key = tuple[str, str]
Place = tuple[str, ...]  # a Key, and for an entry of a table its name


class Field(Protocol):
    """What is needed of a field of the schema: its type."""

    @property
    def annotation(self) -> Any: ...


class Kind(Enum):
    FLAG = "flag"
    ENV = "env"
    FILE = "file"
    DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Origin:
    """Who set a value: `name` is the variable or the file."""

    kind: Kind
    name: str | None = None

    @property
    def place(self) -> str:
        """How a message calls it."""
        return self.name or ("the command line" if self.kind is Kind.FLAG else self.kind.value)

    def __str__(self) -> str:
        return f"{self.kind.value} {self.name}" if self.name else self.kind.value


@dataclass(frozen=True, slots=True)
class Value:
    content: Any
    origin: Origin


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong, and what to do about it."""

    message: str
    hint: str | None = None

    def __str__(self) -> str:
        return f"{self.message} {self.hint}" if self.hint else self.message


def gather(
    known: Mapping[Key, Field], file: Path | None, environ: Mapping[str, str], flags: Mapping[str, Any]
) -> tuple[Path | None, dict[Place, Value], list[Problem]]:
    """Collect what each source says about the known keys; the strongest wins, entry by entry for tables.

    Returns the file that was read, the values, and what was wrong on the way.
    """
    problems: list[Problem] = []
    values: dict[Place, Value] = {}
    found = file or _default_file(environ, flags)
    for source in (
        _defaults(environ),
        _from_file(known, found, environ, problems) if found else (),
        _from_environ(known, environ, problems),
        _from_flags(known, environ, flags, problems),
    ):
        values.update(source)
    return found, values, problems


def expand(text: str, environ: Mapping[str, str], base: Path) -> Path:
    """Make a path absolute: `~` is the home of `environ`, and anything relative starts at `base`."""
    home = environ.get("HOME")
    if home and (text == "~" or text.startswith("~/")):
        text = home + text[1:]
    return base / Path(text).expanduser()


def _default_file(environ: Mapping[str, str], flags: Mapping[str, Any]) -> Path | None:
    if named := environ.get(FILE_VARIABLE):
        return expand(named, environ, Path.cwd())
    home = flags.get("paths.home") or environ.get("SQE_PATHS__HOME") or DEFAULT_HOME
    file = expand(str(home), environ, Path.cwd()) / FILE_NAME
    return file if file.exists() else None


def _defaults(environ: Mapping[str, str]) -> Iterator[tuple[Place, Value]]:
    # The one default that depends on the environment.
    yield ("paths", "home"), Value(expand(DEFAULT_HOME, environ, Path.cwd()), Origin(Kind.DEFAULT))


def _from_file(
    known: Mapping[Key, Field], file: Path, environ: Mapping[str, str], problems: list[Problem]
) -> Iterator[tuple[Place, Value]]:
    origin = Origin(Kind.FILE, str(file))
    try:
        with file.open("rb") as stream:
            mode = os.fstat(stream.fileno()).st_mode
            document = tomllib.load(stream)
    except OSError as error:
        problems.append(Problem(f"{file}: cannot be read: {error.strerror}."))
        return
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        problems.append(Problem(f"{file}: is not valid TOML: {error}."))
        return
    for section, table in document.items():
        if section not in {name for name, _ in known}:
            problems.append(_unknown(f"{file}: unknown section", section, {name for name, _ in known}))
        elif not isinstance(table, dict):
            problems.append(
                Problem(f"{file}: '{section}' is a section.", f"Write [{section}] and its keys below.")
            )
        else:
            for key, content in table.items():
                field = known.get((section, key))
                if field is None:
                    problems.append(
                        _unknown(f"{file}: unknown key", f"{section}.{key}", map(".".join, known))
                    )
                    continue
                if _is(field, Secret) and mode & stat.S_IROTH:
                    message = f"{file}: holds {section}.{key}, and every user of this machine can read it."
                    problems.append(
                        Problem(message, "Run chmod 600 on it, or set the key in the environment.")
                    )
                    continue
                value = _with_paths(field, content, environ, file.absolute().parent)
                yield from _entries((section, key), field, value, origin)


def _from_environ(
    known: Mapping[Key, Field], environ: Mapping[str, str], problems: list[Problem]
) -> Iterator[tuple[Place, Value]]:
    variables = {f"{PREFIX}{section}__{key}".upper(): (section, key) for section, key in known}
    # Not settings of ours by their form, except that somebody wrote one underscore too few.
    slips = {variable.replace("__", "_", 1) for variable in variables}
    for name, text in environ.items():
        if name in variables:
            field = known[variables[name]]
            try:
                content = _parse_text(field, text, environ)
            except ValueError as error:
                problems.append(Problem(f"{name}: {error}."))
                continue
            yield from _entries(variables[name], field, content, Origin(Kind.ENV, name))
        elif name.startswith(PREFIX) and ("__" in name or name in slips):
            problems.append(_unknown("unknown variable", name, variables))


def _from_flags(
    known: Mapping[Key, Field], environ: Mapping[str, str], flags: Mapping[str, Any], problems: list[Problem]
) -> Iterator[tuple[Place, Value]]:
    origin = Origin(Kind.FLAG)
    for dotted, content in flags.items():
        section, _, key = dotted.partition(".")
        key, _, entry = key.partition(".")
        field = known.get((section, key))
        if field is None or (entry and not _is(field, dict)):
            problems.append(_unknown("unknown setting", dotted, map(".".join, known)))
        elif content is None:
            continue
        elif entry:
            yield (section, key, entry), Value(content, origin)
        else:
            try:
                parsed = _parse_text(field, content, environ) if isinstance(content, str) else content
            except ValueError as error:
                problems.append(Problem(f"{dotted}: {error}."))
                continue
            yield from _entries((section, key), field, parsed, origin)


def _parse_text(field: Field, text: str, environ: Mapping[str, str]) -> Any:
    """Turn text into what TOML would have given; what does not fit is left for the schema to refuse."""
    if text == "" and _is(field, NoneType):
        return None
    if _is(field, Path):
        return expand(text, environ, Path.cwd())
    if _is(field, bool):
        return {"true": True, "false": False}.get(text.lower(), text)
    if _is(field, int):
        return int(text) if text.lstrip("-").isdecimal() else text
    for kind, example in _WRITTEN_AS_TOML.items():
        if _is(field, kind):
            try:
                content = tomllib.loads(f"value = {text}")["value"]
            except tomllib.TOMLDecodeError:
                # The text is not repeated: a table of Spark settings may hold credentials.
                raise ValueError(f"is not {example}") from None
            return _with_paths(field, content, environ, Path.cwd())
    return text


def _with_paths(field: Field, content: Any, environ: Mapping[str, str], base: Path) -> Any:
    """Make the paths in a value absolute; what is not text is left for the schema to refuse."""
    if _is(field, Path) and isinstance(content, str):
        return expand(content, environ, base)
    if Path in value_types(field.annotation) and isinstance(content, dict):
        return {
            name: expand(entry, environ, base) if isinstance(entry, str) else entry
            for name, entry in content.items()
        }
    return content


def _entries(key: Key, field: Field, content: Any, origin: Origin) -> Iterator[tuple[Place, Value]]:
    if _is(field, dict) and isinstance(content, dict):
        for name, entry in _flatten(content):
            yield (*key, name), Value(entry, origin)
    else:
        yield key, Value(content, origin)


def _flatten(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    # In TOML, spark.sql.x = "1" without quotes is three tables deep; to the user it is one Spark setting.
    for name, content in table.items():
        if isinstance(content, dict):
            yield from _flatten(content, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", content


def leaf_types(annotation: Any) -> frozenset[Any]:
    """Return the plain types that an annotation is made of: {Path, NoneType} for `Path | None`."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return leaf_types(get_args(annotation)[0])
    if origin in (Union, UnionType):
        return frozenset().union(*map(leaf_types, get_args(annotation)))
    return frozenset({origin or annotation})


def value_types(annotation: Any) -> frozenset[Any]:
    """Return the plain types of a table's values; empty when it is none."""
    return leaf_types(get_args(annotation)[1]) if get_origin(annotation) is dict else frozenset()


def _is(field: Field, kind: Any) -> bool:
    return kind in leaf_types(field.annotation)


def _unknown(what: str, name: str, candidates: Iterable[str]) -> Problem:
    by_folded = {candidate.casefold(): candidate for candidate in candidates}
    near = difflib.get_close_matches(name.casefold(), by_folded, n=1, cutoff=0.5)
    return Problem(f"{what} '{name}'.", f"Did you mean '{by_folded[near[0]]}'?" if near else None)
