"""The answers to the engine's questions, apart from HTTP."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from sqe.control.bindings import Binding, Bindings
from sqe.control.handles import session_of
from sqe.control.properties import iceberg_properties
from sqe.control.questions import Asked, write_decisions
from sqe.errors import (
    AccessDeniedError,
    AuthenticationError,
    IdentityProviderError,
    PolicyUnavailableError,
    SqeError,
)
from sqe.identity.logins.stored_login import SHELL
from sqe.identity.logins.token_set import Tokens
from sqe.identity.sts.web_identity import S3Credentials
from sqe.model.decision import Decision, Question
from sqe.model.identity import Principal
from sqe.model.session import RestCatalog, Storage

_log = logging.getLogger(__name__)

# What `observe` is told of each call.
GIVEN, UNKNOWN, ENDED, DENIED, SILENT = "given", "unknown", "ended", "denied", "unavailable"


class TokenSource(Protocol):
    """What is needed of `identity.logins.Logins`."""

    def tokens(self, login: str) -> Tokens: ...


class CredentialsSource(Protocol):
    """What is needed of `identity.web_identity.WebIdentity`."""

    def credentials(self, principal: Principal, catalog: RestCatalog) -> S3Credentials: ...


class Decider(Protocol):
    """What is needed of `policy.decision_point.DecisionPoint`."""

    def decide(
        self, principal: Principal, questions: Sequence[Question], query: str | None = None
    ) -> Sequence[Decision]: ...


@dataclass(frozen=True, slots=True)
class EngineLink:
    """An engine that may ask: which one it is in their sequence, and what it proves it with."""

    number: int
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    body: dict[str, Any] = field(repr=False)


_REFUSALS: tuple[tuple[type[SqeError], int, str], ...] = (
    (IdentityProviderError, 503, SILENT),  # before its parent
    (AuthenticationError, 401, ENDED),
    (AccessDeniedError, 403, DENIED),
)


class Desk:
    def __init__(
        self,
        bindings: Bindings,
        logins: TokenSource,
        credentials: CredentialsSource,
        observe: Callable[[str, str], None],
        clock: Callable[[], float] = time.time,
        decider: Decider | None = None,
    ) -> None:
        """Answer.

        Args:
            bindings: whose session each one is.
            logins: where tokens are.
            credentials: where keys are.
            observe: is told the question (catalog, token, credentials, decide) and how it went.
            clock: tells the time.
            decider: says what people may do; None: the catalog alone decides, and nobody asks.
        """
        self._bindings = bindings
        self._logins = logins
        self._credentials = credentials
        self._observe = observe
        self._clock = clock
        self._decider = decider

    def catalog(self, engine: EngineLink, handle: str, name: str) -> Answer:
        """The properties of a catalog."""
        return self._answer("catalog", engine, handle, name, self._properties)

    def token(self, engine: EngineLink, handle: str, name: str) -> Answer:
        """The person's token for the catalog. May wait for the identity provider."""
        return self._answer("token", engine, handle, name, self._token)

    def credentials(self, engine: EngineLink, handle: str, name: str) -> Answer:
        """The person's keys for the catalog's storage. May wait for the identity provider and for STS."""
        return self._answer("credentials", engine, handle, name, self._keys)

    def decide(self, engine: EngineLink, asked: Asked) -> Answer:
        """What the person may do, on which rows, with which values. May wait for policy engines."""
        binding = self._binding(engine, asked.handle)
        if binding is None:
            self._observe("decide", UNKNOWN)
            return _UNKNOWN_SESSION
        if self._decider is None:
            self._observe("decide", SILENT)
            return Answer(503, {"error": "There is no policy engine that could decide."})
        principal = binding.principal
        try:
            decisions = self._decider.decide(principal, asked.questions, asked.query)
        except PolicyUnavailableError as error:
            if binding.is_news("", "decide", SILENT):
                _log.warning("%s: no decision: %s", principal.user, error.detail or error.message)
            self._observe("decide", SILENT)
            return Answer(503, {"error": error.message})
        binding.is_news("", "decide", GIVEN)
        self._observe("decide", GIVEN)
        return Answer(200, write_decisions(principal.user, decisions))

    def _binding(self, engine: EngineLink, handle: str) -> Binding | None:
        session = session_of(handle, engine.secret)
        return self._bindings.find(session, engine.number) if session is not None else None

    def _answer(
        self,
        kind: str,
        engine: EngineLink,
        handle: str,
        name: str,
        give: Callable[[Binding, RestCatalog], dict[str, Any]],
    ) -> Answer:
        binding = self._binding(engine, handle)
        if binding is None:
            self._observe(kind, UNKNOWN)
            return _UNKNOWN_SESSION
        catalog = binding.catalogs.get(name)
        if catalog is None:
            self._observe(kind, UNKNOWN)
            return Answer(404, {"error": "The session has no such catalog."})
        try:
            given = give(binding, catalog)
        except (AuthenticationError, AccessDeniedError) as error:
            status, result = next(
                (status, result) for refused, status, result in _REFUSALS if isinstance(error, refused)
            )
            if binding.is_news(name, kind, result):
                _log.warning(
                    "%s: no %s for the catalog %s: %s",
                    binding.principal.user,
                    kind,
                    name,
                    error.detail or error.message,
                )
            self._observe(kind, result)
            return Answer(status, {"error": error.message})
        if kind in _WORDS and binding.is_news(name, kind, GIVEN):
            _log.info(
                "%s: the session %s gets %s for the catalog %s",
                binding.principal.user,
                binding.session[:8],
                _WORDS[kind],
                name,
            )
        self._observe(kind, GIVEN)
        return Answer(200, given)

    @staticmethod
    def _properties(_: Binding, catalog: RestCatalog) -> dict[str, Any]:
        return {"properties": iceberg_properties(catalog)}

    def _token(self, binding: Binding, catalog: RestCatalog) -> dict[str, Any]:
        tokens = self._logins.tokens(self._login(binding, catalog))
        return {"token": tokens.access, "expires_in": self._left(tokens.expires_at)}

    def _keys(self, binding: Binding, catalog: RestCatalog) -> dict[str, Any]:
        if catalog.storage is not Storage.WEB_IDENTITY:
            raise AccessDeniedError(f"The keys for the catalog {catalog.name} come from the catalog itself.")
        self._login(binding, catalog)
        keys = self._credentials.credentials(binding.principal, catalog)
        return {
            "access_key_id": keys.access_key_id,
            "secret_access_key": keys.secret_access_key,
            "session_token": keys.session_token,
            "expires_in": self._left(keys.expires_at),
        }

    @staticmethod
    def _login(binding: Binding, catalog: RestCatalog) -> str:
        if binding.principal.login is None:
            if binding.principal.provider == SHELL:
                raise AuthenticationError(
                    f"The catalog {catalog.name} has to know who asks, and nobody is logged in: run `sqe login`."
                )
            raise AuthenticationError(
                f"{binding.principal.user} logged in by {binding.principal.provider}, which gives no token "
                f"for the catalog {catalog.name}."
            )
        return binding.principal.login

    def _left(self, until: float) -> int:
        return max(0, int(until - self._clock()))


# A forged handle and a session that is over are not told apart.
_UNKNOWN_SESSION = Answer(404, {"error": "The session is not known."})

_WORDS = {
    "token": "the person's tokens",
    "credentials": "the person's keys",
}  # what is worth a line in the log
