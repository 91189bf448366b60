"""Translated Trino SQL on Spark: it parses, and gives Trino's answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from testing.command import Sqe
from tests.support.sql_pairs import read_pairs

from sqe.model.session import Dialect
from sqe.sql.statement import read
from sqe.sql.trino.scope import Scope
from sqe.sql.trino.translate import translate

pytestmark = pytest.mark.engine

UNIT = Path(__file__).parent.parent / "unit/sql/trino"
FIXTURES = sorted([*(UNIT / "rules/fixtures").glob("*.sql"), *(UNIT / "statements/fixtures").glob("*.sql")])
SCOPE = Scope("iceberg", "default", "ada", None)


def run_script(sqe: Sqe, path: Path, statements: list[str]) -> tuple[str, str]:
    path.write_text(";\n".join(statements) + ";\n")
    done = sqe.run("--memory", "--format", "jsonl", "-f", str(path))
    return done.out, done.err


def test_spark_parses_every_expected_text(sqe: Sqe, tmp_path: Path) -> None:
    pairs = [pair for path in FIXTURES for pair in read_pairs(path)]
    # EXPLAIN runs nothing. Iceberg's own statements cannot stand behind it, and find no table either.
    texts = [
        pair.expected if pair.expected.startswith(("EXPLAIN", "ALTER")) else f"EXPLAIN {pair.expected}"
        for pair in pairs
    ]
    _, err = run_script(sqe, tmp_path / "parse.sql", [*texts, "EXPLAIN SELECT )"])
    assert err.count("SYNTAX_ERROR") == 1, err  # the last one, which shows that they are told


def test_answers(sqe: Sqe, tmp_path: Path) -> None:
    pairs = read_pairs(Path(__file__).parent / "trino_answers.sql")
    statements = ["SET TIME ZONE 'UTC'"]
    for number, pair in enumerate(pairs):
        statements += [
            f"SELECT {number} AS marker",
            translate(read(pair.sent, Dialect.TRINO), SCOPE).text,
        ]
    out, err = run_script(sqe, tmp_path / "answers.sql", statements)
    assert not err
    found: list[list[Any]] = []
    for line in out.splitlines():
        row = json.loads(line)
        if "marker" in row:
            found.append([])
        elif found:  # not what SET TIME ZONE says
            found[-1].append(list(row.values()))
    expected = [[json.loads(line) for line in pair.expected.splitlines()] for pair in pairs]
    for pair, rows, answer in zip(pairs, found, expected, strict=True):
        assert rows == answer, pair.sent
