"""Keep, for each session of the engine, the principal and the catalogs that it may ask for."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from sqe.model.identity import Principal
from sqe.model.session import RestCatalog


@dataclass(frozen=True, slots=True)
class Binding:
    session: str
    principal: Principal
    catalogs: Mapping[str, RestCatalog]
    engine: int  # which of the engines that were started one after the other
    results: dict[tuple[str, str], str] = field(default_factory=dict, repr=False, compare=False)

    def is_news(self, catalog: str, kind: str, result: str) -> bool:
        """Whether this result differs from the last one of its kind: what is logged, instead of every call."""
        before = self.results.get((catalog, kind))
        self.results[catalog, kind] = result
        return before != result


class Bindings:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._bindings: dict[str, Binding] = {}
        self._logins: Counter[str] = Counter()

    def __len__(self) -> int:
        with self._lock:
            return len(self._bindings)

    def put(
        self, session: str, principal: Principal, catalogs: Iterable[RestCatalog], engine: int
    ) -> Binding | None:
        """Bind a session, and return the binding that it had before, if any."""
        binding = Binding(session, principal, {catalog.name: catalog for catalog in catalogs}, engine)
        with self._lock:
            before = self._pop(session)
            self._bindings[session] = binding
            if principal.login is not None:
                self._logins[principal.login] += 1
            return before

    def find(self, session: str, engine: int) -> Binding | None:
        """Return the binding of a session of this engine."""
        with self._lock:
            binding = self._bindings.get(session)
        return binding if binding is not None and binding.engine == engine else None

    def drop(self, session: str) -> Binding | None:
        """Forget a session, and return what it was bound to."""
        with self._lock:
            return self._pop(session)

    def drop_all(self) -> list[Binding]:
        with self._lock:
            dropped = list(self._bindings.values())
            self._bindings.clear()
            self._logins.clear()
            return dropped

    def has_login(self, login: str) -> bool:
        """Whether any session is bound to this login."""
        with self._lock:
            return login in self._logins

    def _pop(self, session: str) -> Binding | None:
        found = self._bindings.pop(session, None)
        if found is not None and found.principal.login is not None:
            self._logins[found.principal.login] -= 1
            if not self._logins[found.principal.login]:
                del self._logins[found.principal.login]
        return found
