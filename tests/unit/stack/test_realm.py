from __future__ import annotations

import json
from typing import Any

import pytest
from stack import accounts
from stack.realm import realm


def client(name: str) -> dict[str, Any]:
    [found] = [one for one in realm()["clients"] if one["clientId"] == name]
    return dict(found)


def audiences(name: str) -> set[str]:
    configs = [mapper["config"] for mapper in client(name)["protocolMappers"]]
    keys = ("included.custom.audience", "included.client.audience")
    return {config[key] for config in configs for key in keys if key in config}


def test_it_can_be_written_as_json() -> None:
    assert json.loads(json.dumps(realm())) == realm()


def test_keycloak_s_own_scopes_are_left_alone() -> None:
    # An empty list would take `sub` and `preferred_username` out of every token.
    assert "clientScopes" not in realm()


def test_every_group_and_role_that_somebody_has_is_there() -> None:
    groups = {group["name"]: group["realmRoles"] for group in realm()["groups"]}
    roles = {role["name"] for role in realm()["roles"]["realm"]}
    for user in realm()["users"]:
        assert set(user.get("groups", ())) <= groups.keys()
        assert set(user["realmRoles"]) <= roles
    assert {role for held in groups.values() for role in held} <= roles


@pytest.mark.parametrize("account", accounts.PEOPLE.values(), ids=list(accounts.PEOPLE))
def test_people_have_their_password_roles_and_policy(account: accounts.Account) -> None:
    [user] = [user for user in realm()["users"] if user["username"] == account.user]
    of_groups = {
        role for group in realm()["groups"] if group["name"] in account.groups for role in group["realmRoles"]
    }
    assert user["credentials"] == [{"type": "password", "value": account.password, "temporary": False}]
    assert {*user["realmRoles"], *of_groups} == set(account.roles)
    assert user["attributes"].get("minio_policy", [None]) == [account.policy]


@pytest.mark.parametrize(("name", "seconds"), [(accounts.CLIENT, 300), (accounts.SHORT, 60)])
def test_clients_of_people(name: str, seconds: int) -> None:
    found = client(name)
    assert found["publicClient"]
    assert found["directAccessGrantsEnabled"]
    assert found["standardFlowEnabled"]
    assert found["attributes"] == {
        "pkce.code.challenge.method": "S256",
        "oauth2.device.authorization.grant.enabled": "true",
        "access.token.lifespan": str(seconds),
    }
    assert audiences(name) == {accounts.AUDIENCE, accounts.CATALOG_AUDIENCE}


def test_tokens_of_others_are_not_for_sqe() -> None:
    assert audiences(accounts.PORTAL) == {accounts.EXCHANGE}
    assert audiences(accounts.OUTSIDER) == set()


def test_only_one_client_exchanges_tokens() -> None:
    exchanging = [
        one["clientId"]
        for one in realm()["clients"]
        if one.get("attributes", {}).get("standard.token.exchange.enabled") == "true"
    ]
    assert exchanging == [accounts.EXCHANGE]
