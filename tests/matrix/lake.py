"""One server with its catalog, and two readers that know nothing of SQE: PyIceberg and DuckDB."""

from __future__ import annotations

import gzip
import itertools
import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import duckdb
import duckdb_extension_avro
import duckdb_extension_iceberg
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.table import Table
from testing.server import running_server
from tests.parity.client import Client

CATALOG = "iceberg"
SCHEMA = "matrix"
GZIP = b"\x1f\x8b"

MERGE_ON_READ = {f"write.{kind}.mode": "merge-on-read" for kind in ("delete", "update", "merge")}
COPY_ON_WRITE = {f"write.{kind}.mode": "copy-on-write" for kind in ("delete", "update", "merge")}

Row = tuple[Any, ...]


class Lake:
    """Statements go to SQE; what they made is read from the catalog and the files by others."""

    def __init__(self, url: str, directory: Path) -> None:
        self._client = Client(url)
        self._directory = directory
        self._numbers = itertools.count(1)
        self._duckdb = duckdb.connect(config={"allow_unsigned_extensions": "true"})
        for package in (duckdb_extension_avro, duckdb_extension_iceberg):
            extension = next(Path(str(package.__file__)).parent.glob("extensions/*/*.duckdb_extension"))
            self._duckdb.execute(f"LOAD '{extension}'")

    @property
    def catalog(self) -> SqlCatalog:
        # A new one each time: it keeps nothing of what SQE has changed since.
        return SqlCatalog(
            CATALOG,
            uri=f"sqlite:///{self._directory / 'catalog.db'}",
            warehouse=str(self._directory / "data"),
            init_catalog_tables="false",
        )

    def run(self, sql: str) -> list[Row]:
        answer = self._client.run(sql)
        assert answer.error is None, f"{answer.error}: {answer.message}\n{sql}"
        return list(answer.rows)

    def refused(self, sql: str) -> str:
        answer = self._client.run(sql)
        assert answer.error is not None, f"There is an answer: {answer.rows}\n{sql}"
        return f"{answer.error}: {answer.message}"

    def fresh(self) -> str:
        return f"{CATALOG}.{SCHEMA}.t{next(self._numbers)}"

    def create(
        self,
        version: int,
        columns: str = "id bigint, name varchar",
        properties: Mapping[str, str] | None = None,
        partitioning: Sequence[str] = (),
        rows: str | None = None,
    ) -> str:
        """Create a table of a format version, with rows if `rows` gives what follows VALUES."""
        table = self.fresh()
        clauses = [f"format_version = {version}"]
        if properties:
            clauses.append(f"extra_properties = MAP({_array(properties)}, {_array(properties.values())})")
        if partitioning:
            clauses.append(f"partitioning = {_array(partitioning)}")
        self.run(f"CREATE TABLE {table} ({columns}) WITH ({', '.join(clauses)})")
        if rows:
            self.run(f"INSERT INTO {table} VALUES {rows}")
        return table

    def table(self, name: str) -> Table:
        """Return the table as PyIceberg sees it."""
        return self.catalog.load_table(_identifier(name))

    def pyiceberg(self, name: str) -> list[Row]:
        """Return the rows that PyIceberg reads."""
        return _rows(self.table(name).scan().to_arrow().to_pylist())

    def duckdb(self, name: str, columns: str = "*") -> list[Row]:
        """Return the rows that DuckDB reads."""
        path = self.location(name)
        found = self._duckdb.execute(f"SELECT {columns} FROM iceberg_scan('{path}')").fetchall()
        return sorted(found, key=repr)

    def parquet(self, name: str) -> list[Mapping[str, Any]]:
        """Return the metadata of the columns in the table's data files, as DuckDB reads them."""
        found: list[Mapping[str, Any]] = []
        for task in self.files(name):
            relation = self._duckdb.execute(f"SELECT * FROM parquet_metadata('{task}')")
            names = [column[0] for column in relation.description or ()]
            found += [dict(zip(names, row, strict=True)) for row in relation.fetchall()]
        return found

    def files(self, name: str) -> list[str]:
        """Return the paths of the data files, which SQE lists: PyIceberg does not know the tables of all types."""
        table = name.rpartition(".")[2]
        listed = self.run(f'SELECT file_path FROM {CATALOG}.{SCHEMA}."{table}$files" WHERE content = 0')
        return [row[0].removeprefix("file:") for row in listed]

    def location(self, name: str) -> str:
        """Return the path of the current metadata, from the catalog's database."""
        with closing(sqlite3.connect(self._directory / "catalog.db")) as database:
            query = (
                "SELECT metadata_location FROM iceberg_tables WHERE table_namespace = ? AND table_name = ?"
            )
            (path,) = database.execute(query, _identifier(name)).fetchone()
        return str(path).removeprefix("file:")

    def metadata(self, name: str) -> dict[str, Any]:
        """Return the current metadata, as it is stored."""
        content = Path(self.location(name)).read_bytes()
        found: dict[str, Any] = json.loads(gzip.decompress(content) if content.startswith(GZIP) else content)
        return found

    def close(self) -> None:
        self._client.close()
        self._duckdb.close()


@contextmanager
def running_lake(directory: Path) -> Iterator[Lake]:
    with running_server(catalogs={CATALOG: directory}) as server:
        server.wait_until_ready()
        with closing(Lake(server.trino, directory)) as lake:
            lake.run(f"CREATE SCHEMA {CATALOG}.{SCHEMA}")
            yield lake


def _identifier(name: str) -> tuple[str, ...]:
    return tuple(name.split(".")[-2:])


def _rows(dictionaries: list[dict[str, Any]]) -> list[Row]:
    return sorted((tuple(row.values()) for row in dictionaries), key=repr)


def _array(texts: Any) -> str:
    return f"ARRAY[{', '.join(repr(text) for text in texts)}]"
