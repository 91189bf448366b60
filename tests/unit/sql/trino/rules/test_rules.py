from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.sql_pairs import Pair, read_pairs

from sqe.model.session import Dialect
from sqe.sql.statement import read
from sqe.sql.trino.rules.registry import RULES
from sqe.sql.trino.rules.rule import Rule
from sqe.sql.trino.scope import Scope
from sqe.sql.trino.translate import translate

FIXTURES = Path(__file__).parent / "fixtures"
SCOPE = Scope("lake", "sales", "ada", None)
PAIRS = [pair for path in sorted(FIXTURES.glob("*.sql")) for pair in read_pairs(path)]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_pair(pair: Pair) -> None:
    assert translate(read(pair.sent, Dialect.TRINO), SCOPE).text.strip() == pair.expected


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_rule_has_pairs_and_says_what_it_is_about(rule: Rule) -> None:

    assert len(read_pairs(FIXTURES / f"{rule.name}.sql")) >= 3
    assert rule.about.strip()


def test_every_file_of_pairs_has_a_rule() -> None:
    assert {path.stem for path in FIXTURES.glob("*.sql")} == {rule.name for rule in RULES}


def test_no_function_has_two_rules() -> None:
    names = [name for rule in RULES for name in rule.functions]
    assert len(names) == len(set(names))


def test_the_documentation_has_the_rules_and_no_others() -> None:
    page = (Path(__file__).parents[5] / "docs/sql.md").read_text(encoding="utf-8")
    section = page.partition("\n## Translation rules\n")[2].partition("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| `")]
    abouts = {rule.name: " ".join(rule.about.split()).replace("|", "\\|") for rule in RULES}
    assert sorted(rows) == sorted(f"| `{name}` | {about} |" for name, about in abouts.items())
