"""Keep the login of `sqe login` in a private file that the processes of this account share.

Many identity providers accept a refresh token once only. So a process that renews holds a lock, and reads the file
again first: another process may have renewed already.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from sqe.common.filelock import hold
from sqe.common.private_file import Stamp, read_private
from sqe.errors import AuthenticationError, IdentityProviderError, SetupError
from sqe.identity.logins.token_set import Tokens
from sqe.identity.oidc.claims import ClaimPaths, to_principal
from sqe.locations import write_private
from sqe.model.identity import Principal

if TYPE_CHECKING:
    from sqe.identity.oidc.client import OidcClient

_log = logging.getLogger(__name__)

LOG_IN = "Run `sqe login`."

_LOCK_SECONDS = 30.0  # more than an identity provider is given to answer


@dataclass(frozen=True, slots=True)
class SavedLogin:
    issuer: str  # of the tokens: they are sent to no other
    client_id: str
    principal: Principal  # without a `login`: it has none outside a gateway
    tokens: Tokens

    def is_over(self, now: float) -> bool:
        """Whether its tokens have ended for good, as far as one can know without a request."""
        ends = self.tokens.refresh_expires_at
        renewable = self.tokens.refresh is not None and (ends is None or ends > now)
        return self.tokens.expires_at <= now and not renewable


Text = Annotated[str, Field(min_length=1)]


class _Document(BaseModel):
    """The content of the file, as JSON."""

    model_config = ConfigDict(strict=True, hide_input_in_errors=True)

    issuer: Text
    client_id: str
    provider: Text
    user: Text
    subject: Text | None
    email: Text | None
    groups: list[str]
    roles: list[str]
    access_token: Text
    expires_at: float
    refresh_token: Text | None
    refresh_expires_at: float | None


class LoginFile:
    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        self.path = path
        self._clock = clock

    def stamp(self) -> Stamp | None:
        """Return what changes with the file. None: there is none."""
        try:
            found = self.path.stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino

    def read(self) -> SavedLogin | None:
        """Return the login, or None when there is none.

        Raises:
            ConfigError: others can read or change the file.
            AuthenticationError: it holds something else.
        """
        if not self.path.exists():
            return None
        text, _ = read_private(self.path, "login file", LOG_IN)
        try:
            return _login(_Document.model_validate_json(text))
        except ValidationError:
            raise AuthenticationError(f"The login file {self.path} cannot be read.", hint=LOG_IN) from None

    def write(self, kept: SavedLogin) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_private(self.path, _document(kept).model_dump_json(indent=2) + "\n")

    def remove(self) -> None:
        self.path.unlink(missing_ok=True)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes from changing the file. Raises IdentityProviderError if one of them does not let go."""
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = hold(self.path.with_name(f".{self.path.name}.lock"), timeout=_LOCK_SECONDS)
        with ExitStack() as held:
            try:
                held.enter_context(lock)
            except SetupError as error:
                raise IdentityProviderError(
                    "Another process is renewing the login, and does not come to an end.",
                    hint="Try again in a moment.",
                    detail=error.message,
                ) from error
            yield

    def renewed(self, client: OidcClient, known: SavedLogin) -> SavedLogin:
        """Renew `known`: from the file when another process has renewed it already, or else from `client`.

        Raises:
            AuthenticationError: there is no login any more, or another's; or it cannot be renewed, and is removed.
            IdentityProviderError: the identity provider does not answer.
        """
        with self.locked():
            kept = self.read()
            if kept is None:
                raise AuthenticationError("No login is saved.", hint=LOG_IN)
            if not kept.principal.is_same_person(known.principal) or kept.issuer != known.issuer:
                raise AuthenticationError(f"{kept.principal.user} has logged in instead.", hint=LOG_IN)
            if kept.tokens.access != known.tokens.access and kept.tokens.expires_at > max(
                known.tokens.expires_at, self._clock()
            ):
                return kept
            # Ours are newer when the file could not be written the last time.
            latest = max(known.tokens, kept.tokens, key=lambda tokens: tokens.expires_at)
            if latest.refresh is None:
                raise AuthenticationError(
                    f"The login of {known.principal.user} has ended: there is nothing to renew it with.",
                    hint=LOG_IN,
                )
            try:
                fresh = replace(kept, tokens=_next(client, latest))
            except IdentityProviderError:
                raise
            except AuthenticationError as error:
                self.remove()
                raise AuthenticationError(
                    f"The login of {known.principal.user} has ended: the identity provider does not renew it.",
                    hint=LOG_IN,
                    detail=error.detail or error.message,
                ) from error
            self._keep(fresh)
            return fresh

    def _keep(self, kept: SavedLogin) -> None:
        try:
            self.write(kept)
        except OSError as error:
            _log.warning("the login file %s cannot be written: %s", self.path, error.strerror)


def saved_login(client: OidcClient, provider: str, tokens: Tokens) -> SavedLogin:
    """Return the login of tokens that came from the identity provider a moment ago.

    Raises:
        AuthenticationError: they cannot be used.
        IdentityProviderError: there are no keys to check them with.
    """
    claims = client.verify(tokens.access, from_issuer=True)
    principal = to_principal(provider, claims, ClaimPaths.of(client.config))
    return SavedLogin(client.issuer, client.config.client_id or "", principal, tokens)


def _next(client: OidcClient, tokens: Tokens) -> Tokens:
    """Get the next tokens in one request: once they are given, those before them may be worth nothing."""
    from sqe.identity.oidc.jwt import unverified_claims  # loaded by the client already, and not without it

    fresh = client.refresh(tokens)
    if unverified_claims(fresh.access).get("sub") != unverified_claims(tokens.access).get("sub"):
        raise AuthenticationError(
            "The login cannot be renewed.", detail="the renewed token is of another person"
        )
    return fresh


def _document(saved: SavedLogin) -> _Document:
    person, tokens = saved.principal, saved.tokens
    return _Document(
        issuer=saved.issuer,
        client_id=saved.client_id,
        provider=person.provider,
        user=person.user,
        subject=person.subject,
        email=person.email,
        groups=sorted(person.groups),
        roles=sorted(person.roles),
        access_token=tokens.access,
        expires_at=tokens.expires_at,
        refresh_token=tokens.refresh,
        refresh_expires_at=tokens.refresh_expires_at,
    )


def _login(document: _Document) -> SavedLogin:
    principal = Principal(
        user=document.user,
        provider=document.provider,
        groups=frozenset(document.groups),
        roles=frozenset(document.roles),
        subject=document.subject,
        email=document.email,
    )
    tokens = Tokens(
        access=document.access_token,
        expires_at=document.expires_at,
        refresh=document.refresh_token,
        refresh_expires_at=document.refresh_expires_at,
    )
    return SavedLogin(document.issuer, document.client_id, principal, tokens)
