"""Write SQE's configuration for the stack, for tests and as a file."""

from __future__ import annotations

import json
from collections.abc import Mapping

Value = str | bool | int | list[str]
Tables = Mapping[str, Mapping[str, Value]]
"""Section, as "oidc" or "catalogs.lake", to its keys."""


def as_settings(tables: Tables) -> dict[str, str]:
    """Return it as in the environment, but without SQE_ and in lower case: {"oidc__issuer": "..."}."""
    return {
        f"{section.replace('.', '__')}__{key}": value if isinstance(value, str) else json.dumps(value)
        for section, table in tables.items()
        for key, value in table.items()
    }


def as_toml(tables: Tables) -> str:
    """Return it as a file. For these values JSON's notation is TOML's."""
    return "\n".join(
        f"[{section}]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in table.items())
        for section, table in tables.items()
    )


def identity(issuer: str, client: str, audience: str) -> Tables:
    """Return the settings that accept users with a password or a token of Keycloak."""
    return {
        "auth": {"providers": ["oidc_password", "bearer_token"]},
        "oidc": {"issuer": issuer, "client_id": client, "audience": audience},
    }


def rest_catalog(
    name: str, *, uri: str, warehouse: str | None, storage: str, endpoint: str, region: str
) -> Tables:
    table: dict[str, Value] = {"type": "rest", "uri": uri}
    if warehouse is not None:
        table["warehouse"] = warehouse
    table |= {"storage": storage, "region": region, "s3_endpoint": endpoint, "s3_path_style": True}
    if storage == "web_identity":
        table["sts_endpoint"] = endpoint
    return {f"catalogs.{name}": table}
