"""Call Polaris's management API, and the catalog's own, as root."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
from stack import accounts
from stack.access_log import OURS

from sqe.errors import SetupError

# What the folder's start.sh gives to a new server, and what a running one must have too.
ROOT = ("root", "root-secret")
_CALL_SECONDS = 30.0
_MARK = {OURS: "1"}

# A privilege, and on what: () is the catalog, a namespace has one part, a table two.
Privilege = tuple[str, tuple[str, ...]]


class PolarisApi:
    def __init__(self, base: str, catalog: str) -> None:
        self._base = base
        self._catalog = catalog
        self._token = "none yet"

    def make_catalog(self, location: str, endpoint: str, region: str) -> None:
        storage = {
            "storageType": "S3",
            "allowedLocations": [location],
            "roleArn": "arn:aws:iam::000000000000:role/polaris",
            "region": region,
            "endpoint": endpoint,
            "stsEndpoint": endpoint,
            "pathStyleAccess": True,
            "kmsUnavailable": True,  # else the policy that it sends to STS names KMS, which MinIO does not know
        }
        catalog = {
            "type": "INTERNAL",
            "name": self._catalog,
            "properties": {"default-base-location": location},
            "storageConfigInfo": storage,
        }
        self._call("POST", "management/v1/catalogs", {"catalog": catalog})
        # So that root can look at everything, and put tables back.
        role = f"management/v1/catalogs/{self._catalog}/catalog-roles/catalog_admin"
        self._call("PUT", f"{role}/grants", _grant(("CATALOG_MANAGE_CONTENT", ())))
        self._call(
            "PUT",
            f"management/v1/principal-roles/service_admin/catalog-roles/{self._catalog}",
            {"catalogRole": {"name": "catalog_admin"}},
        )

    def make_principal(self, user: str) -> None:
        """Create a principal with the user's name, and one role without grants."""
        self._call("POST", "management/v1/principals", {"principal": {"name": user}})
        self._call("POST", "management/v1/principal-roles", {"principalRole": {"name": f"{user}_role"}})
        self._call(
            "PUT",
            f"management/v1/principals/{user}/principal-roles",
            {"principalRole": {"name": f"{user}_role"}},
        )
        roles = f"management/v1/catalogs/{self._catalog}/catalog-roles"
        self._call("POST", roles, {"catalogRole": {"name": f"{user}_here"}})
        self._call(
            "PUT",
            f"management/v1/principal-roles/{user}_role/catalog-roles/{self._catalog}",
            {"catalogRole": {"name": f"{user}_here"}},
        )

    def set_grants(self, user: str, wanted: set[Privilege]) -> None:
        """Grant missing privileges and revoke surplus ones."""
        path = f"management/v1/catalogs/{self._catalog}/catalog-roles/{user}_here/grants"
        have = {_privilege(grant) for grant in self._call("GET", path).json()["grants"]}
        for privilege in sorted(wanted - have):
            self._call("PUT", path, _grant(privilege))
        for privilege in sorted(have - wanted):
            self._call("POST", path, _grant(privilege))

    def make_namespace(self, namespace: str) -> None:
        self._call("POST", f"catalog/v1/{self._catalog}/namespaces", {"namespace": [namespace]})

    def namespaces(self) -> list[str]:
        found = self._call("GET", f"catalog/v1/{self._catalog}/namespaces").json()["namespaces"]
        return [".".join(one) for one in found]

    def tables(self, namespace: str) -> list[str]:
        found = self._call("GET", f"catalog/v1/{self._catalog}/namespaces/{namespace}/tables").json()
        return [one["name"] for one in found["identifiers"]]

    def metadata(self) -> Iterator[tuple[str, str, str]]:
        """Return namespace, name and metadata file of each table."""
        for namespace in self.namespaces():
            for table in self.tables(namespace):
                path = f"catalog/v1/{self._catalog}/namespaces/{namespace}/tables/{table}"
                yield namespace, table, self._call("GET", path).json()["metadata-location"]

    def register(self, namespace: str, table: str, metadata: str) -> None:
        path = f"catalog/v1/{self._catalog}/namespaces/{namespace}/register"
        self._call("POST", path, {"name": table, "metadata-location": metadata})

    def _call(self, method: str, path: str, body: object = None) -> httpx.Response:
        answer = self._request(method, path, body)
        if answer.status_code == httpx.codes.UNAUTHORIZED:
            self._log_in()
            answer = self._request(method, path, body)
        # What is there already is as good: a Polaris that runs elsewhere may have seen a stack before.
        if not answer.is_success and answer.status_code != httpx.codes.CONFLICT:
            raise SetupError(f"Polaris refused {method} {path}: {answer.status_code}.", detail=answer.text)
        return answer

    def _request(self, method: str, path: str, body: object) -> httpx.Response:
        url = f"{self._base}/api/{path}"
        headers = {"Authorization": f"Bearer {self._token}"}
        return httpx.request(
            method, url, json=body, headers=headers, params=_MARK, timeout=_CALL_SECONDS, trust_env=False
        )

    def _log_in(self) -> None:
        name, secret = ROOT
        form = {"grant_type": "client_credentials", "client_id": name, "client_secret": secret}
        answer = httpx.post(
            f"{self._base}/api/catalog/v1/oauth/tokens",
            data={**form, "scope": accounts.ALL_ROLES},
            params=_MARK,
            timeout=_CALL_SECONDS,
            trust_env=False,
        )
        if not answer.is_success:
            raise SetupError(f"Polaris does not let {name} in: {answer.status_code}.", detail=answer.text)
        self._token = answer.json()["access_token"]


def _grant(privilege: Privilege) -> dict[str, Any]:
    name, on = privilege
    if not on:
        return {"grant": {"type": "catalog", "privilege": name}}
    if len(on) == 1:
        return {"grant": {"type": "namespace", "namespace": [on[0]], "privilege": name}}
    return {"grant": {"type": "table", "namespace": [on[0]], "tableName": on[1], "privilege": name}}


def _privilege(grant: dict[str, Any]) -> Privilege:
    table = (grant["tableName"],) if grant["type"] == "table" else ()
    return grant["privilege"], (*grant.get("namespace", ()), *table)
