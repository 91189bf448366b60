"""JDBC calls of tools besides running statements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.conformance.case_context import CATALOG, OTHER_CATALOG, SHARED, CaseContext
from tests.conformance.clients.base import Client
from tests.conformance.clients.flight_jdbc import FlightJdbc
from tests.conformance.clients.jdbc import JdbcConnection
from tests.conformance.clients.trino_jdbc import TrinoJdbc

pytestmark = [
    pytest.mark.engine,
    # trino-python-client leaves the sockets of its connections to the garbage collector.
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(params=[FlightJdbc, TrinoJdbc], ids=lambda client: client.name)
def jdbc(request: pytest.FixtureRequest, context_of: Callable[[type[Client]], CaseContext]) -> JdbcConnection:
    connection = context_of(request.param).connection
    assert isinstance(connection, JdbcConnection)
    return connection


def test_the_product_and_its_user(jdbc: JdbcConnection) -> None:
    product = jdbc.product()
    assert product["name"]
    assert product["version"]
    assert product["readOnly"] is False
    assert product["quote"] == '"'


def test_it_is_valid(jdbc: JdbcConnection) -> None:
    assert jdbc.valid()


def test_type_info_has_the_usual_types(jdbc: JdbcConnection, request: pytest.FixtureRequest) -> None:
    if "flight_jdbc" in request.node.name:
        assert jdbc.metadata("getTypeInfo") == []  # the driver does not ask the server
        return
    names = {str(row["TYPE_NAME"]).lower() for row in jdbc.metadata("getTypeInfo")}
    assert {"boolean", "integer", "bigint", "double", "varchar", "date"} <= names


def test_table_types(jdbc: JdbcConnection) -> None:
    assert {"TABLE", "VIEW"} <= {row["TABLE_TYPE"] for row in jdbc.metadata("getTableTypes")}


def test_there_are_no_primary_keys(jdbc: JdbcConnection) -> None:
    assert jdbc.metadata("getPrimaryKeys", catalog=CATALOG, schema=SHARED, table="trips") == []


def test_all_tables_of_all_catalogs_in_one_call(jdbc: JdbcConnection) -> None:
    found = {(row["TABLE_CAT"], row["TABLE_SCHEM"], row["TABLE_NAME"]) for row in jdbc.metadata("getTables")}
    assert {(CATALOG, SHARED, "trips"), (OTHER_CATALOG, SHARED, "cities")} <= found


def test_columns_have_sizes_and_positions(jdbc: JdbcConnection) -> None:
    found = jdbc.metadata("getColumns", catalog=CATALOG, schema=SHARED, table="typed")
    columns: dict[str, dict[str, Any]] = {row["COLUMN_NAME"]: row for row in found}
    assert [row["ORDINAL_POSITION"] for row in found] == list(range(1, len(found) + 1))
    decimal = columns["c_decimal"]
    assert (decimal["COLUMN_SIZE"], decimal["DECIMAL_DIGITS"]) == (38, 18)
    assert columns["c_bigint"]["DATA_TYPE"] == -5  # java.sql.Types.BIGINT
    assert columns["c_varchar"]["DATA_TYPE"] == 12
    assert columns["c_decimal"]["DATA_TYPE"] == 3
    assert columns["c_date"]["DATA_TYPE"] == 91


def test_precision_and_scale_of_a_result(jdbc: JdbcConnection) -> None:
    answer = jdbc._statement("query", "SELECT DECIMAL '1.50' AS price, 1 AS n")
    price = answer["columns"][0]
    assert (price["precision"], price["scale"]) == (3, 2)
    assert answer["columns"][1]["jdbc"] == 4  # java.sql.Types.INTEGER


def test_autocommit_off_and_rollback_of_nothing(jdbc: JdbcConnection) -> None:
    assert jdbc._call("autocommit", on=False)["done"] is False
    jdbc._statement("execute", "SELECT 1 AS one")
    jdbc._call("rollback")
    assert jdbc._call("autocommit", on=True)["done"] is True
