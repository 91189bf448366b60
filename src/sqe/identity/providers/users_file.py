"""Authenticate users of a file: `name:hash[:group,group]` on each line, as `sqe users add` writes it."""

from __future__ import annotations

import hmac
import itertools
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from sqe.common.private_file import Stamp, WatchedFile, read_entries
from sqe.identity.credentials import PresentedCredentials, is_user_name, names_in, wrong_credentials
from sqe.identity.logins.verified_credentials import VerifiedCredentials
from sqe.identity.providers.credential_kinds import has_own_provider
from sqe.identity.providers.failed_logins import FailedLogins
from sqe.identity.providers.passwords import PasswordHash, parse_hash, random_hash
from sqe.model.identity import Principal


@dataclass(frozen=True, slots=True)
class User:
    name: str
    hash: PasswordHash
    groups: frozenset[str] = frozenset()

    def line(self) -> str:
        groups = f":{','.join(sorted(self.groups))}" if self.groups else ""
        return f"{self.name}:{self.hash}{groups}"


def read_users(path: Path) -> tuple[Mapping[str, User], Stamp]:
    """Read and check the file. Raises ConfigError naming the line, and never repeating what is in it."""
    return read_entries(
        path,
        _user,
        what="users file",
        hint="`sqe users add` makes it.",
        key=lambda user: user.name,
        key_name="user",
    )


class UsersFile:
    """The provider."""

    name = "users_file"
    challenge: str | None = 'Basic realm="SQE"'

    def __init__(
        self,
        path: Path,
        on_gone: Callable[[frozenset[str]], None] = lambda users: None,
        failed_logins: FailedLogins | None = None,
        recheck_after: float = 300.0,
    ) -> None:
        """Read the file. `on_gone` is told who was removed or has another password or groups. Raises ConfigError."""
        self._on_gone = on_gone
        self._failed_logins = failed_logins or FailedLogins()
        self._verified: VerifiedCredentials[bool] = VerifiedCredentials(seconds=recheck_after)
        self._key = secrets.token_bytes(32)  # so that no client can compute which user stands in for a name
        self._users: WatchedFile[Mapping[str, User]] = WatchedFile(path, read_users, "users")

    def refresh(self) -> None:
        """Read the file again if it has changed."""
        before = self._users.refresh()
        if before is not None:
            now = self._users.content
            self._on_gone(frozenset(name for name, user in before.items() if now.get(name) != user))

    def authenticate(self, presented: PresentedCredentials) -> Principal | None:
        if presented.password is None or has_own_provider(presented.password):
            return None
        self.refresh()
        name, secret = presented.password.user, presented.password.secret
        users = self._users.content
        user = users.get(name)
        known = user.hash if user is not None else self._stand_in(name, users)
        if user is None or not self._verified.find(str(known), secret):
            key = (name, presented.address)
            self._failed_logins.check(key)
            # An unknown user costs as much time as a wrong password, so that the time tells nothing. And in that time
            # the user may have been removed.
            if not known.matches(secret) or user is None or self._users.content.get(name) != user:
                self._failed_logins.add(key)
                raise wrong_credentials()
            self._failed_logins.clear(key)
            self._verified.add(str(known), secret, value=True)
        return Principal(user.name, self.name, user.groups)

    def _stand_in(self, name: str, users: Mapping[str, User]) -> PasswordHash:
        """Return a hash for an unknown name, like that of one user, and for the same name always of the same user.

        A file can hold Argon2 and scrypt hashes, which take different times.
        """
        if not users:
            return random_hash()
        digest = hmac.digest(self._key, name.encode(errors="surrogatepass"), "sha256")
        chosen = int.from_bytes(digest[:8]) % len(users)
        return next(itertools.islice(users.values(), chosen, None)).hash.like()


def _user(line: str) -> User:
    name, _, rest = line.partition(":")
    text, _, groups = rest.partition(":")
    if not is_user_name(name):
        raise ValueError("the user's name has other signs than letters, digits and . _ - @ +")
    names = names_in(groups, "group")
    try:
        return User(name, parse_hash(text.strip()), names)
    except ValueError as error:
        raise ValueError(f"what follows {name} {error}") from None
