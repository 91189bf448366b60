from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from sqe.errors import PolicyUnavailableError
from sqe.model.decision import Expression
from sqe.model.session import Dialect
from sqe.policy.opa import answer as opa_answer


def expression(text: str, acts_as: str | None = None) -> Expression:
    return Expression(text, Dialect.TRINO, "opa", acts_as)


def indices(answer: Mapping[str, Any]) -> object:
    return opa_answer.indices(answer, 3)


def masks(answer: Mapping[str, Any]) -> object:
    return opa_answer.column_masks(answer, 3)


def test_an_answer_may_have_more_than_a_result() -> None:
    answer = opa_answer.document(b'{"decision_id": "foo", "result": true, "someInfo": {}}')
    assert opa_answer.allowed(answer) is True


@pytest.mark.parametrize("body", [b"", b"[]", b"true", b"<html>", b"\xff", b"[" * 100_000])
def test_only_an_object_is_an_answer(body: bytes) -> None:
    with pytest.raises(PolicyUnavailableError, match="does not answer"):
        opa_answer.document(body)


def test_undefined_is_no() -> None:
    assert opa_answer.allowed({}) is False
    assert opa_answer.allowed({"result": False}) is False
    assert opa_answer.indices({}, 3) == opa_answer.indices({"result": None}, 3) == frozenset()


def test_undefined_is_no_mask() -> None:
    assert opa_answer.column_mask({}) is None
    assert opa_answer.column_mask({"result": None}) is None


def test_expressions() -> None:
    assert opa_answer.row_filters({"result": []}) == ()
    plain, other = {"expression": "a > 1"}, {"expression": "b", "identity": "bob"}
    assert opa_answer.row_filters({"result": [plain, other]}) == (
        expression("a > 1"),
        expression("b", "bob"),
    )
    assert opa_answer.column_mask({"result": {"expression": "x", "identity": None}}) == expression("x")
    items = [{"index": 2, "viewExpression": other}, {"index": 0, "viewExpression": plain}]
    assert opa_answer.column_masks({"result": items}, 3) == {
        2: expression("b", "bob"),
        0: expression("a > 1"),
    }


def test_indices() -> None:
    assert opa_answer.indices({"result": [2, 0, 2]}, 3) == {0, 2}


@pytest.mark.parametrize(
    ("read", "result"),
    [
        (opa_answer.allowed, "true"),
        (opa_answer.allowed, None),
        (opa_answer.allowed, 1),
        (opa_answer.allowed, {"allow": True}),
        (indices, True),
        (indices, {"0": True}),
        (indices, ["0"]),
        (indices, [True]),
        (indices, [3]),
        (indices, [-1]),
        (indices, [0.0]),
        (opa_answer.row_filters, None),
        (opa_answer.row_filters, {"expression": "a"}),
        (opa_answer.row_filters, ["a"]),
        (opa_answer.row_filters, [{"expression": ""}]),
        (opa_answer.row_filters, [{"expression": "a", "identify": "bob"}]),
        (opa_answer.row_filters, [{"expression": "a", "identity": 7}]),
        (opa_answer.row_filters, [{"identity": "bob"}]),
        (opa_answer.column_mask, "NULL"),
        (opa_answer.column_mask, {"foo": "bar"}),
        (opa_answer.column_mask, {"expression": {"foo": "bar"}}),
        (opa_answer.column_mask, [{"expression": "a"}]),
        (masks, None),
        (masks, [{"index": 3, "viewExpression": {"expression": "a"}}]),
        (masks, [{"index": 0}]),
        (masks, [{"index": 0, "viewExpression": None}]),
        (masks, [{"index": 0, "viewExpression": {"expression": "a"}}] * 2),
    ],
)
def test_anything_else_is_no_answer(read: Callable[[Mapping[str, Any]], object], result: object) -> None:
    with pytest.raises(PolicyUnavailableError) as caught:
        read({"result": result})
    assert caught.value.message == "The policy engine opa does not answer."
    assert caught.value.detail


def test_undefined_row_filters_and_batches_of_masks_are_no_answer() -> None:
    for read in (opa_answer.row_filters, masks):
        with pytest.raises(PolicyUnavailableError) as caught:
            read({})
        assert "undefined" in str(caught.value.detail)
