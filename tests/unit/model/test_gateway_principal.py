from __future__ import annotations

from dataclasses import replace

import pytest

from sqe.model.gateway_principal import GATEWAY, GatewayPrincipal
from sqe.model.identity import Principal


def test_the_same_names_do_not_make_a_principal_the_gateway() -> None:
    pretender = Principal(GATEWAY, GATEWAY)
    assert pretender != GatewayPrincipal()
    assert not isinstance(pretender, GatewayPrincipal)
    assert not pretender.is_same_person(GatewayPrincipal())
    assert not GatewayPrincipal().is_same_person(pretender)


def test_a_copy_of_a_principal_stays_what_it_was() -> None:
    assert type(replace(Principal("ann", "users_file"), provider=GATEWAY)) is Principal
    assert replace(GatewayPrincipal(), user="ann") == GatewayPrincipal("ann")


def test_it_acts_under_another_name_but_not_for_another_provider() -> None:
    assert (GatewayPrincipal("ann").user, GatewayPrincipal("ann").provider) == ("ann", GATEWAY)
    with pytest.raises(TypeError):
        GatewayPrincipal(provider="users_file")  # type: ignore[call-arg]
