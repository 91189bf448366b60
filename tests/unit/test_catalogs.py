from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sqe.catalogs import catalogs_of, place_of
from sqe.config.schema import Config
from sqe.model.session import RestCatalog, Storage, WarehouseCatalog


def settings(**catalogs: dict[str, Any]) -> Config:
    return Config.model_validate({"paths": {"home": Path("/srv/sqe")}, "catalogs": catalogs})


def test_without_any_there_is_the_default_warehouse() -> None:
    assert catalogs_of(settings()) == (WarehouseCatalog("iceberg", Path("/srv/sqe/warehouse")),)


def test_the_configured_ones_keep_their_order_and_all_that_was_said() -> None:
    full = {
        "uri": "https://c",
        "warehouse": "main",
        "namespace": "sales",
        "storage": "web_identity",
        "region": "eu-1",
        "s3_endpoint": "https://s",
        "s3_path_style": True,
        "sts_endpoint": "https://t",
        "sts_role": "arn:r",
        "options": {"a": "1", "b": 2},
    }
    own = {"type": "warehouse", "path": "/d"}
    assert catalogs_of(settings(zoo=full, own=own, bare={"uri": "https://b"})) == (
        RestCatalog(
            "zoo",
            "https://c",
            warehouse="main",
            namespace="sales",
            storage=Storage.WEB_IDENTITY,
            region="eu-1",
            s3_endpoint="https://s",
            s3_path_style=True,
            sts_endpoint="https://t",
            sts_role="arn:r",
            options=(("a", "1"), ("b", "2")),
        ),
        WarehouseCatalog("own", Path("/d")),
        RestCatalog("bare", "https://b"),
    )


@pytest.mark.parametrize(
    "more", [{"s3_endpoint": "https://s"}, {"storage": "web_identity", "sts_endpoint": "https://s"}]
)
def test_a_store_of_another_kind_has_some_region(more: dict[str, str]) -> None:
    [catalog] = catalogs_of(settings(lake={"uri": "https://c", **more}))
    assert isinstance(catalog, RestCatalog)
    assert catalog.region == "us-east-1"


def test_every_place_has_words() -> None:
    assert place_of(WarehouseCatalog("a", Path("/d"))) == "/d"
    assert place_of(WarehouseCatalog("a", None)) == "(ends with the session)"
    assert place_of(RestCatalog("a", "https://c")) == "https://c"
