from __future__ import annotations

import pytest

from sqe.control.properties import iceberg_properties
from sqe.model.session import RestCatalog, Storage


def catalog(**given: object) -> RestCatalog:
    return RestCatalog("lake", "https://catalog.test/api", **given)  # type: ignore[arg-type]


def test_every_catalog_is_asked_by_our_auth_manager() -> None:
    for storage in Storage:
        properties = iceberg_properties(catalog(storage=storage))
        assert properties["rest.auth.type"] == "sqe.spark.identity.SqeAuthManager"
        assert properties["catalog-impl"] == "org.apache.iceberg.rest.RESTCatalog"
        assert properties["uri"] == "https://catalog.test/api"
        assert properties["rest-metrics-reporting-enabled"] == "false"
        assert properties["metrics-reporter-impl"] == "sqe.spark.writes.ChangedRows"


def test_no_storage_leaves_room_for_anybodys_keys_but_the_persons() -> None:
    providers = {
        storage: iceberg_properties(catalog(storage=storage))["client.credentials-provider"]
        for storage in Storage
    }
    assert providers == {
        Storage.VENDED: "sqe.spark.identity.VendedCredentials",
        Storage.WEB_IDENTITY: "sqe.spark.identity.GatewayCredentials",
        Storage.REMOTE_SIGNING: "sqe.spark.identity.NoCredentials",
    }


@pytest.mark.parametrize(
    ("storage", "delegation"),
    [
        (Storage.VENDED, "vended-credentials"),
        (Storage.WEB_IDENTITY, None),
        (Storage.REMOTE_SIGNING, "remote-signing"),
    ],
)
def test_the_catalog_is_asked_for_what_the_storage_needs(storage: Storage, delegation: str | None) -> None:
    properties = iceberg_properties(catalog(storage=storage))
    assert properties.get("header.X-Iceberg-Access-Delegation") == delegation
    assert ("s3.remote-signing-enabled" in properties) == (storage is Storage.REMOTE_SIGNING)


def test_keys_that_a_catalog_vends_unasked_are_dropped_with_web_identity() -> None:
    properties = iceberg_properties(catalog(storage=Storage.WEB_IDENTITY))
    assert properties["io-impl"] == "sqe.spark.identity.OwnCredentialsIO"


def test_addresses_and_the_region_are_passed_on() -> None:
    properties = iceberg_properties(
        catalog(warehouse="wh", region="eu-west-1", s3_endpoint="http://store.test:9000", s3_path_style=True)
    )
    assert properties["warehouse"] == "wh"
    assert properties["client.region"] == "eu-west-1"
    assert properties["s3.endpoint"] == "http://store.test:9000"
    assert properties["s3.path-style-access"] == "true"


def test_what_is_not_set_is_left_to_the_catalog() -> None:
    assert not iceberg_properties(catalog()).keys() & {
        "warehouse",
        "client.region",
        "s3.endpoint",
        "s3.path-style-access",
    }


def test_a_store_of_ones_own_has_a_region_to_sign_for() -> None:
    assert iceberg_properties(catalog(s3_endpoint="http://store.test"))["client.region"] == "us-east-1"


def test_options_may_change_patience_but_not_identity() -> None:
    properties = iceberg_properties(
        catalog(
            options=(
                ("rest.client.max-retries", "9"),
                ("s3.multipart.part-size-bytes", "6000000"),
                ("rest.auth.type", "oauth2"),
                ("io-impl", "org.example.Thief"),
                ("client.credentials-provider", "org.example.Thief"),
            )
        )
    )
    assert properties["rest.client.max-retries"] == "9"
    assert properties["s3.multipart.part-size-bytes"] == "6000000"
    assert properties["rest.auth.type"] == "sqe.spark.identity.SqeAuthManager"
    assert properties["io-impl"] == "org.apache.iceberg.aws.s3.S3FileIO"
    assert properties["client.credentials-provider"] == "sqe.spark.identity.VendedCredentials"
