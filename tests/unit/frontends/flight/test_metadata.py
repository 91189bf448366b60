"""Answers to Flight SQL's metadata commands: catalogs, schemas, tables."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from tests.unit.frontends.flight.conftest import Client, FlightFrontEnd, our_error

from sqe.errors import AccessDeniedError, DataError, EngineError, SemanticError, SqeError
from sqe.frontends.flight import messages, metadata, sql_info, xdbc
from sqe.frontends.flight.proto import FlightSql_pb2 as sql

NAMESPACES = pa.schema([("namespace", pa.string())])
SHOWN = {
    "VIEWS": pa.schema([("namespace", pa.string()), ("viewName", pa.string()), ("isTemporary", pa.bool_())]),
    "TABLES": pa.schema(
        [("namespace", pa.string()), ("tableName", pa.string()), ("isTemporary", pa.bool_())]
    ),
}


def has(front_end: FlightFrontEnd, catalog: str, **schemas: dict[str, list[str]]) -> None:
    """Let the engine show these tables and views by schema."""
    answers = front_end.engine.answers
    answers[f"SHOW NAMESPACES IN `{catalog}`"] = pa.table([sorted(schemas)], schema=NAMESPACES)
    for schema, kinds in schemas.items():
        answers[f"SHOW NAMESPACES IN `{catalog}`.`{schema}`"] = NAMESPACES.empty_table()
        for kind, columns in SHOWN.items():
            names = kinds.get(kind, [])
            answers[f"SHOW {kind} IN `{catalog}`.`{schema}`"] = pa.table(
                [[schema] * len(names), names, [False] * len(names)], schema=columns
            )


@pytest.fixture
def lake(front_end: FlightFrontEnd) -> FlightFrontEnd:
    has(front_end, "iceberg", default={"TABLES": ["trips", "trips_old"], "VIEWS": ["busy"]}, sales={})
    has(front_end, "lake", default={"TABLES": ["trips"]})
    return front_end


def rows(table: pa.Table) -> list[tuple[object, ...]]:
    return list(zip(*(column.to_pylist() for column in table.columns), strict=True))


def test_all_catalogs_are_there(ann: Client) -> None:
    assert rows(ann.get(sql.CommandGetCatalogs())) == [("iceberg",), ("lake",)]


def test_all_schemas_are_there(lake: FlightFrontEnd, ann: Client) -> None:
    everything = [("iceberg", "default"), ("iceberg", "sales"), ("lake", "default")]
    assert rows(ann.get(sql.CommandGetDbSchemas())) == everything
    assert rows(ann.get(sql.CommandGetDbSchemas(catalog="lake"))) == everything[2:]
    assert rows(ann.get(sql.CommandGetDbSchemas(catalog=""))) == []
    assert rows(ann.get(sql.CommandGetDbSchemas(catalog="elsewhere"))) == []
    assert rows(ann.get(sql.CommandGetDbSchemas(db_schema_filter_pattern="s_les"))) == everything[1:2]
    assert rows(ann.get(sql.CommandGetDbSchemas(db_schema_filter_pattern=""))) == []


def test_tables_and_views_of_all_catalogs_are_there(lake: FlightFrontEnd, ann: Client) -> None:
    assert rows(ann.get(sql.CommandGetTables())) == [
        ("iceberg", "default", "busy", "VIEW"),
        ("iceberg", "default", "trips", "TABLE"),
        ("iceberg", "default", "trips_old", "TABLE"),
        ("lake", "default", "trips", "TABLE"),
    ]


@pytest.mark.parametrize(
    ("filters", "names"),
    [
        ({"catalog": "lake"}, ["trips"]),
        ({"db_schema_filter_pattern": "sales"}, []),
        ({"table_name_filter_pattern": "trips%"}, ["trips", "trips_old", "trips"]),
        ({"table_name_filter_pattern": "trips\\_%"}, ["trips_old"]),
        ({"table_name_filter_pattern": "b_sy"}, ["busy"]),
        ({"table_types": ["VIEW"]}, ["busy"]),
        ({"table_types": ["SYSTEM TABLE"]}, []),
    ],
)
def test_tables_can_be_filtered(
    lake: FlightFrontEnd, ann: Client, filters: dict[str, Any], names: list[str]
) -> None:
    assert ann.get(sql.CommandGetTables(**filters)).column("table_name").to_pylist() == names


def test_a_pattern_that_makes_no_sense_is_refused(lake: FlightFrontEnd, ann: Client) -> None:
    with pytest.raises(Exception, match="DATA_ERROR"):
        ann.get(sql.CommandGetTables(table_name_filter_pattern="trips\\x"))


def test_columns_come_when_they_are_asked_for(lake: FlightFrontEnd, ann: Client) -> None:
    lake.engine.schema = pa.schema(
        [pa.field("km", pa.decimal128(9, 1), nullable=False, metadata={"comment": "how far"})]
    )
    table = ann.get(sql.CommandGetTables(catalog="lake", include_schema=True))
    [column] = pa.ipc.read_schema(pa.py_buffer(table.column("table_schema")[0].as_py()))
    assert (column.name, column.type, column.nullable) == ("km", pa.decimal128(9, 1), False)
    properties = {
        key.decode().removeprefix("ARROW:FLIGHT:SQL:"): value for key, value in column.metadata.items()
    }
    assert (
        properties.items()
        >= {
            "CATALOG_NAME": b"lake",
            "SCHEMA_NAME": b"default",
            "DB_SCHEMA_NAME": b"default",
            "TABLE_NAME": b"trips",
            "TYPE_NAME": b"decimal(9,1)",
            "PRECISION": b"9",
            "SCALE": b"1",
            "REMARKS": b"how far",
            "IS_READ_ONLY": b"0",
            "IS_AUTO_INCREMENT": b"0",
        }.items()
    )


def test_a_catalog_that_fails_is_an_error_and_not_empty(front_end: FlightFrontEnd, ann: Client) -> None:
    front_end.engine.failure = EngineError("The disk is gone.")
    has(front_end, "iceberg", default={})
    front_end.engine.answers["SHOW NAMESPACES IN `lake`"] = pa.table({"other": [1]})
    with pytest.raises(Exception, match="INTERNAL_ERROR") as caught:
        ann.get(sql.CommandGetTables())
    assert isinstance(our_error(caught.value), SqeError)


@pytest.mark.parametrize(
    "error", [SemanticError("It is gone."), AccessDeniedError("No."), DataError("Odd.")], ids=repr
)
def test_a_view_that_is_broken_does_not_hide_the_others(
    lake: FlightFrontEnd, ann: Client, monkeypatch: pytest.MonkeyPatch, error: SqeError
) -> None:
    from tests.fakes.engine import FakeSession

    def table_schema(session: FakeSession, name: tuple[str, ...], tag: str) -> pa.Schema:
        if name[-1] == "busy":
            raise error
        return session.engine.schema

    monkeypatch.setattr(FakeSession, "table_schema", table_schema)
    table = ann.get(sql.CommandGetTables(include_schema=True, catalog="iceberg"))
    schemas = [
        pa.ipc.read_schema(pa.py_buffer(data)).names for data in table.column("table_schema").to_pylist()
    ]
    assert schemas == [[], ["n"], ["n"]]


COMMANDS = [
    (sql.CommandGetCatalogs(), metadata.CATALOGS),
    (sql.CommandGetDbSchemas(), metadata.SCHEMAS),
    (sql.CommandGetTables(), metadata.TABLES),
    (sql.CommandGetTables(include_schema=True), metadata.TABLES_WITH_SCHEMA),
    (sql.CommandGetTableTypes(), metadata.TABLE_TYPES),
    (sql.CommandGetPrimaryKeys(table="t"), metadata.PRIMARY_KEYS),
    (sql.CommandGetExportedKeys(table="t"), metadata.FOREIGN_KEYS),
    (sql.CommandGetImportedKeys(table="t"), metadata.FOREIGN_KEYS),
    (sql.CommandGetCrossReference(pk_table="t", fk_table="u"), metadata.FOREIGN_KEYS),
    (sql.CommandGetSqlInfo(), sql_info.SCHEMA),
    (sql.CommandGetXdbcTypeInfo(), xdbc.SCHEMA),
]


@pytest.mark.parametrize(("command", "schema"), COMMANDS, ids=lambda value: type(value).__name__)
def test_each_command_has_its_schema_and_is_its_own_ticket(
    lake: FlightFrontEnd, ann: Client, command: Any, schema: pa.Schema
) -> None:
    info = ann.info(command)
    assert info.schema == schema
    assert info.endpoints[0].ticket.ticket == messages.pack(command)
    assert ann.read(info).schema == schema


def test_there_are_tables_and_views_and_no_keys(ann: Client) -> None:
    assert rows(ann.get(sql.CommandGetTableTypes())) == [("TABLE",), ("VIEW",)]
    assert ann.get(sql.CommandGetPrimaryKeys(table="t")).num_rows == 0


def test_info_and_types_can_be_asked_for_one_by_one(ann: Client) -> None:
    table = ann.get(sql.CommandGetSqlInfo(info=[sql.FLIGHT_SQL_SERVER_TRANSACTION]))
    assert rows(table) == [(8, 0)]
    assert rows(ann.get(sql.CommandGetXdbcTypeInfo(data_type=sql.XDBC_BIGINT)))[0][:2] == ("bigint", -5)
