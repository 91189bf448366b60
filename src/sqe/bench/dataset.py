"""Generate the tables of a suite as Parquet files, check them, and load them into an Iceberg warehouse once.

    <root>/<suite>-sf<scale>/TABLE.parquet    the generated files; `.generated` marks that all are there and checked
    <root>/warehouse                          an SQE warehouse with a schema for each suite and scale

A step that was interrupted goes on with the tables that are missing.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from sqe.bench.duckdb_extensions import connect
from sqe.bench.suite import Suite
from sqe.errors import BenchmarkError

CATALOG = "iceberg"  # a warehouse knows its tables by the catalog's name too
_GENERATED = ".generated"
_LOAD_SECONDS = 3600.0
_MEMORY = "4GB"


@dataclass(frozen=True, slots=True)
class Dataset:
    """The tables of a suite at a scale."""

    root: Path
    suite: Suite
    scale: float

    @property
    def schema(self) -> str:
        return f"{self.suite.name}_sf{self.scale:g}".replace(".", "_")

    @property
    def files(self) -> Path:
        return self.root / f"{self.suite.name}-sf{self.scale:g}"

    @property
    def warehouse(self) -> Path:
        return self.root / "warehouse"

    @property
    def generated(self) -> bool:
        return (self.files / _GENERATED).exists()

    def tables(self) -> Sequence[str]:
        """Return the names of the generated tables."""
        return sorted(file.stem for file in self.files.glob("*.parquet"))

    def generate(self) -> Iterator[str]:
        """Write the tables as files, yield each step as it begins, and check them at the end."""
        if self.generated:
            return
        scratch = self.files.with_name(f"{self.files.name}.partial")
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir(parents=True)
        extensions = [] if self.suite.derived else [self.suite.name]
        with connect(*extensions, database=scratch / "tables.duckdb") as connection:
            connection.execute(f"SET memory_limit = '{_MEMORY}'")
            connection.execute(f"SET temp_directory = '{scratch / 'spill'}'")
            connection.execute("SET preserve_insertion_order = false")
            connection.execute("SET VARIABLE scale = CAST(? AS DOUBLE)", [self.scale])
            yield f"Generating {self.suite.title} at scale {self.scale:g}"
            self.suite.generate(connection, self.scale)
            yield "Checking row counts and values"
            for check in self.suite.checks():
                if connection.execute(check.text).fetchone() != (True,):
                    raise BenchmarkError(f"The generated data is wrong: {check.name} does not hold.")
            for (table,) in connection.execute("SHOW TABLES").fetchall():
                yield f"Writing {table}"
                connection.execute(
                    f"COPY {table} TO '{scratch / table}.parquet' (FORMAT parquet, COMPRESSION zstd)"
                )
        (scratch / "tables.duckdb").unlink()
        shutil.rmtree(scratch / "spill", ignore_errors=True)
        (scratch / _GENERATED).touch()
        shutil.rmtree(self.files, ignore_errors=True)
        scratch.replace(self.files)

    def loaded(self) -> Mapping[str, Path]:
        """Return the current metadata file of each table that is in the warehouse."""
        catalog = self.warehouse / "catalog.db"
        if not catalog.exists():
            return {}
        with closing(sqlite3.connect(f"file:{catalog}?mode=ro", uri=True)) as database:
            rows = database.execute(
                "SELECT table_name, metadata_location FROM iceberg_tables "
                "WHERE table_namespace = ? AND metadata_location IS NOT NULL",
                [self.schema],
            ).fetchall()
        return {name: Path(urlsplit(location).path) for name, location in rows}

    def load(self, *, keep_engine: bool = False) -> Iterator[str]:
        """Create the Iceberg tables that are missing, and yield each step as it begins.

        With `keep_engine` the engine goes on running, for the next dataset of the same root.
        """
        if not self.generated:
            raise BenchmarkError(
                f"The data of {self.suite.title} at scale {self.scale:g} is not generated.",
                hint=f"Generate it: sqe bench generate {self.suite.name} --scale {self.scale:g}.",
            )
        missing = [table for table in self.tables() if table not in self.loaded()]
        if not missing:
            return
        statements = [
            f"CREATE SCHEMA IF NOT EXISTS {self.schema}",
            *(f"CREATE TABLE {self.schema}.{table} AS SELECT * FROM '{table}.parquet'" for table in missing),
        ]
        yield f"Loading {missing[0]}"
        try:
            # One line of output for each statement that has ended; the first is the schema's.
            for done, _ in enumerate(self._sqe_lines(statements)):
                if 0 < done < len(missing):
                    yield f"Loading {missing[done]}"
        finally:
            if not keep_engine:
                self.stop_engine()

    def _sqe_lines(self, statements: Sequence[str]) -> Iterator[str]:
        """Run statements in one session of the shell, and yield its lines of output."""
        arguments = [part for statement in statements for part in ("-e", statement)]
        place = ("--warehouse", str(self.warehouse), "--stop-on-error")
        with tempfile.TemporaryFile("w+", encoding="utf-8") as errors:
            process = subprocess.Popen(
                [sys.executable, "-m", "sqe.cli.main", *place, *arguments],
                env=self._environment(),
                cwd=self.files,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
            with process:
                assert process.stdout is not None
                yield from process.stdout
                code = process.wait(_LOAD_SECONDS)
            if code != 0:
                errors.seek(0)
                raise BenchmarkError("The tables cannot be loaded.", hint=errors.read().strip())

    def stop_engine(self) -> None:
        subprocess.run(
            [sys.executable, "-m", "sqe.cli.main", "engine", "stop", "--all"],
            env=self._environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_LOAD_SECONDS,
            check=False,
        )

    def _environment(self) -> Mapping[str, str]:
        # An engine of its own, so that the user's is neither used nor stopped.
        return {**os.environ, "SQE_PATHS__HOME": str(self.root / "home")}
