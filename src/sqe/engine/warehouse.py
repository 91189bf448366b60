"""An Iceberg catalog in a directory: Iceberg's JDBC catalog on a SQLite file beside the tables' data.

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
from sqe.model.session import DEFAULT_NAMESPACE

_MADE = ".made"  # is there once the catalog is whole; the database file alone says only that somebody began
_MAKING_SECONDS = 60.0
_REPORTER = "sqe.spark.ChangedRows"  # hears of each commit how many rows it has changed
_BUSY_MILLISECONDS = 20_000  # how long a commit waits for another process's commit


def catalog_settings(name: str, path: Path, catalog_class: str, *, own: bool) -> Mapping[str, str]:
    """The session settings that make the warehouse at `path` the catalog `name`; `own`: the engine has our classes."""
    prefix = f"spark.sql.catalog.{name}"
    return {
        prefix: catalog_class,
        f"{prefix}.type": "jdbc",
        f"{prefix}.uri": f"jdbc:sqlite:file:{quote(str(path / 'catalog.db'))}?busy_timeout={_BUSY_MILLISECONDS}",
        f"{prefix}.warehouse": str(path / "data"),
        f"{prefix}.jdbc.schema-version": "V1",  # V0 knows no views
        # Each session has its own catalog object; a cache in it would show other sessions' tables as they were.
        f"{prefix}.cache-enabled": "false",
        f"{prefix}.default-namespace": DEFAULT_NAMESPACE,
        **({f"{prefix}.metrics-reporter-impl": _REPORTER} if own else {}),
    }


def is_made(path: Path) -> bool:
    return (path / _MADE).exists()


@contextmanager
def being_made(path: Path) -> Iterator[None]:
    """Hold the warehouse while its catalog is made: SQLite's tables are created without `IF NOT EXISTS`."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        with hold(path / ".lock", timeout=_MAKING_SECONDS, what="makes this warehouse"):
            yield
            (path / _MADE).touch()
    except OSError as error:
        raise FileAccessError(
            f"The warehouse {path} cannot be used: {error.strerror}.",
            hint="Choose another place with --warehouse, or use --memory.",
        ) from error
