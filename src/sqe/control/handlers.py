"""Answer the requests of the control protocol, apart from HTTP."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from pydantic import BaseModel

from sqe.control.bindings import Binding, Bindings
from sqe.control.handed_keys import HandedKeys
from sqe.control.handles import session_of
from sqe.control.properties import iceberg_properties
from sqe.control.protocol import (
    CatalogResponse,
    CredentialsResponse,
    ErrorResponse,
    KeysRequest,
    KeysResponse,
    TokenResponse,
)
from sqe.control.questions import DecisionRequest, write_decisions
from sqe.errors import (
    AccessDeniedError,
    AuthenticationError,
    IdentityProviderError,
    PolicyUnavailableError,
    SqeError,
)
from sqe.executor.failures import LocalExecutionError
from sqe.executor.stores import Store, StoreAccess, StoreKeys
from sqe.identity.logins.stored_login import SHELL
from sqe.identity.logins.token_set import Tokens
from sqe.identity.sts.web_identity import S3Credentials
from sqe.model.decision import Decision, Question
from sqe.model.identity import Principal
from sqe.model.session import RestCatalog, Storage
from sqe.units import Secret

_log = logging.getLogger(__name__)

# The results that `observe` is called with.
GIVEN, UNKNOWN, ENDED, DENIED, SILENT = "given", "unknown", "ended", "denied", "unavailable"


class TokenSource(Protocol):
    """The part of `identity.logins.store.Logins` that handlers use."""

    def tokens(self, login: str) -> Tokens: ...


class CredentialsSource(Protocol):
    """The part of `identity.sts.web_identity.WebIdentity` that handlers use."""

    def credentials(self, principal: Principal, catalog: RestCatalog) -> S3Credentials: ...


class Decider(Protocol):
    """The part of `policy.decision_point.DecisionPoint` that handlers use."""

    def decide(
        self, principal: Principal, questions: Sequence[Question], query: str | None = None
    ) -> Sequence[Decision]: ...


@dataclass(frozen=True, slots=True)
class EngineLink:
    """An engine that may ask: its number among those of this gateway, and its secret."""

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


def error_answer(status: int, message: str) -> Answer:
    return Answer(status, ErrorResponse(error=message).model_dump())


class ControlHandlers:
    """One handler for each path of the control protocol."""

    def __init__(
        self,
        bindings: Bindings,
        logins: TokenSource,
        credentials: CredentialsSource,
        observe: Callable[[str, str], None],
        clock: Callable[[], float] = time.time,
        decider: Decider | None = None,
    ) -> None:
        """Make the handlers.

        Args:
            bindings: the principal and the catalogs of each session.
            logins: has the tokens.
            credentials: has the keys for storage.
            observe: called with the kind of request (catalog, token, store_keys, ...) and its result.
            clock: returns the time.
            decider: decides what principals may do; None where the catalog alone decides.
        """
        self._bindings = bindings
        self._logins = logins
        self._credentials = credentials
        self._observe = observe
        self._clock = clock
        self._decider = decider
        self._handed = HandedKeys(clock)

    def catalog(self, engine: EngineLink, handle: str, name: str) -> Answer:
        """Return the properties of a catalog."""
        return self._answer("catalog", engine, handle, name, self._properties)

    def token(self, engine: EngineLink, handle: str, name: str) -> Answer:
        """Return the principal's token for the catalog. May wait for the identity provider."""
        return self._answer("token", engine, handle, name, self._token)

    def credentials(self, engine: EngineLink, handle: str, name: str) -> Answer:
        """Return the principal's keys for the catalog's storage. May wait for the identity provider and for STS."""
        return self._answer("credentials", engine, handle, name, self._keys)

    def decide(self, engine: EngineLink, request: DecisionRequest) -> Answer:
        """Decide what the principal may do, on which rows, with which values. May wait for policy engines."""
        binding = self._binding(engine, request.handle)
        if binding is None:
            self._observe("decide", UNKNOWN)
            return _UNKNOWN_SESSION
        if self._decider is None:
            self._observe("decide", SILENT)
            return error_answer(503, "There is no policy engine that could decide.")
        principal = binding.principal
        try:
            decisions = self._decider.decide(principal, request.questions, request.query)
        except PolicyUnavailableError as error:
            if binding.is_news("", "decide", SILENT):
                _log.warning("%s: no decision: %s", principal.user, error.detail or error.message)
            self._observe("decide", SILENT)
            return error_answer(503, error.message)
        binding.is_news("", "decide", GIVEN)
        self._observe("decide", GIVEN)
        return Answer(200, write_decisions(principal.user, decisions))

    def store_keys(self, engine: EngineLink, request: KeysRequest) -> Answer:
        """Keep vended keys until the gateway runs the plan that they were handed over for."""
        binding = self._binding(engine, request.handle)
        if binding is None:
            self._observe("store_keys", UNKNOWN)
            return _UNKNOWN_SESSION
        for each in request.stores:
            catalog = binding.catalogs.get(each.catalog)
            if catalog is None or catalog.storage is not Storage.VENDED:
                self._observe("store_keys", DENIED)
                return error_answer(403, "The session has no such catalog that vends keys.")
        self._observe("store_keys", GIVEN)
        return Answer(200, KeysResponse(reference=self._handed.put(binding, request.stores)).model_dump())

    def open_stores(
        self, engine: EngineLink, session: str, stores: Sequence[Store], reference: str | None
    ) -> tuple[StoreAccess, ...]:
        """Return the principal's keys for the stores of a plan. May wait for the identity provider and for STS.

        Raises:
            LocalExecutionError: a store cannot be opened. Spark, which then runs the statement, says why.
        """
        binding = self._bindings.find(session, engine.number)
        if binding is None:
            raise LocalExecutionError("The session is not bound to a principal.")
        handed = self._handed.take(binding, reference) if reference is not None else {}
        return tuple(StoreAccess(store, self._store_keys(binding, store, handed)) for store in stores)

    def _store_keys(self, binding: Binding, store: Store, handed: Mapping[str, StoreKeys]) -> StoreKeys:
        catalog = binding.catalogs.get(store.catalog)
        if catalog is None:
            raise LocalExecutionError("The session has no such catalog.")
        if catalog.storage is Storage.VENDED:
            if store.scope not in handed:
                raise LocalExecutionError("The engine has handed no storage credentials over.")
            return handed[store.scope]
        if catalog.storage is not Storage.WEB_IDENTITY:
            raise LocalExecutionError("The catalog has no keys for its storage.")
        try:
            keys = self._credentials.credentials(binding.principal, catalog)
        except (AuthenticationError, AccessDeniedError) as error:
            raise LocalExecutionError("There are no storage credentials for the principal.") from error
        return StoreKeys(
            keys.access_key_id, Secret(keys.secret_access_key), Secret(keys.session_token), keys.expires_at
        )

    def forget(self, session: str) -> None:
        """Drop the keys that were handed over for plans of a session that is over."""
        self._handed.forget(session)

    def _binding(self, engine: EngineLink, handle: str) -> Binding | None:
        session = session_of(handle, engine.secret)
        return self._bindings.find(session, engine.number) if session is not None else None

    def _answer(
        self,
        kind: str,
        engine: EngineLink,
        handle: str,
        name: str,
        give: Callable[[Binding, RestCatalog], BaseModel],
    ) -> Answer:
        binding = self._binding(engine, handle)
        if binding is None:
            self._observe(kind, UNKNOWN)
            return _UNKNOWN_SESSION
        catalog = binding.catalogs.get(name)
        if catalog is None:
            self._observe(kind, UNKNOWN)
            return error_answer(404, "The session has no such catalog.")
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
            return error_answer(status, error.message)
        if kind in _WORDS and binding.is_news(name, kind, GIVEN):
            _log.info(
                "%s: the session %s gets %s for the catalog %s",
                binding.principal.user,
                binding.session[:8],
                _WORDS[kind],
                name,
            )
        self._observe(kind, GIVEN)
        return Answer(200, given.model_dump())

    @staticmethod
    def _properties(_: Binding, catalog: RestCatalog) -> CatalogResponse:
        return CatalogResponse(properties=iceberg_properties(catalog))

    def _token(self, binding: Binding, catalog: RestCatalog) -> TokenResponse:
        tokens = self._logins.tokens(self._login(binding, catalog))
        return TokenResponse(token=tokens.access, expires_in=self._left(tokens.expires_at))

    def _keys(self, binding: Binding, catalog: RestCatalog) -> CredentialsResponse:
        if catalog.storage is not Storage.WEB_IDENTITY:
            raise AccessDeniedError(f"The keys for the catalog {catalog.name} come from the catalog itself.")
        self._login(binding, catalog)
        keys = self._credentials.credentials(binding.principal, catalog)
        return CredentialsResponse(
            access_key_id=keys.access_key_id,
            secret_access_key=keys.secret_access_key,
            session_token=keys.session_token,
            expires_in=self._left(keys.expires_at),
        )

    @staticmethod
    def _login(binding: Binding, catalog: RestCatalog) -> str:
        if binding.principal.login is None:
            if binding.principal.provider == SHELL:
                raise AuthenticationError(
                    f"The catalog {catalog.name} needs to know the user, and you are not logged in: run `sqe login`."
                )
            raise AuthenticationError(
                f"{binding.principal.user} logged in by {binding.principal.provider}, which gives no token "
                f"for the catalog {catalog.name}."
            )
        return binding.principal.login

    def _left(self, until: float) -> int:
        return max(0, int(until - self._clock()))


# A forged handle and a session that is over are not told apart.
_UNKNOWN_SESSION = error_answer(404, "The session is not known.")

_WORDS = {
    "token": "the person's tokens",
    "credentials": "the person's keys",
}  # what is worth a line in the log
