"""Connect to DuckDB with extensions that come as wheels, signed as DuckDB publishes them."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sqe.errors import BenchmarkError

if TYPE_CHECKING:
    import duckdb


@contextmanager
def connect(*extensions: str, database: Path | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
    """Yield a connection to a database, or to one in memory, with these extensions loaded."""
    try:
        import duckdb
    except ImportError as error:
        raise BenchmarkError(
            "Benchmarks need DuckDB and other packages that SQE does without.",
            hint="Install them: pip install 'sqe[bench]'.",
        ) from error
    with duckdb.connect(str(database) if database else ":memory:") as connection:
        for extension in extensions:
            package = Path(importlib.import_module(f"duckdb_extension_{extension}").__path__[0])
            file = package / "extensions" / f"v{duckdb.__version__}" / f"{extension}.duckdb_extension"
            connection.execute(f"LOAD '{file}'")
        yield connection
