"""What a client asks for when it opens a session."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from sqe.errors import UsageError

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_RESERVED = frozenset({"spark_catalog", "system", "session", "builtin", "global_temp"})

DEFAULT_CATALOG = "iceberg"
DEFAULT_NAMESPACE = "default"
SYSTEM_CATALOG = "system"  # of the gateway itself; Spark knows nothing of it


class Dialect(Enum):
    """How a session's SQL is read."""

    SPARK = "spark"  # as it is
    TRINO = "trino"  # Trino's reading, with Spark's and Iceberg's DDL accepted too


@dataclass(frozen=True, slots=True)
class WarehouseCatalog:
    """An Iceberg catalog kept in a directory: a SQLite file beside the tables' data."""

    name: str
    path: Path | None  # None: a throw-away directory that ends with the session

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name) or self.name.lower() in _RESERVED:
            raise UsageError(
                f"'{self.name}' cannot be a catalog's name.",
                hint="Use letters, digits and underscores, and none of Spark's own names "
                f"({', '.join(sorted(_RESERVED))}).",
            )


@dataclass(frozen=True, slots=True)
class SessionSpec:
    """The catalogs of a session, how it reads SQL, and where it starts."""

    catalogs: tuple[WarehouseCatalog, ...]
    directory: Path | None = field(default=None)  # where relative file names start; None: no files in SQL
    dialect: Dialect = Dialect.SPARK
    catalog: str | None = None  # the current one; None: the first
    namespace: str | None = None  # the current one, which need not exist yet; None: the catalog's default
    time_zone: str | None = None  # None: the engine's

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
        """The current one for Spark, which must have one even where the client stands in the gateway's own."""
        in_system = self.catalog is not None and self.catalog.lower() == SYSTEM_CATALOG
        return self._first if in_system else self.current_catalog

    @property
    def _first(self) -> str | None:
        return self.catalogs[0].name if self.catalogs else None
