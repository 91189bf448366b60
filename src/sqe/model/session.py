"""The specification of a session: its catalogs, dialect and current schema."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from sqe.config.names import RESERVED_CATALOGS
from sqe.errors import UsageError

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

DEFAULT_CATALOG = "iceberg"
DEFAULT_NAMESPACE = "default"
SYSTEM_CATALOG = "system"  # of the gateway itself; Spark knows nothing of it


class Dialect(Enum):
    """The SQL dialect of a session."""

    SPARK = "spark"  # as it is
    TRINO = "trino"  # Trino's reading, with Spark's and Iceberg's DDL accepted too


class Storage(Enum):
    """The credentials that open the files of a catalog's tables; never the server's own."""

    VENDED = "vended"  # what the catalog hands out to the user with a table
    WEB_IDENTITY = "web_identity"  # what the store's STS gives for the user's own token
    REMOTE_SIGNING = "remote_signing"  # the catalog signs each request to the store for the user


@dataclass(frozen=True, slots=True)
class WarehouseCatalog:
    """An Iceberg catalog kept in a directory: a SQLite file beside the tables' data."""

    name: str
    path: Path | None  # None: a throw-away directory that ends with the session

    def __post_init__(self) -> None:
        _check_name(self.name)


@dataclass(frozen=True, slots=True)
class RestCatalog:
    """An Iceberg REST catalog, which gets the user's own token."""

    name: str
    uri: str
    warehouse: str | None = None
    namespace: str = DEFAULT_NAMESPACE  # the current one of a new session, which need not exist
    storage: Storage = Storage.VENDED
    region: str | None = None
    s3_endpoint: str | None = None  # of a store that is not AWS's; the catalog may tell another
    s3_path_style: bool = False
    sts_endpoint: str | None = None  # with WEB_IDENTITY
    sts_role: str | None = None  # its ARN, where the store wants one
    options: tuple[tuple[str, str], ...] = ()  # more of Iceberg's own properties

    def __post_init__(self) -> None:
        _check_name(self.name)


Catalog = WarehouseCatalog | RestCatalog


@dataclass(frozen=True, slots=True)
class SessionSpec:
    """The catalogs of a session, its dialect, and its current catalog and schema."""

    catalogs: tuple[Catalog, ...]
    directory: Path | None = field(default=None)  # where relative file names start; None: no files in SQL
    dialect: Dialect = Dialect.SPARK
    catalog: str | None = None  # the current one; None: the first
    namespace: str | None = None  # the current one, which need not exist yet; None: the catalog's default
    time_zone: str | None = None  # None: the engine's
    own_zones: bool = False  # whether clients take timestamps that each have a zone, which go to them as text

    def __post_init__(self) -> None:
        names = [catalog.name.lower() for catalog in self.catalogs]
        doubled = sorted({name for name in names if names.count(name) > 1})
        if doubled:
            raise UsageError(f"The catalog name '{doubled[0]}' is given twice.")

    @property
    def current_catalog(self) -> str | None:
        return self.catalog or self._first

    @property
    def engine_catalog(self) -> str | None:
        """The current catalog for Spark, also where the client's is one of the gateway's own."""
        in_system = self.catalog is not None and self.catalog.lower() == SYSTEM_CATALOG
        return self._first if in_system else self.current_catalog

    @property
    def _first(self) -> str | None:
        return self.catalogs[0].name if self.catalogs else None


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name) or name.lower() in RESERVED_CATALOGS:
        raise UsageError(
            f"'{name}' cannot be a catalog's name.",
            hint="Use letters, digits and underscores, and none of Spark's own names "
            f"({', '.join(sorted(RESERVED_CATALOGS))}).",
        )
