"""The files of Cedar policies: which they are, whether they have changed, and what is in them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sqe.common.file_stamp import Stamp, stamp
from sqe.errors import ConfigError

State = tuple[tuple[str, Stamp], ...]
"""Of each file: its path, and what changes with its content."""


class CedarFiles:
    def __init__(self, policies: Path, entities: Path | None) -> None:
        """`policies` is a file, or a directory whose files `*.cedar` are read in the order of their names."""
        self._policies = policies
        self._entities = entities

    def state(self) -> State | None:
        """Changes when a file does; None: one has changed a moment ago, and may be changing. Raises ConfigError."""
        try:
            found = [(str(path), stamp(path.stat())) for path in self._paths()]
        except OSError as error:
            raise _unreadable(error) from None
        settled = tuple((path, each) for path, each in found if each is not None)
        return settled if len(settled) == len(found) else None

    def read(self) -> tuple[Mapping[Path, bytes], tuple[Path, bytes] | None]:
        """The policies, and the entities if there are any. Raises ConfigError."""
        try:
            policies = {path: path.read_bytes() for path in self._policy_paths()}
            entities = self._entities
            return policies, None if entities is None else (entities, entities.read_bytes())
        except OSError as error:
            raise _unreadable(error) from None

    def _paths(self) -> list[Path]:
        return [*self._policy_paths(), *([self._entities] if self._entities is not None else [])]

    def _policy_paths(self) -> list[Path]:
        if not self._policies.is_dir():
            return [self._policies]
        found = sorted(self._policies.glob("*.cedar"))
        if not found:
            raise ConfigError(
                f"policy.cedar_policies is {self._policies}, in which there is no file *.cedar."
            )
        return found


def _unreadable(error: OSError) -> ConfigError:
    return ConfigError(f"{error.filename} cannot be read: {error.strerror}.")
