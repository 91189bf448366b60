"""Run Nessie, the catalog that is always there: the published server, with generated access rules."""

from __future__ import annotations

import os
from pathlib import Path

import httpx
from stack import accounts, java
from stack.access_log import OURS, AccessLog
from stack.catalog import Access
from stack.configuration import Tables, as_settings, rest_catalog
from stack.grants import Grants
from stack.keycloak import Keycloak
from stack.minio import BUCKET, REGION, Minio
from stack.ports import HOST
from stack.process import ServiceProcess, answers
from stack.properties import write_properties

from sqe.errors import SetupError

_START_SECONDS = 120.0
_CALL_SECONDS = 30.0
_WAREHOUSE = "lake"
# What is about no table: to see the branch, to list names, to look at the log of commits, to commit at all.
_EVERYWHERE = ["VIEW_REFERENCE", "READ_ENTRIES", "LIST_COMMIT_LOG", "COMMIT_CHANGE_AGAINST_REFERENCE"]


class Nessie:
    name = "nessie"
    version = "Nessie 0.99.0, as published"
    prefix = "nessie/"
    warehouse: str | None = _WAREHOUSE

    def __init__(
        self, jar: Path, directory: Path, port: int, management_port: int, keycloak: Keycloak, minio: Minio
    ) -> None:
        self._jar = jar
        self._directory = directory
        self._ports = (port, management_port)
        self._keycloak = keycloak
        self._minio = minio
        self._process = ServiceProcess("nessie", directory)
        self._grants = Grants()
        self._log = AccessLog(directory / "nessie-access", f"http://{HOST}:{port}")
        self.uri = f"http://{HOST}:{port}/iceberg"
        self.service_user = minio.services[self.name].access_key

    @property
    def process(self) -> ServiceProcess:
        return self._process

    def start(self) -> None:
        """Start it with the current rules; tables are in a database on disk and stay."""
        file = self._directory / "nessie.properties"
        write_properties(file, self._properties())
        command = [str(java.bundled().java), *java.OPTIONS, f"-Dquarkus.config.locations={file}"]
        self._process.start([*command, "-jar", str(self._jar)], environ=os.environ, directory=self._directory)
        # "ready" would look at the store, which is started at the same time.
        health = f"http://{HOST}:{self._ports[1]}/q/health/live"
        self._process.wait_until(lambda: answers(health), _START_SECONDS)

    def stop(self) -> None:
        self._process.stop()

    def set_up(self) -> None:
        """Create the namespaces, each as a user who has it: no other user may."""
        for namespace, user in self._grants.namespaces():
            answer = httpx.post(
                f"{self.uri}/v1/main/namespaces",
                json={"namespace": [namespace]},
                params={OURS: "1"},
                headers={"Authorization": f"Bearer {self._keycloak.token(user).access_token}"},
                timeout=_CALL_SECONDS,
                trust_env=False,
            )
            if not answer.is_success:
                raise SetupError(f"Nessie did not make the namespace {namespace}.", detail=answer.text)

    def grant(self, user: str, what: str) -> None:
        self._grants.grant(user, what)
        self._apply()

    def revoke(self, user: str, what: str) -> None:
        self._grants.revoke(user, what)
        self._apply()

    def mark(self) -> int:
        return self._log.mark()

    def access_log(self, since: int = 0) -> list[Access]:
        return self._log.since(since)

    def settings(self, name: str = "lake", *, storage: str = "vended") -> dict[str, str]:
        return as_settings(self.tables(name, storage=storage))

    def tables(self, name: str = "lake", *, storage: str = "vended") -> Tables:
        return rest_catalog(
            name,
            uri=self.uri,
            warehouse=self.warehouse,
            storage=storage,
            endpoint=self._minio.endpoint,
            region=REGION,
        )

    def _apply(self) -> None:
        """Restart Nessie, which reads its rules at the start; tokens stay valid, so the next request shows it."""
        if self._process.running:
            self.stop()
            self.start()

    def _properties(self) -> dict[str, str]:
        keys = self._minio.services[self.name]
        s3 = "nessie.catalog.service.s3.default-options"
        endpoint = self._minio.endpoint
        return {
            "quarkus.http.host": HOST,
            "quarkus.http.port": str(self._ports[0]),
            "quarkus.management.host": HOST,
            "quarkus.management.port": str(self._ports[1]),
            "nessie.version.store.type": "ROCKSDB",
            "nessie.version.store.persist.rocks.database-path": str(self._directory / "nessie-store"),
            "nessie.server.authentication.enabled": "true",
            "quarkus.oidc.tenant-enabled": "true",
            "quarkus.oidc.auth-server-url": self._keycloak.issuer,
            "quarkus.oidc.client-id": accounts.AUDIENCE,
            "quarkus.oidc.token.audience": accounts.AUDIENCE,
            "quarkus.oidc.token.principal-claim": "preferred_username",
            "quarkus.oidc.roles.role-claim-path": "realm_access/roles",
            "nessie.server.authorization.enabled": "true",
            "nessie.server.authorization.type": "CEL",
            **{f"nessie.server.authorization.rules.{n}": rule for n, rule in rules(self._grants).items()},
            "nessie.catalog.default-warehouse": _WAREHOUSE,
            f"nessie.catalog.warehouses.{_WAREHOUSE}.location": f"s3://{BUCKET}/{self.prefix.rstrip('/')}",
            f"{s3}.region": REGION,
            f"{s3}.endpoint": endpoint,
            f"{s3}.path-style-access": "true",
            f"{s3}.auth-type": "STATIC",
            f"{s3}.access-key": "urn:nessie-secret:quarkus:sqe.store",
            "sqe.store.name": keys.access_key,
            "sqe.store.secret": keys.secret_key,
            f"{s3}.client-iam.enabled": "true",
            f"{s3}.client-iam.assume-role": "arn:aws:iam::000000000000:role/nessie",
            f"{s3}.sts-endpoint": endpoint,
            f"{s3}.request-signing-enabled": "true",
            **self._log.properties(),
        }


def rules(grants: Grants) -> dict[str, str]:
    """Return Nessie's rules in its expression language; it refuses what no rule allows."""
    written: dict[str, str] = {}
    for user in grants.users:
        if not (names := grants.granted(user)):
            continue
        them = f"role == '{user}'"
        written[f"{user}_everywhere"] = f"{them} && op in [{', '.join(map(repr, _EVERYWHERE))}]"
        inside = " || ".join(map(_within, names))
        exceptions = [f"!({_within(name)})" for name in grants.revoked(user)]
        written[f"{user}_inside"] = " && ".join([them, f"({inside})", *exceptions])
    return written


def _within(name: str) -> str:
    return f"path == '{name}' || path.startsWith('{name}.')"
