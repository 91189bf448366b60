"""Use the login that `sqe login` saved for the shells of this account, as long as it lasts.

It must not get in the way of what needs no login. So no identity provider is asked when a session opens: the file is
private, and holds what was verified when it was written.
"""

from __future__ import annotations

import hashlib
import json
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from sqe.common.private_file import Stamp
from sqe.errors import AuthenticationError, ConfigError
from sqe.identity.logins.login_file import LoginFile, SavedLogin
from sqe.identity.logins.store import Logins
from sqe.identity.logins.token_set import Tokens
from sqe.model.identity import Principal

if TYPE_CHECKING:
    from sqe.identity.oidc.client import OidcClient

_log = logging.getLogger(__name__)

SHELL = "shell"  # the provider of the account's own user, who has no login


class StoredLogin:
    def __init__(
        self,
        path: Path,
        client: OidcClient | None,
        logins: Logins,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Use the login in the file at `path`. Without `client` there is no identity provider, and so no login."""
        self._file = LoginFile(path, clock)
        self._client = client
        self._logins = logins
        self._clock = clock
        self._lock = threading.Lock()
        self._stamp: Stamp | None = None
        self._current: Principal | None = None  # the principal of the login in use

    def principal(self, os_user: str) -> Principal:
        """Return the principal of a new session: the one in the file, or the account's own user, without a login.

        Raises:
            ConfigError: others can read or change the file.
            AuthenticationError: it is broken, or there are too many logins.
        """
        with self._lock:
            self._update()
            return self._current or Principal(os_user, SHELL)

    def refresh(self) -> None:
        """Take up what `sqe login` and `sqe logout` have changed. A login that is gone from the file ends."""
        with self._lock:
            if self._current is not None and self._file.stamp() != self._stamp:
                try:
                    self._update()
                except (ConfigError, AuthenticationError) as error:
                    _log.error("%s", error.message)

    def _update(self) -> None:
        stamp = self._file.stamp()
        before, self._current = self._current, None
        try:
            kept = self._file.read()
            if kept is not None and self._client is not None and self._is_usable(kept, self._client):
                renewer = _FileRenewer(self._file, self._client, kept)
                self._current = self._logins.start(kept.principal, _key(kept), kept.tokens, renewer)
            self._stamp = stamp
        finally:
            if before is not None and before.login is not None and self._is_other(before):
                self._logins.end(before.login, "there was a logout, or another login")

    def _is_usable(self, kept: SavedLogin, client: OidcClient) -> bool:
        return kept.issuer == client.issuer and not kept.is_over(self._clock())

    def _is_other(self, before: Principal) -> bool:
        return self._current is None or self._current.login != before.login


@dataclass(frozen=True, slots=True)
class _FileRenewer:
    file: LoginFile
    client: OidcClient
    kept: SavedLogin

    def renew(self, tokens: Tokens) -> Tokens:
        return self.file.renewed(self.client, replace(self.kept, tokens=tokens)).tokens


def _key(kept: SavedLogin) -> str:
    person = kept.principal
    parts = [
        kept.issuer,
        person.provider,
        person.user,
        person.subject,
        sorted(person.groups),
        sorted(person.roles),
    ]
    return hashlib.sha256(json.dumps(["stored", *parts]).encode()).hexdigest()
