"""A statement of one person leaves the others their cores, their memory and their engine, at both front ends.

The limits are generous, because machines are busy: without isolation a small query waits for minutes, the engine ends,
or its threads go on for ever.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from testing import people
from testing.command import until
from testing.people import FrontEnd, Person
from tests.security.answers import Refused
from tests.security.corpus_server import CorpusServer
from tests.security.data import SECRETS
from tests.security.people import CATALOG, SCHEMA

pytestmark = pytest.mark.engine

SECONDS = 120.0
_SAMPLES = 8  # at the threads of the engine, to see that none works
_BETWEEN = 0.1  # seconds

# What Linux shows of the names of Spark's threads that run tasks and statements: the JVM leaves out the middle.
_WORKERS = ("Executo", "SparkCo")

# They would run for hours, most of them within one row.
ENDLESS = {
    "like": "SELECT count(*) FROM range(100000) WHERE repeat('a', 3000 + id % 7) LIKE repeat('%a', 300) || 'b'",
    "rlike": "SELECT count(*) FROM range(100000) WHERE repeat('a', 40 + id % 7) || 'b' RLIKE '^(a+)+$'",
    "regexp_replace": "SELECT max(regexp_replace(repeat('a', 40 + id % 7) || 'b', '(a+)+$', 'x')) FROM range(100)",
    "split": "SELECT max(size(split(repeat('a', 40 + id % 7) || 'b', '(a+)+$'))) FROM range(100)",
    "levenshtein": "SELECT max(levenshtein(repeat('a', 9000 + id % 7), repeat('b', 9000))) FROM range(100000)",
    "nested lambda": (
        "SELECT sum(aggregate(sequence(1, 1000000), id, (a, x) -> a + aggregate(sequence(1, 100000), 0L, (b, y) -> b"
        " + y))) FROM range(100)"
    ),
    "explode without a shuffle": (
        "SELECT x FROM (SELECT explode(sequence(1, 1000000)) AS x FROM range(1000000)) WHERE x < 0"
    ),
    "explode": "SELECT count(*) FROM (SELECT explode(sequence(1, 1000000)) FROM range(1000000))",
    "cross join": "SELECT count(*) FROM range(100000000) a CROSS JOIN range(100000000) b",
    "join on few keys": (
        "SELECT count(*) FROM (SELECT id % 2 k, id FROM range(50000000)) a"
        " JOIN (SELECT id % 2 k, id FROM range(1000000)) b ON a.k = b.k AND a.id + b.id > 5"
    ),
}

# Either too large at once, or slowly until nothing is left.
LARGE = {
    "repeat": "SELECT length(repeat('a', 2000000000))",
    "space": "SELECT length(space(2000000000))",
    "array_repeat": "SELECT size(array_repeat(1, 2000000000))",
    "sequence": "SELECT size(sequence(1, 2000000000))",
    "doubling": "SELECT length(aggregate(sequence(1, 40), 'a', (text, x) -> text || text))",
    "format_string": "SELECT length(format_string('%1900000000d', 1))",
    "partitions": "SET spark.sql.shuffle.partitions = 1000000000",
    "repartition": "SELECT /*+ REPARTITION(1000000000) */ * FROM range(10)",
    "collect_list": "SELECT size(collect_list(repeat('a', 1000000))) FROM range(1000000)",
    "lateral views": "SELECT 1 FROM range(1) "
    + " ".join(f"LATERAL VIEW explode(array(1, 2)) t{n} AS c{n}" for n in range(400)),
    "result": "SELECT /*+ COALESCE(1) */ repeat('x', 1000), id FROM range(100000000)",
}

COMPLEX = {
    "sum": "SELECT " + " + ".join(["1"] * 20_000),
    "union": " UNION ALL ".join(["SELECT 1"] * 3_000),
    "types": "SELECT CAST(NULL AS " + "array<" * 200 + "int" + ">" * 200 + ")",
    "aliases": "SELECT 1 AS a0" + "".join(f", a{n} + a{n} AS a{n + 1}" for n in range(60)),
    "named queries": "WITH c0 AS (SELECT 1 AS x)"
    + "".join(f", c{n + 1} AS (SELECT a.x + b.x AS x FROM c{n} a, c{n} b)" for n in range(60))
    + " SELECT * FROM c60",
    "cube": "SELECT count(*) FROM range(10) GROUP BY CUBE(" + ", ".join(f"id + {n}" for n in range(30)) + ")",
}


def engine_pid(corpus_server: CorpusServer) -> int:
    """Return the process of the server's engine; others make archives of classes."""
    found = [
        int(process.name)
        for process in Path("/proc").iterdir()
        if process.name.isdigit() and is_engine(process, corpus_server.server.process.pid)
    ]
    assert len(found) == 1, found
    return found[0]


def is_engine(process: Path, gateway: int) -> bool:
    try:
        parent = int((process / "stat").read_text(errors="replace").rpartition(")")[2].split()[1])
        return parent == gateway and b"engine.arguments" in (process / "cmdline").read_bytes()
    except OSError:  # it has ended
        return False


