"""Measure how fast the Trino front end encodes rows as JSON, beside orjson over Python's objects.

python -m bench.trino_pages [--rows 200000]
"""

from __future__ import annotations

import argparse
import base64
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import numpy as np
import orjson
import pyarrow as pa

from sqe.frontends.trino.encode.fragment import Style
from sqe.frontends.trino.encode.page import rows_json

_REPEATS = 3


def columns(rows: int) -> dict[str, pa.Array]:
    random = np.random.default_rng(7)
    whole = random.integers(-(10**12), 10**12, rows)
    texts = pa.array([f"name {number}" for number in range(rows)])
    instants = pa.array(random.integers(0, 2 * 10**15, rows), pa.timestamp("us"))
    lists = pa.ListArray.from_arrays(pa.array(np.arange(rows + 1, dtype=np.int32)), pa.array(whole))
    return {
        "bigint": pa.array(whole),
        "bigint with nulls": pa.array(whole, mask=random.random(rows) < 0.1),
        "double": pa.array(random.normal(size=rows) * 100),
        "boolean": pa.array(random.random(rows) < 0.5),
        "decimal(22,2)": pa.array(whole).cast(pa.decimal128(20, 0)).cast(pa.decimal128(22, 2)),
        "varchar": texts,
        "varchar with quotes": pa.array([f'say "{number}"\n' for number in range(rows)]),
        "date": instants.cast(pa.date32(), safe=False),
        "timestamp": instants,
        "timestamp with time zone": instants.cast(pa.timestamp("us", "Europe/Berlin")),
        "varbinary": texts.cast(pa.binary()),
        "interval": pa.array(random.integers(-(10**13), 10**13, rows), pa.duration("us")),
        "array(bigint)": lists,
        "row(bigint, varchar)": pa.StructArray.from_arrays([pa.array(whole), texts], ["a", "b"]),
    }


def by_objects(batch: pa.RecordBatch) -> bytes:
    """Encode the plain way: Python's objects, and orjson for them."""
    lists = [column.to_pylist() for column in batch.columns]
    return orjson.dumps(list(zip(*lists, strict=True)), default=_text)


def _text(value: Any) -> Any:
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    return str(value) if not isinstance(value, timedelta) else value.total_seconds()


def rate(work: Callable[[], object], rows: int) -> float:
    """Return rows in a second, the best of some runs."""
    times = []
    for _ in range(_REPEATS):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return rows / min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rows", type=int, default=200_000)
    rows = parser.parse_args().rows
    arrays = columns(rows)
    cases = {name: pa.record_batch([array], names=["c"]) for name, array in arrays.items()}
    cases["all of these"] = pa.record_batch(list(arrays.values()), names=list(arrays))
    cases["id, b, c (as in bench.throughput)"] = pa.record_batch(
        [arrays["bigint"], arrays["bigint"], arrays["varchar"]], names=["id", "b", "c"]
    )
    print("| column | rows/s | orjson over objects, rows/s | ratio |\n|---|---:|---:|---:|")
    for name, batch in cases.items():
        ours = rate(lambda batch=batch: rows_json([batch], Style()), rows)  # type: ignore[misc]
        plain = rate(lambda batch=batch: by_objects(batch), rows)  # type: ignore[misc]
        print(f"| {name} | {ours:,.0f} | {plain:,.0f} | {ours / plain:.1f} |")


if __name__ == "__main__":
    main()
