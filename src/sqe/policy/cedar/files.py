"""Find and read the files of Cedar policies, and detect changes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sqe.common.file_stamp import Stamp, stamp
from sqe.errors import ConfigError

State = tuple[tuple[str, Stamp], ...]
"""The path and the stamp of each file."""


class CedarFiles:
    def __init__(self, policies: Path, entities: Path | None) -> None:
        """Use `policies`, a file or a directory whose files `*.cedar` are read in the order of their names."""
        self._policies = policies
        self._entities = entities

    def state(self) -> State | None:
        """Return a value that differs after a change; None: a file has just changed. Raises ConfigError."""
        try:
            found = [(str(path), stamp(path.stat())) for path in self._paths()]
        except OSError as error:
            raise _unreadable(error) from None
        settled = tuple((path, each) for path, each in found if each is not None)
        return settled if len(settled) == len(found) else None

    def read(self) -> tuple[Mapping[Path, bytes], tuple[Path, bytes] | None]:
        """Read the policies, and the entities if configured. Raises ConfigError."""
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
                f"policy.cedar_policies is {self._policies}, a directory without a file *.cedar."
            )
        return found


def _unreadable(error: OSError) -> ConfigError:
    return ConfigError(f"{error.filename} cannot be read: {error.strerror}.")
