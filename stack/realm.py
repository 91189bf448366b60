"""Write Keycloak's realm `sqe` in the form that Keycloak imports."""

from __future__ import annotations

from typing import Any

from stack import accounts
from stack.accounts import Account

_SHORT_SECONDS = 60
_USUAL_SECONDS = 300
# A person's browser comes back to a client on this machine: `sqe login`, and Trino's clients by way of SQE.
_REDIRECTS = [f"{scheme}://{host}:*" for scheme in ("http", "https") for host in ("127.0.0.1", "localhost")]
_GROUPS = {"analysts": "analyst", "engineers": "engineer"}


def realm() -> dict[str, Any]:
    people = [_person(account) for account in accounts.PEOPLE.values()]
    return {
        "realm": accounts.REALM,
        "enabled": True,
        "sslRequired": "none",
        "accessTokenLifespan": _USUAL_SECONDS,
        "ssoSessionIdleTimeout": 1800,
        "ssoSessionMaxLifespan": 36000,
        "roles": {"realm": [{"name": name} for name in (*_GROUPS.values(), accounts.ALL_ROLES)]},
        "groups": [{"name": group, "realmRoles": [role]} for group, role in _GROUPS.items()],
        "clients": _clients(),
        "users": [
            *people,
            {
                "username": f"service-account-{accounts.SERVICE}",
                "enabled": True,
                "serviceAccountClientId": accounts.SERVICE,
                "realmRoles": ["engineer"],
            },
        ],
    }


def _person(account: Account) -> dict[str, Any]:
    return {
        "username": account.user,
        "enabled": True,
        "email": account.email,
        "emailVerified": True,
        "firstName": account.user.capitalize(),
        "lastName": "Example",  # without one Keycloak asks for it at the first login
        "credentials": [{"type": "password", "value": account.password, "temporary": False}],
        "groups": list(account.groups),
        "realmRoles": [role for role in account.roles if role not in map(_GROUPS.get, account.groups)],
        "attributes": {"minio_policy": [account.policy]} if account.policy else {},
    }


def _clients() -> list[dict[str, Any]]:
    return [
        _public(accounts.CLIENT, _USUAL_SECONDS),
        _public(accounts.SHORT, _SHORT_SECONDS),
        # An application whose users SQE knows only by exchanging what that application was given.
        _public(accounts.PORTAL, _USUAL_SECONDS) | {"protocolMappers": [_client_audience(accounts.EXCHANGE)]},
        # And one whose tokens have nothing to do with SQE.
        _public(accounts.OUTSIDER, _USUAL_SECONDS) | {"protocolMappers": []},
        _confidential(accounts.SERVICE, accounts.SERVICE_SECRET)
        | {"serviceAccountsEnabled": True, "protocolMappers": _mappers()},
        _confidential(accounts.EXCHANGE, accounts.EXCHANGE_SECRET)
        | {
            "protocolMappers": [
                *_mappers(),
                _client_audience(accounts.CLIENT),
                _client_audience(accounts.CATALOG_AUDIENCE),
            ],
            "attributes": {"standard.token.exchange.enabled": "true"},
        },
        # A token can be exchanged for one that is meant for a client, so the catalog is one.
        _confidential(accounts.CATALOG_AUDIENCE, None),
    ]


def _public(name: str, seconds: int) -> dict[str, Any]:
    return {
        "clientId": name,
        "enabled": True,
        "publicClient": True,
        "standardFlowEnabled": True,
        "directAccessGrantsEnabled": True,
        "redirectUris": _REDIRECTS,
        "attributes": {
            "pkce.code.challenge.method": "S256",  # and not without
            "oauth2.device.authorization.grant.enabled": "true",
            "access.token.lifespan": str(seconds),
        },
        "protocolMappers": _mappers(),
    }


def _confidential(name: str, secret: str | None) -> dict[str, Any]:
    return {
        "clientId": name,
        "enabled": True,
        "publicClient": False,
        "standardFlowEnabled": False,
        "directAccessGrantsEnabled": False,
        **({"secret": secret} if secret else {}),
    }


def _mappers() -> list[dict[str, Any]]:
    return [
        *map(_audience, (accounts.AUDIENCE, accounts.CATALOG_AUDIENCE)),
        _mapper("groups", "oidc-group-membership-mapper", {"claim.name": "groups", "full.path": "false"}),
        # What MinIO looks at when it is given a token.
        _mapper(
            "minio-policy",
            "oidc-usermodel-attribute-mapper",
            {
                "user.attribute": "minio_policy",
                "claim.name": "policy",
                "jsonType.label": "String",
                "multivalued": "true",
                "aggregate.attrs": "true",
            },
        ),
    ]


def _audience(name: str) -> dict[str, Any]:
    return _mapper(f"audience-{name}", "oidc-audience-mapper", {"included.custom.audience": name})


def _client_audience(name: str) -> dict[str, Any]:
    return _mapper(f"audience-client-{name}", "oidc-audience-mapper", {"included.client.audience": name})


def _mapper(name: str, kind: str, config: dict[str, str]) -> dict[str, Any]:
    return {
        "name": name,
        "protocol": "openid-connect",
        "protocolMapper": kind,
        "config": {"access.token.claim": "true", "id.token.claim": "false", **config},
    }
