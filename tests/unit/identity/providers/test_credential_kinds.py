from __future__ import annotations

import pytest

from sqe.identity.credentials import Password
from sqe.identity.logins.session_tokens import PREFIX
from sqe.identity.providers.api_key import make_key
from sqe.identity.providers.credential_kinds import has_own_provider, is_access_key_id, is_api_key


def test_no_kind_of_credential_begins_like_another() -> None:
    key, _ = make_key("alice")
    assert is_api_key(key)
    assert not key.startswith(PREFIX)
    for other in ("sqe_k_x", "sqe_sqek_x", "eyJhbGciOiJSUzI1NiJ9.e30.x", "SQEK_x", " sqek_x", "sqek", ""):
        assert not is_api_key(other)


@pytest.mark.parametrize(
    ("user", "is_one"),
    [
        ("AKIAIOSFODNN7EXAMPLE", True),
        ("ASIAIOSFODNN7EXAMPLE", True),
        ("AKIA", False),
        ("akiaiosfodnn7example", False),
        ("AKIAIOSFODNN7EXAMPLe", False),
        ("AKIAIOSFODNN7EXAMPLE\n", False),
        ("XAKIAIOSFODNN7EXAMPLE", False),
        ("alice", False),
    ],
)
def test_ids_of_access_keys(user: str, is_one: bool) -> None:
    assert is_access_key_id(user) is is_one
    assert has_own_provider(Password(user, "secret")) is is_one


def test_a_key_is_nobodys_password() -> None:
    assert has_own_provider(Password("alice", "sqek_anything"))
    assert not has_own_provider(Password("alice", "sqe_anything"))
