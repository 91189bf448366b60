from __future__ import annotations

import pytest

from sqe.errors import ConfigError
from sqe.model.identity import Principal
from sqe.policy.administrators import Administrators


def test_users_roles_and_groups_can_be_administrators() -> None:
    admins = Administrators(["user:root", "role:boss", "group:a:b"])
    for member in (
        Principal("root", "test"),
        Principal("x", "test", roles=frozenset({"boss"})),
        Principal("x", "test", groups=frozenset({"a:b"})),
    ):
        assert admins.include(member)
    for other in (
        Principal("boss", "test"),
        Principal("Root", "test"),
        Principal("x", "test", roles=frozenset({"root"}), groups=frozenset({"boss"})),
    ):
        assert not admins.include(other)
    assert not Administrators().include(Principal("root", "test"))


@pytest.mark.parametrize("entry", ["root", "user:", "users:root", ":root", ""])
def test_what_is_no_administrator_is_refused(entry: str) -> None:
    with pytest.raises(ConfigError):
        Administrators([entry])
