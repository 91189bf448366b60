from __future__ import annotations

from typing import Any

import pytest

from sqe.config.consistency import inconsistencies
from sqe.config.schema import Config

OIDC = {"issuer": "https://idp", "client_id": "sqe", "client_secret": "s", "audience": "sqe"}
LAKE = {"lake": {"uri": "https://c"}}
SECRET = "s" * 32


def problems(**sections: Any) -> list[str]:
    return [str(problem) for problem in inconsistencies(Config.model_validate(sections))]


def without(*keys: str) -> dict[str, str]:
    return {key: value for key, value in OIDC.items() if key not in keys}


@pytest.mark.parametrize(
    ("provider", "sections"),
    [
        ("oidc_password", {"oidc": OIDC}),
        ("bearer_token", {"oidc": OIDC}),
        ("bearer_token", {"oidc": {**without("audience"), "any_audience": True}}),
        ("token_exchange", {"oidc": OIDC}),
        ("client_credentials_passthrough", {"oidc": OIDC}),
        ("client_credentials", {"oidc": OIDC, "client_credentials": {"allow": True}}),
        ("api_key", {}),
        ("mtls", {"server": {"tls_client_auth": "required"}}),
        ("aws_iam", {"aws_iam": {"users": {"arn:aws:iam::1:user/ann": "ann"}}}),
        ("users_file", {}),
        ("anonymous", {}),
    ],
)
def test_what_a_provider_needs_is_enough(provider: str, sections: dict[str, Any]) -> None:
    assert problems(auth={"providers": [provider]}, **sections) == []


@pytest.mark.parametrize(
    ("provider", "sections", "key"),
    [
        ("oidc_password", {"oidc": without("issuer")}, "oidc.issuer"),
        ("oidc_password", {"oidc": without("client_id")}, "oidc.client_id"),
        ("bearer_token", {"oidc": without("issuer")}, "oidc.issuer"),
        ("bearer_token", {"oidc": without("audience")}, "oidc.audience"),
        ("token_exchange", {"oidc": without("client_id")}, "oidc.client_id"),
        ("client_credentials_passthrough", {"oidc": without("issuer")}, "oidc.issuer"),
        ("client_credentials", {"oidc": OIDC}, "client_credentials.allow"),
        (
            "client_credentials",
            {"oidc": without("client_secret"), "client_credentials": {"allow": True}},
            "oidc.client_secret",
        ),
        ("mtls", {}, "server.tls_client_auth"),
        ("aws_iam", {}, "aws_iam.users"),
    ],
)
def test_what_a_provider_lacks_is_named(provider: str, sections: dict[str, Any], key: str) -> None:
    [problem] = problems(auth={"providers": [provider]}, **sections)
    assert f"The provider {provider} in auth.providers" in problem
    assert key in problem


def test_everything_is_told_at_once() -> None:
    assert len(problems(auth={"providers": ["oidc_password", "bearer_token", "mtls"]})) == 6


def test_external_logins_need_a_client() -> None:
    assert problems(oidc={"external": True, **OIDC}) == []
    assert [problem.split(",")[0] for problem in problems(oidc={"external": True})] == [
        "oidc.external needs oidc.issuer",
        "oidc.external needs oidc.client_id",
        "oidc.external needs oidc.audience",
    ]


def test_a_foreign_engine_with_rest_catalogs_needs_a_secret() -> None:
    url = "sc://spark:15002"
    assert problems(engine={"url": url}) == []
    assert problems(engine={"url": url, "control_secret": SECRET}, catalogs=LAKE) == []
    assert problems(catalogs=LAKE) == []
    [problem] = problems(engine={"url": url}, catalogs=LAKE)
    assert "engine.control_secret" in problem


@pytest.mark.parametrize(
    ("engine", "sections"),
    [
        ("grants", {}),
        ("opa", {"opa": {"url": "http://localhost:8181/v1/data/trino/allow"}}),
        ("cedar", {"policy": {"cedar_policies": "/p", "cedar_entities": "/e"}}),
        ("file", {"policy": {"file": "/rules.yaml"}}),
    ],
)
def test_what_a_policy_engine_needs_is_enough(engine: str, sections: dict[str, Any]) -> None:
    policy = {**sections.get("policy", {}), "engines": [engine]}
    assert problems(**{**sections, "policy": policy}) == []


@pytest.mark.parametrize(
    ("engine", "key", "variable"),
    [
        ("opa", "opa.url", "SQE_OPA__URL"),
        ("cedar", "policy.cedar_policies", "SQE_POLICY__CEDAR_POLICIES"),
        ("file", "policy.file", "SQE_POLICY__FILE"),
    ],
)
def test_what_a_policy_engine_lacks_is_named(engine: str, key: str, variable: str) -> None:
    [problem] = problems(policy={"engines": ["grants", engine]})
    assert f"The engine {engine} in policy.engines needs {key}" in problem
    assert variable in problem


@pytest.mark.parametrize(
    ("sections", "key", "engine"),
    [
        ({"opa": {"url": "http://localhost/v1"}}, "opa.url", "opa"),
        ({"policy": {"file": "/rules.yaml"}}, "policy.file", "file"),
        ({"policy": {"cedar_policies": "/p"}}, "policy.cedar_policies", "cedar"),
        ({"policy": {"cedar_entities": "/p"}}, "policy.cedar_entities", "cedar"),
        ({"policy": {"grants_database": "postgresql://db"}}, "policy.grants_database", "grants"),
    ],
)
def test_policies_that_nobody_reads_are_refused(sections: dict[str, Any], key: str, engine: str) -> None:
    [problem] = problems(**sections)
    assert f"{key} is set, but not used: policy.engines does not have {engine}" in problem


def test_a_column_mask_comes_from_one_rule_of_opa() -> None:
    opa = {"url": "http://o/a", "column_mask_url": "http://o/c", "batch_column_masks_url": "http://o/b"}
    [problem] = problems(policy={"engines": ["opa"]}, opa=opa)
    assert "both set" in problem


def test_a_foreign_engine_with_policies_needs_a_secret() -> None:
    engine = {"url": "sc://spark:15002"}
    [problem] = problems(engine=engine, policy={"engines": ["grants"]})
    assert "engine.control_secret" in problem
    assert problems(engine={**engine, "control_secret": SECRET}, policy={"engines": ["grants"]}) == []
