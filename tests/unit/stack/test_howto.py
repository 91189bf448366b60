from __future__ import annotations

import os
from pathlib import Path

from stack import accounts
from stack.configuration import as_settings, identity, rest_catalog
from stack.howto import Started, configuration, how_to, server

from sqe.config.load import load

TABLES = {
    **server(Path("/run/server.pem"), Path("/run/server.key")),
    **identity("http://127.0.0.1:4001/realms/sqe", accounts.CLIENT, accounts.AUDIENCE),
    **rest_catalog(
        "nessie",
        uri="http://127.0.0.1:4002/iceberg",
        warehouse="lake",
        storage="web_identity",
        endpoint="http://127.0.0.1:4003",
        region="us-east-1",
    ),
}


def test_sqe_reads_the_file(tmp_path: Path) -> None:
    file = tmp_path / "sqe.toml"
    file.write_text(configuration(TABLES), encoding="utf-8")
    config = load(file, {"HOME": str(tmp_path)})
    assert config.oidc.issuer == "http://127.0.0.1:4001/realms/sqe"
    assert config.auth.providers == ("oidc_password", "bearer_token")
    assert config.catalogs["nessie"].uri == "http://127.0.0.1:4002/iceberg"
    assert config.catalogs["nessie"].s3_path_style is True
    assert config.catalogs["nessie"].sts_endpoint == "http://127.0.0.1:4003"


def test_sqe_reads_the_same_from_the_environment(tmp_path: Path) -> None:
    file = tmp_path / "sqe.toml"
    file.write_text(configuration(TABLES), encoding="utf-8")
    environment = {f"SQE_{name.upper()}": value for name, value in as_settings(TABLES).items()}
    home = {"HOME": str(tmp_path)}
    assert load(None, {**home, **environment}) == load(file, home)


def test_only_web_identity_asks_sts() -> None:
    [table] = rest_catalog(
        "lake", uri="http://c", warehouse=None, storage="vended", endpoint="http://s", region="eu"
    ).values()
    assert "sts_endpoint" not in table
    assert "warehouse" not in table


def test_it_says_what_a_person_needs() -> None:
    directory = Path("run")
    text = how_to(
        Started(
            directory=directory,
            config=directory / "sqe.toml",
            authority=directory / "ca.pem",
            services={"Keycloak": "http://127.0.0.1:4001/realms/sqe", "MinIO": "http://127.0.0.1:4003"},
            catalogs=["nessie"],
            no_polaris="There is no Polaris.",
        )
    )
    for account in accounts.PEOPLE.values():
        assert f"{account.user} / {account.password}" in text
    for needed in (
        "http://127.0.0.1:4001/realms/sqe",
        "There is no Polaris.",
        f"./sqe --config {directory / 'sqe.toml'} server",
        "CREATE TABLE nessie.sales.orders",
        f"--truststore-path {directory / 'ca.pem'}",
        "grpc+tls://localhost:50051",
        "login\n",
    ):
        assert needed in text, needed
    assert os.sep * 2 not in text.replace("://", "")
