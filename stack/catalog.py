"""The interface of both catalogs of the stack for tests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from stack.configuration import Tables


@dataclass(frozen=True, slots=True)
class Access:
    """A line of a catalog's access log."""

    user: str  # "-" without one
    method: str
    path: str  # with the query
    status: int


class CatalogService(Protocol):
    """An Iceberg REST catalog that knows users by their tokens and vends credentials."""

    @property
    def name(self) -> str:
        """The name: nessie or polaris."""

    @property
    def version(self) -> str:
        """Name and version, for a report."""

    @property
    def uri(self) -> str: ...

    @property
    def warehouse(self) -> str | None: ...

    @property
    def prefix(self) -> str:
        """The prefix of its tables in the bucket: "nessie/"."""

    @property
    def service_user(self) -> str:
        """The MinIO account of the credentials that it vends: `parent` in the audit."""

    def settings(self, name: str = "lake", *, storage: str = "vended") -> dict[str, str]:
        """Return one catalog of SQE's configuration, as in the environment but without SQE_ and in lower case.

        `storage` is vended, web_identity or remote_signing.
        """

    def tables(self, name: str = "lake", *, storage: str = "vended") -> Tables:
        """Return the same as tables of a file."""

    def mark(self) -> int:
        """Return a mark in the access log."""

    def access_log(self, since: int = 0) -> list[Access]:
        """Return the requests since a mark."""

    def grant(self, user: str, what: str) -> None:
        """Grant `user` everything in a namespace ("sales") or on a table ("sales.orders"), from the next request on."""

    def revoke(self, user: str, what: str) -> None:
        """Revoke it, from the next request on."""

    def stop(self) -> None: ...

    def start(self) -> None:
        """Start it again at the same address, with the tables and grants that it had. Returns when it is ready."""
