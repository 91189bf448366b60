"""Tags stay with a column for as long as a snapshot has it: a decision about an old snapshot includes them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.support.guarded_engine import ADMIN, GuardedEngine

from sqe.control.questions import read_questions
from sqe.model.decision import Operation
from sqe.model.identity import Principal
from sqe.policy.current_names import CurrentNamesEngine
from sqe.policy.file.engine import FileEngine

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


def hidden(engine: GuardedEngine, directory: Path, tags: list[str]) -> set[str]:
    """The columns that a rule about the tags hides, of the read that the guard asked about last."""
    rule = {"tables": "**", "users": "*", "operations": "read", "tags": dict.fromkeys(tags, "restrict")}
    path = directory / "rules.yaml"
    path.write_text(json.dumps({"rules": [rule]}))
    questions = [
        question
        for body in engine.control.questions
        for question in read_questions(json.dumps(body).encode()).questions
        if question.operation is Operation.SELECT
    ]
    [verdict] = CurrentNamesEngine(FileEngine(path)).decide(Principal("ann", "file"), questions[-1:])
    assert verdict.allow
    return set(verdict.restricted)


OLD = f"SELECT * FROM {T} VERSION AS OF 'old'"
CHANGES = {
    "drop": ["DROP COLUMN ssn"],
    "drop-and-add": ["DROP COLUMN ssn", "ADD COLUMN ssn STRING"],
    "rename-and-drop": ["RENAME COLUMN ssn TO number", "DROP COLUMN number"],
    "drop-and-rename-onto-it": ["DROP COLUMN ssn", "RENAME COLUMN note TO ssn"],
    "drop-add-and-rename": [
        "DROP COLUMN ssn",
        "ADD COLUMN ssn STRING",
        "RENAME COLUMN ssn TO new",
        "RENAME COLUMN note TO ssn",
        "RENAME COLUMN new TO note",
    ],
    "swap": ["RENAME COLUMN ssn TO was", "RENAME COLUMN note TO ssn", "DROP COLUMN was"],
}


@pytest.mark.parametrize("changes", CHANGES.values(), ids=CHANGES.keys())
def test_a_tag_outlives_its_column_while_a_snapshot_has_it(
    engine: GuardedEngine, changes: list[str], tmp_path: Path
) -> None:
    for change in changes:
        engine.run(ADMIN, f"ALTER TABLE {T} {change}")
    for column in (["id"], ["ID"]):
        engine.set_tags(ADMIN, T, {column[0]: ["x"]})
    engine.set_tags(ADMIN, T, {}, ["id"])
    assert tags(engine, OLD)["ssn"] == ["pii"]
    assert hidden(engine, tmp_path, ["pii"]) == {"ssn"}


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


NESTED = "STRUCT<ssn: STRING, note: STRING, inner: ARRAY<STRUCT<a: INT, b: INT>>>"
MOVES: dict[str, tuple[list[str], bool]] = {
    "nothing": (["ADD COLUMN more INT"], False),
    "the-column": (["RENAME COLUMN s TO other"], False),
    "drop": (["DROP COLUMN s.ssn"], False),
    "add": (["ADD COLUMN s.more STRING"], False),
    "rename": (["RENAME COLUMN s.ssn TO number"], True),
    "below-an-array": (["RENAME COLUMN s.inner.element.a TO c"], True),
    "drop-and-add": (["DROP COLUMN s.ssn", "ADD COLUMN s.ssn STRING"], True),
    "drop-and-add-below": (["RENAME COLUMN s TO r", "DROP COLUMN r.ssn", "ADD COLUMN r.SSN STRING"], True),
    "swap": (
        [
            "RENAME COLUMN s.ssn TO x",
            "RENAME COLUMN s.note TO ssn",
            "RENAME COLUMN s.x TO note",
        ],
        True,
    ),
}


@pytest.mark.parametrize(("changes", "moved"), MOVES.values(), ids=MOVES.keys())
def test_fields_whose_names_mean_others_today_are_told(
    engine: GuardedEngine, changes: list[str], moved: bool
) -> None:
    engine.run(ADMIN, f"CREATE OR REPLACE TABLE {T} (id INT, s {NESTED})")
    engine.run(ADMIN, f"INSERT INTO {T} (id) VALUES (1)")
    engine.run(ADMIN, f"ALTER TABLE {T} CREATE OR REPLACE TAG old")
    for change in changes:
        engine.run(ADMIN, f"ALTER TABLE {T} {change}")
    engine.control.questions.clear()
    for sql, expected in ((OLD, moved), (f"SELECT * FROM {T}", False)):
        engine.run("ann", sql)
        asked = [each for body in engine.control.questions for each in body["questions"]]
        columns = [each for each in asked if each["operation"] == "select"][-1]["columns"]
        assert [column["moved"] for column in columns[:2]] == [False, expected], sql


WORDS = [
    "add",
    "drop",
    "drop",
    "rename",
    "rename",
    "succeed",
    "swap",
    "tag",
    "tag",
    "untag",
    "insert",
    "replace",
]


def takes_name(word: str, one: str, other: str) -> list[str]:
    rename = f"ALTER TABLE {T} RENAME COLUMN"
    if word == "succeed":
        return [f"ALTER TABLE {T} DROP COLUMN {one}", f"{rename} {other} TO {one}"]
    return [f"{rename} {one} TO z", f"{rename} {other} TO {one}", f"{rename} z TO {other}"]


@pytest.mark.parametrize("seed", range(5))
def test_no_history_of_a_table_shows_a_tagged_field_without_its_tags(
    engine: GuardedEngine, seed: int, tmp_path: Path
) -> None:
    """A model of fields and tags beside the table; every snapshot that can be read is compared with it."""
    random = Random(seed)
    facts = json.loads(engine.facts(ADMIN, "lake", "db", "t"))
    fields = {column["name"]: column["field_id"] for column in facts["columns"]}
    tagged: dict[int, list[str]] = {fields["ssn"]: ["pii"]}
    steps: list[str] = []
    for step in range(14):
        columns = [name for name in fields if name != "id"]
        word = random.choice(WORDS)
        if word == "add" or not columns:
            name = random.choice([*"abc", "ssn", "note"])
            if name in fields:
                continue
            changes = [f"ALTER TABLE {T} ADD COLUMN {name} STRING"]
        elif word == "drop":
            changes = [f"ALTER TABLE {T} DROP COLUMN {random.choice(columns)}"]
        elif word in ("succeed", "swap"):  # one takes the other's name
            if len(columns) < 2:
                continue
            changes = takes_name(word, *random.sample(columns, 2))
        elif word == "rename":
            new = random.choice([*"abc", "ssn", "note"])
            if new in fields:
                continue
            changes = [f"ALTER TABLE {T} RENAME COLUMN {random.choice(columns)} TO {new}"]
        elif word == "insert":
            changes = [f"INSERT INTO {T} (id) VALUES ({step})"]
        elif word == "replace":
            changes = [f"CREATE OR REPLACE TABLE {T} AS SELECT {step} AS id, 'v' AS {random.choice(columns)}"]
        else:
            name = random.choice([*columns, "id"])
            given = [f"t{step}"] if word == "tag" else []
            engine.set_tags(ADMIN, T, {name: given} if given else {}, [] if given else [name])
            if given:
                tagged[fields[name]] = given
            else:
                tagged.pop(fields[name], None)
            steps.append(f"{word} {name}")
            continue
        for change in changes:
            engine.run(ADMIN, change)
        steps += changes
        facts = json.loads(engine.facts(ADMIN, "lake", "db", "t"))
        fields = {column["name"]: column["field_id"] for column in facts["columns"]}
    for (snapshot,) in engine.run(ADMIN, f"SELECT snapshot_id FROM {T}.snapshots"):
        engine.control.questions.clear()
        engine.run("ann", f"SELECT * FROM {T} VERSION AS OF {snapshot}")
        asked = [each for body in engine.control.questions for each in body["questions"]]
        columns = [each for each in asked if each["operation"] == "select"][-1]["columns"]
        every = sorted({tag for each in tagged.values() for tag in each})
        expected = {each["name"] for each in columns if each["field_id"] in tagged}
        assert hidden(engine, tmp_path, every) == expected, (seed, steps, snapshot)
        for column in columns:
            assert column["tags"] == tagged.get(column["field_id"], []), (seed, steps, snapshot, column)
