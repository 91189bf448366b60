"""Tables of both format versions in the real REST catalogs, read back by a client of the catalog that is not SQE."""

from __future__ import annotations

import pytest
from pyiceberg.catalog.rest import RestCatalog
from stack.catalog import CatalogService
from stack.running import Stack
from testing.people import Person, Refused
from tests.support.lakes import Lake, fresh

pytestmark = pytest.mark.engine


@pytest.mark.parametrize("version", [2, 3])
def test_a_table_of_a_format_version(
    stack: Stack, catalog: CatalogService, alice: Person, version: int
) -> None:
    name = fresh("format")
    table = Lake(stack, catalog, "vended").table(f"alice.{name}")
    modes = "extra_properties = MAP(ARRAY['write.delete.mode'], ARRAY['merge-on-read'])"
    create = f"CREATE TABLE {table} (id bigint, name varchar) WITH (format_version = {version}, {modes})"
    if catalog.name == "nessie" and version > 2:  # it makes one of version 2, whatever it is asked for
        with pytest.raises(Refused, match="format version 3"):
            alice.trino(create)
        assert not _client(stack, catalog).table_exists(("alice", name))
        return
    alice.trino(create)
    alice.trino(f"INSERT INTO {table} VALUES (1, 'a'), (2, 'b')")
    alice.flight(f"DELETE FROM {table} WHERE id = 1")
    if version > 2:
        alice.trino(f"ALTER TABLE {table} ADD COLUMN city varchar DEFAULT 'Delft'")
    expected = [(2, "b", "Delft")] if version > 2 else [(2, "b")]
    assert alice.flight(f"SELECT * FROM {table}") == expected
    read = _client(stack, catalog).load_table(("alice", name))
    assert read.metadata.format_version == version
    assert [tuple(row.values()) for row in read.scan().to_arrow().to_pylist()] == expected
    alice.trino(f"DROP TABLE {table}")


def _client(stack: Stack, catalog: CatalogService) -> RestCatalog:
    properties = {
        "uri": catalog.uri,
        "token": stack.keycloak.token("alice").access_token,
        "header.X-Iceberg-Access-Delegation": "vended-credentials",
    }
    if catalog.warehouse is not None:
        properties["warehouse"] = catalog.warehouse
    return RestCatalog(catalog.name, **properties)
