from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pyarrow as pa
import pytest

from sqe.errors import AccessDeniedError, SchemaNotFoundError, SemanticError, SqeError
from sqe.model.query import QueryId
from sqe.model.session import Dialect
from sqe.service.schema_drop import drop_with_contents, drops_contents
from sqe.service.session import GatewaySession
from sqe.sql.statement import read

TABLES = pa.table({"namespace": ["s"], "tableName": ["t"], "isTemporary": [False]})
VIEWS = pa.table({"namespace": ["s"], "viewName": ["v"], "isTemporary": [False]})


class Engine:
    """Answers what a listing asks, and fails at the first DROP SCHEMA."""

    def __init__(self, failure: SqeError | None) -> None:
        self.failure = failure
        self.dropped: list[str] = []

    lists_names = False

    def stream(self, sql: str, *_: Any) -> list[Any]:
        if sql.startswith("DROP"):
            self.dropped.append(sql)
            if self.failure is not None and sql.startswith("DROP SCHEMA"):
                failure, self.failure = self.failure, None
                raise failure
            return [pa.schema([])]
        answers = {
            "SELECT current_catalog()": pa.table({"c": ["other"]}),
            "SHOW NAMESPACES IN `other`": pa.table({"namespace": ["s", "S", "s2"]}),
            "SHOW VIEWS IN `other`.`s`": VIEWS,
            "SHOW TABLES IN `other`.`s`": TABLES,
        }
        answer = answers.get(sql, pa.table({"namespace": pa.array([], pa.string())}))
        return [answer.schema, *answer.to_batches()]


def drop(sql: str, failure: SqeError | None, dialect: Dialect = Dialect.TRINO) -> list[str]:
    engine = Engine(failure)
    catalogs = [SimpleNamespace(name=name) for name in ("lake", "other")]
    session = SimpleNamespace(engine=engine, spec=SimpleNamespace(catalogs=catalogs, current_catalog="lake"))
    statement = read(sql, dialect)
    assert drops_contents(statement)
    try:
        drop_with_contents(cast(GatewaySession, session), statement, QueryId("q"), given_up=lambda: False)
    except SqeError as error:
        return [*engine.dropped, type(error).__name__]
    return engine.dropped


NOT_EMPTY = SemanticError("Namespace s is not empty.")


def test_views_and_tables_go_before_the_schema_in_the_engine_s_own_catalog() -> None:
    assert drop("DROP SCHEMA S CASCADE", NOT_EMPTY) == [
        "DROP SCHEMA `other`.`s`",
        "DROP VIEW `other`.`s`.`v`",
        "DROP TABLE `other`.`s`.`t`",
        "DROP SCHEMA `other`.`s`",
    ]


@pytest.mark.parametrize(
    ("failure", "name"),
    [(AccessDeniedError("no"), "AccessDeniedError"), (SchemaNotFoundError("no"), "SchemaNotFoundError")],
)
def test_nothing_is_dropped_where_the_schema_may_not_be_or_is_not_there(failure: SqeError, name: str) -> None:
    assert drop("DROP SCHEMA s CASCADE", failure) == ["DROP SCHEMA `other`.`s`", name]


def test_a_schema_that_need_not_be_there() -> None:
    assert drop("DROP SCHEMA IF EXISTS s CASCADE", SchemaNotFoundError("no")) == ["DROP SCHEMA `other`.`s`"]


@pytest.mark.parametrize(
    ("sql", "dialect", "name"),
    [
        ("DROP SCHEMA Lake.S CASCADE", Dialect.TRINO, "`lake`.`s`"),
        ('DROP SCHEMA "a.b" CASCADE', Dialect.TRINO, "`other`.`a`.`b`"),
        ("DROP SCHEMA S CASCADE", Dialect.SPARK, "`other`.`S`"),
        ("DROP DATABASE lake.`a.b` CASCADE", Dialect.SPARK, "`lake`.`a.b`"),
        ("DROP NAMESPACE a.b CASCADE", Dialect.SPARK, "`other`.`a`.`b`"),
    ],
)
def test_a_name_is_read_as_its_dialect_does(sql: str, dialect: Dialect, name: str) -> None:
    assert drop(sql, None, dialect) == [f"DROP SCHEMA {name}"]
