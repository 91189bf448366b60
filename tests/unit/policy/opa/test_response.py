from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from sqe.errors import PolicyUnavailableError
from sqe.model.decision import Expression
from sqe.model.session import Dialect
from sqe.policy.opa import response as opa_response


def expression(text: str, acts_as: str | None = None) -> Expression:
    return Expression(text, Dialect.TRINO, "opa", acts_as)


def indices(answer: Mapping[str, Any]) -> object:
    return opa_response.indices(answer, 3)


def masks(answer: Mapping[str, Any]) -> object:
    return opa_response.column_masks(answer, 3)


def test_an_answer_may_have_more_than_a_result() -> None:
    answer = opa_response.document(b'{"decision_id": "foo", "result": true, "someInfo": {}}')
    assert opa_response.allowed(answer) is True


@pytest.mark.parametrize("body", [b"", b"[]", b"true", b"<html>", b"\xff", b"[" * 100_000])
def test_only_an_object_is_an_answer(body: bytes) -> None:
    with pytest.raises(PolicyUnavailableError, match="invalid response"):
        opa_response.document(body)


def test_undefined_is_no() -> None:
    assert opa_response.allowed({}) is False
    assert opa_response.allowed({"result": False}) is False
    assert opa_response.indices({}, 3) == opa_response.indices({"result": None}, 3) == frozenset()


def test_undefined_is_no_mask() -> None:
    assert opa_response.column_mask({}) is None
    assert opa_response.column_mask({"result": None}) is None


def test_expressions() -> None:
    assert opa_response.row_filters({"result": []}) == ()
    plain, other = {"expression": "a > 1"}, {"expression": "b", "identity": "bob"}
    assert opa_response.row_filters({"result": [plain, other]}) == (
        expression("a > 1"),
        expression("b", "bob"),
    )
    assert opa_response.column_mask({"result": {"expression": "x", "identity": None}}) == expression("x")
    items = [{"index": 2, "viewExpression": other}, {"index": 0, "viewExpression": plain}]
    assert opa_response.column_masks({"result": items}, 3) == {
        2: expression("b", "bob"),
        0: expression("a > 1"),
    }


def test_indices() -> None:
    assert opa_response.indices({"result": [2, 0, 2]}, 3) == {0, 2}


@pytest.mark.parametrize(
    ("read", "result"),
    [
        (opa_response.allowed, "true"),
        (opa_response.allowed, None),
        (opa_response.allowed, 1),
        (opa_response.allowed, {"allow": True}),
        (indices, True),
        (indices, {"0": True}),
        (indices, ["0"]),
        (indices, [True]),
        (indices, [3]),
        (indices, [-1]),
        (indices, [0.0]),
        (opa_response.row_filters, None),
        (opa_response.row_filters, {"expression": "a"}),
        (opa_response.row_filters, ["a"]),
        (opa_response.row_filters, [{"expression": ""}]),
        (opa_response.row_filters, [{"expression": "a", "identify": "bob"}]),
        (opa_response.row_filters, [{"expression": "a", "identity": 7}]),
        (opa_response.row_filters, [{"identity": "bob"}]),
        (opa_response.column_mask, "NULL"),
        (opa_response.column_mask, {"foo": "bar"}),
        (opa_response.column_mask, {"expression": {"foo": "bar"}}),
        (opa_response.column_mask, [{"expression": "a"}]),
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
    assert caught.value.message == 'Policy engine "opa" failed or returned an invalid response.'
    assert caught.value.detail


def test_undefined_row_filters_and_batches_of_masks_are_no_answer() -> None:
    for read in (opa_response.row_filters, masks):
        with pytest.raises(PolicyUnavailableError) as caught:
            read({})
        assert "undefined" in str(caught.value.detail)
