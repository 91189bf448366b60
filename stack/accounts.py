"""Users and clients of the stack. Their passwords are for tests on one machine and protect nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

REALM = "sqe"

# Clients in Keycloak.
CLIENT = "sqe"  # public; password, device and authorization code with PKCE; access tokens live 300 s
SHORT = "sqe-short"  # the same, and they live 60 s
SERVICE = "sqe-service"  # confidential; client credentials
SERVICE_SECRET = "sqe-service-secret"
EXCHANGE = "sqe-exchange"  # confidential; exchanges what PORTAL was given for a token like those of CLIENT
EXCHANGE_SECRET = "sqe-exchange-secret"
PORTAL = "portal"  # public; password; its tokens are only for EXCHANGE
OUTSIDER = "other-app"  # public; password; its tokens are for no service here

# Audiences in access tokens.
AUDIENCE = "sqe"
CATALOG_AUDIENCE = "polaris"

ADMIN = "admin"  # of Keycloak
ADMIN_PASSWORD = "admin-pw"

# A realm role that makes Polaris activate all roles that its own principal of the name has.
ALL_ROLES = "PRINCIPAL_ROLE:ALL"


@dataclass(frozen=True, slots=True)
class Account:
    user: str
    password: str
    groups: tuple[str, ...]
    roles: tuple[str, ...]
    policy: str | None  # at MinIO, for users with a token of Keycloak

    @property
    def email(self) -> str:
        return f"{self.user}@example.test"


ALICE = Account("alice", "alice-pw", ("analysts",), ("analyst", ALL_ROLES), "alice-policy")
BOB = Account("bob", "bob-pw", ("engineers",), ("engineer", ALL_ROLES), "bob-policy")
CAROL = Account("carol", "carol-pw", (), (ALL_ROLES,), None)
PEOPLE: Mapping[str, Account] = {account.user: account for account in (ALICE, BOB, CAROL)}

# The namespaces in which each may do everything, at the start.
NAMESPACES: Mapping[str, tuple[str, ...]] = {
    "alice": ("sales", "alice", "shared"),
    "bob": ("bob", "shared"),
    "carol": (),
}
