"""What clients ask about catalogs, schemas, tables and columns, by calls of their own."""

from __future__ import annotations

from tests.conformance.cases.case import case, cases_in
from tests.conformance.world import CATALOG, OTHER_CATALOG, SHARED, World

TYPED = [
    ("c_boolean", "boolean"),
    ("c_integer", "integer"),
    ("c_bigint", "bigint"),
    ("c_real", "real"),
    ("c_double", "double"),
    ("c_decimal", "decimal(38,18)"),
    ("c_varchar", "varchar"),
    ("c_varbinary", "varbinary"),
    ("c_date", "date"),
    ("c_timestamp", "timestamp(6)"),
    ("c_zoned", "timestamp(6) with time zone"),
    ("c_array", "array(integer)"),
    ("c_map", "map(varchar, integer)"),
    ("c_row", "row(a integer, b varchar)"),
]


@case("metadata", "catalogs", needs=["metadata"])
def catalogs(world: World) -> None:
    assert {CATALOG, OTHER_CATALOG} <= set(world.connection.catalogs())


@case("metadata", "schemas of each catalog", needs=["metadata"])
def schemas(world: World) -> None:
    with world.connect(catalog=CATALOG) as connection:
        assert {SHARED, world.own_schema} <= set(connection.schemas(CATALOG))
    with world.connect(catalog=OTHER_CATALOG) as connection:
        found = set(connection.schemas(OTHER_CATALOG))
    assert SHARED in found
    assert world.own_schema not in found


@case("metadata", "tables and views, told apart", needs=["metadata"])
def tables(world: World) -> None:
    with world.connect(catalog=CATALOG) as connection:
        found = connection.tables(CATALOG, SHARED)
    assert found == {"trips": "TABLE", "typed": "TABLE", "far": "VIEW"}


@case("metadata", "tables of the other catalog", needs=["metadata"])
def other_tables(world: World) -> None:
    with world.connect(catalog=OTHER_CATALOG) as connection:
        assert connection.tables(OTHER_CATALOG, SHARED) == {"cities": "TABLE"}


@case("metadata", "columns with their types", needs=["metadata"])
def columns(world: World) -> None:
    with world.connect(catalog=CATALOG) as connection:
        found = connection.columns(CATALOG, SHARED, "typed")
    assert found == [(name, world.client.listed_type(type_)) for name, type_ in TYPED], found


@case("metadata", "a pattern does not find more than it should", needs=["metadata"])
def patterns(world: World) -> None:
    with world.connect(catalog=CATALOG) as connection:
        assert connection.tables(CATALOG, "conform_nce_") == {}
        assert connection.tables(CATALOG, "nowhere") == {}


CASES = cases_in(globals())
