"""An identity provider on 127.0.0.1, over real HTTP and with real keys.

    with FakeIdp() as idp:
        idp.config()                       # the [oidc] section that belongs to it
        idp.token("alice")                 # a signed access token; every claim and header can be changed
        idp.users["alice"]                 # her password
        idp.rotate()                       # sign with a new key, and publish it beside the old ones
        idp.trouble = "down"               # or "slow", "nonsense", "huge", "packed", "redirect"; None: as it should be
        idp.refuse_refresh = True
        idp.requests                       # what was asked: (path, form)

Time is that of `clock`, so that tests can make it pass.
"""

from __future__ import annotations

import base64
import binascii
import gzip
import json
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, ClassVar, Literal, Self
from urllib.parse import parse_qs, unquote_plus, urlsplit

from joserfc import jws
from joserfc.jwk import ECKey, OctKey, RSAKey

from sqe.config.sections.oidc import OidcConfig
from sqe.units import Duration, Secret

AUDIENCE = "sqe"
CLIENT, CLIENT_SECRET = "sqe-server", "the server's own: +&/"
SERVICE, SERVICE_SECRET = "etl", "a program's"

Trouble = Literal["down", "slow", "nonsense", "huge", "packed", "redirect"]
Form = Mapping[str, str]

_RSA_KEYS = [RSAKey.generate_key(2048, {"kid": f"rsa-{number}"}, private=True) for number in range(2)]


