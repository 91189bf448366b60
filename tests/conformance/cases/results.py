"""Results as a whole: empty ones, large ones, and rows of tables."""

from __future__ import annotations

from tests.conformance.case_context import CATALOG, OTHER_CATALOG, SHARED, CaseContext
from tests.conformance.cases.case import case, cases_in
from tests.conformance.gaps import never

_MILLION = 1_000_000


@case(
    "results",
    "an empty result still has its columns",
    gaps={
        "flight_jdbc": never("the driver lists the columns of an empty result twice", raises=AssertionError)
    },
)
def empty(context: CaseContext) -> None:
    found = context.connection.query(
        "SELECT CAST(1 AS bigint) AS id, 'x' AS name, DECIMAL '1.50' AS price WHERE 1 = 0"
    )
    assert found.rows == []
    assert found.names == ("id", "name", "price")
    expected = ("bigint", "varchar", "decimal(3,2)")
    assert found.types == tuple(map(context.client.shown_type, expected))


@case(
    "results",
    "rows of a table, in order",
    gaps={
        "pandas_trino": never(
            "NumPy has no NULL beside numbers: they become floats, and it NaN", raises=AssertionError
        )
    },
)
def table(context: CaseContext) -> None:
    found = context.connection.query(f"SELECT id, city, km FROM {CATALOG}.{SHARED}.trips ORDER BY id DESC")
    assert found.rows == [(3, "Delft", None), (2, "Leiden", 18.5), (1, "Delft", 3.2)]


@case("results", "rows of a view")
def view(context: CaseContext) -> None:
    assert context.connection.query(f"SELECT * FROM {CATALOG}.{SHARED}.far").rows == [(2, "Leiden")]


@case("results", "two catalogs in one query")
def two_catalogs(context: CaseContext) -> None:
    found = context.connection.query(
        f"SELECT t.id, c.visitors FROM {CATALOG}.{SHARED}.trips AS t"
        f" JOIN {OTHER_CATALOG}.{SHARED}.cities AS c ON t.city = c.city ORDER BY t.id"
    )
    assert found.rows == [(1, 1200), (2, 3400), (3, 1200)]


@case("results", "identifiers in double quotes, strings in single ones")
def quotes(context: CaseContext) -> None:
    found = context.connection.query(
        f'SELECT "city", \'city\' AS text FROM "{CATALOG}"."{SHARED}"."trips" WHERE "id" = 1'
    )
    assert found.rows == [("Delft", "city")]


@case("results", "SHOW and EXPLAIN return rows")
def listings(context: CaseContext) -> None:
    assert ("far",) in context.connection.query(f"SHOW TABLES FROM {CATALOG}.{SHARED}").rows
    assert context.connection.query(f"EXPLAIN SELECT * FROM {CATALOG}.{SHARED}.trips").rows


@case("results", "a million rows, by count and sum")
def million(context: CaseContext) -> None:
    found = context.connection.scan(
        f"SELECT id, 'row ' || CAST(id AS varchar) AS text FROM range({_MILLION})"
    )
    assert found == (_MILLION, _MILLION * (_MILLION - 1) // 2)


@case("results", "20 MB in a hundred rows")
def long_rows(context: CaseContext) -> None:
    found = context.connection.query(
        "SELECT length(v) AS n, v FROM (SELECT rpad('', 200000, 'ab') AS v FROM range(100))"
    )
    assert len(found.rows) == 100
    assert all(length == 200_000 == len(text) for length, text in found.rows)


CASES = cases_in(globals())
