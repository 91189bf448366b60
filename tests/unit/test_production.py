from __future__ import annotations

import copy
from typing import Any

import pytest

from sqe.config.schema import Config
from sqe.config.sections.production import ProductionConfig
from sqe.errors import ConfigError
from sqe.production import CHECKS, check_production, check_server

REST = {"uri": "https://c"}
# Nothing in it is unsafe.
SAFE: dict[str, Any] = {
    "production": {"enabled": True},
    "auth": {"providers": ["bearer_token"]},
    "oidc": {"issuer": "https://idp", "audience": "sqe"},
    "catalogs": {"lake": REST},
    "policy": {"engines": ["grants"], "mask_key": "k" * 32},
}
WEB_IDENTITY = {**REST, "storage": "web_identity"}
PLAIN = {"trino_host": "0.0.0.0", "plain_text": ["trino"]}
ENGINE = {"url": "sc://spark:15002"}
SECRET = "s" * 32

# The exception, the unsafe settings, and what is named.
UNSAFE: list[tuple[str, dict[str, Any], list[str]]] = [
    (
        "allow_anonymous",
        {"auth": {"providers": ["users_file", "anonymous"]}},
        ["auth.providers has anonymous"],
    ),
    ("allow_plain_text", {"server": PLAIN}, ["server.trino_host"]),
    (
        "allow_plain_text",
        {"oidc": {"client_id": "sqe", "external": True, "external_url": "http://sqe"}},
        ["oidc.external_url"],
    ),
    (
        "allow_shared_identity",
        {
            "auth": {"providers": ["client_credentials"]},
            "client_credentials": {"allow": True},
            "oidc": {"client_id": "sqe", "client_secret": "s"},
        },
        ["auth.providers has client_credentials"],
    ),
    ("allow_any_audience", {"oidc": {"audience": None, "any_audience": True}}, ["oidc.any_audience"]),
    ("allow_plain_identity_provider", {"oidc": {"issuer": "http://idp"}}, ["oidc.issuer"]),
    ("allow_plain_identity_provider", {"oidc": {"jwks_url": "http://idp/k"}}, ["oidc.jwks_url"]),
    (
        "allow_plain_identity_provider",
        {"oidc": dict.fromkeys(("token_url", "device_url", "authorize_url"), "HTTP://idp/")},
        ["oidc.token_url", "oidc.device_url", "oidc.authorize_url"],
    ),
    ("allow_plain_identity_provider", {"aws_iam": {"sts_endpoint": "http://s"}}, ["aws_iam.sts_endpoint"]),
    ("allow_plain_catalogs", {"catalogs": {"lake": {"uri": "http://c"}}}, ["catalogs.lake.uri"]),
    (
        "allow_plain_catalogs",
        {"catalogs": {"lake": {**WEB_IDENTITY, "s3_endpoint": "http://s", "sts_endpoint": "http://s"}}},
        ["catalogs.lake.s3_endpoint", "catalogs.lake.sts_endpoint"],
    ),
    (
        "allow_local_catalogs",
        {"catalogs": {"own": {"type": "warehouse", "path": "/d"}}},
        ["catalogs.own is a warehouse"],
    ),
    ("allow_local_catalogs", {"catalogs": None}, ["The default catalog iceberg"]),
    (
        "allow_no_rate_limit",
        {"rate_limit": {"queries_per_user": 0, "failed_logins_per_address": 0}},
        ["rate_limit.queries_per_user", "rate_limit.failed_logins_per_address"],
    ),
    (
        "allow_unguarded_engine",
        {"engine": {**ENGINE, "control_secret": SECRET}},
        ["engine.url is used without engine.token"],
    ),
    ("allow_unguarded", {"policy": None}, ["policy.engines is empty"]),
    ("allow_no_mask_key", {"policy": {"mask_key": None}}, ["without policy.mask_key"]),
    (
        "allow_plain_opa",
        {
            "policy": {"engines": ["opa"]},
            "opa": {"url": "http://opa:8181/v1/data/a", "batched_url": "http://10.0.0.1/b"},
        },
        ["opa.url", "opa.batched_url"],
    ),
]


def config(*changes: dict[str, Any]) -> Config:
    sections = copy.deepcopy(SAFE)
    for change in changes:
        for section, values in change.items():
            if values is None:
                del sections[section]
            else:
                sections.setdefault(section, {}).update(values)
    return Config.model_validate(sections)


def test_what_is_safe_is_not_refused() -> None:
    check_server(config())


def test_everything_on_loopback_and_health_may_be_plain() -> None:
    health = {"health_host": "0.0.0.0", "plain_text": ["health", "trino"]}
    assert check_production(config({"server": health})) == []


@pytest.mark.parametrize(("exception", "unsafe", "named"), UNSAFE)
def test_what_is_unsafe_is_refused_and_its_exception_named(
    exception: str, unsafe: dict[str, Any], named: list[str]
) -> None:
    problems = check_production(config(unsafe))
    assert len(problems) == len(named)
    for problem, words in zip(problems, named, strict=True):
        assert words in problem.message
        assert f"or set production.{exception} = true." in (problem.hint or "")


@pytest.mark.parametrize(("exception", "unsafe", "named"), UNSAFE)
def test_an_exception_lets_exactly_its_own_pass(
    exception: str, unsafe: dict[str, Any], named: list[str]
) -> None:
    check_server(config(unsafe, {"production": {exception: True}}))
    others = {name: True for name in CHECKS if name != exception}
    assert len(check_production(config(unsafe, {"production": others}))) == len(named)


@pytest.mark.parametrize(("exception", "unsafe", "named"), UNSAFE)
def test_outside_production_it_is_allowed(exception: str, unsafe: dict[str, Any], named: list[str]) -> None:
    check_server(config(unsafe, {"production": {"enabled": False}}))


def test_a_foreign_engine_needs_its_secret_even_without_rest_catalogs() -> None:
    unguarded = {"engine": {**ENGINE, "token": "t"}, "catalogs": None}
    [problem] = check_production(config(unguarded, {"production": {"allow_local_catalogs": True}}))
    assert "engine.control_secret" in problem.message


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]"])
def test_an_agent_beside_the_server_may_be_plain(host: str) -> None:
    beside = {"policy": {"engines": ["opa"]}, "opa": {"url": f"http://{host}:8181/v1/data/trino/allow"}}
    assert check_production(config(beside)) == []


def test_every_exception_has_its_check_and_a_case() -> None:
    keys = [key for key in ProductionConfig.model_fields if key != "enabled"]
    assert list(CHECKS) == keys
    assert {exception for exception, _, _ in UNSAFE} == set(keys)


def test_all_is_told_at_once() -> None:
    with pytest.raises(ConfigError) as caught:
        check_server(
            config(
                {
                    "auth": {"providers": ["anonymous", "mtls"]},
                    "catalogs": None,
                    "rate_limit": {"queries_per_user": 0},
                }
            )
        )
    for words in (
        "4 problems",
        "server.tls_client_auth",
        "allow_anonymous",
        "allow_local_catalogs",
        "allow_no_rate_limit",
    ):
        assert words in caught.value.message


def test_a_listener_that_is_refused_anyway_is_not_told_twice() -> None:
    assert check_production(config({"server": {"trino_host": "0.0.0.0"}})) == []
