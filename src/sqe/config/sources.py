"""Collect settings from flags, the environment and a TOML file, without checking their values."""

from __future__ import annotations

import difflib
import os
import re
import stat
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Protocol, TypeVar, Union, get_args, get_origin

from sqe.config.secret_references import is_reference, referred
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

ANY_NAME = "NAME"  # in a Key, where the user chooses the name of a table

Key = tuple[str, ...]  # of a table and in it: ("engine", "memory") or ("catalogs", ANY_NAME, "uri")
Place = tuple[str, ...]  # as a Key, with the name that was chosen, and for an entry of a table its name


class Field(Protocol):
    """A field of the schema, as far as it is needed here: its type."""

    @property
    def annotation(self) -> Any: ...


Field_ = TypeVar("Field_", bound=Field)


class Kind(Enum):
    FLAG = "flag"
    ENV = "env"
    FILE = "file"
    DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Origin:
    """The source of a value: `name` is the variable or the file."""

    kind: Kind
    name: str | None = None

    @property
    def place(self) -> str:
        """The origin as messages name it."""
        return self.name or ("the command line" if self.kind is Kind.FLAG else self.kind.value)

    def __str__(self) -> str:
        return f"{self.kind.value} {self.name}" if self.name else self.kind.value


@dataclass(frozen=True, slots=True)
class Value:
    content: Any
    origin: Origin


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem, and its remedy."""

    message: str
    hint: str | None = None

    def __str__(self) -> str:
        return f"{self.message} {self.hint}" if self.hint else self.message


def gather(
    known: Mapping[Key, Field], file: Path | None, environ: Mapping[str, str], flags: Mapping[str, Any]
) -> tuple[Path | None, dict[Place, Value], list[Problem]]:
    """Collect the values of known keys; the strongest source wins, entry by entry for tables.

    Returns the file that was read, the values, and the problems.
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
    for place, value in values.items():
        if is_secret_at(known, place) and is_reference(value.content):
            values[place] = _revealed(place, value, environ, problems)
    return found, values, problems


def is_secret_at(known: Mapping[Key, Field], place: Place) -> bool:
    """Return whether the value at a place is secret."""
    begin, field = find(known, place)
    return field is not None and begin == place and is_secret(field)


def _revealed(place: Place, value: Value, environ: Mapping[str, str], problems: list[Problem]) -> Value:
    of_file = value.origin.kind is Kind.FILE and value.origin.name
    base = Path(value.origin.name).absolute().parent if of_file and value.origin.name else Path.cwd()
    try:
        return Value(referred(value.content, environ, base), value.origin)
    except ValueError as error:
        problems.append(Problem(f"{value.origin.place}: {'.'.join(place)} {error}."))
        return Value(None, value.origin)


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
    for table, entries in _tables(known, file, document, problems):
        if len(table) > 1:
            yield table, Value({}, origin)  # it is there even when it is empty
        for key, content in entries.items():
            place = (*table, key)
            _, field = find(known, place)
            if field is None:
                problems.append(_unknown(f"{file}: unknown key", ".".join(place), _spelled(known, table)))
                continue
            if is_secret(field) and not is_reference(content) and mode & stat.S_IROTH:
                message = f"{file}: holds {'.'.join(place)}, and every user of this machine can read it."
                problems.append(
                    Problem(message, "Run chmod 600 on it, or write env:NAME or file:PATH there.")
                )
                continue
            value = _with_paths(field, content, environ, file.absolute().parent)
            yield from _entries(place, field, value, origin)


def _tables(
    known: Mapping[Key, Field], file: Path, document: Mapping[str, Any], problems: list[Problem]
) -> Iterator[tuple[Place, Mapping[str, Any]]]:
    """Yield the tables of a file that are sections, by their paths."""
    sections, named = {key[0] for key in known}, _named(known)
    for section, content in document.items():
        if section not in sections:
            problems.append(_unknown(f"{file}: unknown section", section, sections))
            continue
        inside: dict[Place, Any] = {(section,): content}
        if section in named and isinstance(content, dict):
            inside = {(section, name): entries for name, entries in content.items()}
        for table, entries in inside.items():
            if isinstance(entries, dict):
                yield table, entries
                continue
            written = f"[{'.'.join(table)}]" if table[0] not in named else f"[{table[0]}.{ANY_NAME}]"
            problems.append(
                Problem(f"{file}: '{'.'.join(table)}' is a section.", f"Write {written} and its keys below.")
            )


