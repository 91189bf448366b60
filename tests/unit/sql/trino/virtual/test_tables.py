from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pyarrow as pa
import pytest
from tests.fakes.source import FakeSource

from sqe.errors import (
    AccessDeniedError,
    CatalogNotFoundError,
    DivisionByZeroError,
    EngineLostError,
    PolicyUnavailableError,
    QueryCanceledError,
    SchemaNotFoundError,
    SqeError,
    TableNotFoundError,
)
from sqe.model.query import Progress, QueryId, QueryInfo, QueryState
from sqe.model.session import Dialect
from sqe.sql import statement
from sqe.sql.trino.scope import Scope
from sqe.sql.trino.translate import translate
from sqe.sql.trino.virtual.reference import Like, VirtualReference
from sqe.sql.trino.virtual.tables import columns, is_virtual_schema, rows

SCOPE = Scope("iceberg", "default", "ada", None)
INFORMATION: tuple[str, ...] = (
    "applicable_roles",
    "columns",
    "enabled_roles",
    "roles",
    "schemata",
    "table_privileges",
    "tables",
    "views",
)


@pytest.fixture
def source() -> FakeSource:
    return FakeSource()


def read(
    source: FakeSource,
    name: str,
    equals: dict[str, str] | None = None,
    mentions: frozenset[str] | None = frozenset(),
    likes: dict[str, Like] | None = None,
    queries: tuple[QueryInfo, ...] = (),
) -> pa.Table:
    *catalog, schema, table = name.split(".")
    reference = VirtualReference(
        "v", catalog[0] if catalog else None, schema, table, equals or {}, likes or {}, mentions=mentions
    )
    answer = rows(reference, source, SCOPE, queries)
    assert answer.schema == columns(reference, SCOPE)
    return answer


def pairs(answer: pa.Table, *names: str) -> list[tuple[Any, ...]]:
    return list(zip(*(answer.column(name).to_pylist() for name in names), strict=True))


def test_schemata_of_the_sessions_catalog_and_of_others(source: FakeSource) -> None:
    assert pairs(read(source, "information_schema.schemata"), "catalog_name", "schema_name") == [
        ("iceberg", "a"),
        ("iceberg", "a.b"),
        ("iceberg", "default"),
        ("iceberg", "information_schema"),
    ]
    lake = read(source, "LAKE.Information_Schema.SCHEMATA")
    assert pairs(lake, "catalog_name", "schema_name") == [("lake", "default"), ("lake", "information_schema")]
    system = read(source, "system.information_schema.schemata")
    assert system.column("schema_name").to_pylist() == ["information_schema", "jdbc", "metadata", "runtime"]
    assert "schemas lake" in source.asked


def test_tables_with_views_and_the_information_schema_itself(source: FakeSource) -> None:
    answer = pairs(read(source, "information_schema.tables"), "table_schema", "table_name", "table_type")
    assert answer == [
        ("a.b", "Tä`ble.x", "BASE TABLE"),
        ("default", "orders", "BASE TABLE"),
        ("default", "recent", "VIEW"),
        *(("information_schema", name, "BASE TABLE") for name in INFORMATION),
    ]


def test_a_named_schema_is_the_only_one_looked_into(source: FakeSource) -> None:
    answer = read(source, "information_schema.tables", {"table_schema": "default", "table_type": "VIEW"})
    assert "recent" in answer.column("table_name").to_pylist()
    assert source.asked == ["tables iceberg.default"]


@pytest.mark.parametrize("schema", ["default", "a.b", "information_schema"])
def test_show_tables_of_a_schema_that_is_there(source: FakeSource, schema: str) -> None:
    [reference] = translate(statement.read(f'SHOW TABLES FROM "{schema}"', Dialect.TRINO), SCOPE).virtual
    assert rows(reference, source, SCOPE, ()).num_rows > 0


def test_show_tables_of_a_schema_that_is_not_there_is_an_error(source: FakeSource) -> None:
    [reference] = translate(statement.read("SHOW TABLES FROM nowhere", Dialect.TRINO), SCOPE).virtual
    with pytest.raises(SchemaNotFoundError, match="'nowhere' does not exist"):
        rows(reference, source, SCOPE, ())
    [reference] = translate(statement.read("SHOW TABLES FROM a", Dialect.TRINO), SCOPE).virtual
    assert rows(reference, source, SCOPE, ()).num_rows == 0


