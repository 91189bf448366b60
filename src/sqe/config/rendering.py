"""Write a configuration as TOML, and as plain values without secrets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from sqe.config.fields import Section
from sqe.config.sources import Origin
from sqe.units import REDACTED, Duration, Secret, Size

_SECRET_NAME = re.compile(r"(?i)secret|password|token|access[._-]?key|credential")


def is_secret_name(name: str) -> bool:
    """Return whether an entry of a table may be a credential, such as an S3 key, by its name."""
    return _SECRET_NAME.search(name) is not None


def plain_section(section: Section) -> dict[str, object]:
    """Return plain values by key: sizes are text, secrets a mark."""
    return {key: _plain(value) for key, value in section.written()}


def toml_section(
    path: tuple[str, ...], section: Section, *, redact: bool, origins: Mapping[str, Origin] | None
) -> Iterator[str]:
    """Write a section line by line; with `origins`, each says where its value came from."""
    yield f"[{'.'.join(path)}]"
    tables: list[str] = []
    for key, value in section.written():
        dotted = ".".join((*path, key))
        if isinstance(value, dict):
            entries = [
                f"{_quoted(name)} = {toml_value(text, redact=redact)}" + _comment(origins, f"{dotted}.{name}")
                for name, text in _hide_named_secrets(value).items()
            ]
            tables += ["", f"[{dotted}]", *entries] if entries else []
        elif value is None:
            yield f"# {key} is not set"
        else:
            yield f"{key} = {toml_value(value, redact=redact)}" + _comment(origins, dotted)
    yield from tables
    yield ""


def toml_value(value: object, *, redact: bool) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple | list):
        return "[" + ", ".join(toml_value(item, redact=redact) for item in value) + "]"
    if isinstance(value, dict):
        entries = (f"{_quoted(name)} = {toml_value(item, redact=redact)}" for name, item in value.items())
        return "{" + ", ".join(entries) + "}"
    if isinstance(value, Secret):
        return _quoted(REDACTED if redact else value.reveal())
    if isinstance(value, int | float) and not isinstance(value, Size | Duration):
        return str(value)
    return _quoted(str(value))


def _hide_named_secrets(table: Mapping[str, str]) -> dict[str, str | Secret]:
    return {name: Secret(value) if value and is_secret_name(name) else value for name, value in table.items()}


def _plain(value: object) -> object:
    if isinstance(value, dict):
        return {name: str(text) for name, text in _hide_named_secrets(value).items()}
    if isinstance(value, tuple):
        return list(value)
    return str(value) if isinstance(value, Size | Duration | Secret | Path) else value


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + re.sub(r"[\x00-\x1f\x7f]", lambda found: f"\\u{ord(found[0]):04x}", escaped) + '"'


def _comment(origins: Mapping[str, Origin] | None, key: str) -> str:
    return f"  # {origins[key]}" if origins else ""
