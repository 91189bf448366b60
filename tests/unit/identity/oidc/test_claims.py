from __future__ import annotations

from typing import Any

import pytest

from sqe.config.sections.oidc import OidcConfig
from sqe.errors import AuthenticationError
from sqe.identity.oidc.claims import ClaimPaths, claim, login_key, to_principal
from sqe.model.identity import Principal

ALICE: dict[str, Any] = {
    "iss": "https://idp.example.com",
    "sub": "0b1c",
    "preferred_username": "alice",
    "email": "alice@example.com",
    "groups": ["/analysts", "staff"],
    "realm_access": {"roles": ["analyst"]},
    "exp": 1,
}
PATHS = ClaimPaths()


def refused(claims: dict[str, Any], paths: ClaimPaths = PATHS) -> str:
    with pytest.raises(AuthenticationError) as caught:
        to_principal("bearer_token", claims, paths)
    assert caught.value.message == "The token is not accepted."
    return str(caught.value.detail)


def test_claims_become_a_principal() -> None:
    assert to_principal("bearer_token", ALICE, PATHS) == Principal(
        "alice",
        "bearer_token",
        frozenset({"/analysts", "staff"}),
        frozenset({"analyst"}),
        "0b1c",
        "alice@example.com",
    )


def test_the_paths_come_from_the_configuration() -> None:
    paths = ClaimPaths.of(
        OidcConfig(
            user_claim="upn",
            subject_claim="oid",
            email_claim="mail",
            roles_claim="resource_access.sqe.roles",
            groups_claim="https://example.com/groups",
        )
    )
    claims = {
        "upn": "bob@example.com",
        "oid": "7",
        "mail": "b@example.com",
        "resource_access": {"sqe": {"roles": ["r"]}, "account": {"roles": ["no"]}},
        "https://example.com/groups": ["g"],
    }
    assert to_principal("x", claims, paths) == Principal(
        "bob@example.com", "x", frozenset("g"), frozenset("r"), "7", "b@example.com"
    )


def test_only_the_name_has_to_be_there() -> None:
    assert to_principal("x", {"preferred_username": "bob"}, PATHS) == Principal("bob", "x")
    assert "no claim preferred_username" in refused({"sub": "0b1c", "name": "bob"})
    assert "no claim preferred_username" in refused({**ALICE, "preferred_username": ""})
    assert to_principal("x", {"sub": "1"}, PATHS, "etl").user == "etl"
    assert to_principal("x", ALICE, PATHS, "etl").user == "alice"


@pytest.mark.parametrize("name", ["al ice", "alice\n", "../alice", "a" * 200, "ålice", "-alice", "alice;--"])
def test_a_name_has_to_be_a_users_name(name: str) -> None:
    assert "not a user's name" in refused({**ALICE, "preferred_username": name})


@pytest.mark.parametrize("value", [7, ["alice"], {"a": "b"}, True, "x" * 600])
def test_a_name_has_to_be_a_text(value: object) -> None:
    assert "not a short text" in refused({**ALICE, "preferred_username": value})
    assert "not a short text" in refused({**ALICE, "sub": value})


@pytest.mark.parametrize("value", [7, {"analysts": True}, ["a", 7], ["x" * 600], [["a"]]])
def test_groups_and_roles_have_to_be_texts(value: object) -> None:
    assert "the claim groups" in refused({**ALICE, "groups": value})
    assert "the claim realm_access.roles" in refused({**ALICE, "realm_access": {"roles": value}})


def test_one_group_is_one_group_whatever_is_in_it() -> None:
    assert to_principal("x", {**ALICE, "groups": "Data Team"}, PATHS).groups == {"Data Team"}
    scopes = ClaimPaths(roles="scope")
    assert to_principal("x", {**ALICE, "scope": "read write"}, scopes).roles == {"read", "write"}


def test_paths() -> None:
    claims = {"a": {"b": {"c": 1}, "b.d": 2}, "x.y": 3, "x": {"y": 4, "z": 5}, "n": None}
    assert claim(claims, "a.b.c") == 1
    assert claim(claims, "a.b.d") == 2
    assert claim(claims, "x.y") == 3
    assert claim(claims, "x.z") == 5
    for missing in ("n", "q", "a.q", "a.b.c.d", "", ".", "a..b"):
        assert claim(claims, missing) is None


def test_the_key_of_a_login_is_the_same_for_each_of_its_tokens() -> None:
    later = {
        **ALICE,
        "exp": 2,
        "iat": 3,
        "nbf": 4,
        "jti": "5",
        "auth_time": 6,
        "sid": "7",
        "session_state": "8",
        "nonce": "9",
        "at_hash": "10",
    }
    assert login_key("p", later) == login_key("p", ALICE)
    assert login_key("p", dict(reversed(ALICE.items()))) == login_key("p", ALICE)


def test_the_key_of_a_login_is_another_when_anything_else_is() -> None:
    others = [
        {**ALICE, "sub": "x"},
        {**ALICE, "preferred_username": "bob"},
        {**ALICE, "realm_access": {"roles": ["analyst", "admin"]}},
        {**ALICE, "iss": "https://other.example.com"},
        {**ALICE, "azp": "x"},
    ]
    keys = {login_key("p", claims) for claims in (ALICE, *others)} | {login_key("q", ALICE)}
    assert len(keys) == len(others) + 2
