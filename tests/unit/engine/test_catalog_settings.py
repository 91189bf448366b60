from __future__ import annotations

from sqe.engine.catalog_settings import rest_catalog_settings
from sqe.model.session import RestCatalog, Storage


def test_a_session_is_told_a_name_and_whom_to_ask_and_nothing_else() -> None:
    catalog = RestCatalog(
        "lake",
        "https://catalog.example/api",
        warehouse="wh",
        namespace="sales",
        storage=Storage.WEB_IDENTITY,
        s3_endpoint="https://store.example",
        sts_endpoint="https://sts.example",
        options=(("rest.client.max-retries", "1"),),
    )
    assert rest_catalog_settings(catalog) == {
        "spark.sql.catalog.lake": "sqe.spark.catalog.SqeCatalog",
        "spark.sql.catalog.lake.from": "gateway",
        "spark.sql.catalog.lake.cache-enabled": "false",
        "spark.sql.catalog.lake.default-namespace": "sales",
    }
