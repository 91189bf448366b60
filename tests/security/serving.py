"""A server with the tables of the corpus, and a policy in a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import yaml
from testing.server import running_server
from tests.security import random_policies
from tests.security.answers import Refused
from tests.security.corpus_server import CorpusServer
from tests.security.data import GROUPS, MASK_KEY, SECRETS, SET_UP
from tests.security.lake import Lake
from tests.security.people import Visitor, Visitors

from sqe.identity.providers.passwords import hash_password
from sqe.identity.providers.users_file import User

CATALOGS = ("lake", "spare")
RULES = Path(__file__).parent / "rules.yaml"
LAKE = "SQE_TEST_LAKE"
"""A variable of the environment: a directory in which `served` has set everything up before."""
_MADE = "made"


def users_file(path: Path, secrets: Mapping[str, str]) -> Path:
    """Written once: hashes are salted, so another server on this directory would end the tokens of the first."""
    if path.exists():
        return path
    lines = [
        User(name, hash_password(secret, memory_kib=1024, passes=1), frozenset(GROUPS.get(name, ()))).line()
        for name, secret in secrets.items()
    ]
    path.touch(0o600)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def write_rules(path: Path) -> Path:
    """Write the rules of the corpus and of the property tests."""
    document = yaml.safe_load(RULES.read_text(encoding="utf-8"))
    document["rules"] += random_policies.rules()
    path.write_text(yaml.safe_dump(document), encoding="utf-8")
    return path


def policy_settings(rules: Path) -> dict[str, str]:
    return {"policy__engines": '["file"]', "policy__file": str(rules), "policy__mask_key": MASK_KEY}


@contextmanager
def served(directory: Path, settings: Mapping[str, str], first: Iterable[str] = ()) -> Iterator[CorpusServer]:
    """Run a server on which the administrator runs the statements `first`, and then makes the tables of the corpus."""
    secrets = {**SECRETS, **random_policies.PASSWORDS}
    with running_server(
        tls=True,
        catalogs={name: directory / name for name in CATALOGS},
        settings={
            "auth__providers": '["users_file"]',
            "auth__token_idle": "4h",  # connections are kept for all tests
            "limits__session_idle": "4h",  # with what they have set
            "auth__users_file": str(users_file(directory / "users", secrets)),
            **settings,
        },
    ) as server:
        server.wait_until_ready()
        visitors = Visitors(server, secrets)
        try:
            run_all(visitors.visitor("adm", "flight"), first)
            lake = Lake(directory / "lake", directory / "copies")
            if not (directory / _MADE).exists():
                run_all(visitors.visitor("adm", "flight"), SET_UP)
                lake.keep()
                (directory / _MADE).touch()
            yield CorpusServer(visitors, lake, lake.content())
        finally:
            visitors.close()


def run_all(visitor: Visitor, statements: Iterable[str]) -> None:
    for sql in statements:
        got = visitor.ask(sql)
        assert not isinstance(got, Refused), f"{sql}: {got}"
