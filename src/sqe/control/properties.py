"""Translate a REST catalog of the configuration into Iceberg's properties, without tokens, keys and handles."""

from __future__ import annotations

from sqe.model.session import RestCatalog, Storage

_AUTH_MANAGER = "sqe.spark.identity.SqeAuthManager"
_NO_CREDENTIALS = "sqe.spark.identity.NoCredentials"
_VENDED_CREDENTIALS = "sqe.spark.identity.VendedCredentials"
_GATEWAY_CREDENTIALS = "sqe.spark.identity.GatewayCredentials"
_DELEGATION = "header.X-Iceberg-Access-Delegation"

_REGION = (
    "us-east-1"  # of a store that is not AWS's: requests are signed for one, whether it has regions or not
)

# `options` may have other ones: a catalog that is down is to be an error in seconds, not in minutes. Iceberg also asks
# again after a 500, with pauses of 1, 2, 4 s, and some catalogs send a 500 where a principal may not do something.
_PATIENCE = {
    "rest.client.connection-timeout-ms": "5000",
    "rest.client.socket-timeout-ms": "60000",
    "rest.client.max-retries": "1",
}

_STORAGE = {
    # A provider is always named: without one, Iceberg goes on to look for keys of the machine or of the account.
    Storage.VENDED: {
        _DELEGATION: "vended-credentials",
        "io-impl": "org.apache.iceberg.aws.s3.S3FileIO",
        "client.credentials-provider": _VENDED_CREDENTIALS,
    },
    # Keys that a catalog vends without being asked must not go before the person's own.
    Storage.WEB_IDENTITY: {
        "io-impl": "sqe.spark.identity.OwnCredentialsIO",
        "client.credentials-provider": _GATEWAY_CREDENTIALS,
    },
    Storage.REMOTE_SIGNING: {
        _DELEGATION: "remote-signing",
        "io-impl": "org.apache.iceberg.aws.s3.S3FileIO",
        "client.credentials-provider": _NO_CREDENTIALS,
        "s3.remote-signing-enabled": "true",
    },
}


def iceberg_properties(catalog: RestCatalog) -> dict[str, str]:
    """Return what `sqe.spark.catalog.SqeCatalog` starts the catalog with; it adds the handle itself.

    The options were checked with the configuration. Should one have slipped through, ours go before it.
    """
    properties = {
        **_PATIENCE,
        **dict(catalog.options),
        "catalog-impl": "org.apache.iceberg.rest.RESTCatalog",
        "uri": catalog.uri,
        "rest.auth.type": _AUTH_MANAGER,
        "rest-metrics-reporting-enabled": "false",
        "metrics-reporter-impl": "sqe.spark.writes.ChangedRows",
        **_STORAGE[catalog.storage],
    }
    if catalog.warehouse is not None:
        properties["warehouse"] = catalog.warehouse
    own_store = catalog.s3_endpoint is not None or catalog.sts_endpoint is not None
    if region := catalog.region or (_REGION if own_store else None):
        properties["client.region"] = region
    if catalog.s3_endpoint is not None:
        properties["s3.endpoint"] = catalog.s3_endpoint
    if catalog.s3_path_style:
        properties["s3.path-style-access"] = "true"
    return properties
