"""Calls of clients for catalogs, schemas, tables and columns."""

from __future__ import annotations

from tests.conformance.case_context import CATALOG, OTHER_CATALOG, SHARED, CaseContext
from tests.conformance.cases.case import case, cases_in

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
def catalogs(context: CaseContext) -> None:
    assert {CATALOG, OTHER_CATALOG} <= set(context.connection.catalogs())


@case("metadata", "schemas of each catalog", needs=["metadata"])
def schemas(context: CaseContext) -> None:
    with context.connect(catalog=CATALOG) as connection:
        assert {SHARED, context.own_schema} <= set(connection.schemas(CATALOG))
    with context.connect(catalog=OTHER_CATALOG) as connection:
        found = set(connection.schemas(OTHER_CATALOG))
    assert SHARED in found
    assert context.own_schema not in found


@case("metadata", "tables and views, told apart", needs=["metadata"])
def tables(context: CaseContext) -> None:
    with context.connect(catalog=CATALOG) as connection:
        found = connection.tables(CATALOG, SHARED)
    assert found == {"trips": "TABLE", "typed": "TABLE", "far": "VIEW"}


@case("metadata", "tables of the other catalog", needs=["metadata"])
def other_tables(context: CaseContext) -> None:
    with context.connect(catalog=OTHER_CATALOG) as connection:
        assert connection.tables(OTHER_CATALOG, SHARED) == {"cities": "TABLE"}


@case("metadata", "columns with their types", needs=["metadata"])
def columns(context: CaseContext) -> None:
    with context.connect(catalog=CATALOG) as connection:
        found = connection.columns(CATALOG, SHARED, "typed")
    assert found == [(name, context.client.listed_type(type_)) for name, type_ in TYPED], found


@case("metadata", "a pattern does not find more than it should", needs=["metadata"])
def patterns(context: CaseContext) -> None:
    with context.connect(catalog=CATALOG) as connection:
        assert connection.tables(CATALOG, "conform_nce_") == {}
        assert connection.tables(CATALOG, "nowhere") == {}


CASES = cases_in(globals())
