from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.fakes.idp import FakeIdp
from tests.support.clock import Clock

from sqe.common.http_client import HttpClient
from sqe.config.sections.token_exchange import TokenExchangeConfig
from sqe.identity.logins.oidc_login import OidcLogins
from sqe.identity.logins.store import Logins
from sqe.identity.oidc.client import OidcClient


@pytest.fixture
def client(idp: FakeIdp, web: HttpClient, clock: Clock) -> OidcClient:
    return OidcClient(idp.config(), TokenExchangeConfig(), web, clock, clock)


@pytest.fixture
def logins(clock: Clock) -> Iterator[Logins]:
    made = Logins(
        ahead=60,
        lifetime=8 * 3600,
        idle=900,
        at_most=100,
        on_end=lambda principal, error: None,
        observe=lambda result: None,
        clock=clock,
    )
    yield made
    made.close()


@pytest.fixture
def oidc(client: OidcClient, logins: Logins) -> OidcLogins:
    return OidcLogins(client, logins)
