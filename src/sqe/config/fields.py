"""What sections are made of: their base class, and the types of values that several of them use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict

URL_HELP = "an address such as https://host/path"


@dataclass(frozen=True, slots=True)
class InWords:
    """How messages and the reference page call the values of a type, where Python's type does not tell."""

    text: str


class MisfitError(ValueError):
    """Values that are good by themselves and do not go together: keys, and what is wrong with each."""

    def __init__(self, reasons: dict[str, str]) -> None:
        super().__init__("; ".join(f"{key} {reason}" for key, reason in reasons.items()))
        self.reasons = reasons


class UnshownError(ValueError):
    """A value that must not be repeated, since it holds a credential where none belongs."""


class Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, validate_default=True)

    def written(self) -> Iterator[tuple[str, Any]]:
        """What is written of it, by key."""
        yield from self


def as_list(value: object) -> object:
    """TOML's lists as what does not change."""
    return tuple(value) if isinstance(value, list) else value


def _expand_home(value: object) -> object:
    return Path(value).expanduser() if isinstance(value, str | Path) else value


def _scalar_as_text(value: object) -> object:
    # Spark's settings are text; `spark.ui.enabled = false` in TOML means the text "false".
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int | float) else value


def _check_url(url: str) -> str:
    if "@" in re.split(r"[/?#]", url.partition("//")[2])[0]:
        raise UnshownError("holds a user or a password, which do not belong into an address")
    try:
        parts = urlsplit(url)
        sound = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        sound = False
    if not sound or any(character.isspace() for character in url):
        raise ValueError(f"is not {URL_HELP}")
    if "#" in url:
        raise ValueError("has a part behind '#', which no server ever sees")
    return url


AbsolutePath = Annotated[Path, BeforeValidator(_expand_home)]
SettingText = Annotated[str, BeforeValidator(_scalar_as_text)]
Texts = Annotated[tuple[str, ...], BeforeValidator(as_list)]
Url = Annotated[str, AfterValidator(_check_url), InWords(URL_HELP)]
