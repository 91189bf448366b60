"""Keep the keys that catalogs have vended to the engine, for a moment, until the local executor uses them."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from sqe.control import protocol
from sqe.control.bindings import Binding
from sqe.executor.stores import StoreKeys
from sqe.units import Secret

_SECONDS = 60.0  # a plan is run as soon as the engine has answered with it


@dataclass(frozen=True, slots=True)
class _Handed:
    binding: Binding
    keys: Mapping[str, StoreKeys]  # by the scopes of stores
    until: float


class HandedKeys:
    """Keys by references, which no session can make. The session that a set of keys is for can take it once."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._handed: dict[str, _Handed] = {}

    def __len__(self) -> int:
        with self._lock:
            return len(self._handed)

    def put(self, binding: Binding, stores: Iterable[protocol.KeyFields]) -> str:
        """Keep the keys of one plan, and return the reference to them."""
        now = self._clock()
        keys = {
            store.scope: StoreKeys(
                store.access_key_id,
                Secret(store.secret_access_key),
                None if store.session_token is None else Secret(store.session_token),
                None if store.expires_in is None else now + store.expires_in,
            )
            for store in stores
        }
        reference = secrets.token_hex(16)
        with self._lock:
            self._drop(lambda handed: handed.until <= now)
            self._handed[reference] = _Handed(binding, keys, now + _SECONDS)
        return reference

    def take(self, binding: Binding, reference: str) -> Mapping[str, StoreKeys]:
        """Return the keys that this reference names, and forget them; none if they are not of this binding."""
        now = self._clock()
        with self._lock:
            self._drop(lambda handed: handed.until <= now)
            handed = self._handed.get(reference)
            if handed is None or handed.binding is not binding:
                return {}
            del self._handed[reference]
        return handed.keys

    def forget(self, session: str) -> None:
        """Drop the keys of a session that is over."""
        with self._lock:
            self._drop(lambda handed: handed.binding.session == session)

    def _drop(self, ended: Callable[[_Handed], bool]) -> None:
        for reference in [reference for reference, handed in self._handed.items() if ended(handed)]:
            del self._handed[reference]
