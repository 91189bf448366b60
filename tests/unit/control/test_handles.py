from __future__ import annotations

import hashlib
import hmac
import uuid

import pytest

from sqe.control.handles import make_handle, session_of

SECRET = "the secret of this engine"
MINE = str(uuid.UUID(int=1))
OTHERS = str(uuid.UUID(int=2))


def test_a_handle_leads_back_to_its_session() -> None:
    assert session_of(make_handle(SECRET, MINE), SECRET) == MINE


def test_the_form_is_the_one_that_java_makes() -> None:
    proof = hmac.new(SECRET.encode("utf-8"), MINE.encode("utf-8"), hashlib.sha256).hexdigest()
    assert make_handle(SECRET, MINE) == f"{MINE}.{proof}"


def test_another_sessions_uuid_with_an_own_proof_is_worth_nothing() -> None:
    own_proof = make_handle(SECRET, MINE).partition(".")[2]
    assert session_of(f"{OTHERS}.{own_proof}", SECRET) is None


def test_a_handle_of_another_engine_is_worth_nothing() -> None:
    assert session_of(make_handle("the secret of the engine before", MINE), SECRET) is None


@pytest.mark.parametrize(
    "change",
    [
        lambda handle: handle[:-1],
        lambda handle: handle + "0",
        lambda handle: handle + "\n",
        lambda handle: handle.upper(),
        lambda handle: handle.partition(".")[0],
        lambda handle: handle.partition(".")[0] + ".",
        lambda handle: "." + handle.partition(".")[2],
        lambda handle: handle.replace(".", ""),
        lambda handle: handle[:-1] + ("0" if handle[-1] != "0" else "1"),
        lambda handle: handle[:-1] + "\u0665",  # a digit, but not one of ours
        lambda handle: "\u00e9" + handle[1:],
        lambda handle: "",
        lambda handle: "\x00" * 101,
    ],
)
def test_what_is_not_exactly_the_handle_is_worth_nothing(change: object) -> None:
    assert callable(change)
    assert session_of(change(make_handle(SECRET, MINE)), SECRET) is None
