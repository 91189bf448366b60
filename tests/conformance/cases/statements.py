"""Statements that change something, and how many rows they changed."""

from __future__ import annotations

import pyarrow as pa
import pytest
from tests.conformance.case_context import CaseContext
from tests.conformance.cases.case import case, cases_in
from tests.conformance.clients.base import Failed
from tests.conformance.gaps import never


@case(
    "statements",
    "CREATE TABLE, INSERT, UPDATE, DELETE and MERGE; how many rows INSERT and DELETE changed",
    needs=["update"],
)
def changes(context: CaseContext) -> None:
    table, update = context.own("changes"), context.connection.update
    assert update(f"CREATE TABLE {table} (id bigint, name varchar)") in (None, 0)
    assert update(f"INSERT INTO {table} VALUES (1, 'a'), (2, 'b'), (3, 'c')") == 3
    update(f"UPDATE {table} SET name = 'x' WHERE id > 1")
    assert update(f"DELETE FROM {table} WHERE id = 1") == 1
    update(
        f"MERGE INTO {table} AS t USING (VALUES (2, 'm'), (9, 'n')) AS s(id, name) ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET name = s.name WHEN NOT MATCHED THEN INSERT (id, name) VALUES (s.id, s.name)"
    )
    found = context.connection.query(f"SELECT id, name FROM {table} ORDER BY id")
    assert found.rows == [(2, "m"), (3, "x"), (9, "n")]
    assert update(f"DROP TABLE {table}") in (None, 0)


@case("statements", "how many rows an UPDATE changed", needs=["update"])
def update_count(context: CaseContext) -> None:
    table = context.own("counted")
    context.connection.update(f"CREATE OR REPLACE TABLE {table} AS SELECT id, id AS v FROM range(10)")
    assert context.connection.update(f"UPDATE {table} SET v = 0 WHERE id > 7") == 2


@case("statements", "CREATE TABLE AS, and how many rows it wrote", needs=["update"])
def create_as(context: CaseContext) -> None:
    table = context.own("create_as")
    assert (
        context.connection.update(f"CREATE TABLE {table} AS SELECT id, id * 2 AS twice FROM range(10)") == 10
    )
    assert context.connection.query(f"SELECT sum(twice) AS total FROM {table}").rows == [(90,)]
    context.connection.update(f"DROP TABLE {table}")


@case("statements", "CREATE, REPLACE and DROP VIEW", needs=["update"])
def views(context: CaseContext) -> None:
    view, update = context.own("numbers"), context.connection.update
    update(f"CREATE VIEW {view} AS SELECT 1 AS n")
    update(f"CREATE OR REPLACE VIEW {view} AS SELECT 2 AS n")
    assert context.connection.query(f"SELECT n FROM {view}").rows == [(2,)]
    update(f"DROP VIEW {view}")
    with pytest.raises(Failed):
        context.connection.query(f"SELECT n FROM {view}")


@case("statements", "ALTER TABLE", needs=["update"])
def alter(context: CaseContext) -> None:
    table, update = context.own("altered"), context.connection.update
    update(f"CREATE TABLE {table} (id bigint)")
    update(f"ALTER TABLE {table} ADD COLUMN name varchar")
    update(f"ALTER TABLE {table} RENAME COLUMN name TO label")
    update(f"INSERT INTO {table} VALUES (1, 'x')")
    assert context.connection.query(f"SELECT * FROM {table}").names == ("id", "label")
    update(f"DROP TABLE {table}")


@case("statements", "an INSERT of nothing changes 0 rows", needs=["update"])
def insert_nothing(context: CaseContext) -> None:
    table, update = context.own("nothing"), context.connection.update
    update(f"CREATE TABLE {table} (id bigint)")
    assert update(f"INSERT INTO {table} SELECT id FROM range(10) WHERE id < 0") == 0
    update(f"DROP TABLE {table}")


