"""The local executor reads the files of Iceberg tables as Spark does, or leaves them to Spark."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.executor.scans_bed import ScansBed, scans_bed

pytestmark = pytest.mark.engine


@pytest.fixture(scope="session")
def bed() -> Iterator[ScansBed]:
    with scans_bed() as made:
        yield made


def test_plain_tables(bed: ScansBed) -> None:
    table = bed.table("id bigint, name string", rows="(1, 'a'), (2, NULL)")
    assert bed.same(f"SELECT * FROM {table}") == [(1, "a"), (2, None)]
    bed.same(f"SELECT count(*) FROM {table} WHERE id > 0", f"SELECT name FROM {table} WHERE name = 'a'")