def test_columns_of_one_table_describe_one_table(source: FakeSource) -> None:
    equals = {"table_schema": "default", "table_name": "orders"}
    answer = read(source, "information_schema.columns", equals)
    assert source.asked == ["columns iceberg.default.orders"]
    assert answer.to_pylist()[0] == {
        "table_catalog": "iceberg",
        "table_schema": "default",
        "table_name": "orders",
        "column_name": "id",
        "ordinal_position": 1,
        "column_default": None,
        "is_nullable": "NO",
        "data_type": "bigint",
    }
    assert answer.column("data_type").to_pylist() == [
        "bigint",
        "decimal(10,2)",
        "timestamp(6) with time zone",
        "array(varchar)",
    ]


def test_hidden_columns_are_there_for_those_who_mention_them(source: FakeSource) -> None:
    equals = {"table_schema": "default", "table_name": "orders"}
    answer = read(source, "information_schema.columns", equals, frozenset({"comment", "column_name"}))
    assert answer.column_names[-2:] == ["data_type", "comment"]
    assert answer.column("comment").to_pylist() == ["the key", None, None, None]
    unknown = read(source, "information_schema.columns", equals, None)
    assert unknown.column_names[-3:] == ["comment", "extra_info", "column_comment"]


@pytest.mark.parametrize(
    "equals",
    [
        {"table_schema": "default", "table_name": "no_such_table"},
        {"table_schema": "no_such_schema", "table_name": "orders"},
        {"table_schema": "no_such_schema"},
        {"table_catalog": "lake"},
        {"table_catalog": "ICEBERG"},  # a value, not a name: case matters
    ],
)
def test_names_that_are_not_there_give_no_rows(source: FakeSource, equals: dict[str, str]) -> None:
    for table in ("tables", "columns", "views"):
        assert read(source, f"information_schema.{table}", equals).num_rows == 0


def test_views_have_their_query(source: FakeSource) -> None:
    answer = pairs(read(source, "information_schema.views"), "table_name", "view_definition")
    assert answer == [("recent", "SELECT * FROM orders")]


def test_jdbc_lists_all_catalogs(source: FakeSource) -> None:
    assert read(source, "system.jdbc.catalogs").column("table_cat").to_pylist() == [
        "iceberg",
        "lake",
        "system",
    ]
    schemas = pairs(read(source, "system.jdbc.schemas"), "table_catalog", "table_schem")
    assert schemas == [
        *(("iceberg", name) for name in ("a", "a.b", "default", "information_schema")),
        *(("lake", name) for name in ("default", "information_schema")),
        *(("system", name) for name in ("information_schema", "jdbc", "metadata", "runtime")),
    ]
    tables = pairs(read(source, "system.jdbc.tables"), "table_cat", "table_schem", "table_name", "table_type")
    assert ("iceberg", "default", "recent", "VIEW") in tables
    assert ("lake", "default", "cities", "TABLE") in tables
    assert ("system", "jdbc", "pseudo_columns", "TABLE") in tables
    assert ("lake", "information_schema", "columns", "TABLE") in tables


def test_jdbc_columns_describe_only_what_is_asked_for(source: FakeSource) -> None:
    equals = {"table_cat": "iceberg", "table_schem": "default", "table_name": "orders"}
    answer = read(source, "system.jdbc.columns", equals)
    assert source.asked == ["columns iceberg.default.orders"]
    assert answer.column_names[:6] == [
        "table_cat",
        "table_schem",
        "table_name",
        "column_name",
        "data_type",
        "type_name",
    ]
    assert answer.num_columns == 24
    assert pairs(
        answer, "column_name", "data_type", "column_size", "decimal_digits", "num_prec_radix", "nullable"
    ) == [
        ("id", -5, 19, None, 10, 0),
        ("price", 3, 10, 2, 10, 1),
        ("at", 2014, 62, 6, None, 1),
        ("tags", 2003, None, None, None, 1),
    ]
    assert answer.column("remarks").to_pylist()[0] == "the key"
    assert answer.column("is_nullable").to_pylist() == ["NO", "YES", "YES", "YES"]


def test_patterns_without_a_wildcard_are_names(source: FakeSource) -> None:
    likes = {"table_schem": Like("default", "\\"), "table_name": Like("orders", "\\")}
    answer = read(source, "system.jdbc.columns", {"table_cat": "iceberg"}, likes=likes)
    assert set(answer.column("table_name").to_pylist()) == {"orders"}
    assert source.asked == ["columns iceberg.default.orders"]


def test_patterns_keep_what_is_not_like_them_from_being_described(source: FakeSource) -> None:
    likes = {"table_schem": Like("d%"), "table_name": Like("_e%")}
    answer = read(source, "system.jdbc.columns", {"table_cat": "iceberg"}, likes=likes)
    assert set(answer.column("table_name").to_pylist()) == {"recent"}
    assert source.asked == ["schemas iceberg", "tables iceberg.default", "columns iceberg.default.recent"]
    assert read(source, "information_schema.tables", likes={"table_catalog": Like("l%")}).num_rows == 0


