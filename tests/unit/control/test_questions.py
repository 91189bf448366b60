from __future__ import annotations

import json
from typing import Any

import pytest

from sqe.control.questions import DecisionRequest, InvalidQuestionError, read_questions, write_decisions
from sqe.model.decision import Column, Decision, Kind, Operation, Question, Refusal, Resource

SELECT = {"operation": "select", "kind": "table", "catalog": "lake", "namespace": ["sales"], "name": "orders"}
FULL = {
    **SELECT,
    "columns": [
        {"name": "id", "type": "bigint", "field_id": 1, "tags": []},
        {"name": "ssn", "type": "string", "field_id": None, "tags": ["pii", "x"]},
    ],
    "uuid": "u",
    "owner": "ann",
    "metadata": None,
    "ref": "branch b",
    "procedure": None,
}


def body(*questions: Any, **more: Any) -> bytes:
    return json.dumps({"handle": "h", "query": None, "questions": list(questions), **more}).encode()


def test_a_whole_question() -> None:
    columns = (Column("id", "bigint", 1), Column("ssn", "string", None, ("pii", "x")))
    table = Resource(
        Kind.TABLE, "lake", ("sales",), "orders", columns=columns, uuid="u", owner="ann", ref="branch b"
    )
    assert read_questions(body(FULL, query="q1")) == DecisionRequest(
        "h", "q1", (Question(Operation.SELECT, table),)
    )


def test_what_may_be_null_may_be_left_out() -> None:
    asked = json.dumps({"handle": "h", "questions": [SELECT]}).encode()
    table = Resource(Kind.TABLE, "lake", ("sales",), "orders")
    assert read_questions(asked) == DecisionRequest("h", None, (Question(Operation.SELECT, table),))


@pytest.mark.parametrize(
    "question",
    [
        {"operation": "create_schema", "kind": "schema", "catalog": "lake", "namespace": ["a", "b.c"]},
        {"operation": "list", "kind": "catalog", "catalog": "lake"},
        {"operation": "list", "kind": "schema", "catalog": "lake", "namespace": ["a"]},
        {"operation": "list", "kind": "view", "catalog": "lake", "namespace": ["a"], "name": "v"},
        {"operation": "create_schema", "kind": "catalog", "catalog": "lake"},
        {**SELECT, "operation": "procedure", "procedure": "rewrite_data_files"},
        {**SELECT, "metadata": "files"},
        {**SELECT, "operation": "describe", "metadata": "files"},
        {**SELECT, "namespace": []},
    ],
)
def test_questions_of_every_kind(question: dict[str, Any]) -> None:
    assert len(read_questions(body(question)).questions) == 1


@pytest.mark.parametrize("operation", [*Operation])
def test_every_operation_has_its_word(operation: Operation) -> None:
    schema = {"operation": operation, "kind": "schema", "catalog": "lake", "namespace": ["a"]}
    table = {**SELECT, "operation": operation, "procedure": "p" if operation is Operation.PROCEDURE else None}
    question = schema if operation.value.endswith("_schema") else table
    assert read_questions(body(question)).questions[0].operation is operation


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"\xff", "not JSON"),
        (b"[]", "The request is not an object"),
        (b"null", "The request is not an object"),
        (b'{"handle": "h", "questions": []}', "questions is empty"),
        (b'{"handle": "h"}', "questions is not a list"),
        (b'{"questions": [{}]}', "handle is not a text"),
        (body(SELECT, query=1), "query is not a text"),
        (body(SELECT, query=""), "query is not a text"),
        (body(SELECT, user="bob"), "The request has 'user', which is not known"),
        (body("x"), "questions[0] is not an object"),
        (body(SELECT, {}), "questions[1].operation is not a text"),
        (body({**SELECT, "operation": "Select"}), "questions[0].operation is not one of select, insert"),
        (body({**SELECT, "operation": ["select"]}), "questions[0].operation is not a text"),
        (body({**SELECT, "kind": "index"}), "questions[0].kind is not one of catalog, schema, table, view"),
        (body({**SELECT, "catalog": None}), "questions[0].catalog is not a text"),
        (body({**SELECT, "namespace": "sales"}), "questions[0].namespace is not a list"),
        (body({**SELECT, "namespace": [""]}), "questions[0].namespace[0] is not a text"),
        (body({**SELECT, "name": None}), "a table has a name"),
        (body({**SELECT, "kind": "schema"}), "a schema has no name of its own"),
        (body({**SELECT, "kind": "schema", "name": None, "namespace": []}), "namespace does not go with"),
        (body({**SELECT, "kind": "catalog", "name": None}), "namespace does not go with a catalog"),
        (
            body({**SELECT, "operation": "create_schema"}),
            "create_schema is nothing that is done with a table",
        ),
        (
            body({"operation": "select", "kind": "schema", "catalog": "c", "namespace": ["a"]}),
            "select is nothing that is done with a schema",
        ),
        (body({**SELECT, "procedure": "p"}), "a procedure goes with the operation procedure"),
        (body({**SELECT, "operation": "procedure"}), "a procedure goes with the operation procedure"),
        (body({**SELECT, "kind": "view", "metadata": "files"}), "a view has no metadata tables"),
        (body({**SELECT, "columns": {}}), "questions[0].columns is not a list"),
        (body({**SELECT, "columns": [{"name": "id"}]}), "questions[0].columns[0].type is not a text"),
        (
            body({**SELECT, "columns": [{"name": "id", "type": "int", "field_id": True}]}),
            "questions[0].columns[0].field_id is not a whole number",
        ),
        (
            body({**SELECT, "columns": [{"name": "id", "type": "int", "tags": "pii"}]}),
            "questions[0].columns[0].tags is not a list",
        ),
        (
            body({**SELECT, "columns": [{"name": "id", "type": "int", "moved": "yes"}]}),
            "questions[0].columns[0].moved is not true or false",
        ),
        (
            body({**SELECT, "columns": [{"name": "id", "type": "int", "mask": "x"}]}),
            "questions[0].columns[0] has 'mask', which is not known",
        ),
        (body({**SELECT, "columns": [{"name": "id", "type": "int"}] * 2}), "a name is there twice"),
        (body({**SELECT, "admin": True}), "questions[0] has 'admin', which is not known"),
    ],
)
def test_what_is_odd_is_no_question(raw: bytes, words: str) -> None:
    with pytest.raises(InvalidQuestionError) as caught:
        read_questions(raw)
    assert words in str(caught.value)


def test_decisions_as_they_are_told() -> None:
    written = write_decisions(
        "ann",
        [
            Decision(allow=True, sources=("not sent",)),
            Decision(allow=True, filter="(id > 1)", masks={"ssn": "NULL"}, restricted=("x",)),
            Decision(allow=False, reason="Access denied: no.", sources=("not sent",)),
            Decision(allow=False, reason="Cannot.", refusal=Refusal.UNSUPPORTED),
        ],
    )
    nothing: dict[str, Any] = {
        "allow": True,
        "filter": None,
        "masks": {},
        "restricted": [],
        "protected": False,
    }
    assert written == {
        "user": "ann",
        "decisions": [
            nothing,
            {
                "allow": True,
                "filter": "(id > 1)",
                "masks": {"ssn": "NULL"},
                "restricted": ["x"],
                "protected": True,
            },
            {"allow": False, "refusal": "denied", "reason": "Access denied: no."},
            {"allow": False, "refusal": "unsupported", "reason": "Cannot."},
        ],
    }
