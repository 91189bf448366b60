"""Resolve references to secrets: `env:NAME` is a variable of the environment, `file:PATH` the content of a file.

Every secret setting accepts them, so that a configuration file need not hold secrets.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path

_VARIABLE = "env:"
_FILE = "file:"
_LARGEST = 65_536


def is_reference(content: object) -> bool:
    """Return whether a value is a reference to a secret."""
    return isinstance(content, str) and content.startswith((_VARIABLE, _FILE))


def referred(content: str, environ: Mapping[str, str], base: Path) -> str:
    """Return the secret that a reference names.

    Args:
        content: a reference.
        environ: the environment.
        base: where relative paths begin.

    Raises:
        ValueError: there is none; the message continues after the setting's name.
    """
    kind, _, name = content.partition(":")
    found = _from_variable(name, environ) if f"{kind}:" == _VARIABLE else _from_file(base / name)
    if is_reference(found):
        raise ValueError(f"refers to {content}, which is a reference itself")
    return found


def _from_variable(name: str, environ: Mapping[str, str]) -> str:
    found = environ.get(name, "")
    if not found:
        raise ValueError(f"refers to the variable {name or '(no name)'} of the environment, which is not set")
    return found


def _from_file(path: Path) -> str:
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            content = file.read(_LARGEST + 1)
    except OSError as error:
        raise ValueError(f"refers to {path}, which cannot be read: {error.strerror}") from None
    if mode & stat.S_IROTH:
        raise ValueError(f"refers to {path}, which every user of this machine can read; run chmod 600 on it")
    try:
        found = content.decode("utf-8").removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError:
        raise ValueError(f"refers to {path}, which is not UTF-8 text") from None
    if not found or len(content) > _LARGEST:
        raise ValueError(f"refers to {path}, which is {'too large' if found else 'empty'}")
    return found
