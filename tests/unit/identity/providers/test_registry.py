from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from testing.server import write_users
from tests.fakes.idp import CLIENT, CLIENT_SECRET, FakeIdp

from sqe.config.schema import Config
from sqe.errors import AuthenticationError, ConfigError
from sqe.identity.chain import Authenticator
from sqe.identity.credentials import Password, PresentedCredentials
from sqe.identity.logins.session_tokens import SessionTokens
from sqe.identity.logins.store import Logins
from sqe.identity.providers.api_key import make_key
from sqe.identity.providers.registry import Providers, make_providers

ISSUER = {"issuer": "https://idp.example.com", "audience": "sqe"}
FULL = {**ISSUER, "client_id": "sqe", "client_secret": "s"}


def config(tmp_path: Path, *names: str, **sections: dict[str, Any]) -> Config:
    return Config.model_validate(
        {"auth": {"providers": list(names)}, "paths": {"home": str(tmp_path)}, **sections}
    )


@pytest.fixture
def tokens() -> SessionTokens:
    return SessionTokens(60, 60)


def refused(found: Config, logins: Logins, tokens: SessionTokens) -> str:
    with pytest.raises(ConfigError) as caught:
        make_providers(found, logins, tokens)
    assert caught.value.hint or "problems:" in caught.value.message  # each of several brings its own
    return caught.value.message


def names(providers: Providers) -> list[str]:
    found = [provider.name for provider in providers.providers]
    providers.close()
    return found


def test_all_of_them_in_their_order(tmp_path: Path, logins: Logins, tokens: SessionTokens) -> None:
    write_users(tmp_path / "users", {"alice": "a"})
    (tmp_path / "keys").touch(0o600)
    found = config(
        tmp_path,
        "bearer_token",
        "api_key",
        "aws_iam",
        "mtls",
        "users_file",
        "token_exchange",
        "anonymous",
        oidc=FULL,
        aws_iam={"users": {"arn:aws:iam::123456789012:user/alice": "alice"}},
        server={"tls_client_auth": "optional"},
    )
    made = make_providers(found, logins, tokens)
    assert made.oidc is not None
    assert names(made) == list(found.auth.providers)


@pytest.mark.parametrize("name", ["oidc_password", "client_credentials_passthrough", "client_credentials"])
def test_each_that_needs_an_identity_provider(
    tmp_path: Path, logins: Logins, tokens: SessionTokens, name: str
) -> None:
    found = config(tmp_path, name, oidc=FULL, client_credentials={"allow": True})
    assert names(make_providers(found, logins, tokens)) == [name]


def test_what_is_missing_is_named(tmp_path: Path, logins: Logins, tokens: SessionTokens) -> None:
    def says(name: str, **oidc: Any) -> str:
        return refused(config(tmp_path, name, oidc=oidc), logins, tokens)

    issuer, client = ISSUER["issuer"], FULL["client_id"]
    assert "bearer_token in auth.providers needs oidc.issuer" in says("bearer_token")
    assert "oidc.audience" in says("bearer_token", issuer=issuer)
    assert "oidc.client_id" in says("oidc_password", **ISSUER)
    assert "oidc.client_id" in says("oidc_password", issuer=issuer, any_audience=True)
    assert "oidc.client_secret" in says("token_exchange", **ISSUER, client_id=client)
    assert "client_credentials" in says("client_credentials", **FULL)
    assert "no listener asks for one" in refused(config(tmp_path, "mtls"), logins, tokens)
    assert "users file" in refused(config(tmp_path, "users_file"), logins, tokens)


def test_logins_in_a_browser_need_the_identity_provider_too(
    tmp_path: Path, logins: Logins, tokens: SessionTokens
) -> None:
    write_users(tmp_path / "users", {"alice": "a"})
    without = config(tmp_path, "users_file", oidc={"external": True})
    assert "oidc.external" in refused(without, logins, tokens)
    made = make_providers(config(tmp_path, "users_file", oidc={**FULL, "external": True}), logins, tokens)
    assert made.oidc is not None
    made.close()