def _from_environ(
    known: Mapping[Key, Field], environ: Mapping[str, str], problems: list[Problem]
) -> Iterator[tuple[Place, Value]]:
    variables = {variable(key): key for key in known}
    # Other variables begin with the prefix, too; only a missing underscore is reported.
    slips = {spelled.replace("__", "_", 1) for spelled in variables}
    named = tuple(f"{PREFIX}{section}".upper() for section in _named(known))
    for name, text in sorted(environ.items()):
        if not name.startswith(PREFIX):
            continue
        place = _chosen(known, name) or variables.get(name)
        if place is not None:
            _, field = find(known, place)
            assert field is not None
            try:
                content = _parse_text(field, text, environ)
            except ValueError as error:
                problems.append(Problem(f"{name}: {error}."))
                continue
            yield from _entries(place, field, content, Origin(Kind.ENV, name))
        elif "__" in name or name in slips or name.startswith(named):
            _, _, chosen = name.rpartition("__")[0].partition("__")
            meant = (spelled.replace(f"__{ANY_NAME}__", f"__{chosen or ANY_NAME}__") for spelled in variables)
            problems.append(_unknown("unknown variable", name, meant))


def _chosen(known: Mapping[Key, Field], wanted: str) -> Place | None:
    """Return the place of a variable with a name of the user's choice, such as SQE_CATALOGS__LAKE__URI."""
    for key in known:
        if ANY_NAME in key:
            before, _, after = variable(key).partition(ANY_NAME)
            name = wanted.removeprefix(before).removesuffix(after)
            if wanted == f"{before}{name}{after}" and re.fullmatch(r"[A-Z_][A-Z0-9_]*", name):
                return tuple(name.lower() if part == ANY_NAME else part for part in key)
    return None


def _from_flags(
    known: Mapping[Key, Field], environ: Mapping[str, str], flags: Mapping[str, Any], problems: list[Problem]
) -> Iterator[tuple[Place, Value]]:
    origin = Origin(Kind.FLAG)
    for dotted, content in flags.items():
        place, field = find(known, tuple(dotted.split(".")))
        entry = dotted.removeprefix(".".join(place)).removeprefix(".")
        if field is None or (entry and not _is(field, dict)):
            problems.append(_unknown("unknown setting", dotted, map(".".join, known)))
        elif content is None:
            continue
        elif entry:
            yield (*place, entry), Value(content, origin)
        else:
            try:
                parsed = _parse_text(field, content, environ) if isinstance(content, str) else content
            except ValueError as error:
                problems.append(Problem(f"{dotted}: {error}."))
                continue
            yield from _entries(place, field, parsed, origin)


def find(known: Mapping[Key, Field_], path: Place) -> tuple[Place, Field_ | None]:
    """Find the key at which a path begins: that part of the path, and its field if there is one."""
    named = len(path) > 1 and path[0] in _named(known)
    place = path[: 3 if named else 2]
    return place, known.get((place[0], ANY_NAME, *place[2:]) if named else place)


def _named(known: Mapping[Key, Field]) -> set[str]:
    """Return the sections whose tables have names of the user's choice."""
    return {key[0] for key in known if ANY_NAME in key}


def variable(key: Key) -> str:
    """Name the variable that sets a key."""
    return PREFIX + "__".join(key).upper()


def _spelled(known: Mapping[Key, Field], table: Place) -> Iterator[str]:
    """Return all keys as they are written in this table."""
    for key in known:
        mine = len(table) > 1 and key[0] == table[0]
        yield ".".join((*table, key[-1]) if mine else key)


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
    return content


def _entries(key: Place, field: Field, content: Any, origin: Origin) -> Iterator[tuple[Place, Value]]:
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


def is_secret(field: Field) -> bool:
    return _is(field, Secret)


def _is(field: Field, kind: Any) -> bool:
    return kind in leaf_types(field.annotation)


def _unknown(what: str, name: str, candidates: Iterable[str]) -> Problem:
    by_folded = {candidate.casefold(): candidate for candidate in candidates}
    near = difflib.get_close_matches(name.casefold(), by_folded, n=1, cutoff=0.5)
    return Problem(f"{what} '{name}'.", f"Did you mean '{by_folded[near[0]]}'?" if near else None)
