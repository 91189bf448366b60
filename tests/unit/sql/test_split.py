"""Scripts into statements."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqe.sql.lexer import tokens
from sqe.sql.split import ScriptStatement, Splitter, complete, split

PIECES = [
    *"'\"`;-/*\\rR\n\r:. +_x1é$",
    "--", "/*", "*/", "/*+", "r'", 'R"', "''", '""', "``", "\\'", "\\\n", "\r\n",
    "abc", "abc://", "a1", "SELECT", "w" * 40,
]  # fmt: skip
scripts = st.lists(st.sampled_from(PIECES), max_size=30).map("".join) | st.text(max_size=60)


def texts(script: str) -> list[str]:
    return [statement.text for statement in split(script)]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("", []),
        (" ;; \n; ", []),
        ("SELECT 1", ["SELECT 1"]),
        ("SELECT 1;\nSELECT 2;", ["SELECT 1", "SELECT 2"]),
        ("SELECT ';', \";\", `;`; b", ["SELECT ';', \";\", `;`", "b"]),
        (r"SELECT 'a\';b'; c", [r"SELECT 'a\';b'", "c"]),
        (r"SELECT r'a\'; c", [r"SELECT r'a\'", "c"]),
        (r'SELECT R"a\"; c', [r'SELECT R"a\"', "c"]),
        (r"SELECT xr'a\'; c'; d", [r"SELECT xr'a\'; c'", "d"]),
        ("SELECT 'it''s;'; b", ["SELECT 'it''s;'", "b"]),
        ("SELECT `a``;b`; b", ["SELECT `a``;b`", "b"]),
        ("-- a;\nSELECT 1 -- b;\n;", ["SELECT 1"]),
        ("-- a \\\n still; a comment\nSELECT 1", ["SELECT 1"]),
        ("-- a \\\r\n SELECT 1; b", ["SELECT 1", "b"]),
        ("/* a; /* b; */ c; */ SELECT 1; /* d */", ["SELECT 1"]),
        ("/*/ ; */ a", ["a"]),
        ("SELECT /*+ BROADCAST(t) */ 1; b", ["SELECT /*+ BROADCAST(t) */ 1", "b"]),
        ("/* a /*+ b */ c; d", ["c", "d"]),
        ("SELECT 1 - - 2 -1--2;\n; b", ["SELECT 1 - - 2 -1", "b"]),
        ("SELECT 4/2/*;*/; b", ["SELECT 4/2", "b"]),
        ("SELECT * FROM file://a--b; c", ["SELECT * FROM file://a--b", "c"]),
        ("SELECT 1 /* never; closed", ["SELECT 1 /* never; closed"]),
        ("a; /* never; closed", ["a", "/* never; closed"]),
        ("SELECT 'never; closed", ["SELECT 'never; closed"]),
        ("SELECT 'ends in \\", ["SELECT 'ends in \\"]),
        ("a -- ends in \\", ["a"]),
        ("SELECT 1 \u00a0\u3000;", ["SELECT 1"]),
    ],
)
def test_split(script: str, expected: list[str]) -> None:
    assert texts(script) == expected


def test_a_statement_knows_where_it_starts() -> None:
    script = "-- first\nSELECT 1; /* two\nlines */ SELECT\n2;\n\n  SELECT 3"
    assert list(split(script)) == [
        ScriptStatement("SELECT 1", 9, 2),
        ScriptStatement("SELECT\n2", 35, 3),
        ScriptStatement("SELECT 3", 48, 6),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT 1;", True),
        ("SELECT 1; \n -- note", True),
        ("SELECT 1; -- note \\", True),
        ("SELECT 1; /* note */", True),
        (";", True),
        ("", False),
        ("   ", False),
        ("SELECT 1", False),
        ("SELECT 1; SELECT 2", False),
        ("SELECT ';", False),
        ("SELECT 1 -- ;", False),
        ("SELECT 1; /* open", False),
        ("SELECT 1; -", False),
    ],
)
def test_complete(text: str, expected: bool) -> None:
    assert complete(text) is expected


@given(scripts)
def test_statements_joined_and_split_again_are_the_same(script: str) -> None:
    statements = texts(script)
    assert texts(";".join(statements)) == statements


@given(scripts)
def test_a_statement_is_where_it_says(script: str) -> None:
    for statement in split(script):
        assert script.startswith(statement.text, statement.offset)
        assert statement.line == script.count("\n", 0, statement.offset) + 1


@given(scripts, st.data())
def test_chunks_change_nothing(script: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(script)), max_size=8)))
    splitter = Splitter()
    found: list[ScriptStatement] = []
    for start, end in zip([0, *cuts], [*cuts, len(script)], strict=True):
        found += splitter.feed(script[start:end])
    found += splitter.finish()
    assert found == list(split(script))


@given(scripts)
def test_one_character_at_a_time_changes_nothing(script: str) -> None:
    splitter = Splitter()
    found = [statement for character in script for statement in splitter.feed(character)]
    assert [*found, *splitter.finish()] == list(split(script))


@given(scripts)
def test_it_splits_where_the_lexer_sees_a_semicolon(script: str) -> None:
    groups: list[list[int]] = [[]]
    for token in tokens(script):
        if token.is_symbol(";"):
            groups.append([])
        else:
            groups[-1] += [token.start, token.end]
    expected = [script[group[0] : group[-1]] for group in groups if group]
    assert texts(script) == expected


def test_a_statement_comes_as_soon_as_its_end_is_there() -> None:
    splitter = Splitter()
    assert list(splitter.feed("SELECT 1")) == []
    assert [statement.text for statement in splitter.feed(" AS x;SEL")] == ["SELECT 1 AS x"]
    assert [statement.text for statement in splitter.feed("ECT 2;")] == ["SELECT 2"]


class CountingText(str):
    """Counts the characters that are cut out of it, which is all the copying that the splitter does."""

    __slots__ = ()
    copied: ClassVar[int] = 0

    def __getitem__(self, key: object) -> str:
        part = super().__getitem__(key)  # type: ignore[index]
        CountingText.copied += len(part)
        return part

    def __radd__(self, other: str) -> CountingText:
        return CountingText(other + str(self))


def test_a_long_literal_in_many_chunks_is_read_once() -> None:
    chunks = ["SELECT '", *["x" * 100] * 2000, "';"]
    CountingText.copied = 0
    splitter = Splitter()

    def fed() -> Iterator[ScriptStatement]:
        for chunk in chunks:
            yield from splitter._scan(CountingText(splitter._tail + chunk), final=False)

    assert [len(statement.text) for statement in fed()] == [200_009]
    assert 200_000 <= CountingText.copied < 400_000


def test_the_shell_can_import_it_quickly() -> None:
    heavy = {"sqlglot", "pyarrow", "pydantic", "pyspark", "asyncio", "http"}
    code = f"import sys, sqe.sql.split; print({heavy!r} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True
    )
    assert done.stdout.strip() == "set()"
