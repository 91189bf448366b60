"""Run a server against the real services, behind proxies that record its requests.

Its environment holds keys of a machine account that could open every file: in variables, in a profile, and at a fake
metadata service. A test that finds them used has found a leak.
"""

from __future__ import annotations

import json
import os
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from minio.credentials.providers import StaticProvider
from minio.minioadmin import MinioAdmin
from stack import accounts
from stack.catalog import CatalogService
from stack.minio import REGION
from stack.ports import free_ports
from stack.running import Stack
from testing.command import INTERPRETED
from testing.people import Person
from testing.rest_catalog import RestCatalogFake, rest_catalog
from testing.server import RunningServer, running_server
from tests.support import secret_recording_server
from tests.support.lakes import WAYS, Lake, claims
from tests.support.recording_proxy import RecordingProxy, recording_proxy

from sqe.config.load import load
from sqe.locations import locate

MACHINE = "machine-account"
"""An account of the object store with all rights, whose keys are in the server's environment."""
_MACHINE_SECRET = "machine-account-secret"

UNVENDED = "unvended"
"""A catalog of the server's that vends no keys."""


@dataclass(frozen=True)
class IdentityTestServer:
    """A server, the services behind it, and the proxies between them."""

    stack: Stack
    server: RunningServer
    logins: RecordingProxy
    """On the way to the token endpoint."""
    catalogs: dict[str, RecordingProxy]
    """On the way to each catalog that vends, by its name at the server."""
    sts: RecordingProxy
    unvended: RestCatalogFake
    metadata: RestCatalogFake
    control_port: int
    _generated: Path
    responses: list[str] = field(default_factory=list)
    """All responses to clients."""

    def person(self, user: str, *, catalog: str | None = None, schema: str | None = None) -> Person:
        password = accounts.PEOPLE[user].password
        return Person(self.server, user, password, catalog=catalog, schema=schema, responses=self.responses)

    def with_token(self, user: str, token: str) -> Person:
        return Person(self.server, user, token=token, responses=self.responses)

    def vended_to(self, user: str) -> set[str]:
        """Return the ids of the keys that the catalogs gave for this user's token."""
        return {
            keys["s3.access-key-id"]
            for proxy in self.catalogs.values()
            for exchange in proxy.exchanges
            if exchange.bearer is not None and claims(exchange.bearer)["preferred_username"] == user
            for keys in _vended(exchange.answer)
        }

    def exchanged_for(self, user: str) -> set[str]:
        """Return the ids of the keys that STS gave for this user's token."""
        return {
            keys["AccessKeyId"]
            for exchange in self.sts.exchanges
            if (keys := _exchanged(exchange.answer))
            and claims(parse_qs(exchange.asked.decode())["WebIdentityToken"][0])["preferred_username"] == user
        }

    def generated(self, kind: str) -> list[str]:
        """Return the values of a kind, `secret` or `session`, that the server has generated."""
        lines = self._generated.read_text(encoding="ascii").splitlines()
        return [line.partition(" ")[2] for line in lines if line.startswith(f"{kind} ")]

    def secrets(self) -> dict[str, set[str]]:
        """Return every secret that must not leak, by kind."""
        vended = [
            keys
            for proxy in self.catalogs.values()
            for one in proxy.exchanges
            for keys in _vended(one.answer)
        ]
        answers = [json.loads(one.answer) for one in self.logins.exchanges if one.status == 200]
        exchanged = [keys for one in self.sts.exchanges if (keys := _exchanged(one.answer))]
        return {
            "access token": {answer["access_token"] for answer in answers},
            "refresh token": {answer["refresh_token"] for answer in answers if "refresh_token" in answer},
            "vended secret key": {keys["s3.secret-access-key"] for keys in vended},
            "vended session token": {keys["s3.session-token"] for keys in vended},
            "secret key of STS": {keys["SecretAccessKey"] for keys in exchanged},
            "session token of STS": {keys["SessionToken"] for keys in exchanged},
            "secret of the gateway": {made for made in self.generated("secret") if len(made) >= 40},
        }


def _vended(answer: bytes) -> Iterator[dict[str, str]]:
    """Yield the keys at any depth of a catalog's response."""
    if b"s3.access-key-id" not in answer:
        return
    open_ = [json.loads(answer)]
    while open_:
        part = open_.pop()
        if isinstance(part, dict):
            if "s3.access-key-id" in part:
                yield part
            open_.extend(part.values())
        elif isinstance(part, list):
            open_.extend(part)