def test_a_name_and_a_pattern_must_both_fit(source: FakeSource) -> None:
    equals, likes = {"table_schem": "default"}, {"table_schem": Like("x%")}
    assert read(source, "system.jdbc.tables", equals, likes=likes).num_rows == 0
    assert source.asked == []


def test_a_pattern_that_makes_no_sense_is_left_to_spark(source: FakeSource) -> None:
    likes = {"table_schem": Like("a#b", "#")}
    assert read(source, "system.jdbc.schemas", likes=likes).num_rows > 0


def test_without_a_catalog_each_is_asked_for_the_table(source: FakeSource) -> None:
    answer = read(source, "system.jdbc.columns", {"table_schem": "default", "table_name": "cities"})
    assert answer.column("table_cat").to_pylist() == ["lake"]
    assert source.asked == ["columns iceberg.default.cities", "columns lake.default.cities"]


def test_columns_of_virtual_tables_are_told_too(source: FakeSource) -> None:
    answer = read(source, "system.jdbc.columns", {"table_cat": "system", "table_name": "queries"})
    assert pairs(answer, "column_name", "type_name")[-6:-2] == [
        ("created", "timestamp(3) with time zone"),
        ("started", "timestamp(3) with time zone"),
        ("last_heartbeat", "timestamp(3) with time zone"),
        ("end", "timestamp(3) with time zone"),
    ]
    equals = {"table_cat": "lake", "table_schem": "information_schema", "table_name": "columns"}
    names = read(source, "system.jdbc.columns", equals).column("column_name").to_pylist()
    assert (len(names), names[-1]) == (8, "data_type")
    assert source.asked == []


def test_one_table_that_cannot_be_described_is_left_out(source: FakeSource) -> None:
    source.failures["orders"] = TableNotFoundError("dropped")
    source.failures["Tä`ble.x"] = AccessDeniedError("not yours")
    names = read(source, "information_schema.columns").column("table_name").to_pylist()
    assert "recent" in names
    assert not {"orders", "Tä`ble.x"} & set(names)


def test_a_table_that_is_asked_for_by_name_and_fails_is_an_error(source: FakeSource) -> None:
    source.failures["orders"] = AccessDeniedError("not yours")
    with pytest.raises(AccessDeniedError):
        read(source, "information_schema.columns", {"table_schema": "default", "table_name": "orders"})


@pytest.mark.parametrize(
    "error",
    [EngineLostError("gone"), QueryCanceledError("enough"), PolicyUnavailableError("silence")],
    ids=repr,
)
def test_an_engine_that_fails_is_not_a_table_that_fails(source: FakeSource, error: SqeError) -> None:
    source.failures["orders"] = error
    with pytest.raises(type(error)):
        read(source, "information_schema.columns")


@pytest.mark.parametrize("table", ["schemas", "tables", "columns"])
def test_a_catalog_that_fails_is_an_error_and_not_an_empty_list(source: FakeSource, table: str) -> None:
    source.failures["lake"] = SqeError("The catalog 'lake' cannot be listed")
    with pytest.raises(SqeError, match="lake"):
        read(source, f"system.jdbc.{table}")
    column = "table_catalog" if table == "schemas" else "table_cat"
    assert read(source, f"system.jdbc.{table}", {column: "iceberg"}).num_rows > 0
    assert read(source, "information_schema.tables").num_rows > 0


def test_comments_are_asked_for_where_they_are_wanted(source: FakeSource) -> None:
    equals = {"catalog_name": "iceberg", "schema_name": "default", "table_name": "orders"}
    answer = pairs(read(source, "system.metadata.table_comments", equals), "table_name", "comment")
    assert answer == [("orders", "what was sold")]
    assert source.asked == ["comment iceberg.default.orders"]
    source.failures["orders"] = TableNotFoundError("dropped")
    everything = pairs(read(source, "system.metadata.table_comments"), "catalog_name", "table_name")
    assert ("lake", "cities") in everything
    assert ("iceberg", "orders") not in everything


@pytest.mark.parametrize(
    ("table", "column", "left"),
    [
        ("system.metadata.table_comments", "table_name", "orders"),
        ("information_schema.views", "table_name", "recent"),
    ],
)
def test_what_somebody_may_not_see_does_not_hide_the_others(
    source: FakeSource, table: str, column: str, left: str
) -> None:
    assert left in read(source, table).column(column).to_pylist()
    source.failures[left] = AccessDeniedError("not yours")
    assert left not in read(source, table).column(column).to_pylist()
    source.failures[left] = PolicyUnavailableError("silence")
    with pytest.raises(PolicyUnavailableError):
        read(source, table)


