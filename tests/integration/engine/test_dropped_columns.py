"""Tags stay with a column for as long as a snapshot has it: whoever reads an old one is asked about with them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from tests.support.guarded_engine import ADMIN, GuardedEngine

pytestmark = pytest.mark.engine

T = "lake.db.t"


@pytest.fixture(scope="module")
def started(guarded: GuardedEngine) -> GuardedEngine:
    guarded.run(ADMIN, "CREATE SCHEMA lake.db")
    return guarded


@pytest.fixture
def engine(started: GuardedEngine) -> Iterator[GuardedEngine]:
    started.forget()
    started.run(ADMIN, f"DROP TABLE IF EXISTS {T}")
    started.run(ADMIN, f"CREATE TABLE {T} AS SELECT 1 AS id, '111' AS ssn, 'x' AS note")
    started.set_tags(ADMIN, T, {"ssn": ["pii"]})
    started.run(ADMIN, f"ALTER TABLE {T} CREATE TAG old")
    yield started
    started.forget()


def tags(engine: GuardedEngine, sql: str) -> dict[str, list[str]]:
    """The tags with which the guard asks when somebody reads."""
    engine.control.questions.clear()
    engine.run("ann", sql)
    asked = [each for body in engine.control.questions for each in body["questions"]]
    reads: list[dict[str, Any]] = [each for each in asked if each["operation"] == "select"]
    return {column["name"]: column["tags"] for column in reads[-1]["columns"]}


OLD = f"SELECT * FROM {T} VERSION AS OF 'old'"
CHANGES = {
    "drop": ["DROP COLUMN ssn"],
    "drop-and-add": ["DROP COLUMN ssn", "ADD COLUMN ssn STRING"],
    "rename-and-drop": ["RENAME COLUMN ssn TO number", "DROP COLUMN number"],
    "swap": ["RENAME COLUMN ssn TO was", "RENAME COLUMN note TO ssn", "DROP COLUMN was"],
}


@pytest.mark.parametrize("changes", CHANGES.values(), ids=CHANGES.keys())
def test_a_tag_outlives_its_column_while_a_snapshot_has_it(engine: GuardedEngine, changes: list[str]) -> None:
    for change in changes:
        engine.run(ADMIN, f"ALTER TABLE {T} {change}")
    for column in (["id"], ["ID"]):
        engine.set_tags(ADMIN, T, {column[0]: ["x"]})
    engine.set_tags(ADMIN, T, {}, ["id"])
    assert tags(engine, OLD)["ssn"] == ["pii"]


def test_a_column_that_comes_again_under_the_name_has_no_tag(engine: GuardedEngine) -> None:
    for change in CHANGES["drop-and-add"]:
        engine.run(ADMIN, f"ALTER TABLE {T} {change}")
    assert tags(engine, f"SELECT * FROM {T}")["ssn"] == []
    engine.set_tags(ADMIN, T, {}, ["ssn"])  # of the new one
    assert tags(engine, OLD)["ssn"] == ["pii"]


def test_a_replaced_table_keeps_the_tags_of_its_old_snapshots(engine: GuardedEngine) -> None:
    for query in ("SELECT 2 AS id", "SELECT 3 AS id, '333' AS other"):
        engine.run(ADMIN, f"CREATE OR REPLACE TABLE {T} AS {query}")
        engine.set_tags(ADMIN, T, {"id": ["x"]})
    ((old,), *_) = engine.run(ADMIN, f"SELECT snapshot_id FROM {T}.snapshots ORDER BY committed_at")
    assert tags(engine, f"SELECT * FROM {T} VERSION AS OF {old}")["ssn"] == ["pii"]


def test_a_rollback_brings_the_tag_back(engine: GuardedEngine) -> None:
    (snapshot,) = [row[0] for row in engine.run(ADMIN, f"SELECT snapshot_id FROM {T}.snapshots")]
    engine.run(ADMIN, f"INSERT INTO {T} VALUES (2, '222', 'y')")
    engine.run(ADMIN, f"ALTER TABLE {T} DROP COLUMN ssn")
    engine.set_tags(ADMIN, T, {"id": ["x"]})
    engine.run(ADMIN, f"CALL lake.system.rollback_to_snapshot('db.t', {snapshot})")
    assert tags(engine, f"SELECT * FROM {T} VERSION AS OF {snapshot}")["ssn"] == ["pii"]
    assert tags(engine, f"SELECT * FROM {T}.branch_main").get("ssn", ["pii"]) == ["pii"]


def test_tags_that_two_set_at_the_same_time_are_both_kept(engine: GuardedEngine) -> None:
    engine.session("bob")
    engine.set_tags("ann", T, {"note": ["a"]})
    engine.set_tags("bob", T, {"id": ["b"]})
    assert tags(engine, f"SELECT * FROM {T}") == {"id": ["b"], "ssn": ["pii"], "note": ["a"]}


@pytest.mark.parametrize("seed", range(3))
def test_no_history_of_a_table_shows_a_tagged_field_without_its_tags(
    engine: GuardedEngine, seed: int
) -> None:
    """A model of fields and tags beside the table; every snapshot that can be read is compared with it."""
    random = Random(seed)
    facts = json.loads(engine.facts(ADMIN, "lake", "db", "t"))
    fields = {column["name"]: column["field_id"] for column in facts["columns"]}
    tagged: dict[int, list[str]] = {fields["ssn"]: ["pii"]}
    told: list[str] = []
    for step in range(14):
        columns = [name for name in fields if name != "id"]
        word = random.choice(["add", "drop", "rename", "tag", "tag", "untag", "insert", "replace"])
        if word == "add" or not columns:
            name = random.choice([*"abc", "ssn", "note"])
            if name in fields:
                continue
            sql = f"ALTER TABLE {T} ADD COLUMN {name} STRING"
        elif word == "drop":
            sql = f"ALTER TABLE {T} DROP COLUMN {random.choice(columns)}"
        elif word == "rename":
            new = random.choice([*"abc", "ssn", "note"])
            if new in fields:
                continue
            sql = f"ALTER TABLE {T} RENAME COLUMN {random.choice(columns)} TO {new}"
        elif word == "insert":
            sql = f"INSERT INTO {T} (id) VALUES ({step})"
        elif word == "replace":
            sql = f"CREATE OR REPLACE TABLE {T} AS SELECT {step} AS id, 'v' AS {random.choice(columns)}"
        else:
            name = random.choice([*columns, "id"])
            given = [f"t{step}"] if word == "tag" else []
            engine.set_tags(ADMIN, T, {name: given} if given else {}, [] if given else [name])
            if given:
                tagged[fields[name]] = given
            else:
                tagged.pop(fields[name], None)
            told.append(f"{word} {name}")
            continue
        engine.run(ADMIN, sql)
        told.append(sql)
        facts = json.loads(engine.facts(ADMIN, "lake", "db", "t"))
        fields = {column["name"]: column["field_id"] for column in facts["columns"]}
    for (snapshot,) in engine.run(ADMIN, f"SELECT snapshot_id FROM {T}.snapshots"):
        engine.control.questions.clear()
        engine.run("ann", f"SELECT * FROM {T} VERSION AS OF {snapshot}")
        asked = [each for body in engine.control.questions for each in body["questions"]]
        for column in [each for each in asked if each["operation"] == "select"][-1]["columns"]:
            assert column["tags"] == tagged.get(column["field_id"], []), (seed, told, snapshot, column)
