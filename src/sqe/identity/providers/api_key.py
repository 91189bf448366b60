"""Authenticate programs by API keys in a file: `id:user:sha256:expires:groups:roles:description` on each line.

A key is `sqek_ID_SECRET`. The file holds a plain SHA-256 of it: slow hashes are for passwords, which can be guessed; a
secret of 256 random bits cannot, however fast the hash. The id says which key is meant and is no secret.
"""

from __future__ import annotations

import datetime
import hashlib
import hmac
import math
import re
import secrets
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from sqe.common.private_file import Stamp, WatchedFile, read_entries
from sqe.errors import AuthenticationError
from sqe.identity.credentials import PresentedCredentials, is_user_name, names_in
from sqe.identity.providers.credential_kinds import API_KEY, is_api_key
from sqe.model.identity import Principal

_ID = re.compile(r"[0-9a-f]{12}")
_KEY = re.compile(rf"{API_KEY}(?P<id>{_ID.pattern})_[A-Za-z0-9_\-]{{43}}")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_FIELDS = 7
_TIME = "%Y%m%dT%H%M%SZ"
_LONGEST_DESCRIPTION = 200


@dataclass(frozen=True, slots=True)
class ApiKey:
    """The line of a key in the file."""

    id: str
    user: str
    digest: bytes
    expires: datetime.datetime | None = None  # None: never
    groups: frozenset[str] = frozenset()
    roles: frozenset[str] = frozenset()
    description: str = ""

    def line(self) -> str:
        expires = self.expires.astimezone(datetime.UTC).strftime(_TIME) if self.expires else ""
        groups, roles = (",".join(sorted(names)) for names in (self.groups, self.roles))
        return f"{self.id}:{self.user}:{self.digest.hex()}:{expires}:{groups}:{roles}:{self.description}"

    def ended(self, now: float) -> bool:
        return self.expires is not None and self.expires.timestamp() <= now

    def matches(self, key: str) -> bool:
        """Compare in constant time."""
        return hmac.compare_digest(_digest(key), self.digest)


def make_key(
    user: str,
    *,
    expires: datetime.datetime | None = None,
    groups: Collection[str] = (),
    roles: Collection[str] = (),
    description: str = "",
) -> tuple[str, ApiKey]:
    """Make a new key: its text, which is not kept anywhere, and what is. Raises ValueError."""
    identifier = secrets.token_hex(6)
    key = f"{API_KEY}{identifier}_{secrets.token_urlsafe(32)}"
    kept = ApiKey(identifier, user, _digest(key), expires, frozenset(groups), frozenset(roles), description)
    _parse(kept.line())  # what cannot be read again is not written
    return key, kept


def read_keys(path: Path) -> tuple[Mapping[str, ApiKey], Stamp]:
    """Read and check the file. Raises ConfigError naming the line, and never repeating what is in it."""
    return read_entries(
        path,
        _parse,
        what="file of API keys",
        hint="`sqe keys add` makes it.",
        key=lambda key: key.id,
        key_name="id",
    )


class ApiKeys:
    """The provider. A key comes as a bearer token, or as a password together with its user's name."""

    name = "api_key"
    challenge: str | None = 'Bearer realm="SQE"'

    def __init__(
        self,
        path: Path,
        on_gone: Callable[[frozenset[str]], None] = lambda ids: None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Read the file. `on_gone` is told the ids of keys that were removed, changed or have expired.

        They are the `subject` of the key's Principal.

        Raises:
            ConfigError: the file cannot be read, or others can.
        """
        self._on_gone = on_gone
        self._clock = clock
        self._keys: WatchedFile[Mapping[str, ApiKey]] = WatchedFile(path, read_keys, "API keys")
        self._next_look = 0.0  # when the next key expires
        self._stand_in = ApiKey("", "", secrets.token_bytes(32))

    def refresh(self) -> None:
        """Read the file again if it has changed, and look for keys that have expired meanwhile."""
        before = self._keys.refresh()
        keys, now = self._keys.content, self._clock()
        gone: set[str] = set()
        if before is not None:
            gone |= {key.id for key in before.values() if keys.get(key.id) != key}
        if before is not None or now >= self._next_look:
            gone |= {key.id for key in keys.values() if key.ended(now)}
            ends = (key.expires.timestamp() for key in keys.values() if key.expires and not key.ended(now))
            self._next_look = min(ends, default=math.inf)
        if gone:
            self._on_gone(frozenset(gone))

    def authenticate(self, presented: PresentedCredentials) -> Principal | None:
        key = presented.password.secret if presented.password else presented.bearer
        if key is None or not is_api_key(key):
            return None
        self.refresh()
        found = _KEY.fullmatch(key)
        kept = self._keys.content.get(found["id"]) if found else None
        # A key that is not known is compared too, so that the time does not tell which ids there are.
        right = (kept or self._stand_in).matches(key)
        if kept is None or not right:
            raise _refusal("no such key" if kept is None else f"not the secret of key {kept.id}")
        if kept.ended(self._clock()):
            raise _refusal(f"the key {kept.id} has expired")
        if presented.password is not None and presented.password.user != kept.user:
            raise _refusal(f"the key {kept.id} is another user's")
        return Principal(kept.user, self.name, kept.groups, kept.roles, subject=kept.id)


def _refusal(detail: str) -> AuthenticationError:
    return AuthenticationError("The user or the API key is wrong.", detail=detail)


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode()).digest()


def _parse(line: str) -> ApiKey:
    fields = line.split(":", _FIELDS - 1)
    if len(fields) != _FIELDS:
        raise ValueError("it is not id:user:sha256:expires:groups:roles:description")
    identifier, user, digest, expires, groups, roles, description = fields
    if _ID.fullmatch(identifier) is None:
        raise ValueError("the id is not 12 hexadecimal digits")
    if not is_user_name(user):
        raise ValueError("the user's name has other signs than letters, digits and . _ - @ +")
    if _DIGEST.fullmatch(digest) is None:
        raise ValueError(f"what follows {user} is not a SHA-256 of 64 hexadecimal digits")
    if not description.isprintable() or len(description) > _LONGEST_DESCRIPTION:
        raise ValueError(f"the description is not plain text of at most {_LONGEST_DESCRIPTION} characters")
    return ApiKey(
        identifier,
        user,
        bytes.fromhex(digest),
        _expiry(expires),
        names_in(groups, "group"),
        names_in(roles, "role"),
        description,
    )


def _expiry(text: str) -> datetime.datetime | None:
    if not text:
        return None
    try:
        return datetime.datetime.strptime(text, _TIME).replace(tzinfo=datetime.UTC)
    except ValueError:
        raise ValueError("the time it expires is not of the form 20301231T235959Z") from None
