"""Read the lock files with the jars that SQE accepts, each pinned to one content."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal, get_args

from sqe.errors import SetupError

Need = Literal["engine", "compiler", "client", "service", "test"]


@dataclass(frozen=True, slots=True)
class Jar:
    """One pinned jar. `why` is for people who wonder whether it can go."""

    group: str
    artifact: str
    version: str
    sha256: str
    size: int
    needed: Need
    why: str
    classifier: str = ""  # of a jar that stands beside the module's main one
    extension: str = "jar"  # of what is published in another form

    @property
    def file_name(self) -> str:
        return f"{'-'.join(filter(None, (self.artifact, self.version, self.classifier)))}.{self.extension}"

    @property
    def coordinates(self) -> str:
        return ":".join(filter(None, (self.group, self.artifact, self.version, self.classifier)))


def load(file: Path | None = None) -> tuple[Jar, ...]:
    """Read the package's own lock file, or `file`, in its order."""
    return parse((file or Path(__file__).with_name("jars.lock.toml")).read_text(encoding="utf-8"))


def parse(text: str) -> tuple[Jar, ...]:
    """Read lock file text; anything that is not as expected is refused."""
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SetupError(f"The lock file of the engine's jars is not TOML: {error}.") from error
    entries = content.pop("jar", [])
    if content or not isinstance(entries, list):
        raise SetupError(f"The lock file of the engine's jars holds more than jars: {', '.join(content)}.")
    jars = tuple(_jar(entry) for entry in entries)
    names = [jar.file_name for jar in jars]
    if len(set(names)) != len(names):
        raise SetupError("The lock file of the engine's jars names one file twice.")
    return jars


_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_NAME_PARTS = {"group", "artifact", "version", "classifier", "extension"}


def _jar(entry: Any) -> Jar:
    optional = {"classifier", "extension"}
    expected = {field.name for field in fields(Jar)} - optional
    if not isinstance(entry, dict) or set(entry) - optional != expected:
        raise SetupError(f"A jar in the lock file must have exactly {', '.join(sorted(expected))}: {entry}.")
    texts = {name: value for name, value in entry.items() if isinstance(value, str)}
    sound = (
        set(texts) == set(entry) - {"size"}
        # The parts of a name go into a path and into an Ivy file: what means something there is refused.
        and all(_WORD.fullmatch(texts[part]) for part in _NAME_PARTS & set(texts))
        and re.fullmatch(r"[0-9a-f]{64}", texts["sha256"])
        and type(entry["size"]) is int
        and entry["size"] > 0
        and texts["needed"] in get_args(Need)
    )
    if not sound:
        raise SetupError(f"A jar in the lock file is malformed: {entry}.")
    return Jar(**entry)
