"""What both catalogs of the stack can do for a test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from stack.configuration import Tables


@dataclass(frozen=True, slots=True)
class Access:
    """A line of a catalog's access log."""

    user: str  # "-" for nobody
    method: str
    path: str  # with the query
    status: int


class CatalogService(Protocol):
    """An Iceberg REST catalog that knows users by their tokens and vends credentials."""

    @property
    def name(self) -> str:
        """Which of them it is: nessie, polaris."""

    @property
    def version(self) -> str:
        """What it is, for a report."""

    @property
    def uri(self) -> str: ...

    @property
    def warehouse(self) -> str | None: ...

    @property
    def prefix(self) -> str:
        """Where its tables are in the bucket: "nessie/"."""

    @property
    def storages(self) -> tuple[str, ...]:
        """The ways to open files that it knows, as SQE's setting `storage` calls them."""

    @property
    def service_user(self) -> str:
        """Whose keys at MinIO stand behind the credentials that it vends: `parent` in the audit."""

    def settings(self, name: str = "lake", *, storage: str = "vended") -> dict[str, str]:
        """One catalog of SQE's configuration, as in the environment but without SQE_ and in lower case.

        `storage` is vended, web_identity or remote_signing.
        """

    def tables(self, name: str = "lake", *, storage: str = "vended") -> Tables:
        """The same, for a file."""

    def mark(self) -> int:
        """A place in the access log."""

    def access_log(self, since: int = 0) -> list[Access]:
        """What was asked since a mark."""

    def grant(self, user: str, what: str) -> None:
        """Give `user` everything in a namespace ("sales") or on a table ("sales.orders"), for the next request on."""

    def revoke(self, user: str, what: str) -> None:
        """Take it back, for the next request on."""

    def stop(self) -> None: ...

    def start(self) -> None:
        """Start it again at the same address, with the tables and grants that it had. Returns when it is ready."""
