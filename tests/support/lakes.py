"""Describe the catalogs of a server on the stack, each service with each storage mode, and read their access logs."""

from __future__ import annotations

import base64
import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from stack.audit import Entry
from stack.catalog import Access, CatalogService
from stack.running import Stack

WAYS: tuple[tuple[str, str], ...] = (
    ("nessie", "vended"),
    ("nessie", "web_identity"),
    ("nessie", "remote_signing"),
    ("polaris", "vended"),
    ("polaris", "web_identity"),
)


@dataclass(frozen=True)
class Lake:
    """A catalog of SQE's."""

    stack: Stack
    service: CatalogService
    storage: str

    @property
    def name(self) -> str:
        return f"{self.service.name}_{self.storage}"

    def table(self, name: str) -> str:
        """The full name of a table: `sales.orders` in this catalog."""
        return f"{self.name}.{name}"

    @contextmanager
    def watched(self) -> Iterator[Watched]:
        """Everything that catalog and store were asked while the block ran."""
        catalog, store = self.service.mark(), self.stack.minio.audit.mark()
        watched = Watched(self)
        yield watched
        watched.catalog = self.service.access_log(catalog)
        watched.store = self.stack.minio.audit.since(store)


@dataclass
class Watched:
    lake: Lake
    catalog: list[Access] = field(default_factory=list)
    store: list[Entry] = field(default_factory=list)

    @property
    def own(self) -> list[Entry]:
        """Requests for objects that the catalog did not make with its own keys: those of the engine."""
        return [one for one in self.store if one.object and one.access_key != self.lake.service.service_user]

    @property
    def files(self) -> list[Entry]:
        """Return all clients' requests for data files and manifests; the catalog itself reads table metadata."""
        return [one for one in self.store if one.object and not one.object.endswith(".metadata.json")]


def fresh(beginning: str = "t") -> str:
    """A name that no other test has."""
    return f"{beginning}_{secrets.token_hex(4)}"


def claims(token: str) -> dict[str, Any]:
    """What a token says, unchecked."""
    body = token.split(".")[1]
    said: dict[str, Any] = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
    return said
