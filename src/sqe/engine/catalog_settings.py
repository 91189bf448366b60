"""Build the Spark settings that give a session its catalogs, and create the embedded warehouse.

A REST catalog's settings hold no address, handle or token, because every statement of the session can read them:
`SqeCatalog` (Java) asks the gateway's control endpoint when the catalog is first used.

The embedded warehouse is Iceberg's JDBC catalog on a SQLite file beside the tables' data:

    <warehouse>/catalog.db      names and the current metadata file of each table
    <warehouse>/data/...        metadata and data files, as Iceberg lays them out

SQLite serialises the commits of any number of processes, and Iceberg's compare-and-swap in it turns a lost race into a
conflict error, so two gateways can share a warehouse.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from sqe.common.filelock import hold
from sqe.errors import FileAccessError
from sqe.model.session import DEFAULT_NAMESPACE, RestCatalog

CATALOG_CLASS = "sqe.spark.catalog.SqeCatalog"

_COMPLETE = ".made"  # exists once the catalog is complete; the database file alone may be half of one
_CREATE_SECONDS = 60.0
_REPORTER = (
    "sqe.spark.writes.ChangedRows"  # Iceberg calls it after each commit with the number of changed rows
)
_FILES = "sqe.spark.catalog.WarehouseFiles"  # local files, without the settings of other file systems
_BUSY_MILLISECONDS = 20_000  # how long a commit waits for another process's commit


def rest_catalog_settings(catalog: RestCatalog) -> Mapping[str, str]:
    """Return the session settings that add a REST catalog to a session."""
    prefix = f"spark.sql.catalog.{catalog.name}"
    return {
        prefix: CATALOG_CLASS,
        f"{prefix}.from": "gateway",
        # A cache would keep tables and credentials that a revoked grant has made invalid.
        f"{prefix}.cache-enabled": "false",
        f"{prefix}.default-namespace": catalog.namespace,
    }


def warehouse_settings(name: str, path: Path, catalog_class: str, *, own: bool) -> Mapping[str, str]:
    """Return the session settings that add the warehouse at `path` as catalog `name`.

    Args:
        name: of the catalog.
        path: the warehouse's directory.
        catalog_class: Spark's name for an Iceberg catalog on this engine.
        own: whether the engine has SQE's Java classes.
    """
    prefix = f"spark.sql.catalog.{name}"
    return {
        prefix: catalog_class,
        f"{prefix}.type": "jdbc",
        f"{prefix}.uri": f"jdbc:sqlite:file:{quote(str(path / 'catalog.db'))}?busy_timeout={_BUSY_MILLISECONDS}",
        f"{prefix}.warehouse": str(path / "data"),
        f"{prefix}.jdbc.schema-version": "V1",  # V0 has no views
        # Each session has its own catalog object; a cache in it would hide the changes of other sessions.
        f"{prefix}.cache-enabled": "false",
        f"{prefix}.default-namespace": DEFAULT_NAMESPACE,
        **({f"{prefix}.metrics-reporter-impl": _REPORTER, f"{prefix}.io-impl": _FILES} if own else {}),
    }


def warehouse_exists(path: Path) -> bool:
    return (path / _COMPLETE).exists()


@contextmanager
def creating_warehouse(path: Path) -> Iterator[None]:
    """Lock a warehouse while the block creates its catalog, and mark it as complete afterwards.

    Iceberg creates SQLite's tables without `IF NOT EXISTS`, so that two processes must not do it at once.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        with hold(path / ".lock", timeout=_CREATE_SECONDS, what="makes this warehouse"):
            yield
            (path / _COMPLETE).touch()
    except OSError as error:
        raise FileAccessError(
            f"The warehouse {path} cannot be used: {error.strerror}.",
            hint="Choose another place with --warehouse, or use --memory.",
        ) from error
