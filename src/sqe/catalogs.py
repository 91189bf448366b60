"""Make the catalogs of a session from the configuration."""

from __future__ import annotations

from sqe.config.schema import Config
from sqe.config.sections.catalogs import CatalogConfig
from sqe.model.session import DEFAULT_CATALOG, Catalog, RestCatalog, Storage, WarehouseCatalog

# Stores that are not AWS's accept any region, but without one the SDK looks for it in the environment.
_SOME_REGION = "us-east-1"


def catalogs_of(config: Config) -> tuple[Catalog, ...]:
    """Return the configured catalogs in their order, or the default one when there are none."""
    if not config.catalogs:
        return (WarehouseCatalog(DEFAULT_CATALOG, config.paths.home.expanduser().absolute() / "warehouse"),)
    return tuple(_catalog(name, catalog) for name, catalog in config.catalogs.items())


def place_of(catalog: Catalog) -> str:
    """Return the location of a catalog, to be shown."""
    if isinstance(catalog, RestCatalog):
        return catalog.uri
    return str(catalog.path or "(ends with the session)")


def _catalog(name: str, catalog: CatalogConfig) -> Catalog:
    if catalog.type == "warehouse":
        assert catalog.path is not None  # the schema checks it
        return WarehouseCatalog(name, catalog.path.absolute())
    assert catalog.uri is not None
    elsewhere = catalog.s3_endpoint is not None or catalog.sts_endpoint is not None
    return RestCatalog(
        name,
        catalog.uri,
        warehouse=catalog.warehouse,
        namespace=catalog.namespace,
        storage=Storage(catalog.storage),
        region=catalog.region or (_SOME_REGION if elsewhere else None),
        s3_endpoint=catalog.s3_endpoint,
        s3_path_style=catalog.s3_path_style,
        sts_endpoint=catalog.sts_endpoint,
        sts_role=catalog.sts_role,
        options=tuple(catalog.options.items()),
    )