class FakeIdp:
    """Issues tokens to `users` and to two clients."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self.clock = clock
        self.users = {"alice": "a-pw", "bob": "b-pw"}
        self.life = 300.0
        self.refresh_life: float | None = 1800.0  # None: no refresh tokens
        self.claims: dict[str, dict[str, Any]] = {}  # by user: more of them, or others
        self.refuse_refresh = False
        self.trouble: Trouble | None = None
        self.trouble_at: frozenset[str] = frozenset()  # the last parts of paths; empty: everywhere
        self.requests: list[tuple[str, Form]] = []
        self.cookies: list[str] = []  # that clients sent back
        self.device_answers: list[
            str
        ] = []  # what the next questions for a device's tokens get, before the tokens
        self.keys: list[RSAKey | ECKey] = [_RSA_KEYS[0]]  # the last one signs
        self.more_keys: list[Mapping[str, Any]] = []  # published too
        self.document: dict[str, Any] = {}  # other values in the discovery document
        self.release = threading.Event()  # set: nobody is slow any more
        self._refresh: dict[str, str] = {}
        self._lock = threading.Lock()
        handler = type("Handler", (_Handler,), {"idp": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self.issuer = f"http://127.0.0.1:{self._server.server_address[1]}/realms/test"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(120)

    def config(self, **others: Any) -> OidcConfig:
        values: dict[str, Any] = {
            "issuer": self.issuer,
            "audience": AUDIENCE,
            "client_id": CLIENT,
            "client_secret": Secret(CLIENT_SECRET),
            "timeout": Duration("1min"),
        }
        return OidcConfig(**(values | others))

    @property
    def key(self) -> RSAKey | ECKey:
        return self.keys[-1]

    def rotate(self) -> None:
        """Sign with another key; the old one stays published."""
        self.keys.append(_RSA_KEYS[len(self.keys) % len(_RSA_KEYS)])

    def token(
        self,
        user: str | None = "alice",
        *,
        header: Mapping[str, Any] | None = None,
        key: RSAKey | ECKey | OctKey | None = None,
        **claims: Any,
    ) -> str:
        """A token of this user; a claim or a header that is None is left out."""
        now = self.clock()
        values = {
            "iss": self.issuer,
            "aud": [AUDIENCE, "account"],
            "sub": f"id-of-{user}",
            "preferred_username": user,
            "exp": now + self.life,
            "iat": now,
            "jti": str(uuid.uuid4()),
            "sid": str(uuid.uuid4()),
            "typ": "Bearer",
            **self.claims.get(user or "", {}),
            **claims,
        }
        signer = key or self.key
        algorithm = "ES256" if isinstance(signer, ECKey) else "RS256"
        headers = {"alg": algorithm, "typ": "JWT", "kid": signer.kid, **(header or {})}
        return sign(_without_none(values), _without_none(headers), signer)

    def count(self, path: str) -> int:
        """How often something that ends like this was asked for."""
        return sum(asked.endswith(path) for asked, _ in self.requests)

    def answer(self, path: str, form: Form, client: tuple[str, str] | None) -> tuple[int, Any]:
        name = path.removeprefix("/realms/test")
        match name:
            case "/.well-known/openid-configuration":
                return 200, self._document()
            case "/keys":
                return 200, {"keys": [*(key.as_dict(private=False) for key in self.keys), *self.more_keys]}
            case "/token":
                return self._grant(form, client)
            case "/device":
                return 200, {
                    "device_code": "the device's code",
                    "user_code": "ABCD-EFGH",
                    "verification_uri": f"{self.issuer}/device/page",
                    "expires_in": 600,
                    "interval": 5,
                }
        return 404, {"error": "not found"}

    def _document(self) -> Mapping[str, Any]:
        return {
            "issuer": self.issuer,
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "authorization_endpoint": f"{self.issuer}/auth",
            "device_authorization_endpoint": f"{self.issuer}/device",
            **self.document,
        }

    def _grant(self, form: Form, client: tuple[str, str] | None) -> tuple[int, Any]:
        grant = form.get("grant_type", "").rpartition(":")[2]
        if client not in ((CLIENT, CLIENT_SECRET), (SERVICE, SERVICE_SECRET)):
            return 401, {"error": "invalid_client", "error_description": "Invalid client credentials"}
        if client[0] == SERVICE and grant != "client_credentials":
            return 400, {"error": "unauthorized_client"}
        user: str | None = None
        match grant:
            case "password" if self.users.get(form["username"].lower()) == form["password"]:
                user = form["username"].lower()
            case "refresh_token" if not self.refuse_refresh:
                with self._lock:
                    user = self._refresh.pop(form["refresh_token"], None)  # each is good once
            case "token-exchange":
                user = self._subject(form["subject_token"])
                if user is None:
                    return 400, {"error": "invalid_request", "error_description": "Invalid token"}
            case "client_credentials":
                return 200, self._tokens(f"service-account-{client[0]}", refresh=False)
            case "authorization_code" if form["code"] == "good code" and form.get("code_verifier"):
                user = "alice"
            case "device_code" if self.device_answers:
                return 400, {"error": self.device_answers.pop(0)}
            case "device_code":
                user = "alice"
        if user is None:
            return 401, {"error": "invalid_grant", "error_description": "Invalid user credentials"}
        return 200, self._tokens(user, refresh=self.refresh_life is not None)

    def _subject(self, token: str) -> str | None:
        opaque = token.removeprefix("opaque-")
        return opaque if opaque != token and opaque in self.users else None

    def _tokens(self, user: str, *, refresh: bool) -> Mapping[str, Any]:
        answer: dict[str, Any] = {
            "access_token": self.token(user),
            "token_type": "Bearer",
            "expires_in": self.life,
        }
        if refresh:
            name = uuid.uuid4().hex
            with self._lock:
                self._refresh[name] = user
            answer |= {"refresh_token": name, "refresh_expires_in": self.refresh_life}
        return answer


class _Handler(BaseHTTPRequestHandler):
    idp: ClassVar[FakeIdp]
    protocol_version = "HTTP/1.1"

    def handle(self) -> None:
        with suppress(ConnectionResetError):  # the client had enough, as it should with some of our answers
            super().handle()

    def do_GET(self) -> None:
        self._serve({})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
        self._serve({name: values[-1] for name, values in parse_qs(body, keep_blank_values=True).items()})

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass

    def _serve(self, form: Form) -> None:
        path = urlsplit(self.path).path
        self.idp.requests.append((path, form))
        self.idp.cookies += self.headers.get_all("cookie", [])
        trouble = self.idp.trouble
        if self.idp.trouble_at and path.rpartition("/")[2] not in self.idp.trouble_at:
            trouble = None
        match trouble:
            case "down":
                return self._send(503, b"")
            case "slow":
                self.idp.release.wait(120)
            case "nonsense":
                return self._send(200, b"<html>Please log in</html>")
            case "packed":
                return self._send(200, gzip.compress(b" " * 50_000_000), {"Content-Encoding": "gzip"})
            case "huge":
                return self._send(200, b" " * (2 * 1024 * 1024))
            case "redirect":
                return self._send(302, b"", {"Location": "http://127.0.0.1:9/elsewhere"})
        status, answer = self.idp.answer(path, form, self._client())
        return self._send(status, json.dumps(answer).encode())

    def _client(self) -> tuple[str, str] | None:
        scheme, _, value = self.headers.get("authorization", "").partition(" ")
        if scheme != "Basic":
            return None
        try:
            name, _, secret = base64.b64decode(value).decode().partition(":")
        except (binascii.Error, UnicodeDecodeError):
            return None
        return unquote_plus(name), unquote_plus(secret)

    def _send(self, status: int, body: bytes, headers: Mapping[str, str] | None = None) -> None:
        self.send_response(status)
        sent = {"Content-Length": str(len(body)), "Set-Cookie": "session=of-whoever-it-was; Path=/"}
        for name, value in {**sent, **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        with suppress(BrokenPipeError):
            self.wfile.write(body)


def sign(claims: Mapping[str, Any], header: Mapping[str, Any], key: RSAKey | ECKey | OctKey) -> str:
    """A signed token, as bad as wanted."""
    algorithm = str(header["alg"])
    registry = jws.JWSRegistry(algorithms=[algorithm], strict_check_header=False)
    return jws.serialize_compact(dict(header), json.dumps(claims).encode(), key, registry=registry)


def encode(value: Mapping[str, Any]) -> str:
    """A part of a token."""
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def _without_none(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
