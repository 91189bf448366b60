"""Authenticate by user and password at the identity provider (OAuth's password grant)."""

from __future__ import annotations

from sqe.identity.providers.password_login import PasswordLoginProvider
from sqe.model.identity import Principal


class OidcPassword(PasswordLoginProvider):
    name = "oidc_password"

    def _log_in(self, user: str, secret: str) -> Principal:
        return self._oidc.begin(self.name, self._oidc.client.password(user, secret), named=user)
