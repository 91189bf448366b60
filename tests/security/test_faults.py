"""Policy engines that fail or return nonsense while a server runs: everything is denied until they work again.

One server with all four engines, each of which has to allow. Before each fault the same query has worked, in the same
session: whatever could be remembered, in Spark, in the gateway or on a connection, is remembered by then.

That the engine refuses when the gateway's own endpoint is silent is in tests/integration/engine/test_guard_reads.py:
here the gateway would have to be stopped for it.
"""

from __future__ import annotations

import fcntl
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from testing.command import until
from testing.server import RunningServer, running_server
from tests.fakes.opa import TOKEN, FakeOpa, Trouble
from tests.security.answers import Got, Refused
from tests.security.data import MASK_KEY, SECRETS
from tests.security.people import Visitor, Visitors
from tests.security.serving import run_all, users_file

pytestmark = pytest.mark.engine

QUERY = "SELECT id FROM lake.hr.t"
SEEN = [(1,), (2,)]
RULES = """\
rules:
  - {users: [adm, bob], tables: "*", operations: all}
  - {users: ann, tables: "lake.**", operations: [read, insert], rows: "id < 3"}
"""
CEDAR = "permit (principal, action, resource);\n"
CACHE_SECONDS = 0.5  # for how long the answers of OPA hold, which cannot tell that they have changed


@dataclass(frozen=True)
class Faulty:
    server: RunningServer
    visitors: Visitors
    opa: FakeOpa
    rules: Path
    cedar: Path

    @property
    def ann(self) -> Visitor:
        return self.visitors.visitor("ann", "flight")

    @property
    def grants(self) -> Path:
        [found] = self.server.home.rglob("grants.db")
        return found

    def works(self) -> None:
        until(lambda: self.ann.ask(QUERY) == SEEN, "ann sees what she may", 60)
        # The control: it is not just that nobody sees more than two rows.
        assert self.visitors.visitor("bob", "flight").ask(QUERY) == [(1,), (2,), (3,)]

    def refuses(self, engine: str) -> None:
        """From some moment on, at once or when the files are looked at again, nobody may do anything."""
        everybody = (self.ann, self.visitors.visitor("bob", "flight"))
        until(
            lambda: all(isinstance(visitor.ask(QUERY), Refused) for visitor in everybody),
            f"without {engine} nobody may",
            30,
        )
        for user, sql in (
            ("ann", QUERY),
            ("bob", QUERY),
            ("ann", "SELECT count(*) FROM lake.hr.t"),
            ("ann", "INSERT INTO lake.hr.t VALUES (2)"),
            ("bob", "DROP TABLE lake.hr.t"),
            ("bob", "CREATE TABLE lake.hr.other (id INT)"),
        ):
            refused(self.visitors.visitor(user, "flight").ask(sql), engine)
        got = self.visitors.visitor("ann", "trino").ask(QUERY)
        assert isinstance(got, Refused)
        assert got.code == "PERMISSION_DENIED"


def refused(got: Got, engine: str) -> None:
    assert isinstance(got, Refused), got
    assert got.code == "POLICY_UNAVAILABLE", got
    assert f'Policy engine "{engine}" failed' in got.message
    for secret in (TOKEN, MASK_KEY, "127.0.0.1", "/", "id < 3"):
        assert secret not in got.message


@pytest.fixture(scope="module")
def running() -> Iterator[Faulty]:
    with ExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sqe-faults-")))
        opa = stack.enter_context(FakeOpa())
        rules, cedar = directory / "rules.yaml", directory / "policies.cedar"
        rules.write_text(RULES, encoding="utf-8")
        cedar.write_text(CEDAR, encoding="utf-8")
        server = stack.enter_context(
            running_server(
                tls=True,
                catalogs={"lake": directory / "lake"},
                settings={
                    "auth__providers": '["users_file"]',
                    "auth__users_file": str(users_file(directory / "users", SECRETS)),
                    "policy__engines": '["file", "grants", "opa", "cedar"]',
                    "policy__admins": '["user:adm"]',
                    "policy__mask_key": MASK_KEY,
                    "policy__timeout": "1s",
                    "policy__cache": f"{CACHE_SECONDS * 1000:.0f}ms",
                    "policy__file": str(rules),
                    "policy__cedar_policies": str(cedar),
                    "opa__url": f"{opa.url}/allow",
                    "opa__token": TOKEN,
                },
            )
        )
        server.wait_until_ready()
        visitors = Visitors(server, SECRETS)
        stack.callback(visitors.close)
        run_all(
            visitors.visitor("adm", "flight"),
            (
                *(f"GRANT ALL ON CATALOG lake TO USER {user}" for user in ("adm", "bob", "ann")),
                "CREATE SCHEMA lake.hr",
                "CREATE TABLE lake.hr.t (id INT)",
                "INSERT INTO lake.hr.t VALUES (1), (2), (3)",
            ),
        )
        yield Faulty(server, visitors, opa, rules, cedar)


