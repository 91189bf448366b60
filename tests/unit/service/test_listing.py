from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pytest
from tests.fakes.engine import FakeEngine, FakeSession

from sqe.engine.interface import NO_VIEWS
from sqe.errors import (
    CatalogNotFoundError,
    EngineLostError,
    Position,
    QueryCanceledError,
    QueryError,
    SchemaNotFoundError,
    SqeError,
    TableNotFoundError,
    UnsupportedError,
)
from sqe.model.identity import Principal
from sqe.model.query import Progress
from sqe.model.session import SessionSpec, WarehouseCatalog
from sqe.service.listing import Listing, TableDetails
from sqe.sql.trino.virtual.source import TableEntry

SPEC = SessionSpec((WarehouseCatalog("iceberg", Path("w")), WarehouseCatalog("Lake", Path("l"))))


def namespaces(*names: str) -> pa.Table:
    return pa.table({"namespace": pa.array(names, pa.string())})


def names(column: str, *lasting: str, temporary: Sequence[str] = ()) -> pa.Table:
    return pa.table(
        {
            "namespace": ["default"] * len(lasting) + [""] * len(temporary),
            column: pa.array([*lasting, *temporary], pa.string()),
            "isTemporary": pa.array([False] * len(lasting) + [True] * len(temporary), pa.bool_()),
        }
    )


def described(*rows: tuple[str, str]) -> pa.Table:
    keys, values = zip(*rows, strict=True)
    return pa.table({"col_name": list(keys), "data_type": list(values), "comment": [None] * len(rows)})


class Spark(FakeSession):
    """Answers only what it was taught, and fails where it was told to."""

    def __init__(self) -> None:
        super().__init__(FakeEngine(), SPEC, Principal("ada", "test"))
        self.failures: dict[str, SqeError] = {}
        self.columns_of: dict[tuple[str, ...], pa.Schema] = {}
        self.tags: set[str] = set()

    def stream(
        self,
        sql: str,
        tag: str,
        on_progress: Callable[[Progress], None],
        parameters: Sequence[pa.Scalar] = (),
        views: Mapping[str, pa.Table] = NO_VIEWS,
        *,
        local: bool = False,
    ) -> Iterator[pa.Schema | pa.RecordBatch]:
        self.tags.add(tag)
        if sql in self.failures:
            raise self.failures[sql]
        assert sql in self.engine.answers, sql
        return super().stream(sql, tag, on_progress, parameters)

    def table_schema(self, name: Sequence[str], tag: str) -> pa.Schema:
        self.tags.add(tag)
        if tuple(name) not in self.columns_of:
            raise TableNotFoundError("not there", position=Position(1, 1))
        return self.columns_of[tuple(name)]


@pytest.fixture
def spark() -> Spark:
    return Spark()


@pytest.fixture
def listing(spark: Spark) -> Listing:
    return Listing(spark, SPEC, "q_1")


def test_catalogs_are_those_of_the_session(spark: Spark, listing: Listing) -> None:
    assert listing.catalogs() == ["Lake", "iceberg"]
    assert spark.started == []


def test_schemas_are_found_at_every_depth(spark: Spark, listing: Listing) -> None:
    spark.engine.answers = {
        "SHOW NAMESPACES IN `iceberg`": namespaces("default", "a", "`Ünï``q`", "`x.y`"),
        "SHOW NAMESPACES IN `iceberg`.`default`": namespaces(),
        "SHOW NAMESPACES IN `iceberg`.`a`": namespaces("a.b"),
        "SHOW NAMESPACES IN `iceberg`.`a`.`b`": namespaces(),
        "SHOW NAMESPACES IN `iceberg`.`Ünï``q`": namespaces(),
        "SHOW NAMESPACES IN `iceberg`.`x.y`": namespaces(),
    }
    assert listing.schemas("ICEBERG") == ["`x.y`", "a", "a.b", "default", "Ünï`q"]
    assert spark.tags == {"q_1"}


def test_a_namespace_that_is_dropped_meanwhile_is_still_told_without_its_children(
    spark: Spark, listing: Listing
) -> None:
    spark.engine.answers["SHOW NAMESPACES IN `iceberg`"] = namespaces("a")
    spark.failures["SHOW NAMESPACES IN `iceberg`.`a`"] = SchemaNotFoundError("gone")
    assert listing.schemas("iceberg") == ["a"]


def test_a_catalog_that_shows_a_namespace_inside_of_itself_does_not_keep_us_for_ever(
    spark: Spark, listing: Listing
) -> None:
    spark.engine.answers["SHOW NAMESPACES IN `iceberg`"] = namespaces("a")
    spark.engine.answers["SHOW NAMESPACES IN `iceberg`.`a`"] = namespaces("a", "b")
    assert listing.schemas("iceberg") == ["a"]


def test_tables_and_views_without_temporary_ones(spark: Spark, listing: Listing) -> None:
    spark.engine.answers = {
        "SHOW TABLES IN `iceberg`.`a`.`b``c`": names("tableName", "t.u", "v", temporary=["tmp"]),
        "SHOW VIEWS IN `iceberg`.`a`.`b``c`": names("viewName", "v", temporary=["__sqe_1"]),
    }
    assert listing.tables("iceberg", "a.b`c") == [
        TableEntry("iceberg", "a.b`c", "t.u", "TABLE"),
        TableEntry("iceberg", "a.b`c", "v", "VIEW"),
    ]


def test_a_catalog_that_knows_no_views_has_none(spark: Spark, listing: Listing) -> None:
    spark.engine.answers["SHOW TABLES IN `iceberg`.`a`"] = names("tableName", "t")
    spark.failures["SHOW VIEWS IN `iceberg`.`a`"] = UnsupportedError("no views")
    assert [entry.name for entry in listing.tables("iceberg", "a")] == ["t"]


