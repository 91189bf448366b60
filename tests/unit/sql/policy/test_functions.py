from __future__ import annotations

import re
from pathlib import Path

from sqe.sql.policy.functions import AGGREGATES, IDENTITY, MASKS, NODES, QUERY_NODES, SCALARS

KINDS = Path(__file__).parents[4] / "spark-guard/src/main/resources/sqe/kinds/functions.txt"


def test_policies_call_nothing_that_users_cannot() -> None:
    lines = [line.split() for line in KINDS.read_text().splitlines() if line and not line.startswith("#")]
    allowed = {name for name, verdict, *_ in lines if verdict == "allow"}
    assert allowed >= SCALARS | AGGREGATES


def test_what_depends_on_anything_but_the_row_is_not_there() -> None:
    never = {
        "rand",
        "random",
        "randn",
        "uuid",
        "shuffle",
        "now",
        "version",
        "reflect",
        "java_method",
        "raise_error",
    }
    assert not never & (SCALARS | AGGREGATES)
    assert not {name for name in SCALARS | AGGREGATES if name.startswith(("current_", "input_file", "sqe_"))}


def test_each_name_has_one_meaning() -> None:
    kinds = (SCALARS, AGGREGATES, IDENTITY, MASKS)
    assert sum(map(len, kinds)) == len(frozenset[str]().union(*kinds))
    assert not NODES & QUERY_NODES


def test_the_documents_list_them() -> None:
    text = (Path(__file__).parents[4] / "docs/policy/expressions.md").read_text(encoding="utf-8")
    lists = text.partition("\n## Functions and operators\n")[2].partition("\n**Subqueries**")[0]
    assert sorted(re.findall(r"`([a-z_0-9]+)`", lists)) == sorted([*SCALARS, *AGGREGATES])
