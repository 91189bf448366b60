"""An Iceberg REST catalog in a Spark session: its name, and that the gateway is to be asked for the rest.

A session's settings can be read by whoever uses the session. So there is no address in them, no handle and no token:
`SqeCatalog` (Java) asks the gateway's control endpoint when the catalog is first used.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqe.model.session import RestCatalog

CATALOG_CLASS = "sqe.spark.SqeCatalog"


def rest_settings(catalog: RestCatalog) -> Mapping[str, str]:
    """The session settings that make `catalog` one of the session's."""
    prefix = f"spark.sql.catalog.{catalog.name}"
    return {
        prefix: CATALOG_CLASS,
        f"{prefix}.from": "gateway",
        # A cache would show tables as they were, with credentials as they were, after a grant was taken back.
        f"{prefix}.cache-enabled": "false",
        f"{prefix}.default-namespace": catalog.namespace,
    }
