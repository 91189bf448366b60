"""Statements that last longer than two access tokens: they go on while the login can be renewed, and end when not.

A store that is slow makes them last: the files of one table are handed out one after the other, so that nothing has to
compute for minutes. All statements run at the same time; the tests look at how each of them ended.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from stack import accounts
from stack.audit import Entry
from stack.running import Stack
from testing.people import FrontEnd, Person, Refused, Rows, metric
from testing.server import RunningServer, running_server
from tests.support.identity_server import lakes
from tests.support.lakes import WAYS, Lake, fresh
from tests.support.recording_proxy import recording_proxy

pytestmark = [pytest.mark.engine, pytest.mark.slow]

FILES = 13
# Seconds between two files. A request is signed before it is held back, with keys that are good for 20 s at least.
STEP = 10.3
LOGGED_OUT_AFTER = 20.0
LONGEST = 300.0
SOURCE = f"shared.{fresh('slow')}"

WAY_NAMES = ["-".join(way) for way in WAYS]
READ = "SELECT count(*), sum(id) FROM {source} WHERE id >= 0"
CREATE = "CREATE TABLE {target} AS SELECT id, city FROM {source}"
INSERT = "INSERT INTO {target} SELECT id, city FROM {source}"


class SlowFiles:
    """Hands out the files of a table in the order in which they are first asked for, one with each step."""

    def __init__(self) -> None:
        self.began: float | None = None
        self._order: dict[str, dict[str, int]] = {}
        self._lock = threading.Lock()

    def __call__(self, method: str, path: str) -> float:
        if (
            self.began is None
            or method != "GET"
            or f"/{SOURCE.replace('.', '/')}" not in path
            or ".parquet" not in path
        ):
            return 0.0
        table, _, file = path.partition("?")[0].rpartition("/")
        with self._lock:
            files = self._order.setdefault(table, {})
            place = files.setdefault(file, len(files))
        return max(0.0, self.began + place * STEP - time.monotonic())


@dataclass
class Statement:
    lake: Lake
    who: Person
    front_end: FrontEnd
    kind: str
    target: str
    rows: Rows | None = None
    refused: Refused | None = None
    seconds: float = 0.0
    thread: threading.Thread | None = None

    def start(self) -> None:
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        sql = self.kind.format(source=self.lake.table(SOURCE), target=self.target)
        began = time.monotonic()
        try:
            self.rows = self.who.ask(self.front_end, sql)
        except Refused as refused:
            self.refused = refused
        except BaseException as error:
            self.refused = Refused("?", repr(error))
            raise
        finally:
            self.seconds = time.monotonic() - began

    def wait(self) -> None:
        assert self.thread is not None
        self.thread.join(LONGEST)
        assert not self.thread.is_alive(), f"{self.kind} of {self.who.user} does not end"


@dataclass
class Outcome:
    server: RunningServer
    stack: Stack
    log: list[str] = field(default_factory=list)
    store: list[Entry] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)

    def of(self, name: str, storage: str, user: str, kind: str) -> Statement:
        found = [
            one
            for one in self.statements
            if (one.lake.service.name, one.lake.storage, one.who.user, one.kind)
            == (name, storage, user, kind)
        ]
        if not found:
            pytest.skip(self.stack.no_polaris or "")
        return found[0]

    def person(self, user: str) -> Person:
        return Person(self.server, user, accounts.PEOPLE[user].password)


@pytest.fixture(scope="module")
def outcome(stack: Stack) -> Iterator[Outcome]:
    slow = SlowFiles()
    with ExitStack() as ending:
        store = ending.enter_context(recording_proxy(stack.minio.endpoint))
        store.delay = slow
        settings = {
            **stack.settings(client=accounts.SHORT),
            "engine__memory": "1GB",
            "engine__master": "local[32]",
            "limits__concurrent_queries": "64",
            "limits__concurrent_queries_per_user": "32",
        }
        for lake in lakes(stack):
            settings |= lake.service.settings(lake.name, storage=lake.storage)
            settings[f"catalogs__{lake.name}__s3_endpoint"] = store.url
        server = ending.enter_context(running_server(tls=True, settings=settings))
        outcome = Outcome(server, stack)
        _make_sources(outcome)
        outcome.statements = list(_statements(outcome))
        mark = stack.minio.audit.mark()
        slow.began = time.monotonic()
        for statement in outcome.statements:
            statement.start()
        # bob's login ends while his statements run, and alice's does not, nor bob's at the server of other tests.
        time.sleep(LOGGED_OUT_AFTER)
        stack.keycloak.logout("bob", client=accounts.SHORT)
        for statement in outcome.statements:
            statement.wait()
        slow.began = None
        outcome.store = stack.minio.audit.since(mark)
        outcome.log = list(server.log)
        yield outcome


def _make_sources(outcome: Outcome) -> None:
    """In each catalog a table of several files, which are read by one task, one after the other."""
    alice = outcome.person("alice")
    properties = "'read.split.open-file-cost' = '1', 'read.split.adaptive-size.enabled' = 'false'"
    for service in outcome.stack.catalogs:
        table = f"{service.name}_vended.{SOURCE}"
        alice.flight(
            f"CREATE TABLE {table} (id BIGINT, city STRING) TBLPROPERTIES ({properties})", dialect="spark"
        )
        alice.flight(
            f"INSERT INTO {table} SELECT id, concat('city ', id) FROM range(0, {FILES}, 1, {FILES})",
            dialect="spark",
        )
        assert alice.flight(f"SELECT count(*) FROM {table}.files", dialect="spark") == [(FILES,)]


def _statements(outcome: Outcome) -> Iterator[Statement]:
    alice, bob = outcome.person("alice"), outcome.person("bob")
    for lake in lakes(outcome.stack):
        for who in (alice, bob):
            target = lake.table(f"{who.user}.{fresh('into')}")
            who.flight(f"CREATE TABLE {target} (id BIGINT, city STRING)", dialect="spark")
            who.flight(f"INSERT INTO {target} VALUES (-1, 'first')")
            yield Statement(lake, who, "trino", READ, "")
            yield Statement(lake, who, "flight", CREATE, lake.table(f"{who.user}.{fresh('copy')}"))
            yield Statement(lake, who, "trino", INSERT, target)


@pytest.mark.parametrize(("name", "storage"), WAYS, ids=WAY_NAMES)
def test_a_query_outlives_its_tokens(outcome: Outcome, name: str, storage: str) -> None:
    read = outcome.of(name, storage, "alice", READ)
    assert read.refused is None
    assert read.rows == [(FILES, sum(range(FILES)))]
    assert read.seconds > 120


@pytest.mark.parametrize("kind", [CREATE, INSERT], ids=["create", "insert"])
@pytest.mark.parametrize(("name", "storage"), WAYS, ids=WAY_NAMES)
def test_a_write_outlives_its_tokens(outcome: Outcome, name: str, storage: str, kind: str) -> None:
    write = outcome.of(name, storage, "alice", kind)
    assert write.refused is None
    assert write.seconds > 120
    [(count,)] = outcome.person("alice").flight(f"SELECT count(*) FROM {write.target} WHERE id >= 0")
    assert count == FILES


def test_the_renewals_are_in_the_log_and_counted(outcome: Outcome) -> None:
    renewed = [line for line in outcome.log if "renewed the tokens of alice" in line]
    assert len(renewed) >= 2
    assert metric(outcome.server, "sqe_login_renewals_total", result="renewed") >= 2
    assert metric(outcome.server, "sqe_login_renewals_total", result="refused") >= 1
    assert [line for line in outcome.log if "the login of bob has ended" in line]


def test_who_reads_with_keys_of_a_token_gets_new_ones_with_the_next(outcome: Outcome) -> None:
    keys = {
        entry.access_key
        for entry in outcome.store
        if entry.user == "alice"
        and f"/{SOURCE.replace('.', '/')}" in entry.object
        and entry.object.endswith(".parquet")
    }
    assert len(keys) >= 3


@pytest.mark.parametrize("kind", [READ, CREATE, INSERT], ids=["read", "create", "insert"])
@pytest.mark.parametrize(("name", "storage"), WAYS, ids=WAY_NAMES)
def test_who_cannot_be_renewed_is_told_so(outcome: Outcome, name: str, storage: str, kind: str) -> None:
    ended = outcome.of(name, storage, "bob", kind)
    assert ended.refused is not None
    assert ended.refused.code == (
        "AUTHENTICATION_FAILED" if ended.front_end == "flight" else "PERMISSION_DENIED"
    )
    assert ended.refused.sqlstate in (None, "28000")
    assert "The login of bob has ended" in ended.refused.message
    assert ended.seconds < 90


@pytest.mark.parametrize(("name", "storage"), WAYS, ids=WAY_NAMES)
def test_and_leaves_no_table_half_written(outcome: Outcome, name: str, storage: str) -> None:
    bob = outcome.person("bob")  # who logs in again
    created = outcome.of(name, storage, "bob", CREATE)
    with pytest.raises(Refused) as refused:
        bob.flight(f"SELECT * FROM {created.target}")
    assert refused.value.code == "TABLE_NOT_FOUND"
    prefix = f"{created.lake.service.prefix}bob/{Path(created.target).suffix.removeprefix('.')}"
    left = outcome.stack.minio.objects(prefix)
    assert [one for one in left if one.endswith(".metadata.json")] == []

    inserted = outcome.of(name, storage, "bob", INSERT)
    assert bob.flight(f"SELECT id FROM {inserted.target}") == [(-1,)]
    assert bob.flight(f"SELECT count(*) FROM {inserted.target}.snapshots", dialect="spark") == [(1,)]
