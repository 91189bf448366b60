"""Fetch and cache the identity provider's public keys.

A token with an unknown key id leads to another fetch, but not often: any client can send tokens with invented key ids.
A fetch that fails takes no key away.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

from joserfc.errors import JoseError
from joserfc.jwk import ECKey, RSAKey
from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from sqe.common.http_client import HttpClient
from sqe.errors import AuthenticationError, IdentityProviderError
from sqe.identity.oidc.discovery import Discovery
from sqe.identity.provider_http import read_json, unavailable

_log = logging.getLogger(__name__)

_LOOK_AGAIN = 30.0  # at the earliest, after a fetch, for a key that is not known
_LONGEST_WAIT = 30.0  # for a fetch of another thread, which has shorter limits of its own
_KEYS = 100
_LONGEST_ID = 256
_SMALLEST_RSA = 2048

Key = RSAKey | ECKey


class _KeySet(BaseModel):
    keys: list[Any]  # each is read by itself: one that is unusable does not take the others away


class _PublicKey(BaseModel):
    """The public part of a key (RFC 7517), whatever else is in the entry."""

    kid: Annotated[str, Field(min_length=1, max_length=_LONGEST_ID)]
    use: Literal["sig"] | None = Field(default=None, exclude=True)
    alg: str | None = None


class _RsaKey(_PublicKey):
    kty: Literal["RSA"]
    n: str
    e: str


class _EcKey(_PublicKey):
    kty: Literal["EC"]
    crv: str
    x: str
    y: str


_PUBLIC_KEY: TypeAdapter[_RsaKey | _EcKey] = TypeAdapter(
    Annotated[_RsaKey | _EcKey, Field(discriminator="kty")]
)


class Jwks:
    def __init__(
        self,
        web: HttpClient,
        discovery: Discovery,
        clock: Callable[[], float] = time.monotonic,
        lifetime: float = 900.0,
    ) -> None:
        """Fetch the keys of `discovery` through `web`, and again after `lifetime` seconds."""
        self._lifetime = lifetime
        self._web = web
        self._discovery = discovery
        self._clock = clock
        self._fetching = threading.Lock()
        self._keys: Mapping[str, Key] = {}
        self._fresh_until: float | None = None  # None: nothing was fetched yet
        self._tried_at: float | None = None

    def key(self, kid: str, *, urgent: bool = False) -> Key:
        """Return the key with this id. With `urgent` it is fetched at once, however recent the last fetch was.

        Raises:
            AuthenticationError: the identity provider has none.
            IdentityProviderError: it has never answered; or, with `urgent`, does not answer now.
        """
        if self._fresh_until is None:
            self._fetch_first()
        elif (
            self._clock() >= self._fresh_until and self._may_try() and self._fetching.acquire(blocking=False)
        ):
            # The others go on with the keys that there are.
            try:
                self._refetch(merge=False)
            finally:
                self._fetching.release()
        found = self._keys.get(kid)
        if found is None:
            self._look_for(kid, urgent=urgent)
            found = self._keys.get(kid)
        if found is None:
            raise AuthenticationError(
                "The token is not accepted.", detail=f"the identity provider has no key {kid[:64]!r}"
            )
        return found

    def _fetch_first(self) -> None:
        with _Waiting(self._fetching):
            if self._fresh_until is None:
                self._take(self._fetch())

    def _look_for(self, kid: str, *, urgent: bool) -> None:
        if not urgent and not self._may_try():
            return
        with _Waiting(self._fetching):
            if kid not in self._keys and (urgent or self._may_try()):
                # Merged: a key that has just been taken away is good until the regular look, at the latest.
                self._refetch(merge=True, must=urgent)

    def _may_try(self) -> bool:
        return self._tried_at is None or self._clock() - self._tried_at >= _LOOK_AGAIN

    def _refetch(self, *, merge: bool, must: bool = False) -> None:
        try:
            keys = self._fetch()
        except IdentityProviderError as error:
            if must:
                raise
            _log.warning("the keys of the identity provider stay as they were: %s", error.detail)
            return
        if merge:
            self._keys = dict(list({**self._keys, **keys}.items())[-_KEYS:])
        else:
            self._take(keys)

    def _take(self, keys: Mapping[str, Key]) -> None:
        self._keys = keys
        self._fresh_until = self._clock() + self._lifetime

    def _fetch(self) -> Mapping[str, Key]:
        self._tried_at = self._clock()
        url = self._discovery.endpoint("jwks_uri")
        try:
            response = self._web.get(url)
            if response.status != 200:
                raise unavailable(f"answers {response.status}", url)
            keys = _usable(read_json(response, _KeySet, url))
            if not keys:
                raise unavailable("it has no key that can be used", url)
        except IdentityProviderError:
            self._discovery.doubt()
            raise
        return keys


class _Waiting:
    """A lock with a limit to the waiting."""

    def __init__(self, lock: threading.Lock) -> None:
        self._lock = lock

    def __enter__(self) -> None:
        if not self._lock.acquire(timeout=_LONGEST_WAIT):
            raise unavailable("its keys are being fetched, for too long")

    def __exit__(self, *_: object) -> None:
        self._lock.release()


def _usable(document: _KeySet) -> dict[str, Key]:
    """Return the keys that can check a signature. Those of other kinds are passed over, a secret one first of all."""
    found: dict[str, Key] = {}
    for entry in document.keys[:_KEYS]:
        try:
            public = _PUBLIC_KEY.validate_python(entry)
        except ValidationError:
            continue
        key = _key(public)
        if key is not None and public.kid not in found:
            found[public.kid] = key
    return found


def _key(public: _RsaKey | _EcKey) -> Key | None:
    fields = public.model_dump(exclude_none=True)
    try:
        if isinstance(public, _EcKey):
            ec = ECKey.import_key(fields)
            ec.get_op_key("verify")
            return ec
        rsa = RSAKey.import_key(fields)
        return rsa if rsa.public_key.key_size >= _SMALLEST_RSA else None
    except (JoseError, ValueError, TypeError, KeyError) as error:
        _log.warning("a key of the identity provider cannot be read: %s", type(error).__name__)
        return None
