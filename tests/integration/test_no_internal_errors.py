"""Odd but plausible statements at both front ends of a server with policies: each is answered, or refused clearly."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from testing.certificates import own_certificates
from testing.people import FRONT_ENDS, FrontEnd, Person, Refused
from testing.server import RunningServer, running_server

from sqe.sql.split import split

pytestmark = [
    pytest.mark.engine,
    pytest.mark.timeout(600),
    # trino-python-client leaves the sockets of its connections to the garbage collector.
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
]

STATEMENTS = Path(__file__).with_name("odd_statements.sql")
RULES = "default: allow\n"
UNCLEAR = re.compile(
    r"(?i)internal.error|StatusCode|not guarded|NullPointer|ClassCast|IndexOutOfBounds|MatchError"
    r"|None\.get|assertion failed|max iterations|@[0-9a-f]{5,}\b"
    r"|\b(?:java|scala|org\.apache)\.[\w.]+(?:Exception|Error)\b"
)
GENERAL = {None, "EXECUTION_FAILED", "INTERNAL_ERROR", "GENERIC_INTERNAL_ERROR"}
"""Codes that say nothing."""

# In Trino's words, at both front ends.
TRINO = (
    "INSERT INTO lab.other VALUES (1, 'x', 2)",
    "INSERT INTO lab.other (nope) VALUES (1)",
    "INSERT INTO lab.other SELECT 1",
    "DELETE FROM lab.other WHERE nope = 1",
    "UPDATE lab.other SET id = 'x'",
    "UPDATE lab.other SET nope = 1",
    "MERGE INTO lab.other t USING (VALUES 1) s(k) ON t.id = s.k WHEN MATCHED THEN UPDATE SET nope = 1",
    "ALTER TABLE lab.other RENAME TO elsewhere.lab.other",
    "ALTER TABLE lab.other ADD COLUMN id bigint",
    "ALTER TABLE lab.other DROP COLUMN nope",
    "ALTER TABLE lab.other ALTER COLUMN id SET DATA TYPE varchar",
    "ALTER SCHEMA lab RENAME TO lab2",
    "SELECT * FROM lab.other FOR VERSION AS OF 99",
    "SELECT * FROM lab.other FOR TIMESTAMP AS OF TIMESTAMP '1970-01-01 00:00:00'",
    'SELECT * FROM lab.other FOR TIMESTAMP AS OF (SELECT max(committed_at) FROM lab."other$snapshots")',
    'SELECT * FROM lab."other$nope"',
    "SELECT CAST(ARRAY[1] AS bigint)",
    "SELECT (SELECT 1, 2)",
    "SELECT * FROM UNNEST(1)",
    "SELECT date_trunc('frob', now())",
    "SELECT element_at(ARRAY[1], 0)",
    "SELECT MAP(ARRAY[1, 1], ARRAY[2, 3])",
    "CREATE TABLE lab.bad (a bigint, a bigint)",
    "CREATE TABLE lab.bad (a bigint) WITH (partitioning = ARRAY['nope'])",
    "DROP TABLE lab.v",
    "DROP VIEW lab.other",
)


@pytest.fixture(scope="module")
def bob(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    directory = tmp_path_factory.mktemp("odd")
    rules = directory / "rules.yaml"
    rules.write_text(RULES, encoding="utf-8")
    settings = {"policy__engines": '["file"]', "policy__file": str(rules)}
    with (
        own_certificates(),
        running_server(
            users={"bob": "bob-pw"}, tls=True, settings=settings, catalogs={"lake": directory / "lake"}
        ) as server,
    ):
        person = person_of(server)
        for sql in (
            "CREATE SCHEMA lake.lab",
            "CREATE TABLE lab.other AS SELECT CAST(1 AS BIGINT) AS id, 'a' AS city",
            "CREATE VIEW lab.v AS SELECT * FROM lab.other",
        ):
            person.flight(sql, dialect="spark")
        yield person


def person_of(server: RunningServer) -> Person:
    return Person(server, "bob", "bob-pw", catalog="lake", schema="lab")


@pytest.mark.parametrize("front_end", FRONT_ENDS)
def test_every_answer_is_clear(bob: Person, front_end: FrontEnd) -> None:
    spark = [statement.text for statement in split(STATEMENTS.read_text(encoding="utf-8"))]
    if front_end == "trino":
        spark = spark[::9]  # errors come from one place; this is about how they are told
    unclear = {}
    for dialect, statements in (("spark", spark), ("trino", list(TRINO))):
        connecting = bob.flight_connection if front_end == "flight" else bob.trino_connection
        with connecting(dialect) as connection:
            for sql in statements:
                try:
                    bob.on(connection, sql)
                except Refused as refused:
                    if refused.code in GENERAL or UNCLEAR.search(refused.message):
                        unclear[sql] = str(refused)
    assert not unclear
