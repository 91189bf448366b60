from __future__ import annotations

import pytest
from tests.fakes.statement_context import FakeStatementContext

from sqe.errors import CatalogNotFoundError, SemanticError
from sqe.model.session import Dialect
from sqe.policy.governance.names import catalog_name, schema_name, table_name
from sqe.policy.governance.statement_context import TableName

SPARK, TRINO = FakeStatementContext(), FakeStatementContext(dialect=Dialect.TRINO)


@pytest.mark.parametrize(
    ("around", "parts", "expected"),
    [
        (SPARK, ("t",), TableName("lake", ("sales",), "t")),
        (SPARK, ("hr", "t"), TableName("lake", ("hr",), "t")),
        (SPARK, ("pond", "t"), TableName("pond", (), "t")),
        (SPARK, ("POND", "a", "b", "t"), TableName("pond", ("a", "b"), "t")),
        (SPARK, ("a", "b", "t"), TableName("lake", ("a", "b"), "t")),
        (SPARK, ("lake", "a.b", "t"), TableName("lake", ("a.b",), "t")),
        (TRINO, ("t",), TableName("lake", ("sales",), "t")),
        (TRINO, ("hr", "t"), TableName("lake", ("hr",), "t")),
        (TRINO, ("pond", "t"), TableName("lake", ("pond",), "t")),
        (TRINO, ("pond", "a.b", "t"), TableName("pond", ("a", "b"), "t")),
    ],
)
def test_a_table_is_found_as_other_statements_find_it(
    around: FakeStatementContext, parts: tuple[str, ...], expected: TableName
) -> None:
    assert table_name(parts, around) == expected


@pytest.mark.parametrize(
    ("around", "parts", "expected"),
    [
        (SPARK, ("hr",), ("lake", ("hr",))),
        (SPARK, ("a", "b"), ("lake", ("a", "b"))),
        (SPARK, ("pond", "a", "b"), ("pond", ("a", "b"))),
        (TRINO, ("hr",), ("lake", ("hr",))),
        (TRINO, ("a.b",), ("lake", ("a", "b"))),
        (TRINO, ("pond", "hr"), ("pond", ("hr",))),
    ],
)
def test_a_schema_is_found(
    around: FakeStatementContext, parts: tuple[str, ...], expected: tuple[str, tuple[str, ...]]
) -> None:
    assert schema_name(parts, around) == expected


def test_a_catalog_is_written_as_the_session_has_it() -> None:
    assert catalog_name("POND", SPARK) == "pond"
    with pytest.raises(CatalogNotFoundError) as caught:
        catalog_name("sea", SPARK)
    assert caught.value.hint == "There are: lake, pond."


def test_a_catalog_is_no_schema() -> None:
    with pytest.raises(SemanticError, match="is a catalog"):
        schema_name(("pond",), SPARK)


def test_trino_has_names_of_three_parts_at_most() -> None:
    with pytest.raises(SemanticError, match="Too many parts"):
        table_name(("a", "b", "c", "t"), TRINO)


def test_where_the_session_stands_in_no_catalog_there_is_no_table() -> None:
    around = FakeStatementContext(dialect=Dialect.TRINO)
    around.current = ("system", ())
    with pytest.raises(CatalogNotFoundError):
        table_name(("t",), around)
