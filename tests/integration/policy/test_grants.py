"""The example of docs/policy/grants.md, by real clients of a real server."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from testing.certificates import own_certificates
from testing.people import FRONT_ENDS, FrontEnd, Person, Refused
from testing.server import RunningServer, running_server

from sqe.identity.providers.passwords import hash_password
from sqe.identity.providers.users_file import User

pytestmark = [pytest.mark.engine, pytest.mark.slow]

PAGE = Path(__file__).parents[3] / "docs" / "policy" / "grants.md"
GROUPS = {"root": (), "olga": ("engineers",), "ada": ("analysts",)}
OURS = {"PERMISSION_DENIED": "ACCESS_DENIED"}  # what Trino's protocol calls them
READING = ("SELECT", "CHECK")


@dataclass
class Step:
    who: str
    sql: str
    expected: list[str] = field(default_factory=list)


def steps() -> list[Step]:
    found = re.search(r"```sql\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    made: list[Step] = []
    who = ""
    for line in filter(None, found[1].splitlines()):
        if line.startswith("-- => "):
            made[-1].expected.append(line.removeprefix("-- => "))
        elif line.startswith("-- "):
            who = line.removeprefix("-- ")
        else:
            assert line.endswith(";"), line
            made.append(Step(who, line.removesuffix(";")))
    return made


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    directory = tmp_path_factory.mktemp("grants")
    users = directory / "users"
    users.touch(0o600)
    users.write_text(
        "".join(
            User(name, hash_password(f"{name}-pw", memory_kib=1024, passes=1), frozenset(groups)).line()
            + "\n"
            for name, groups in GROUPS.items()
        ),
        encoding="utf-8",
    )
    settings = {
        "auth__providers": '["users_file"]',
        "auth__users_file": str(users),
        "policy__engines": '["grants"]',
        "policy__admins": '["user:root"]',
        "engine__memory": "1GB",
    }
    with (
        own_certificates(),
        running_server(tls=True, catalogs={"lake": directory / "lake"}, settings=settings) as server,
    ):
        server.wait_until_ready()
        yield server


def test_the_page_has_an_example() -> None:
    assert {step.who for step in steps()} == set(GROUPS)
    assert len(steps()) > 20


@pytest.mark.parametrize("front_end", FRONT_ENDS)
def test_the_example_does_what_the_page_says(server: RunningServer, front_end: FrontEnd) -> None:
    for step in steps():
        person = Person(server, step.who, f"{step.who}-pw", catalog="lake")
        # Each front end has a schema, and policies, of its own.
        sql = step.sql.replace("sales", f"sales_{front_end}")
        expected = [line.replace("sales", f"sales_{front_end}") for line in step.expected]
        said = _said(person, front_end, sql)
        assert len(said) == len(expected), f"{step.who}: {sql}: {said}"
        for row, line in zip(said, expected, strict=True):
            beginning, dots, _ = line.partition("...")
            assert row.startswith(beginning) if dots else row == line, f"{step.who}: {sql}: {said}"


def _said(person: Person, front_end: FrontEnd, sql: str) -> list[str]:
    """The rows as text, or the code of the refusal."""
    try:
        rows = person.ask(front_end, sql)
    except Refused as refused:
        return [OURS.get(refused.code or "", refused.code or str(refused))]
    return [", ".join(map(str, row)) for row in rows] if sql.startswith(READING) else []