def _exchanged(answer: bytes) -> dict[str, str]:
    """Return the keys in the response of an STS."""
    if b"SecretAccessKey" not in answer:
        return {}
    found = (part for part in ET.fromstring(answer).iter() if part.tag.endswith("}Credentials"))
    return {part.tag.rpartition("}")[2]: part.text or "" for part in next(found)}


@contextmanager
def running_identity_server(stack: Stack, directory: Path) -> Iterator[IdentityTestServer]:
    """Start the server; `directory` is private to it."""
    add_machine_account(stack)
    cache = locate(load(None, os.environ)).cache  # before HOME is another
    with ExitStack() as ending:
        logins = ending.enter_context(recording_proxy(stack.keycloak.token_url, own_host=True))
        sts = ending.enter_context(recording_proxy(stack.minio.endpoint))
        unvended = ending.enter_context(rest_catalog())
        metadata = ending.enter_context(rest_catalog())
        settings = {
            **stack.settings(),
            "oidc__token_url": logins.url,
            "paths__cache": str(cache),
            "engine__memory": "1GB",
            "engine__settings": INTERPRETED,
            "control__port": str(free_ports(1)[0]),
            f"catalogs__{UNVENDED}__uri": unvended.url,
            f"catalogs__{UNVENDED}__s3_endpoint": unvended.url,
            f"catalogs__{UNVENDED}__s3_path_style": "true",
        }
        proxies: dict[str, RecordingProxy] = {}
        for lake in lakes(stack):
            settings |= lake.service.settings(lake.name, storage=lake.storage)
            if lake.storage == "vended":
                proxies[lake.name] = ending.enter_context(recording_proxy(lake.service.uri))
                settings[f"catalogs__{lake.name}__uri"] = proxies[lake.name].url
            elif lake.storage == "web_identity":
                settings[f"catalogs__{lake.name}__sts_endpoint"] = sts.url
        for service in stack.catalogs:
            settings |= service.settings(direct(service))
        generated = directory / "generated"
        generated.touch(0o600)
        command = (sys.executable, secret_recording_server.__file__, str(generated))
        with _poisoned(directory, metadata.url):
            server = ending.enter_context(running_server(tls=True, settings=settings, command=command))
        yield IdentityTestServer(
            stack, server, logins, proxies, sts, unvended, metadata, int(settings["control__port"]), generated
        )


def lakes(stack: Stack) -> list[Lake]:
    services = {service.name: service for service in stack.catalogs}
    return [Lake(stack, services[name], storage) for name, storage in WAYS if name in services]


def direct(service: CatalogService) -> str:
    """Return the name of the service's catalog without a recording proxy."""
    return f"{service.name}_direct"


def add_machine_account(stack: Stack) -> None:
    root = stack.minio._root
    admin = MinioAdmin(
        endpoint=urlsplit(stack.minio.endpoint).netloc,
        credentials=StaticProvider(root.access_key, root.secret_key),
        region=REGION,
        secure=False,
    )
    admin.user_add(MACHINE, _MACHINE_SECRET)
    admin.attach_policy(["readwrite"], user=MACHINE)


@contextmanager
def _poisoned(directory: Path, metadata: str) -> Iterator[None]:
    home = directory / "home"
    (home / ".aws").mkdir(parents=True)
    keys = f"aws_access_key_id = {MACHINE}\naws_secret_access_key = {_MACHINE_SECRET}\n"
    (home / ".aws" / "credentials").write_text(f"[default]\n{keys}", encoding="ascii")
    (home / ".aws" / "config").write_text(
        f"[default]\nregion = {REGION}\nec2_metadata_service_endpoint = {metadata}\n", encoding="ascii"
    )
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("HOME", str(home))
        environment.setenv("AWS_ACCESS_KEY_ID", MACHINE)
        environment.setenv("AWS_SECRET_ACCESS_KEY", _MACHINE_SECRET)
        environment.setenv("AWS_REGION", REGION)
        environment.setenv("AWS_SHARED_CREDENTIALS_FILE", str(home / ".aws" / "credentials"))
        environment.setenv("AWS_EC2_METADATA_SERVICE_ENDPOINT", metadata)
        environment.setenv("AWS_CONTAINER_CREDENTIALS_FULL_URI", f"{metadata}/credentials")
        yield
