from __future__ import annotations

import re
from itertools import pairwise

import pytest

from sqe import errors
from sqe.errors import Position, SqeError, from_dict, tree


def drawn() -> list[tuple[int, str, str, str]]:
    """Read depth, class, code and SQLSTATE from the docstring."""
    line = re.compile(
        r"^(?P<branch>[│├└─ ]*)(?P<name>[A-Z]\w+)\s+(?P<code>[A-Z_]+)\s+(?P<sqlstate>[A-Z0-9]{5})\b"
    )
    found = (line.match(text) for text in (errors.__doc__ or "").splitlines())
    return [
        (len(match["branch"]) // 4, match["name"], match["code"], match["sqlstate"])
        for match in found
        if match
    ]


def depth(error: type[SqeError]) -> int:
    return error.__mro__.index(SqeError)


def test_the_docstring_draws_the_tree_as_it_is() -> None:
    assert drawn() == [(depth(error), error.__name__, error.code, error.sqlstate) for error in tree()]


def test_codes_are_unique_and_stable_in_form() -> None:
    codes = [error.code for error in tree()]
    assert len(set(codes)) == len(codes)
    assert all(re.fullmatch(r"[A-Z]+(_[A-Z]+)*", code) for code in codes)
    assert all(re.fullmatch(r"[0-9A-Z]{5}", error.sqlstate) for error in tree())


def test_parents_come_first() -> None:
    order = list(tree())
    assert all(order.index(error.__mro__[1]) < order.index(error) for error in order[1:])
    assert all(depth(after) <= depth(before) + 1 for before, after in pairwise(order))


@pytest.mark.parametrize("kind", list(tree()))
def test_an_error_survives_the_wire(kind: type[SqeError]) -> None:
    error = kind(
        "What is wrong.", hint="What to do.", position=Position(2, 3), query_id="q_1", detail="inside"
    )
    copy = from_dict(error.to_dict())
    assert type(copy) is kind
    assert copy.to_dict() == error.to_dict()
    assert copy.detail is None
    assert "inside" not in str(error.to_dict())


def test_an_instance_may_have_a_more_exact_sqlstate() -> None:
    error = errors.SemanticError("x", sqlstate="42805")
    assert error.sqlstate == "42805"
    assert from_dict(error.to_dict()).sqlstate == "42805"
    assert errors.SemanticError("x").sqlstate == "42000"


def test_an_unknown_code_becomes_a_plain_error() -> None:
    assert type(from_dict({"code": "FROM_THE_FUTURE", "message": "x"})) is SqeError
