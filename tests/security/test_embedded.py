"""A good part of the corpus through the shell: one script for each user, on private gateways that have the same policy.

Who somebody is there is the account that runs it, so that each user has a home, a gateway and an engine. They use the
lake of the server, and change nothing in it.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from testing.command import SECONDS, Sqe, clean_environment
from tests.security.answers import Got, Refused, fault
from tests.security.case import Case
from tests.security.corpus.everything import CASES
from tests.security.corpus_server import CorpusServer, leaks
from tests.security.serving import CATALOGS, policy_settings, write_rules

pytestmark = pytest.mark.engine

CHOSEN = tuple(
    case
    for case in CASES
    if "embedded" in case.front_ends
    and not case.changes
    and not case.fresh
    and zlib.crc32(case.name.encode()) % 3 == 0
)
CONTROLLED = CHOSEN[::2]

_MARK = "sqe_case"
_ERROR = re.compile(r"error: (?P<code>[A-Z_]+) \[\w+\]: (?P<message>.*)")


@dataclass
class Answers:
    """What one user got, by case."""

    got: dict[str, Got] = field(default_factory=dict)

    @classmethod
    def read(cls, output: str) -> Answers:
        answers, name = cls(), ""
        for line in output.splitlines():
            if line.startswith("{"):
                row = json.loads(line)
                if _MARK in row:
                    name = row[_MARK]
                    answers.got[name] = []
                else:
                    answers._row(name, tuple(row.values()))
            elif found := _ERROR.match(line):
                answers.got[name] = Refused(found["code"], found["message"])
            elif isinstance(refused := answers.got.get(name), Refused):
                # The message goes on, with the place and a hint.
                answers.got[name] = Refused(refused.code, f"{refused.message}\n{line}")
        return answers

    def _row(self, name: str, row: tuple[object, ...]) -> None:
        rows = self.got[name]
        assert not isinstance(rows, Refused), f"{name}: rows after an error"
        rows.append(row)


def script(cases: Sequence[Case], user: str) -> str:
    statements = ["USE lake.hr"]
    for case in cases:
        asked = (case.control or case.sql) if user == "bob" else case.sql
        statements += [*case.before, f"SELECT '{case.name}' AS {_MARK}", asked]
    # On lines of their own: a statement may end with a comment.
    return "\n;\n".join([*statements, f"SELECT 'end' AS {_MARK}", ""])


@pytest.fixture(scope="module")
def directory() -> Iterator[Path]:
    # Not pytest's own directory: a unix socket's path must be short.
    made = Path(tempfile.mkdtemp(prefix="sqe-test-"))
    yield made
    shutil.rmtree(made, ignore_errors=True)


def answers(corpus_server: CorpusServer, directory: Path, user: str, cases: Sequence[Case]) -> Answers:
    home = directory / user
    home.mkdir(mode=0o700)
    settings = {**policy_settings(write_rules(home / "rules.yaml")), "engine__memory": "2GB"}
    for name in CATALOGS:
        place = corpus_server.lake.directory.parent / name
        settings |= {f"catalogs__{name}__type": "warehouse", f"catalogs__{name}__path": str(place)}
    environment = {**clean_environment(home), "LOGNAME": user, "PYTHONUNBUFFERED": "1"}
    shell = Sqe(environment, directory=home).having(**settings)
    try:
        # Both streams in one, so that an error is where its statement is.
        process = shell.start("--format", "jsonl", stdin=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            output, _ = process.communicate(script(cases, user), timeout=SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    finally:
        shell.run("engine", "stop", "--all")
    found = Answers.read(output)
    assert "end" in found.got, output
    return found


@pytest.fixture(scope="module")
def ann(corpus_server: CorpusServer, directory: Path) -> Answers:
    found = answers(corpus_server, directory, "ann", CHOSEN)
    assert corpus_server.lake.content() == corpus_server.content, "the lake is not as it was"
    return found


@pytest.fixture(scope="module")
def bob(corpus_server: CorpusServer, directory: Path) -> Answers:
    return answers(corpus_server, directory, "bob", CONTROLLED)


@pytest.mark.parametrize("case", CHOSEN, ids=lambda case: str(case.name))
def test_a_bypass_is_none_in_the_shell(ann: Answers, case: Case) -> None:
    got = ann.got[case.name]
    assert (wrong := fault(case.ann, got, "embedded")) is None, f"ann: {wrong}"
    assert (leaked := leaks(case, got)) is None, f"ann: {leaked}"


@pytest.mark.parametrize("case", CONTROLLED, ids=lambda case: str(case.name))
def test_the_control_in_the_shell(bob: Answers, case: Case) -> None:
    assert (wrong := fault(case.bob, bob.got[case.name], "embedded")) is None, f"bob: {wrong}"


def test_enough_of_the_corpus_goes_through_the_shell() -> None:
    assert len(CHOSEN) >= 100
    assert len(CONTROLLED) >= 50