@case("statements", "a table that is already there is refused", needs=["update"])
def twice(context: CaseContext) -> None:
    table, update = context.own("twice"), context.connection.update
    update(f"CREATE TABLE {table} (id bigint)")
    update(f"CREATE TABLE IF NOT EXISTS {table} (id bigint)")
    with pytest.raises(Failed, match=r"(?i)already exists"):
        update(f"CREATE TABLE {table} (id bigint)")
    update(f"DROP TABLE {table}")
    update(f"DROP TABLE IF EXISTS {table}")


_BEGUN_BY_NAME = never(
    "a transaction that is begun by name is refused, as it would keep nothing", raises=Failed
)
_REFUSED_AS_BY_TRINO = never(
    "a change in a transaction is refused, as by Trino for Iceberg: it could not be rolled back",
    raises=Failed,
)


@case(
    "statements",
    "queries run in a transaction",
    needs=["transactions"],
    gaps={"flight_raw": _BEGUN_BY_NAME},
)
def transaction(context: CaseContext) -> None:
    with context.connect() as connection:
        connection.transaction(["SELECT 1 AS x", "SELECT 2 AS x"])


@case(
    "statements",
    "with autocommit off, each change commits by itself",
    needs=["transactions", "update"],
    gaps={
        "flight_raw": _BEGUN_BY_NAME,
        "trino_python": _REFUSED_AS_BY_TRINO,
        "trino_jdbc": _REFUSED_AS_BY_TRINO,
    },
)
def changes_in_transaction(context: CaseContext) -> None:
    table = context.own("committed")
    with context.connect() as connection:
        connection.transaction([f"CREATE TABLE {table} (id bigint)", f"INSERT INTO {table} VALUES (1)"])
    assert context.connection.query(f"SELECT id FROM {table}").rows == [(1,)]
    context.connection.update(f"DROP TABLE {table}")


@case("statements", "bulk ingest: create, append, replace, and what is refused", needs=["ingest"])
def ingest(context: CaseContext) -> None:
    data = pa.table({"id": pa.array([1, 2, 3], pa.int64()), "name": ["a", None, "é"]})
    with context.connect(catalog="iceberg", schema=context.own_schema) as connection:
        assert connection.ingest("loaded", data, "create") == 3
        with pytest.raises(Failed):
            connection.ingest("loaded", data, "create")
        assert connection.ingest("loaded", data.slice(0, 1), "append") == 1
        rows = connection.query("SELECT id, name FROM loaded ORDER BY id, name").rows
        assert rows == [(1, "a"), (1, "a"), (2, None), (3, "é")]
        assert connection.ingest("loaded", data.slice(2), "replace") == 1
        assert connection.query("SELECT id, name FROM loaded").rows == [(3, "é")]
        with pytest.raises(Failed):
            connection.ingest("absent", data, "append")
        connection.update("DROP TABLE loaded")


@case("statements", "bulk ingest of dictionaries; durations are refused", needs=["ingest"])
def ingest_types(context: CaseContext) -> None:
    words = pa.array(["a", None, "a"]).dictionary_encode()
    with context.connect(catalog="iceberg", schema=context.own_schema) as connection:
        assert connection.ingest("encoded", pa.table({"word": words}), "create") == 3
        assert connection.query("SELECT count(*), count(word) FROM encoded").rows == [(3, 2)]
        connection.update("DROP TABLE encoded")
        with pytest.raises(Failed, match="duration"):
            connection.ingest("encoded", pa.table({"wait": pa.array([1], pa.duration("s"))}), "create")


@case(
    "statements",
    "bulk ingest of no rows makes an empty table",
    needs=["ingest"],
    gaps={"adbc": never("the driver sends no columns when there are no rows", raises=Failed)},
)
def ingest_nothing(context: CaseContext) -> None:
    with context.connect(catalog="iceberg", schema=context.own_schema) as connection:
        assert connection.ingest("empty", pa.schema([("id", pa.int64())]).empty_table(), "create") == 0
        assert connection.query("SELECT id FROM empty").rows == []
        connection.update("DROP TABLE empty")


CASES = cases_in(globals())
