"""The exchange of a person's token at the real store's STS."""

from __future__ import annotations

import io
import time
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from minio import Minio
from minio.error import S3Error
from stack import accounts
from stack.minio import BUCKET
from stack.running import Stack
from testing.control import FakeLogins

from sqe.errors import AccessDeniedError
from sqe.identity.logins.token_set import Tokens
from sqe.identity.sts.web_identity import S3Credentials, WebIdentity
from sqe.model.identity import Principal
from sqe.model.session import RestCatalog, Storage


class People:
    """Logs people in at the real identity provider, and exchanges what they get."""

    def __init__(self, stack: Stack) -> None:
        self._stack = stack
        self._logins = FakeLogins()
        self._exchange = WebIdentity(self._logins, 10.0)
        self._catalog = RestCatalog(
            "lake", stack.nessie.uri, storage=Storage.WEB_IDENTITY, sts_endpoint=stack.minio.endpoint
        )

    def keys(self, user: str, access: str | None = None, *, client: str = accounts.CLIENT) -> S3Credentials:
        token = access or self._stack.keycloak.token(user, client=client).access_token
        self._logins.known[user] = Tokens(token, time.time() + 3600)
        return self._exchange.credentials(Principal(user, "oidc_password", login=user), self._catalog)

    def store(self, keys: S3Credentials) -> Minio:
        return Minio(
            urlsplit(self._stack.minio.endpoint).netloc,
            keys.access_key_id,
            keys.secret_access_key,
            session_token=keys.session_token,
            secure=False,
        )

    def close(self) -> None:
        self._exchange.close()


@pytest.fixture
def people(stack: Stack) -> Iterator[People]:
    people = People(stack)
    yield people
    people.close()


def write(store: Minio, name: str) -> None:
    store.put_object(bucket_name=BUCKET, object_name=name, data=io.BytesIO(b"hello"), length=5)


def test_the_store_knows_whose_keys_they_are(stack: Stack, people: People) -> None:
    mark = stack.minio.audit.mark()
    write(people.store(people.keys("alice")), "nessie/alice/note")
    write(people.store(people.keys("bob")), "nessie/bob/note")
    puts = [entry for entry in stack.minio.audit.since(mark) if entry.api == "PutObject"]
    assert [(entry.object, entry.user, entry.status) for entry in puts] == [
        ("nessie/alice/note", "alice", 200),
        ("nessie/bob/note", "bob", 200),
    ]


def test_the_store_refuses_bob_what_is_alices(people: People) -> None:
    write(people.store(people.keys("alice")), "nessie/alice/secret")
    bob = people.store(people.keys("bob"))
    with pytest.raises(S3Error, match="AccessDenied"):
        bob.get_object(bucket_name=BUCKET, object_name="nessie/alice/secret")
    with pytest.raises(S3Error, match="AccessDenied"):
        write(bob, "nessie/alice/mine")


def test_the_keys_end_with_the_token(stack: Stack, people: People) -> None:
    grant = stack.keycloak.token("alice", client=accounts.SHORT)
    keys = people.keys("alice", grant.access_token)
    assert keys.expires_at == pytest.approx(grant.claims()["exp"], abs=2)


def test_an_expired_token_brings_no_keys(stack: Stack, people: People) -> None:
    stack.keycloak.lifetime(accounts.SHORT, 2)
    try:
        grant = stack.keycloak.token("alice", client=accounts.SHORT)
    finally:
        stack.keycloak.lifetime(accounts.SHORT, 60)
    while time.time() <= grant.claims()["exp"] + 1:
        time.sleep(0.2)
    with pytest.raises(AccessDeniedError) as raised:
        people.keys("alice", grant.access_token)
    assert "expired" in str(raised.value.detail)
    assert grant.access_token not in str(raised.value.detail)


def test_a_token_that_was_changed_brings_no_keys(stack: Stack, people: People) -> None:
    head, body, _ = stack.keycloak.token("alice").access_token.split(".")
    other = stack.keycloak.token("bob").access_token.split(".")[2]
    with pytest.raises(AccessDeniedError):
        people.keys("alice", f"{head}.{body}.{other}")


def test_whom_the_store_has_no_policy_for_gets_no_keys(people: People) -> None:
    with pytest.raises(AccessDeniedError, match="refuses keys for carol"):
        people.keys("carol")


def test_a_token_for_another_service_brings_no_keys(people: People) -> None:
    with pytest.raises(AccessDeniedError):
        people.keys("alice", client=accounts.OUTSIDER)
