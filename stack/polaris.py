"""Run Polaris, the second catalog: users, roles and grants by its management API."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from pathlib import Path

from stack import accounts, java
from stack.access_log import AccessLog
from stack.catalog import Access
from stack.configuration import Tables, as_settings, rest_catalog
from stack.grants import Grants
from stack.keycloak import Keycloak
from stack.minio import BUCKET, REGION, Minio
from stack.polaris_api import PolarisApi, Privilege
from stack.polaris_build import PolarisSource
from stack.ports import HOST
from stack.process import ServiceProcess, answers
from stack.properties import write_properties

from sqe.errors import SetupError

_CATALOG = "lake"
_START_SECONDS = 120.0

# Every user with a grant can see names.
_ON_CATALOG = ("NAMESPACE_LIST", "NAMESPACE_READ_PROPERTIES", "TABLE_LIST", "VIEW_LIST")
_ON_NAMESPACE = ("NAMESPACE_FULL_METADATA", "TABLE_CREATE", "VIEW_CREATE", "VIEW_FULL_METADATA")
_ON_TABLE = ("TABLE_FULL_METADATA", "TABLE_READ_DATA", "TABLE_WRITE_DATA")


class Polaris:
    name = "polaris"
    prefix = "polaris/"
    warehouse: str | None = _CATALOG

    def __init__(
        self,
        source: PolarisSource,
        directory: Path,
        port: int,
        management_port: int,
        keycloak: Keycloak,
        minio: Minio,
    ) -> None:
        self._source = source
        self._directory = directory
        self._ports = (port, management_port)
        self._keycloak = keycloak
        self._minio = minio
        self._process = ServiceProcess("polaris", directory)
        base = source.url or f"http://{HOST}:{port}"
        self._log = AccessLog(directory / "polaris-access", base)
        self._api = PolarisApi(base, _CATALOG)
        self._signing_key = secrets.token_urlsafe(48)
        self._grants = Grants()
        self._kept: list[tuple[str, str, str]] = []
        self.version = f"Polaris 1.4.1, {source}"
        self.uri = f"{base}/api/catalog"
        self.service_user = minio.services[self.name].access_key

    @property
    def process(self) -> ServiceProcess:
        return self._process

    @property
    def ours(self) -> bool:
        """Whether the stack started it, and so can stop it and read its access log."""
        return self._source.ours

    def launch(self) -> None:
        """Start the server; root is its only principal so far."""
        if self._source.folder is None or self._source.app is None:
            return
        conf = self._directory / "polaris-conf" / "polaris"
        conf.mkdir(parents=True, exist_ok=True)
        write_properties(conf / "polaris.properties", self._properties())
        environ = {
            **os.environ,
            "SERVICES_CONF": str(conf.parent),
            "POLARIS_APP": str(self._source.app),
            "JAVA_HOME_21": str(java.bundled().home),
            "JAVA_TOOL_OPTIONS": "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData",
        }
        start = ["bash", str(self._source.folder / "start.sh")]
        self._process.start(start, environ=environ, directory=self._directory)
        health = f"http://{HOST}:{self._ports[1]}/q/health"
        self._process.wait_until(lambda: answers(health), _START_SECONDS)

    def set_up(self) -> None:
        """Create the catalog, its principals and their grants, and register earlier tables again."""
        self._api.make_catalog(f"s3://{BUCKET}/{self.prefix.rstrip('/')}", self._minio.endpoint, REGION)
        kept = {namespace for namespace, _, _ in self._kept}
        for namespace in sorted({name for name, _ in self._grants.namespaces()} | kept):
            self._api.make_namespace(namespace)
        for namespace, table, metadata in self._kept:
            self._api.register(namespace, table, metadata)
        for user in self._grants.users:
            self._api.make_principal(user)
            self._apply(user)

    def start(self) -> None:
        """Start it again. It keeps everything in memory, so its state is restored, except for views."""
        self.launch()
        self.set_up()

    def stop(self) -> None:
        self._own()
        if self._process.running:
            self._kept = list(self._api.metadata())
        self._process.stop()

    def end(self) -> None:
        """Stop it finally."""
        self._process.stop()

    def grant(self, user: str, what: str) -> None:
        self._grants.grant(user, what)
        self._apply(user)

    def revoke(self, user: str, what: str) -> None:
        self._grants.revoke(user, what)
        self._apply(user)

    def mark(self) -> int:
        self._own()
        return self._log.mark()

    def access_log(self, since: int = 0) -> list[Access]:
        self._own()
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

    def _own(self) -> None:
        if not self.ours:
            raise SetupError(
                "This Polaris was not started here: it cannot be stopped, and its log is elsewhere."
            )

    def _apply(self, user: str) -> None:
        self._api.set_grants(user, set(self._privileges(user)))

    def _privileges(self, user: str) -> Iterator[Privilege]:
        names = self._grants.granted(user)
        revoked = self._grants.revoked(user)
        if names:
            yield from ((privilege, ()) for privilege in _ON_CATALOG)
        for name in names:
            namespace, _, table = name.partition(".")
            if table:
                yield from ((privilege, (namespace, table)) for privilege in _ON_TABLE)
                continue
            yield from ((privilege, (namespace,)) for privilege in _ON_NAMESPACE)
            if not any(table.startswith(f"{namespace}.") for table in revoked):
                yield from ((privilege, (namespace,)) for privilege in _ON_TABLE)
                continue
            # There is no "all but this one": the others that exist, one by one.
            for other in self._api.tables(namespace):
                if f"{namespace}.{other}" not in revoked:
                    yield from ((privilege, (namespace, other)) for privilege in _ON_TABLE)

    def _properties(self) -> dict[str, str]:
        keys = self._minio.services[self.name]
        return {
            "quarkus.http.host": HOST,
            "quarkus.http.port": str(self._ports[0]),
            "quarkus.management.host": HOST,
            "quarkus.management.port": str(self._ports[1]),
            # Users have tokens of Keycloak; only root, for the set-up, has Polaris's own.
            "polaris.authentication.type": "mixed",
            "polaris.authentication.token-broker.type": "symmetric-key",
            "polaris.authentication.token-broker.symmetric-key.secret": self._signing_key,
            "quarkus.oidc.tenant-enabled": "true",
            "quarkus.oidc.auth-server-url": self._keycloak.issuer,
            "quarkus.oidc.client-id": accounts.CATALOG_AUDIENCE,
            "quarkus.oidc.application-type": "service",
            "quarkus.oidc.token.audience": accounts.CATALOG_AUDIENCE,
            "quarkus.oidc.token.principal-claim": "preferred_username",
            "quarkus.oidc.roles.role-claim-path": "realm_access/roles",
            "polaris.oidc.principal-mapper.type": "default",
            "polaris.oidc.principal-mapper.name-claim-path": "preferred_username",
            "polaris.oidc.principal-roles-mapper.type": "default",
            "polaris.oidc.principal-roles-mapper.filter": "PRINCIPAL_ROLE:.*",
            "polaris.storage.aws.access-key": keys.access_key,
            "polaris.storage.aws.secret-key": keys.secret_key,
            'polaris.features."SUPPORTED_CATALOG_STORAGE_TYPES"': '["S3"]',
            'polaris.features."INCLUDE_PRINCIPAL_NAME_IN_SUBSCOPED_CREDENTIAL"': "true",
            'polaris.features."STORAGE_CREDENTIAL_DURATION_SECONDS"': "3600",
            'polaris.features."DROP_WITH_PURGE_ENABLED"': "true",
            "polaris.readiness.ignore-severe-issues": "true",
            **self._log.properties(),
        }
