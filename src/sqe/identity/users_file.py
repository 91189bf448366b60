"""Users from a file: `name:hash[:group,group]`, one on each line, as `sqe users add` writes it.

The file must belong to us and be readable by nobody else. It is read again when it changes; when the new content is
broken, the old one stays in force and the log says why.
"""

from __future__ import annotations

import logging
import os
import stat
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from sqe.errors import AuthenticationError, ConfigError
from sqe.identity.attempts import Attempts
from sqe.identity.credentials import Presented, is_user_name
from sqe.identity.passwords import PasswordHash, hash_password, parse_hash
from sqe.identity.verified import Verified
from sqe.model.identity import Principal

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class User:
    name: str
    hash: PasswordHash
    groups: frozenset[str] = frozenset()

    def line(self) -> str:
        groups = f":{','.join(sorted(self.groups))}" if self.groups else ""
        return f"{self.name}:{self.hash}{groups}"


Stamp = tuple[int, int, int]  # changes when the file does


def read_users(path: Path) -> tuple[Mapping[str, User], Stamp]:
    """Read and check the file. Raises ConfigError naming the line, and never repeating what is in it."""
    try:
        with path.open("rb") as file:
            found = os.fstat(file.fileno())
            content = file.read().decode()
    except OSError as error:
        raise ConfigError(
            f"The users file {path} cannot be read: {error.strerror}.", hint="`sqe users add` makes it."
        ) from error
    except UnicodeDecodeError:
        raise ConfigError(f"The users file {path} is not UTF-8 text.") from None
    if not stat.S_ISREG(found.st_mode) or found.st_uid not in (os.geteuid(), 0) or found.st_mode & 0o077:
        raise ConfigError(
            f"The users file {path} can be read or changed by others than its owner.",
            hint="Make it yours, and run chmod 600 on it.",
        )
    users: dict[str, User] = {}
    for number, line in enumerate(content.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            user = _user(line.strip())
        except ValueError as error:
            raise ConfigError(f"{path}, line {number}: {error}.") from None
        if user.name in users:
            raise ConfigError(f"{path}, line {number}: the user {user.name} is there twice.")
        users[user.name] = user
    return users, (found.st_mtime_ns, found.st_size, found.st_ino)


class UsersFile:
    """The provider."""

    name = "users_file"
    challenge: str | None = 'Basic realm="SQE"'

    def __init__(
        self,
        path: Path,
        on_gone: Callable[[frozenset[str]], None] = lambda users: None,
        attempts: Attempts | None = None,
    ) -> None:
        """Read the file. `on_gone` is told who was removed or has another password. Raises ConfigError."""
        self._path = path
        self._on_gone = on_gone
        self._attempts = attempts or Attempts()
        self._verified = Verified()
        self._lock = threading.Lock()
        self._users, self._stamp = read_users(path)
        self._nobody = self._make_nobody()

    def refresh(self) -> None:
        """Read the file again if it has changed."""
        with self._lock:
            try:
                found = self._path.stat()
                stamp = (found.st_mtime_ns, found.st_size, found.st_ino)
            except OSError:
                stamp = (0, 0, 0)
            if stamp == self._stamp:
                return
            self._stamp = stamp  # a broken file is complained about once
            try:
                users, self._stamp = read_users(self._path)
            except ConfigError as error:
                _log.error("%s The users stay as they were.", error.message)
                return
            gone = frozenset(
                name
                for name, user in self._users.items()
                if name not in users or users[name].hash != user.hash
            )
            self._users = users
            self._nobody = self._make_nobody()
            _log.info("the users file has changed: %d users", len(users))
        self._on_gone(gone)

    def authenticate(self, presented: Presented) -> Principal | None:
        if presented.password is None:
            return None
        self.refresh()
        name, secret = presented.password.user, presented.password.secret
        user = self._users.get(name)
        known = user.hash if user is not None else self._nobody
        if user is None or not self._verified.knows(known, secret):
            key = (name, presented.address)
            self._attempts.check(key)
            # An unknown user costs as much time as a wrong password, so that the time tells nothing.
            if not known.matches(secret) or user is None:
                self._attempts.failed(key)
                raise AuthenticationError("The user or the password is wrong.")
            self._attempts.succeeded(key)
            self._verified.add(known, secret)
        return Principal(user.name, self.name, user.groups)

    def _make_nobody(self) -> PasswordHash:
        for user in self._users.values():
            return user.hash.like()
        return hash_password("").like()


def _user(line: str) -> User:
    name, _, rest = line.partition(":")
    text, _, groups = rest.partition(":")
    if not is_user_name(name):
        raise ValueError("the user's name has other signs than letters, digits and . _ - @ +")
    names = frozenset(group.strip() for group in groups.split(",") if group.strip())
    if not all(map(is_user_name, names)):
        raise ValueError("a group's name has other signs than letters, digits and . _ - @ +")
    try:
        return User(name, parse_hash(text.strip()), names)
    except ValueError as error:
        raise ValueError(f"what follows {name} {error}") from None
