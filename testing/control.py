"""Fakes for the control endpoint: tokens and keys by login, and an engine that sends requests as the JVM does."""

from __future__ import annotations

import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, TypeVar

import httpx

from sqe.control.handles import make_handle
from sqe.engine.control import ControlLink
from sqe.errors import SqeError
from sqe.identity.logins.token_set import Tokens
from sqe.identity.sts.web_identity import S3Credentials
from sqe.model.identity import Principal
from sqe.model.session import RestCatalog

T = TypeVar("T")


class FakeLogins:
    """Tokens by login; a test puts an error where there is to be one."""

    def __init__(self) -> None:
        self.known: dict[str, Tokens | SqeError] = {}
        self.holds: Counter[str] = Counter()
        self._lock = threading.Lock()

    def add(self, login: str, access: str, life: float = 300) -> None:
        self.known[login] = Tokens(access, time.time() + life)

    def tokens(self, login: str) -> Tokens:
        return _value(self.known[login])

    def hold(self, login: str) -> None:
        _value(self.known[login])
        with self._lock:
            self.holds[login] += 1

    def release(self, login: str) -> None:
        with self._lock:
            self.holds[login] -= 1


class FakeKeys:
    def __init__(self) -> None:
        self.given: S3Credentials | SqeError = S3Credentials(
            "AKIA", "secret-key", "session", time.time() + 900
        )
        self.forgotten: list[str] = []

    def credentials(self, principal: Principal, catalog: RestCatalog) -> S3Credentials:
        return _value(self.given)

    def forget(self, login: str) -> None:
        self.forgotten.append(login)


@dataclass
class FakeEngine:
    """Asks with its link, as the Java part does; keeps its connection."""

    link: ControlLink
    client: httpx.Client = field(default_factory=lambda: httpx.Client(timeout=120, trust_env=False))

    def handle(self, session: str) -> str:
        return make_handle(self.link.secret, session)

    def ask(self, question: str, session: str, catalog: str = "lake") -> httpx.Response:
        return self.post(question, {"handle": self.handle(session), "catalog": catalog})

    def post(self, question: str, body: Any, **headers: str) -> httpx.Response:
        given = {"authorization": f"Bearer {self.link.secret}", **headers}
        url = f"{self.link.url}/v1/{question}"
        if isinstance(body, bytes):
            return self.client.post(url, content=body, headers=given)
        return self.client.post(url, json=body, headers=given)


def _value(given: T | SqeError) -> T:
    if isinstance(given, SqeError):
        raise given
    return given