def test_metadata_names_the_catalogs(source: FakeSource) -> None:
    answer = pairs(read(source, "system.metadata.catalogs"), "catalog_name", "connector_id", "connector_name")
    assert answer == [
        ("iceberg", "iceberg", "iceberg"),
        ("lake", "lake", "iceberg"),
        ("system", "system", "system"),
    ]


def test_types_have_their_jdbc_numbers(source: FakeSource) -> None:
    answer = pairs(read(source, "system.jdbc.types"), "type_name", "data_type", "precision", "maximum_scale")
    assert ("varchar", 12, 2147483647, 0) in answer
    assert ("decimal", 3, 38, 38) in answer
    assert ("array", 2003, None, 0) in answer
    assert ("timestamp with time zone", 2014, 62, 6) in answer
    assert read(source, "system.jdbc.table_types").column("table_type").to_pylist() == ["TABLE", "VIEW"]


@pytest.mark.parametrize(
    "name",
    [
        *(
            f"system.jdbc.{name}"
            for name in (
                "procedures",
                "procedure_columns",
                "pseudo_columns",
                "super_tables",
                "super_types",
                "udts",
                "attributes",
            )
        ),
        *(
            f"system.metadata.{name}"
            for name in (
                "table_properties",
                "schema_properties",
                "column_properties",
                "analyze_properties",
                "materialized_views",
                "materialized_view_properties",
            )
        ),
        *(
            f"information_schema.{name}"
            for name in ("table_privileges", "roles", "applicable_roles", "enabled_roles")
        ),
    ],
)
def test_what_sqe_does_not_have_is_there_and_empty(source: FakeSource, name: str) -> None:
    answer = read(source, name)
    assert (answer.num_rows, answer.num_columns > 0) == (0, True)
    assert source.asked == []


def info(user: str, state: QueryState, error: SqeError | None = None) -> QueryInfo:
    created = datetime(2026, 1, 2, 3, 4, 5, 678000, tzinfo=UTC)
    ended = created + timedelta(seconds=2) if state.terminal else None
    return QueryInfo(
        QueryId(f"q_{state.value}"),
        user,
        "SELECT 1",
        state,
        created,
        ended,
        2.0,
        Progress(),
        "trino",
        "cli",
        error,
    )


def test_queries_are_the_users_own(source: FakeSource) -> None:
    queries = (
        info("ada", QueryState.RUNNING),
        info("bob", QueryState.RUNNING),
        info("ada", QueryState.QUEUED),
        info("ada", QueryState.CANCELED, QueryCanceledError("enough")),
        info("ada", QueryState.FAILED, DivisionByZeroError("by zero")),
    )
    answer = read(source, "system.runtime.queries", queries=queries)
    assert pairs(answer, "query_id", "state", "user", "error_type", "error_code") == [
        ("q_RUNNING", "RUNNING", "ada", None, None),
        ("q_QUEUED", "QUEUED", "ada", None, None),
        ("q_CANCELED", "FAILED", "ada", "USER_ERROR", "QUERY_CANCELED"),
        ("q_FAILED", "FAILED", "ada", "USER_ERROR", "DIVISION_BY_ZERO"),
    ]
    assert answer.column("created")[0].as_py() == queries[0].created
    assert answer.column("started").to_pylist()[:2] == [queries[0].created, None]
    assert answer.column("end").to_pylist()[1:3] == [None, queries[3].ended]


def test_there_is_one_node(source: FakeSource) -> None:
    assert pairs(read(source, "system.runtime.nodes"), "coordinator", "state") == [(True, "active")]


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("information_schema.no_such_table", TableNotFoundError),
        ("system.jdbc.no_such_table", TableNotFoundError),
        ("system.no_such_schema.tables", SchemaNotFoundError),
        ("nowhere.information_schema.tables", CatalogNotFoundError),
    ],
)
def test_unknown_names_are_refused(source: FakeSource, name: str, error: type[SqeError]) -> None:
    with pytest.raises(error):
        read(source, name)


def test_without_a_catalog_there_is_no_information_schema(source: FakeSource) -> None:
    reference = VirtualReference("v", None, "information_schema", "tables")
    with pytest.raises(CatalogNotFoundError):
        rows(reference, source, Scope(None, None, "ada", None), ())


def test_schemas_that_can_be_used() -> None:
    assert is_virtual_schema("SYSTEM", "Runtime")
    assert is_virtual_schema("lake", "information_schema")
    assert not is_virtual_schema("lake", "jdbc")
    assert not is_virtual_schema("system", "default")
