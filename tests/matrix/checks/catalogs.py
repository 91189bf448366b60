"""The catalogs that need no service."""

from __future__ import annotations

import pytest
from pydantic import ValidationError
from tests.matrix.lake import SCHEMA, Lake

from sqe.config.sections.catalogs import CatalogConfig


def jdbc_catalog(lake: Lake, version: int) -> None:
    table = lake.create(version, rows="(1, 'a')")
    name = (SCHEMA, table.rpartition(".")[2])
    assert name in lake.catalog.list_tables(SCHEMA)
    assert lake.catalog.load_table(name).metadata.format_version == version
    # And the other way round: what a client of that catalog changes is seen.
    lake.catalog.rename_table(name, (SCHEMA, f"{name[1]}_renamed"))
    assert lake.run(f"SELECT * FROM {table}_renamed") == [(1, "a")]


def hive_metastore(_lake: Lake, _version: int) -> None:
    _no_type("hive")


def aws_glue_catalog(_lake: Lake, _version: int) -> None:
    _no_type("glue")


def hadoop_catalog(_lake: Lake, _version: int) -> None:
    _no_type("hadoop")


def _no_type(name: str) -> None:
    with pytest.raises(ValidationError):
        CatalogConfig.model_validate({"type": name, "uri": "https://catalog.example"})
