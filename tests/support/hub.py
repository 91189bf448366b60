"""A server between the real services, with everything that it says to them overheard.

It runs in an environment full of keys that would open every file: those of a machine's account at the store, in
variables, in a profile, and at an address that plays the machine's metadata service.
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
from testing.people import Person
from testing.rest_catalog import RestCatalogFake, rest_catalog
from testing.server import RunningServer, running_server
from tests.support import telling_server
from tests.support.lakes import WAYS, Lake, claims
from tests.support.wiretap import Wiretap, wiretap

from sqe.config.load import load
from sqe.locations import locate

MACHINE = "machine-account"
"""An account of the store that may do everything, and whose keys lie around where the server runs."""
_MACHINE_SECRET = "machine-account-secret"

UNVENDED = "unvended"
"""A catalog of the server's that vends no keys."""


@dataclass(frozen=True)
class Hub:
    stack: Stack
    server: RunningServer
    logins: Wiretap
    """On the way to the token endpoint."""
    catalogs: dict[str, Wiretap]
    """On the way to each catalog that vends, by its name at the server."""
    sts: Wiretap
    unvended: RestCatalogFake
    metadata: RestCatalogFake
    control_port: int
    _told: Path
    heard: list[str] = field(default_factory=list)
    """All that people were answered."""

    def person(self, user: str, *, catalog: str | None = None, schema: str | None = None) -> Person:
        password = accounts.PEOPLE[user].password
        return Person(self.server, user, password, catalog=catalog, schema=schema, heard=self.heard)

    def with_token(self, user: str, token: str) -> Person:
        return Person(self.server, user, token=token, heard=self.heard)

    def vended_to(self, user: str) -> set[str]:
        """The ids of the keys that the catalogs gave for this user's token."""
        return {
            keys["s3.access-key-id"]
            for tap in self.catalogs.values()
            for exchange in tap.heard
            if exchange.bearer is not None and claims(exchange.bearer)["preferred_username"] == user
            for keys in _vended(exchange.answer)
        }

    def exchanged_for(self, user: str) -> set[str]:
        """The ids of the keys that STS gave for this user's token."""
        return {
            keys["AccessKeyId"]
            for exchange in self.sts.heard
            if (keys := _exchanged(exchange.answer))
            and claims(parse_qs(exchange.asked.decode())["WebIdentityToken"][0])["preferred_username"] == user
        }

    def told(self, kind: str) -> list[str]:
        """What the server has made of that kind, `secret` or `session`."""
        lines = self._told.read_text(encoding="ascii").splitlines()
        return [line.partition(" ")[2] for line in lines if line.startswith(f"{kind} ")]

    def secrets(self) -> dict[str, set[str]]:
        """Everything that nobody is to find anywhere, by its kind."""
        vended = [keys for tap in self.catalogs.values() for one in tap.heard for keys in _vended(one.answer)]
        answers = [json.loads(one.answer) for one in self.logins.heard if one.status == 200]
        exchanged = [keys for one in self.sts.heard if (keys := _exchanged(one.answer))]
        return {
            "access token": {answer["access_token"] for answer in answers},
            "refresh token": {answer["refresh_token"] for answer in answers if "refresh_token" in answer},
            "vended secret key": {keys["s3.secret-access-key"] for keys in vended},
            "vended session token": {keys["s3.session-token"] for keys in vended},
            "secret key of STS": {keys["SecretAccessKey"] for keys in exchanged},
            "session token of STS": {keys["SessionToken"] for keys in exchanged},
            "secret of the gateway": {made for made in self.told("secret") if len(made) >= 40},
        }


def _vended(answer: bytes) -> Iterator[dict[str, str]]:
    """The keys in a catalog's answer, wherever in it they are."""
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
    """The keys in the answer of an STS."""
    if b"SecretAccessKey" not in answer:
        return {}
    found = (part for part in ET.fromstring(answer).iter() if part.tag.endswith("}Credentials"))
    return {part.tag.rpartition("}")[2]: part.text or "" for part in next(found)}


@contextmanager
def running_hub(stack: Stack, directory: Path) -> Iterator[Hub]:
    """Start it; `directory` is private to it."""
    add_machine_account(stack)
    cache = locate(load(None, os.environ)).cache  # before HOME is another
    with ExitStack() as ending:
        logins = ending.enter_context(wiretap(stack.keycloak.token_url, own_host=True))
        sts = ending.enter_context(wiretap(stack.minio.endpoint))
        unvended = ending.enter_context(rest_catalog())
        metadata = ending.enter_context(rest_catalog())
        settings = {
            **stack.settings(),
            "oidc__token_url": logins.url,
            "paths__cache": str(cache),
            "engine__memory": "1GB",
            "engine__warm_up": "false",
            "control__port": str(free_ports(1)[0]),
            f"catalogs__{UNVENDED}__uri": unvended.url,
            f"catalogs__{UNVENDED}__s3_endpoint": unvended.url,
            f"catalogs__{UNVENDED}__s3_path_style": "true",
        }
        taps: dict[str, Wiretap] = {}
        for lake in lakes(stack):
            settings |= lake.service.settings(lake.name, storage=lake.storage)
            if lake.storage == "vended":
                taps[lake.name] = ending.enter_context(wiretap(lake.service.uri))
                settings[f"catalogs__{lake.name}__uri"] = taps[lake.name].url
            elif lake.storage == "web_identity":
                settings[f"catalogs__{lake.name}__sts_endpoint"] = sts.url
        for service in stack.catalogs:
            settings |= service.settings(direct(service))
        told = directory / "told"
        told.touch(0o600)
        command = (sys.executable, telling_server.__file__, str(told))
        with _poisoned(directory, metadata.url):
            server = ending.enter_context(running_server(tls=True, settings=settings, command=command))
        yield Hub(stack, server, logins, taps, sts, unvended, metadata, int(settings["control__port"]), told)


def lakes(stack: Stack) -> list[Lake]:
    services = {service.name: service for service in stack.catalogs}
    return [Lake(stack, services[name], storage) for name, storage in WAYS if name in services]


def direct(service: CatalogService) -> str:
    """The catalog of the server's to which nothing listens in."""
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
