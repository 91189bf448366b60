from __future__ import annotations

from pathlib import Path

import pytest

from sqe.cli.policy_test.cases import CasesDocument
from sqe.errors import ConfigError
from sqe.policy.documents import read

CASE = "user: ann\n    query: SELECT 1\n    expect: {count: 1}"


def cases(tmp_path: Path, text: str, name: str = "cases.yaml") -> CasesDocument:
    path = tmp_path / name
    path.write_text(text)
    return read(path, CasesDocument, "file of cases")


def test_a_file_of_cases(tmp_path: Path) -> None:
    found = cases(
        tmp_path,
        """
setup: CREATE SCHEMA s
cases:
  - user: ann
    roles: engineer
    groups: [a, b]
    query: SELECT 1
    dialect: trino
    expect: {rows: [[1, x, null]], columns: [a, b, c], count: 1}
  - {name: eve may not, user: eve, query: SELECT 1, expect: {refused: ACCESS_DENIED}}
""",
    )
    first, second = found.cases
    assert found.setup == ("CREATE SCHEMA s",)
    assert (first.roles, first.groups, first.dialect) == (("engineer",), ("a", "b"), "trino")
    assert first.expect.rows == ((1, "x", None),)
    assert (second.title, second.expect.refused) == ("eve may not", "ACCESS_DENIED")


def test_the_same_in_toml(tmp_path: Path) -> None:
    found = cases(
        tmp_path,
        '[[cases]]\nuser = "ann"\nquery = "SELECT 1"\nexpect.rows = [[1, "x"]]\n',
        "cases.toml",
    )
    assert found.cases[0].expect.rows == ((1, "x"),)


def test_titles_are_short_and_none_is_there_twice(tmp_path: Path) -> None:
    found = cases(
        tmp_path, f"cases:\n  - {CASE}\n  - {CASE}\n  - {CASE.replace('SELECT 1', 'SELECT ' + 'x' * 200)}\n"
    )
    first, second, third = found.titles()
    assert (first, second) == ("ann: SELECT 1", "ann: SELECT 1 (2)")
    assert len(third) == 100


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("cases: []", "at least 1 item"),
        ("setup: []", "cases: Field required"),
        ("cases: [{query: SELECT 1, expect: {count: 1}}]", "cases[1].user: Field required"),
        ("cases: [{user: a, query: SELECT 1}]", "cases[1].expect: Field required"),
        ("cases: [{user: a, query: SELECT 1, expect: {}}]", "expects nothing"),
        ("cases: [{user: a, query: SELECT 1, expect: {count: 1, refused: X}}]", "a result and a refusal"),
        ("cases: [{user: a, query: SELECT 1, expect: {refused: ''}}]", "refused is empty"),
        ("cases: [{user: a, query: SELECT 1, expect: {count: -1}}]", "cases[1].expect.count"),
        ("cases: [{user: a, query: SELECT 1, expect: {rows: [1]}}]", "cases[1].expect.rows"),
        ("cases: [{user: a, query: SELECT 1, dialect: mysql, expect: {count: 1}}]", "cases[1].dialect"),
        ("cases: [{user: a, query: SELECT 1, expect: {count: 1}, role: x}]", "cases[1].role: Extra inputs"),
    ],
)
def test_what_makes_no_sense_is_refused(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(ConfigError) as refused:
        cases(tmp_path, text)
    assert says in refused.value.message


def test_the_example_of_the_documents_is_read() -> None:
    path = Path(__file__).parents[4] / "docs/policy/file/cases.yaml"
    assert len(read(path, CasesDocument, "file of cases").cases) > 5