def is_idle(pid: int) -> bool:
    """Return whether no thread of the engine works on a statement. One that waits for a core is counted as working."""
    for sample in range(_SAMPLES):
        if sample:
            time.sleep(_BETWEEN)
        if any(works(thread) for thread in Path(f"/proc/{pid}/task").iterdir()):
            return False
    return True


def works(thread: Path) -> bool:
    try:
        name, _, fields = (thread / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")
    except OSError:  # it has ended
        return False
    return name.partition("(")[2].startswith(_WORKERS) and fields.split()[0] == "R"


class Running:
    """A statement of ann's that runs in a thread of its own."""

    def __init__(self, connection: Any, person: Person, sql: str) -> None:
        self._cursor = connection.cursor()
        self._person = person
        self.refused: people.Refused | None = None
        self._thread = threading.Thread(target=self._run, args=(sql,), daemon=True)
        self._thread.start()

    def _run(self, sql: str) -> None:
        try:
            with self._person._told():
                self._cursor.execute(sql)
                self._cursor.fetchall()
        except people.Refused as refused:
            self.refused = refused

    @property
    def ended(self) -> bool:
        return not self._thread.is_alive()

    def cancel(self) -> None:
        cancel = getattr(self._cursor, "adbc_cancel", None) or self._cursor.cancel
        cancel()

    def wait(self) -> None:
        self._thread.join(SECONDS)
        assert self.ended, "it did not end"


@contextmanager
def running(corpus_server: CorpusServer, front_end: FrontEnd, sql: str) -> Iterator[Running]:
    ann = Person(corpus_server.server, "ann", SECRETS["ann"], catalog=CATALOG, schema=SCHEMA)
    opened = ann.flight_connection("spark") if front_end == "flight" else ann.trino_connection("spark")
    with opened as connection:
        statement = Running(connection, ann, sql)
        try:
            yield statement
        finally:
            if not statement.ended:
                statement.cancel()
                statement.wait()


def bob_is_served(corpus_server: CorpusServer) -> None:
    """Let bob run small queries at both front ends; each has to end while ann's runs."""
    for front_end in people.FRONT_ENDS:
        bob = corpus_server.visitors.visitor("bob", front_end)
        for sql, rows in (("SELECT 1", [(1,)]), ("SELECT count(*) FROM open", [(2,)])):
            got: list[object] = []
            asking = threading.Thread(
                target=lambda sql=sql, bob=bob, got=got: got.append(bob.ask(sql)), daemon=True
            )
            asking.start()
            asking.join(SECONDS / 2)
            assert got == [rows], f"{sql} of bob's at {front_end}: {got or 'no answer'}"


def front_ends(names: dict[str, str]) -> list[tuple[str, FrontEnd]]:
    """Each statement at one of the front ends, in turn: what it does to the engine is the same at both."""
    return [(name, people.FRONT_ENDS[index % len(people.FRONT_ENDS)]) for index, name in enumerate(names)]


@pytest.mark.parametrize(("name", "front_end"), front_ends(ENDLESS))
def test_an_endless_statement_leaves_others_their_share_and_ends_when_it_is_canceled(
    corpus_server: CorpusServer, name: str, front_end: FrontEnd
) -> None:
    pid = engine_pid(corpus_server)
    with running(corpus_server, front_end, ENDLESS[name]) as statement:
        until(lambda: statement.ended or not is_idle(pid), "it runs", SECONDS)
        bob_is_served(corpus_server)
        if not statement.ended:
            statement.cancel()
        statement.wait()
    until(lambda: is_idle(pid), "its cores are free again", SECONDS)
    assert engine_pid(corpus_server) == pid


@pytest.mark.parametrize(("name", "front_end"), front_ends(LARGE))
def test_a_statement_that_is_too_large_ends_alone(
    corpus_server: CorpusServer, name: str, front_end: FrontEnd
) -> None:
    pid = engine_pid(corpus_server)
    with running(corpus_server, front_end, LARGE[name]) as statement:
        bob_is_served(corpus_server)
        statement.wait()
        assert statement.refused is not None
        assert statement.refused.code not in (None, "INTERNAL_ERROR", "GENERIC_INTERNAL_ERROR"), (
            statement.refused
        )
    bob_is_served(corpus_server)
    assert engine_pid(corpus_server) == pid


@pytest.mark.parametrize("front_end", people.FRONT_ENDS)
@pytest.mark.parametrize("name", COMPLEX)
def test_a_statement_that_is_too_complex_is_refused(
    corpus_server: CorpusServer, name: str, front_end: FrontEnd
) -> None:
    got = corpus_server.visitors.visitor("ann", front_end).ask(COMPLEX[name])
    assert isinstance(got, Refused), got
    assert got.code == ("STATEMENT_TOO_COMPLEX" if front_end == "flight" else "QUERY_REJECTED"), got


def test_the_server_is_ready_after_all_this(corpus_server: CorpusServer) -> None:
    until(
        lambda: corpus_server.server.get(corpus_server.server.health + "/readyz")[0] == 200,
        "it is ready",
        SECONDS,
    )