@pytest.mark.parametrize(
    ("order", "useless"),
    [
        (("users_file", "oidc_password"), "oidc_password"),
        (("oidc_password", "client_credentials_passthrough"), "client_credentials_passthrough"),
        (("token_exchange", "bearer_token"), "bearer_token"),
        (("client_credentials", "anonymous"), "anonymous"),
    ],
)
def test_a_provider_that_would_never_be_asked_is_a_mistake(
    tmp_path: Path, logins: Logins, tokens: SessionTokens, order: tuple[str, ...], useless: str
) -> None:
    found = config(tmp_path, *order, oidc=FULL, client_credentials={"allow": True})
    assert f"{useless} would never be asked" in refused(found, logins, tokens)


def test_files_are_read_again_and_tokens_of_ours_end(
    tmp_path: Path, logins: Logins, tokens: SessionTokens
) -> None:
    users = write_users(tmp_path / "users", {"alice": "a", "bob": "b"})
    key, kept = make_key("etl")
    (tmp_path / "keys").touch(0o600)
    (tmp_path / "keys").write_text(kept.line() + "\n", encoding="utf-8")
    made = make_providers(config(tmp_path, "users_file", "api_key"), logins, tokens)
    chain = Authenticator((tokens, *made.providers), alive=logins.alive)
    alice, bob = (
        chain.authenticate(PresentedCredentials(Password(name, name[0]))) for name in ("alice", "bob")
    )
    program = chain.authenticate(PresentedCredentials(bearer=key))
    minted = [tokens.mint(principal) for principal in (alice, bob, program)]
    write_users(users, {"alice": "a"})
    (tmp_path / "keys").write_text("", encoding="utf-8")
    for path in (users, tmp_path / "keys"):
        os.utime(path, (1, 1))
    made.refresh()
    assert [tokens.principal(token) for token in minted[1:]] == [None, None]
    with pytest.raises(AuthenticationError):
        chain.authenticate(PresentedCredentials(Password("bob", "b")))
    made.close()


def test_alone_anonymous_believes_any_name(tmp_path: Path, logins: Logins, tokens: SessionTokens) -> None:
    write_users(tmp_path / "users", {"alice": "a"})
    claim = PresentedCredentials(loopback=True, claimed_user="alice")
    alone = make_providers(config(tmp_path, "anonymous"), logins, tokens)
    assert Authenticator(alone.providers).authenticate(claim).user == "alice"
    beside = make_providers(config(tmp_path, "users_file", "anonymous"), logins, tokens)
    with pytest.raises(AuthenticationError):
        Authenticator(beside.providers).authenticate(claim)


def test_people_and_their_tokens_come_in_side_by_side(
    tmp_path: Path, idp: FakeIdp, logins: Logins, tokens: SessionTokens
) -> None:
    section = {
        "issuer": idp.issuer,
        "audience": "sqe",
        "client_id": CLIENT,
        "client_secret": CLIENT_SECRET,
    }
    names = ("bearer_token", "oidc_password", "token_exchange")
    made = make_providers(config(tmp_path, *names, oidc=section), logins, tokens)
    chain = Authenticator((tokens, *made.providers), alive=logins.alive)
    alice = chain.authenticate(PresentedCredentials(Password("alice", "a-pw")))
    assert alice.provider == "oidc_password"
    assert chain.authenticate(PresentedCredentials(bearer=tokens.mint(alice))) == alice
    assert chain.authenticate(PresentedCredentials(bearer=idp.token("bob"))).provider == "bearer_token"
    assert (
        chain.authenticate(PresentedCredentials(Password("bob", idp.token("bob")))).provider == "bearer_token"
    )
    assert chain.authenticate(PresentedCredentials(bearer="opaque-bob")).provider == "token_exchange"
    for wrong in (
        PresentedCredentials(bearer="sqe_x"),
        PresentedCredentials(bearer=idp.token(aud="x")),
        PresentedCredentials(bearer="x"),
    ):
        with pytest.raises(AuthenticationError):
            chain.authenticate(wrong)
    made.close()


def test_without_an_identity_provider_its_client_is_not_loaded() -> None:
    code = "import sys, sqe.identity.providers.registry; print([m for m in ('httpx', 'joserfc') if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True
    )
    assert done.stdout.strip() == "[]"
