"""Calls of clients without SQL: schemas, listings, prepared statements, whole tables; and names of others."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import httpx
import pyarrow as pa
import pytest
from testing.people import Person, Refused
from tests.security.case import Dialect
from tests.security.corpus_server import CorpusServer
from tests.security.data import SECRETS

pytestmark = [
    pytest.mark.engine,
    # trino-python-client leaves the sockets of its connections to the garbage collector.
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
]

SHOWN = ["id", "name", "dept", "salary", "ssn", "email", "phone", "born", "addr"]
HIDDEN = ["note", "kin"]


@pytest.fixture(scope="module")
def people(corpus_server: CorpusServer) -> dict[str, Person]:
    return {
        name: Person(corpus_server.server, name, SECRETS[name], catalog="lake", schema="hr")
        for name in ("ann", "bob", "eve")
    }


@pytest.fixture(scope="module")
def flight(people: dict[str, Person]) -> Iterator[dict[str, Any]]:
    with ExitStack() as stack:
        yield {name: stack.enter_context(person.flight_connection()) for name, person in people.items()}


@pytest.fixture(scope="module")
def trino(people: dict[str, Person]) -> Iterator[dict[str, Any]]:
    with ExitStack() as stack:
        yield {name: stack.enter_context(person.trino_connection()) for name, person in people.items()}


def test_the_schema_of_a_table_has_no_restricted_column(
    flight: dict[str, Any], people: dict[str, Person]
) -> None:
    def names(user: str) -> list[str]:
        return list(
            flight[user].adbc_get_table_schema("people", catalog_filter="lake", db_schema_filter="hr").names
        )

    assert names("ann") == SHOWN
    assert names("bob") == [*SHOWN, *HIDDEN]


def test_the_schema_of_a_forbidden_table_is_not_told(
    flight: dict[str, Any], people: dict[str, Person]
) -> None:
    where = {"catalog_filter": "lake", "db_schema_filter": "hr"}
    assert flight["bob"].adbc_get_table_schema("vault", **where).names == ["id", "secret"]
    for user in ("ann", "eve"):
        with pytest.raises(Refused), people[user]._told():
            flight[user].adbc_get_table_schema("vault", **where)


@pytest.mark.parametrize(("user", "sees"), [("ann", False), ("bob", True)])
def test_a_listing_shows_what_may_be_read(flight: dict[str, Any], user: str, sees: bool) -> None:
    reader = flight[user].adbc_get_objects(depth="all", catalog_filter="lake")
    [catalog] = [row for row in reader.read_all().to_pylist() if row["catalog_name"] == "lake"]
    schemas = {
        schema["db_schema_name"]: schema["db_schema_tables"] for schema in catalog["catalog_db_schemas"]
    }
    assert ("closed" in schemas) == sees
    tables = {table["table_name"]: table["table_columns"] for table in schemas["hr"]}
    assert ("vault" in tables) == sees
    columns = [column["column_name"] for column in tables["people"]]
    assert columns == ([*SHOWN, *HIDDEN] if sees else SHOWN)


def test_a_listing_shows_nothing_to_who_may_nothing(flight: dict[str, Any]) -> None:
    reader = flight["eve"].adbc_get_objects(depth="all", catalog_filter="lake")
    named = [
        schema["db_schema_name"]
        for row in reader.read_all().to_pylist()
        for schema in row["catalog_db_schemas"] or ()
        if schema["db_schema_tables"]
    ]
    assert named == []


def test_a_parameter_is_compared_with_what_is_shown(
    flight: dict[str, Any], trino: dict[str, Any], people: dict[str, Person]
) -> None:
    sql = "SELECT id FROM lake.hr.people WHERE ssn = ?"
    for user, stored, shown in (("ann", [], [(1,)]), ("bob", [(1,)], [])):
        for value, expected in (("111-22-3331", stored), ("xxxxxxx3331", shown)):
            with flight[user].cursor() as cursor:
                cursor.execute(sql, (value,))
                assert [tuple(row) for row in cursor.fetchall()] == expected
            with trino[user].cursor() as cursor:
                cursor.execute(sql, (value,))
                assert [tuple(row) for row in cursor.fetchall()] == expected


def test_a_statement_is_described_without_what_is_restricted(
    flight: dict[str, Any], trino: dict[str, Any]
) -> None:
    for user, expected in (("ann", SHOWN), ("bob", [*SHOWN, *HIDDEN])):
        with flight[user].cursor() as cursor:
            assert cursor.adbc_execute_schema("SELECT * FROM lake.hr.people").names == expected
        with trino[user].cursor() as cursor:
            described = cursor.describe("SELECT * FROM lake.hr.people")
            assert [column.name for column in described] == expected


def test_a_forbidden_statement_is_not_described(flight: dict[str, Any], people: dict[str, Person]) -> None:
    sql = "SELECT * FROM lake.hr.vault"
    with flight["bob"].cursor() as cursor:
        assert cursor.adbc_execute_schema(sql).names == ["id", "secret"]
    with (
        pytest.raises(Refused, match="TABLE_NOT_FOUND"),
        people["ann"]._told(),
        flight["ann"].cursor() as cursor,
    ):
        cursor.adbc_execute_schema(sql)


MANY = 60_000  # rows that the gateway uploads in files: a few travel with the plan


def _rows(dept: str, count: int) -> pa.Table:
    types = (("id", pa.int64()), ("name", pa.string()), ("dept", pa.string()), ("pay", pa.int32()))
    name = "Nora" + "h" * (0 if count == 1 else 100)
    columns = {"id": [9] * count, "name": [name] * count, "dept": [dept] * count, "pay": [1] * count}
    return pa.table(columns, pa.schema(types))


@pytest.mark.parametrize(("table", "count"), [("staff", 1), ("staff", MANY), ("ledger", 1)])
def test_a_whole_table_is_a_write_like_any_other(
    corpus_server: CorpusServer, flight: dict[str, Any], people: dict[str, Person], table: str, count: int
) -> None:
    code = "ACCESS_DENIED"
    data = _rows("hr", count) if table == "staff" else pa.table({"id": [9], "city": ["Delft"]})
    with pytest.raises(Refused, match=code), people["ann"]._told(), flight["ann"].cursor() as cursor:
        cursor.adbc_ingest(table, data, mode="append")
    assert corpus_server.lake.content() == corpus_server.content
    try:
        with flight["bob"].cursor() as cursor:
            cursor.adbc_ingest(table, data, mode="append")
        assert corpus_server.lake.content() != corpus_server.content
    finally:
        corpus_server.lake.restore(corpus_server.content)


@pytest.mark.parametrize("count", [1, MANY])
def test_what_satisfies_the_filter_may_be_ingested(
    corpus_server: CorpusServer, flight: dict[str, Any], count: int
) -> None:
    try:
        with flight["ann"].cursor() as cursor:
            cursor.adbc_ingest("staff", _rows("eng", count), mode="append")
            cursor.execute("SELECT substr(name, 1, 4), count(*) FROM lake.hr.staff WHERE id = 9 GROUP BY 1")
            assert [tuple(row) for row in cursor.fetchall()] == [("Nora", count)]
    finally:
        corpus_server.lake.restore(corpus_server.content)


@pytest.mark.parametrize("dialect", ["trino", "spark"])
def test_the_current_user_of_a_view_is_its_reader(corpus_server: CorpusServer, dialect: Dialect) -> None:
    ann, bob = (corpus_server.visitors.visitor(user, "trino", dialect) for user in ("ann", "bob"))
    try:
        created = ann.ask("CREATE VIEW lake.pub.me AS SELECT current_user AS me, upper(current_user) AS loud")
        assert created == []
        for reader in (ann, bob, corpus_server.visitors.visitor("bob", "flight")):
            assert reader.ask("SELECT * FROM lake.pub.me") == [(reader.user, reader.user.upper())]
    finally:
        corpus_server.lake.restore(corpus_server.content)


def test_nobody_takes_another_s_name(corpus_server: CorpusServer) -> None:
    server = corpus_server.server
    with httpx.Client(base_url=server.trino, verify=_trusting(server.ca), timeout=60) as client:

        def status(user: str, headers: dict[str, str]) -> int:
            sent = {"X-Trino-Source": "x", **headers}
            answer = client.post(
                "/v1/statement", content="SELECT 1", headers=sent, auth=(user, SECRETS[user])
            )
            return answer.status_code

        assert status("ann", {"X-Trino-User": "ann"}) == 200
        assert status("ann", {"X-Trino-User": "bob"}) in (401, 403)
        assert status("ann", {"X-Trino-User": "ann", "X-Trino-Original-User": "bob"}) in (200, 401, 403)


def _trusting(ca: Any) -> Any:
    import ssl

    return ssl.create_default_context(cafile=str(ca))