def test_comments_only_when_they_are_asked_for(spark: Spark, listing: Listing) -> None:
    spark.engine.answers = {
        "SHOW TABLES IN `iceberg`.`a`": names("tableName", "t", "gone", "plain"),
        "SHOW VIEWS IN `iceberg`.`a`": names("viewName"),
        "DESCRIBE TABLE EXTENDED `iceberg`.`a`.`t`": described(
            ("# Detailed Table Information", "int"),
            ("Comment", "string"),
            ("", ""),
            ("# Detailed Table Information", ""),
            ("Name", "iceberg.a.t"),
            ("Comment", "mine"),
        ),
        "DESCRIBE TABLE EXTENDED `iceberg`.`a`.`plain`": described(
            ("Comment", "string"), ("# Detailed Table Information", ""), ("Name", "x")
        ),
    }
    spark.failures["DESCRIBE TABLE EXTENDED `iceberg`.`a`.`gone`"] = TableNotFoundError("dropped")
    assert len(listing.tables("iceberg", "a")) == 3
    assert [(entry.name, entry.comment) for entry in listing.tables("iceberg", "a", comments=True)] == [
        ("plain", None),
        ("t", "mine"),
    ]


def test_the_query_of_a_view_is_found_behind_what_its_comment_says(spark: Spark, listing: Listing) -> None:
    text = (
        "CREATE VIEW iceberg.a.v (\n  a'b COMMENT 'x')\nCOMMENT 'y \\')\nAS\n'\n"
        "TBLPROPERTIES (\n  'provider' = 'iceberg')\nAS\nSELECT ')\nAS\n' FROM t\n"
    )
    spark.engine.answers["SHOW CREATE TABLE `iceberg`.`a`.`v`"] = pa.table({"createtab_stmt": [text]})
    assert listing.view_definition("iceberg", "a", "v") == "SELECT ')\nAS\n' FROM t"


def test_columns_come_from_the_catalog(spark: Spark, listing: Listing) -> None:
    schema = pa.schema([pa.field("x", pa.int32(), metadata={b"comment": b"c"})])
    spark.columns_of["Lake", "a", "b", "t.u"] = schema
    assert listing.columns("lake", "a.b", "t.u").equals(schema, check_metadata=True)
    with pytest.raises(TableNotFoundError) as caught:
        listing.columns("lake", "a.b", "nope")
    assert caught.value.position is None  # it would be a place in our own statement


def test_empty_names_are_of_nothing(spark: Spark, listing: Listing) -> None:
    for schema in ("", ".a", "a."):
        with pytest.raises(SchemaNotFoundError):
            listing.tables("iceberg", schema)
    with pytest.raises(TableNotFoundError):
        listing.columns("iceberg", "a", "")
    assert spark.tags == set()


def test_an_unknown_catalog_is_refused_with_those_that_there_are(spark: Spark, listing: Listing) -> None:
    for ask in (
        listing.schemas,
        lambda name: listing.tables(name, "a"),
        lambda name: listing.columns(name, "a", "t"),
    ):
        with pytest.raises(CatalogNotFoundError, match="nowhere") as caught:
            ask("nowhere")
        assert caught.value.hint == "There are: Lake, iceberg."
    assert spark.started == []


def test_a_catalog_that_fails_is_named(spark: Spark, listing: Listing) -> None:
    spark.failures["SHOW NAMESPACES IN `Lake`"] = QueryError(
        "no route to host", detail="stack", sqlstate="08001"
    )
    with pytest.raises(QueryError) as caught:
        listing.schemas("lake")
    assert caught.value.message == "The catalog 'Lake' cannot be listed: no route to host"
    assert (caught.value.sqlstate, caught.value.detail) == ("08001", "stack")


@pytest.mark.parametrize("error", [SchemaNotFoundError("no such schema"), EngineLostError("gone")], ids=repr)
def test_what_is_not_the_catalogs_fault_is_told_as_it_is(
    spark: Spark, listing: Listing, error: SqeError
) -> None:
    spark.failures["SHOW VIEWS IN `iceberg`.`nope`"] = error
    with pytest.raises(type(error)) as caught:
        listing.tables("iceberg", "nope")
    assert caught.value.message == error.message


def test_a_listing_ends_when_nobody_waits_for_it(spark: Spark) -> None:
    listing = Listing(spark, SPEC, "q_1", given_up=lambda: True)
    with pytest.raises(QueryCanceledError):
        listing.schemas("iceberg")
    with pytest.raises(QueryCanceledError):
        listing.columns("iceberg", "a", "t")
    assert spark.tags == set()


@pytest.mark.parametrize(
    ("shown", "found"),
    [
        ([("# Partition Information", ""), ("# col_name", "data_type"), ("`b c`", "date")], ("`b c`",)),
        ([("# Partitioning", ""), ("Part 0", "days(ts)"), ("Part 1", "d")], ("days(ts)", "d")),
        ([], ()),
    ],
)
def test_details_of_a_table(shown: list[tuple[str, str]], found: tuple[str, ...]) -> None:
    rows = [
        ("# Partitioning", "bigint"),  # a column
        ("", ""),
        *shown,
        ("", ""),
        ("# Metadata Columns", ""),
        ("_pos", "bigint"),
        ("", ""),
        ("# Detailed Table Information", ""),
        ("Comment", "said"),
        ("Location", "s3://b/t"),
    ]
    spark = Spark()
    spark.engine.answers = {"DESCRIBE TABLE EXTENDED `iceberg`.`a`.`t`": described(*rows)}
    listing = Listing(spark, SPEC, "q")
    assert listing.details("iceberg", "a", "t") == TableDetails("said", "s3://b/t", found)
