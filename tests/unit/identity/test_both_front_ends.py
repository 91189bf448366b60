"""Keys, certificates and limits at real listeners, with a fake engine."""

from __future__ import annotations

import ssl
from pathlib import Path
from typing import Any

import httpx
import pyarrow.flight as fl
import pytest
from testing.certificates import Authority, Pair
from testing.command import until
from testing.server import write_users
from tests.fakes.gateway import FakeGateway, fake_gateway

from sqe.config.schema import Config
from sqe.identity.providers.api_key import make_key
from sqe.model.identity import Principal

SECONDS = 120.0


def settings(tmp_path: Path, server: dict[str, Any], **sections: dict[str, Any]) -> Config:
    pair = Authority(tmp_path / "tls").server()
    server = {
        "listeners": ["flight", "trino"],
        "flight_port": 0,
        "trino_port": 0,
        "tls_certificate": pair.certificate,
        "tls_key": pair.key,
        **server,
    }
    return Config.model_validate({"paths": {"home": tmp_path / "home"}, "server": server, **sections})


def trusting(tmp_path: Path, pair: Pair | None = None) -> httpx.Client:
    context = ssl.create_default_context(cafile=str(tmp_path / "tls" / "ca.pem"))
    if pair is not None:
        context.load_cert_chain(pair.certificate, pair.key)
    return httpx.Client(verify=context, timeout=SECONDS)


def statement(gateway: FakeGateway) -> str:
    return gateway.open_listeners["trino"].url.replace("127.0.0.1", "localhost") + "/v1/statement"


def test_a_key_is_good_at_both_front_ends_until_it_is_removed(tmp_path: Path) -> None:
    key, kept = make_key("alice")
    file = tmp_path / "keys"
    file.touch(0o600)
    file.write_text(f"{kept.line()}\n")
    users = write_users(tmp_path / "users", {"bob": "b"})
    config = settings(
        tmp_path,
        {},
        auth={"providers": ["users_file", "api_key"], "users_file": users},
        api_key={"file": file},
    )
    with fake_gateway(config) as gateway, trusting(tmp_path) as http:
        location = gateway.open_listeners["flight"].url.replace("127.0.0.1", "localhost")
        client = fl.FlightClient(location, tls_root_certs=(tmp_path / "tls" / "ca.pem").read_text())
        _, token = client.authenticate_basic_token("alice", key)
        with pytest.raises(fl.FlightUnauthenticatedError):
            client.authenticate_basic_token("bob", key)
        client.close()
        bearer = {"authorization": token.decode()}
        address = statement(gateway)
        assert http.head(address, auth=("alice", key)).status_code == 200
        assert http.head(address, headers={"authorization": f"Bearer {key}"}).status_code == 200
        assert http.head(address, headers=bearer).status_code == 200
        assert http.head(address, auth=("bob", "b")).status_code == 200
        assert http.head(address, auth=("bob", key)).status_code == 401
        file.write_text("# nobody\n")
        until(lambda: http.head(address, headers=bearer).status_code == 401, "the token has ended")
        assert http.head(address, headers={"authorization": f"Bearer {key}"}).status_code == 401


def test_a_certificate_says_who_it_is_and_in_which_groups(tmp_path: Path) -> None:
    clients = Authority(tmp_path / "clients")
    config = settings(
        tmp_path,
        {"tls_client_ca": clients.certificate, "tls_client_auth": "optional", "listeners": ["trino"]},
        auth={"providers": ["mtls"]},
    )
    with fake_gateway(config) as gateway:
        carl = clients.client("carl", units=("dev", "ops"))
        with trusting(tmp_path, carl) as http:
            assert http.post(statement(gateway), content="SELECT 1").status_code == 200
        until(lambda: bool(gateway.engine.sessions), "the query has a session")
        assert gateway.engine.sessions[0].principal == Principal("carl", "mtls", frozenset({"dev", "ops"}))
        with trusting(tmp_path) as http:
            assert http.head(statement(gateway)).status_code == 401


def test_one_address_cannot_try_many_users(tmp_path: Path) -> None:
    config = settings(
        tmp_path,
        {"listeners": ["trino"]},
        auth={
            "providers": ["users_file"],
            "users_file": write_users(tmp_path / "users", {"alice": "a", "bob": "b"}),
        },
        rate_limit={"failed_logins_per_address": 3},
    )
    with fake_gateway(config) as gateway, trusting(tmp_path) as http:
        address = statement(gateway)
        assert http.head(address, auth=("alice", "a")).status_code == 200
        for number in range(3):
            assert http.head(address, auth=(f"user{number}", "guess")).status_code == 401
        answer = http.post(address, auth=("bob", "b"), content="SELECT 1")
        assert answer.status_code == 401
        assert "Too many failed logins. Try again in" in answer.text
        # Somebody who is in stays in.
        assert http.head(address, auth=("alice", "a")).status_code == 200
