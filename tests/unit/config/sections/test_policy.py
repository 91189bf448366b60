from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.config_file import write_config

from sqe.config.load import load
from sqe.errors import ConfigError
from sqe.units import Duration

KEY = "k" * 32


def read(tmp_path: Path, text: str) -> Path:
    return write_config(tmp_path / "sqe.toml", text)


def test_by_default_the_catalog_alone_decides(tmp_path: Path) -> None:
    policy = load(read(tmp_path, ""), {}).policy
    assert policy.engines == ()
    assert not policy.guarded
    assert (policy.timeout, policy.cache) == (Duration("2s"), Duration("5s"))


def test_engines_and_what_they_need(tmp_path: Path) -> None:
    file = read(
        tmp_path,
        f"""
        [policy]
        engines = ["grants", "opa", "cedar", "file"]
        admins = ["user:ann", "role:data owners", "group:ops"]
        mask_key = "{KEY}"
        timeout = "500ms"
        cache = "0s"
        grants_database = "postgresql://sqe:secret@db/grants"
        file = "rules.yaml"
        cedar_policies = "~/cedar"
        [opa]
        url = "https://opa/v1/data/trino/allow"
        token = "the token"
        [opa.context]
        stage = "test"
        """,
    )
    config = load(file, {"HOME": str(tmp_path / "ann")})
    assert config.policy.guarded
    assert config.policy.engines == ("grants", "opa", "cedar", "file")
    assert config.policy.file == tmp_path / "rules.yaml"
    assert config.policy.cedar_policies == tmp_path / "ann" / "cedar"
    assert config.opa.context == {"stage": "test"}
    shown = config.to_toml()
    for secret in (KEY, "secret@db", "the token"):
        assert secret not in shown
    again = read(tmp_path, config.to_toml(redact=False))
    assert load(again, {}) == config


def test_the_environment_can_say_all_of_it() -> None:
    config = load(None, {"SQE_POLICY__ENGINES": '["opa"]', "SQE_OPA__URL": "http://localhost:8181/v1/data/a"})
    assert config.policy.engines == ("opa",)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('engines = ["ranger"]', "policy.engines"),
        ('engines = ["opa", "opa"]', "names one twice"),
        ('engines = "opa"', "policy.engines"),
        ('admins = ["ann"]', "holds 'ann'; write user:NAME, role:NAME or group:NAME"),
        ('admins = ["user:"]', "holds 'user:'"),
        ('admins = ["role: x"]', "holds 'role: x'"),
        ('mask_key = "short"', "policy.mask_key has less than 32 characters"),
        ('timeout = "1ms"', "policy.timeout"),
        ('timeout = "1h"', "policy.timeout"),
        ('cashe = "1s"', "unknown key 'policy.cashe'"),
    ],
)
def test_what_is_not_allowed_is_named(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load(read(tmp_path, f"[policy]\n{text}"), {})
    assert words in caught.value.message
    assert "short" not in caught.value.message


def test_an_address_of_opa_holds_no_password(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"opa\.url holds a user or a password") as caught:
        load(read(tmp_path, '[opa]\nurl = "http://me:hidden@opa/v1"'), {})
    assert "hidden" not in caught.value.message
