"""Logins of each kind, through both front ends, at the real identity provider; and access without its tokens."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from stack import accounts
from stack.catalog import CatalogService
from stack.running import Stack
from testing.people import FRONT_ENDS, FrontEnd, Person, Refused
from testing.server import RunningServer, running_server, write_users
from tests.support.identity_server import IdentityTestServer
from tests.support.lakes import Lake

from sqe.identity.providers.api_key import make_key

pytestmark = pytest.mark.engine

OPAQUE = r"The (user or the password is wrong|(token is|credentials are) not accepted)\.'?$"


@dataclass(frozen=True)
class Other:
    """A server that knows other ways in than the one that most tests share."""

    server: RunningServer
    key: str
    lakes: list[Lake]


@pytest.fixture(scope="module")
def other(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Other]:
    files = tmp_path_factory.mktemp("providers")
    key, kept = make_key("alice")
    keys = files / "keys"
    keys.touch(0o600)
    keys.write_text(kept.line() + "\n", encoding="utf-8")
    lakes = [Lake(stack, service, "vended") for service in stack.catalogs]
    settings = {
        **stack.settings(client=accounts.EXCHANGE),
        "auth__providers": '["api_key", "users_file", "token_exchange"]',
        "auth__users_file": str(write_users(files / "users", {"alice": "of-the-file"})),
        "api_key__file": str(keys),
        "oidc__client_secret": accounts.EXCHANGE_SECRET,
        "engine__memory": "1GB",
    }
    for lake in lakes:
        settings |= lake.service.settings(lake.name)
    with running_server(tls=True, settings=settings) as server:
        yield Other(server, key, lakes)


def check_reads_as_alice(person: Person, front_end: FrontEnd, lake: Lake, orders: str) -> None:
    with lake.watched() as seen:
        assert person.ask(front_end, f"SELECT sum(id) FROM {orders}") == [(6,)]
    assert {access.user for access in seen.catalog} == {"alice"}


@pytest.mark.parametrize("front_end", FRONT_ENDS)
def test_a_token_as_a_password(
    identity_server: IdentityTestServer,
    catalog: CatalogService,
    all_orders: Callable[[Lake], str],
    front_end: FrontEnd,
) -> None:
    """As clients send it that only know users and passwords."""
    lake = Lake(identity_server.stack, catalog, "vended")
    token = identity_server.stack.keycloak.token("alice").access_token
    check_reads_as_alice(Person(identity_server.server, "alice", token), front_end, lake, all_orders(lake))


@pytest.mark.parametrize("front_end", FRONT_ENDS)
def test_a_wrong_password_and_a_wrong_token_are_told_no_more_than_that(
    identity_server: IdentityTestServer, stack: Stack, front_end: FrontEnd
) -> None:
    outside = stack.keycloak.token("alice", client=accounts.OUTSIDER).access_token
    for person in (
        Person(identity_server.server, "alice", "wrong"),
        Person(identity_server.server, "nobody", "wrong"),
        identity_server.with_token("alice", "eyJhbGciOiJub25lIn0.e30."),
        identity_server.with_token("alice", outside),
    ):
        with pytest.raises(Refused) as refused:
            person.ask(front_end, "SELECT 1")
        assert re.search(OPAQUE, refused.value.message)


@pytest.mark.parametrize("front_end", FRONT_ENDS)
def test_a_token_of_another_application_is_exchanged(
    other: Other, catalog: CatalogService, all_orders: Callable[[Lake], str], front_end: FrontEnd
) -> None:
    stack = other.lakes[0].stack
    lake = Lake(stack, catalog, "vended")
    foreign = stack.keycloak.token("alice", client=accounts.PORTAL)
    assert foreign.claims()["aud"] == accounts.EXCHANGE  # and not for this server
    person = Person(other.server, "alice", token=foreign.access_token)
    check_reads_as_alice(person, front_end, lake, all_orders(lake))


def test_a_token_that_cannot_be_exchanged_is_refused(other: Other) -> None:
    outside = other.lakes[0].stack.keycloak.token("alice", client=accounts.OUTSIDER).access_token
    with pytest.raises(Refused, match="The token is not accepted"):
        Person(other.server, "alice", token=outside).flight("SELECT 1")


@pytest.mark.parametrize("provider", ["api_key", "users_file"])
@pytest.mark.parametrize("front_end", FRONT_ENDS)
def test_who_has_no_token_uses_no_rest_catalog(
    other: Other, all_orders: Callable[[Lake], str], front_end: FrontEnd, provider: str
) -> None:
    person = Person(other.server, "alice", other.key if provider == "api_key" else "of-the-file")
    assert person.ask(front_end, "SELECT current_user") == [("alice",)]
    for lake in other.lakes:
        orders = all_orders(lake)
        with lake.watched() as seen, pytest.raises(Refused) as refused:
            person.ask(front_end, f"SELECT * FROM {orders}")
        assert refused.value.code in ("AUTHENTICATION_FAILED", "PERMISSION_DENIED")
        assert refused.value.sqlstate in (None, "28000")
        said = f"alice logged in by {provider}, which gives no token for the catalog {lake.name}."
        assert said in refused.value.message
        assert seen.catalog == []
        assert seen.store == []
