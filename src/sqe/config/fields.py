"""The base class of sections, and the types of values that several sections use."""

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
class ValueDescription:
    """A description of the values of a type, for messages and the reference page."""

    text: str


class InconsistentValuesError(ValueError):
    """Values that contradict each other: keys, and the problem of each."""

    def __init__(self, reasons: dict[str, str]) -> None:
        super().__init__("; ".join(f"{key} {reason}" for key, reason in reasons.items()))
        self.reasons = reasons


class RedactedValueError(ValueError):
    """A value that messages must not show, since it holds a credential."""


class Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, validate_default=True)

    def written(self) -> Iterator[tuple[str, Any]]:
        """Yield the keys and values to write."""
        yield from self


def as_list(value: object) -> object:
    """Return a list of TOML as a tuple."""
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
        raise RedactedValueError("holds a user or a password, which an address must not have")
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
Url = Annotated[str, AfterValidator(_check_url), ValueDescription(URL_HELP)]
