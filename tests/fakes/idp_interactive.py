"""The identity provider of `tests.fakes.idp`, with people at browsers.

idp.authorize(url, "alice")     # what a browser does with the address that it is sent to: comes back with a query
idp.approve("alice")            # on the page for devices; or idp.deny()
idp.revoked                     # the tokens that were taken back
"""

from __future__ import annotations

import base64
import hashlib
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.fakes.idp import CLIENT, FakeIdp, Form


@dataclass(frozen=True)
class _Code:
    user: str
    challenge: str
    redirect_uri: str
    nonce: str | None


class InteractiveIdp(FakeIdp):
    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        super().__init__(clock)
        self.document = {"revocation_endpoint": f"{self.issuer}/revoke"}
        self.revoked: list[str] = []
        self.other_nonce: str | None = None  # instead of the right one
        self._codes: dict[str, _Code] = {}
        self._device_challenge: str | None = None
        self._device_user: str | None = None
        self.device_life = 600
        self.device_interval = 5

    def authorize(self, url: str, user: str) -> Mapping[str, str]:
        """Log in at the address; returns the query with which the browser goes to `redirect_uri`."""
        parts = urlsplit(url)
        asked = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        assert url.startswith(f"{self.issuer}/auth?")
        assert asked["response_type"] == "code"
        assert asked["client_id"] == CLIENT
        assert asked["code_challenge_method"] == "S256"
        code = secrets.token_urlsafe(8)
        self._codes[code] = _Code(user, asked["code_challenge"], asked["redirect_uri"], asked.get("nonce"))
        return {"state": asked["state"], "code": code}

    def approve(self, user: str) -> None:
        self._device_user = user

    def deny(self) -> None:
        self.device_answers = ["access_denied"]

    def answer(self, path: str, form: Form, client: tuple[str, str] | None) -> tuple[int, Any]:
        status, answer = super().answer(path, form, client)
        if path.endswith("/device"):
            self._device_challenge = form["code_challenge"]
            answer |= {
                "verification_uri_complete": f"{self.issuer}/device/page?user_code=ABCD-EFGH",
                "expires_in": self.device_life,
                "interval": self.device_interval,
            }
        elif path.endswith("/revoke"):
            self.revoked.append(form["token"])
            self._refresh.pop(form["token"], None)
            return 200, {}
        return status, answer

    def _grant(self, form: Form, client: tuple[str, str] | None) -> tuple[int, Any]:
        if form.get("grant_type") == "authorization_code":
            found = self._codes.pop(form["code"], None)
            right = found is not None and found.redirect_uri == form["redirect_uri"]
            if found is None or not right or _challenge(form["code_verifier"]) != found.challenge:
                return 400, {"error": "invalid_grant", "error_description": "Code not valid"}
            nonce = self.other_nonce or found.nonce
            id_token = self.token(found.user, aud=CLIENT, typ="ID", nonce=nonce)
            return 200, {**self._tokens(found.user, refresh=True), "id_token": id_token}
        if form.get("grant_type", "").endswith(":device_code") and not self.device_answers:
            if self._device_user is None:
                return 400, {"error": "authorization_pending"}
            if _challenge(form["code_verifier"]) != self._device_challenge:
                return 400, {"error": "invalid_grant"}
            return 200, self._tokens(self._device_user, refresh=self.refresh_life is not None)
        return super()._grant(form, client)


def _challenge(verifier: str) -> str:
    digest = hashlib.sha256(verifier.encode()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
