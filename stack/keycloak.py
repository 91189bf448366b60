"""Run Keycloak, the identity provider: tokens for users, and operations of an administrator."""

from __future__ import annotations

import base64
import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from stack import accounts, keycloak_dist
from stack.keycloak_dist import KeycloakDist
from stack.ports import HOST
from stack.process import ServiceProcess, answers

from sqe.errors import SetupError

VERSION = "26.7.3"
_START_SECONDS = 240.0
_CALL_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Grant:
    """The response of the token endpoint."""

    access_token: str = field(repr=False)
    refresh_token: str | None = field(repr=False)
    expires_in: int

    def claims(self) -> dict[str, Any]:
        """Return the claims of the access token, unchecked."""
        body = self.access_token.split(".")[1]
        claims: dict[str, Any] = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
        return claims


class RefusedError(Exception):
    """The token endpoint's error and description."""

    def __init__(self, error: str, description: str) -> None:
        super().__init__(f"{error}: {description}")
        self.error = error


class Keycloak:
    def __init__(self, dist: KeycloakDist, directory: Path, port: int, management_port: int) -> None:
        self._home = directory / "keycloak"
        self._ports = (port, management_port)
        self._process = ServiceProcess("keycloak", directory)
        self.url = f"http://{HOST}:{port}"
        self.issuer = f"{self.url}/realms/{accounts.REALM}"
        self.token_url = f"{self.issuer}/protocol/openid-connect/token"
        dist.lay_out(self._home)

    @property
    def process(self) -> ServiceProcess:
        return self._process

    def start(self) -> None:
        """Start it, also again: with the keys, users and sessions that it had."""
        self._process.start(keycloak_dist.command(self._home, *self._ports), environ=os.environ)
        self._process.wait_until(lambda: answers(self.issuer), _START_SECONDS)

    def stop(self) -> None:
        self._process.stop()

    # Tokens.

    def token(self, user: str, password: str | None = None, *, client: str = accounts.CLIENT) -> Grant:
        """Log a user in with the password, which defaults to the stack's own."""
        password = accounts.PEOPLE[user].password if password is None else password
        return self.grant(
            grant_type="password", client_id=client, username=user, password=password, scope="openid"
        )

    def refresh(self, refresh_token: str, *, client: str = accounts.CLIENT) -> Grant:
        return self.grant(grant_type="refresh_token", client_id=client, refresh_token=refresh_token)

    def exchange(self, subject_token: str, *, audience: str | None = None) -> Grant:
        """Exchange an access token as the client for that (RFC 8693)."""
        kind = "urn:ietf:params:oauth:token-type:access_token"
        return self.grant(
            grant_type="urn:ietf:params:oauth:grant-type:token-exchange",
            client_id=accounts.EXCHANGE,
            client_secret=accounts.EXCHANGE_SECRET,
            subject_token=subject_token,
            subject_token_type=kind,
            requested_token_type=kind,
            **({"audience": audience} if audience else {}),
        )

    def grant(self, **form: str) -> Grant:
        """Ask the token endpoint.

        Raises:
            RefusedError: it refused.
        """
        answer = httpx.post(self.token_url, data=form, timeout=_CALL_SECONDS, trust_env=False)
        content = answer.json()
        if answer.status_code != 200:
            raise RefusedError(
                content.get("error", str(answer.status_code)), content.get("error_description", "")
            )
        return Grant(content["access_token"], content.get("refresh_token"), content["expires_in"])

    # Administration.

    def logout(self, user: str, *, client: str | None = None) -> None:
        """End all sessions of a user, or those with one client: their refresh tokens are invalid from now on."""
        person = f"users/{self._user_id(user)}"
        if client is None:
            self._admin("POST", f"{person}/logout")
            return
        for session in self._admin("GET", f"{person}/sessions").json():
            if client in session["clients"].values():
                self._admin("DELETE", f"sessions/{session['id']}")

    def lifetime(self, client: str, seconds: int) -> None:
        """Let access tokens of a client live for so long from now on."""
        [found] = self._admin("GET", f"clients?clientId={client}").json()
        attributes = {**found["attributes"], "access.token.lifespan": str(seconds)}
        self._admin("PUT", f"clients/{found['id']}", {**found, "attributes": attributes})

    def subject(self, user: str) -> str:
        """Return `sub` in the user's tokens."""
        return self._user_id(user)

    def _user_id(self, user: str) -> str:
        found = self._admin("GET", f"users?exact=true&username={user}").json()
        if len(found) != 1:
            raise SetupError(f"Keycloak has no user {user}.")
        return str(found[0]["id"])

    def _admin(self, method: str, path: str, body: object = None) -> httpx.Response:
        form = {
            "grant_type": "password",
            "client_id": "admin-cli",
            "username": accounts.ADMIN,
            "password": accounts.ADMIN_PASSWORD,
        }
        with httpx.Client(timeout=_CALL_SECONDS, trust_env=False) as http:
            login = http.post(f"{self.url}/realms/master/protocol/openid-connect/token", data=form)
            login.raise_for_status()
            answer = http.request(
                method,
                f"{self.url}/admin/realms/{accounts.REALM}/{path}".rstrip("/"),
                json=body,
                headers={"Authorization": f"Bearer {login.json()['access_token']}"},
            )
        if not answer.is_success:
            raise SetupError(f"Keycloak refused {method} {path}: {answer.status_code}.", detail=answer.text)
        return answer
