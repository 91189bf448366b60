"""SHOW FUNCTIONS lists what SQE has, and leaves out what it does not have."""

from __future__ import annotations

import pytest
from testing.server import RunningServer
from tests.parity.client import Answer, run_all
from tests.parity.functions import MISSING, call

from sqe.sql.trino.builtin_functions import BuiltinFunction, builtin_functions

# Types of arguments that no expression has: they are read from literals.
_NO_TYPES = ("jsonpath", "codepoints", "joniregexp", "unknown")
# Functions with a grammar of their own.
_GRAMMAR = frozenset({"listagg"})


def _is_missing(answer: Answer) -> bool:
    return answer.error == "FUNCTION_NOT_FOUND" and "Cannot resolve routine" in answer.message


@pytest.mark.engine
@pytest.mark.timeout(900)
def test_every_function_that_is_listed_can_be_called(server: RunningServer) -> None:
    forms: dict[str, BuiltinFunction] = {}
    for function in builtin_functions():
        callable_so = function.kind != "table" and not any(kind in function.arguments for kind in _NO_TYPES)
        if callable_so and function.name not in _GRAMMAR:
            forms.setdefault(function.name, function)
    # EXPLAIN (TYPE VALIDATE) analyzes a call, and does not run it.
    calls = [f"EXPLAIN (TYPE VALIDATE) {call(function)}" for function in forms.values()]
    answers = run_all(server.trino, calls)
    failed = [text for text, answer in zip(calls, answers, strict=True) if _is_missing(answer)]
    assert not failed
    assert len(calls) > 280
    left_out = [f"SELECT {name}()" for name in sorted(MISSING)]
    assert all(answer.error is not None for answer in run_all(server.trino, left_out))
    (listed,) = run_all(server.trino, ["SHOW FUNCTIONS"])
    assert len(listed.rows) == len(builtin_functions())