@pytest.fixture
def faulty(running: Faulty) -> Iterator[Faulty]:
    running.works()
    yield running
    running.works()


@contextmanager
def content(path: Path, text: str | None) -> Iterator[None]:
    """The file with other text, or without it gone; put back at the end, as people do it: by moving."""
    before = path.read_text(encoding="utf-8")
    if text is None:
        path.unlink()
    else:
        path.write_text(text, encoding="utf-8")
    try:
        yield
    finally:
        beside = path.with_suffix(".new")
        beside.write_text(before, encoding="utf-8")
        beside.replace(path)


@pytest.mark.parametrize("text", [None, "", "rules: [", "rules: [{users: ann}]", RULES + "  - nonsense\n"])
def test_rules_that_are_broken_or_gone(faulty: Faulty, text: str | None) -> None:
    with content(faulty.rules, text):
        if text == "":  # a file without rules is no broken one: it allows nothing
            until(lambda: isinstance(faulty.ann.ask(QUERY), Refused), "ann is refused", 30)
        else:
            faulty.refuses("file")


def test_rules_that_change_hold_from_then_on(faulty: Faulty) -> None:
    with content(faulty.rules, RULES.replace("id < 3", "id < 2")):
        until(lambda: faulty.ann.ask(QUERY) == [(1,)], "the new rule holds", 30)


@pytest.mark.parametrize("text", [None, "permit (", "permit (principal, action, resource) when { 1 };"])
def test_cedar_policies_that_are_broken_or_gone(faulty: Faulty, text: str | None) -> None:
    with content(faulty.cedar, text):
        faulty.refuses("cedar")


def test_a_cedar_policy_that_forbids_holds_from_then_on(faulty: Faulty) -> None:
    with content(faulty.cedar, CEDAR + 'forbid (principal == User::"ann", action, resource);\n'):
        until(lambda: _code(faulty.ann.ask(QUERY)) == "TABLE_NOT_FOUND", "the new policy holds", 30)
        assert faulty.visitors.visitor("bob", "flight").ask(QUERY) == [(1,), (2,), (3,)]


@pytest.mark.parametrize("trouble", ["down", "slow", "half", "nonsense", "list", "error"])
def test_an_agent_in_trouble(faulty: Faulty, trouble: Trouble) -> None:
    faulty.opa.trouble = trouble
    try:
        faulty.refuses("opa")
    finally:
        faulty.opa.trouble = None


@pytest.mark.parametrize("answer", [None, "true", 1, {"allow": True}, [True]])
def test_an_answer_that_is_none(faulty: Faulty, answer: object) -> None:
    with _allow(faulty.opa, lambda asked: answer):
        until(lambda: isinstance(faulty.ann.ask(QUERY), Refused), "ann is refused", 30)
        assert _code(faulty.ann.ask(QUERY)) in ("POLICY_UNAVAILABLE", "TABLE_NOT_FOUND")


def test_an_agent_that_has_changed_its_mind(faulty: Faulty) -> None:
    with _allow(faulty.opa, lambda asked: asked["context"]["identity"]["user"] != "ann"):
        until(
            lambda: _code(faulty.ann.ask(QUERY)) == "TABLE_NOT_FOUND",
            "the change is seen",
            CACHE_SECONDS + 10,
        )
        assert faulty.visitors.visitor("bob", "flight").ask(QUERY) == [(1,), (2,), (3,)]


def test_a_database_of_grants_that_is_locked(faulty: Faulty) -> None:
    with _locked(faulty.grants):
        faulty.refuses("grants")


def test_a_right_that_is_taken_away_is_gone_with_the_next_statement(faulty: Faulty) -> None:
    admin = faulty.visitors.visitor("adm", "flight")
    run_all(admin, ["REVOKE ALL ON CATALOG lake FROM USER ann"])
    try:
        assert _code(faulty.ann.ask(QUERY)) == "TABLE_NOT_FOUND"
        assert faulty.visitors.visitor("bob", "flight").ask(QUERY) == [(1,), (2,), (3,)]
    finally:
        run_all(admin, ["GRANT ALL ON CATALOG lake TO USER ann"])
    assert faulty.ann.ask(QUERY) == SEEN


def _code(got: Got) -> str | None:
    return got.code if isinstance(got, Refused) else None


@contextmanager
def _allow(opa: FakeOpa, rule: Callable[..., object]) -> Iterator[None]:
    before = opa.rules["allow"]
    opa.rules["allow"] = rule
    try:
        yield
    finally:
        opa.rules["allow"] = before


@contextmanager
def _locked(database: Path) -> Iterator[None]:
    """All the locks that SQLite takes on a database with a write-ahead log, in the file that is there for them."""
    with database.with_name(f"{database.name}-shm").open("r+b") as file:
        fcntl.lockf(file, fcntl.LOCK_EX, 8, 120)
        try:
            yield
        finally:
            fcntl.lockf(file, fcntl.LOCK_UN, 8, 120)
