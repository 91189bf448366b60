"""The essential cases of the security corpus on REST catalogs.

Alice makes the tables and is the control, bob is the restricted user. At the catalog both may do everything in
`shared`: what bob does not get, the policy keeps from him.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

import pytest
from stack import accounts
from stack.catalog import CatalogService
from stack.running import Stack
from testing import people
from testing.people import Person
from testing.server import RunningServer, running_server
from tests.security.answers import Got, Refused, fault
from tests.security.case import Case
from tests.security.corpus.essentials import ESSENTIALS
from tests.security.corpus_server import leaks
from tests.security.data import MASK_KEY, SET_UP
from tests.security.serving import RULES

from sqe.config.load import load
from sqe.locations import locate

pytestmark = pytest.mark.engine

SCHEMA = "shared"
V2, V3 = ("'format-version' = '2'", "'format-version' = '3'")
OTHERS = re.compile(
    r"\bspare\b|\bclosed\b|\bpub\b|\bdeep\b|\bSHOW TABLES\b|\bCALL\b|\b(?:TAG|BRANCH)\b|branch_side|'old'|'side'"
    r"|\bVIEW\b|\bv_\w+"
)
"""What is not here: other catalogs and schemas; tags and branches of a table, and views, which Nessie does not keep."""
CASES = tuple(
    case for case in ESSENTIALS if not OTHERS.search(" ".join((case.sql, *case.before, *case.tries)))
)


def here(sql: str, catalog: str) -> str:
    """The statement with the names that its tables have here."""
    return re.sub(r"(?:\blake\.)?\bhr\.", lambda found: _place(found[0], catalog), sql)


def _place(found: str, catalog: str) -> str:
    return f"{catalog}.{SCHEMA}." if found.startswith("lake") else f"{SCHEMA}."


def rules() -> str:
    text = RULES.read_text(encoding="utf-8")
    text = text.replace("users: [adm, bob]", "users: alice").replace("users: ann", "users: bob")
    return re.sub(r'"?\blake\.hr\.([\w*]+)"?', rf'"*.{SCHEMA}.\1"', text)


@pytest.fixture(scope="module")
def guarded(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    file = tmp_path_factory.mktemp("essentials") / "rules.yaml"
    file.write_text(rules(), encoding="utf-8")
    settings = {
        **stack.settings(),
        "paths__cache": str(locate(load(None, os.environ)).cache),
        "engine__memory": "1GB",
        "policy__engines": '["file"]',
        "policy__file": str(file),
        "policy__mask_key": MASK_KEY,
    }
    for service in stack.catalogs:
        settings |= service.settings(service.name)
    with running_server(tls=True, settings=settings) as server:
        server.wait_until_ready()
        yield server


@pytest.fixture(scope="module")
def _made() -> set[str]:
    """The catalogs that have the tables."""
    return set()


@pytest.fixture
def made(guarded: RunningServer, catalog: CatalogService, _made: set[str]) -> str:
    """The name of a catalog with the tables of the corpus."""
    if catalog.name not in _made:
        with person(guarded, "alice", catalog.name).flight_connection("spark") as connection:
            for sql in SET_UP:
                if not OTHERS.search(sql) and "SCHEMA" not in sql:
                    # Nessie makes tables of version 2 alone, and another is refused.
                    known = sql.replace(V3, V2) if catalog.name == "nessie" else sql
                    person(guarded, "alice", catalog.name).on(connection, here(known, catalog.name))
        _made.add(catalog.name)
    return catalog.name


def person(server: RunningServer, user: str, catalog: str) -> Person:
    return Person(server, user, accounts.PEOPLE[user].password, catalog=catalog, schema=SCHEMA)


def ask(server: RunningServer, user: str, catalog: str, case: Case, sql: str) -> Got:
    who = person(server, user, catalog)
    with who.flight_connection(case.dialect) as connection:
        try:
            for before in case.before:
                who.on(connection, here(before, catalog))
            return who.on(connection, here(sql, catalog))
        except people.Refused as refused:
            return Refused(refused.code, refused.message)


def test_an_essential_case_holds_on_a_rest_catalog(guarded: RunningServer, made: str) -> None:
    wrong = []
    for case in CASES:
        got = ask(guarded, "bob", made, case, case.sql)
        fault_, leaked = fault(case.ann, got, "flight"), leaks(case, got)
        if fault_ or leaked:
            wrong.append(f"{case.name}: bob: {fault_ or leaked}")
        # What the control writes is not put back here, and names of schemas are others.
        if not case.writes and not case.sql.startswith("SHOW"):
            got = ask(guarded, "alice", made, case, case.control or case.sql)
            if found := fault(case.bob, got, "flight"):
                wrong.append(f"{case.name}: alice: {found}")
    assert not wrong, "\n".join(wrong)


def test_what_was_refused_has_changed_nothing(guarded: RunningServer, made: str) -> None:
    alice = person(guarded, "alice", made)
    for table, count in (("people", 4), ("staff", 4), ("parts", 3), ("vault", 2), ("ledger", 3)):
        assert alice.flight(f"SELECT count(*) FROM {table}") == [(count,)], table
