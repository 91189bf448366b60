from __future__ import annotations

from pathlib import Path

import pytest
from testing.command import clean_environment

from sqe.config.load import load
from sqe.config.schema import known_keys
from sqe.config.sources import is_secret
from sqe.errors import ConfigError

KEY = "a key of at least thirty-two characters"


def written(tmp_path: Path, text: str, mode: int = 0o644) -> Path:
    path = tmp_path / "sqe.toml"
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)
    return path


def secret_file(tmp_path: Path, content: bytes, mode: int = 0o600) -> Path:
    path = tmp_path / "key"
    path.write_bytes(content)
    path.chmod(mode)
    return path


def test_a_secret_can_be_a_variable(tmp_path: Path) -> None:
    file = written(tmp_path, '[policy]\nmask_key = "env:MY_KEY"\n')  # which everybody may read
    config = load(file, clean_environment(tmp_path) | {"MY_KEY": KEY})
    assert config.policy.mask_key is not None
    assert config.policy.mask_key.reveal() == KEY


@pytest.mark.parametrize("content", [KEY.encode(), KEY.encode() + b"\n", KEY.encode() + b"\r\n"])
def test_a_secret_can_be_in_a_file(tmp_path: Path, content: bytes) -> None:
    secret_file(tmp_path, content)
    file = written(tmp_path, '[policy]\nmask_key = "file:key"\n')  # beside the configuration
    config = load(file, clean_environment(tmp_path))
    assert config.policy.mask_key is not None
    assert config.policy.mask_key.reveal() == KEY


def test_it_works_for_all_secrets_and_from_all_sources(tmp_path: Path) -> None:
    secrets = [".".join(key) for key, field in known_keys().items() if is_secret(field)]
    assert {"policy.mask_key", "engine.token", "engine.control_secret", "oidc.client_secret"} <= set(secrets)
    path = secret_file(tmp_path, KEY.encode())
    environ = clean_environment(tmp_path) | {"SQE_ENGINE__TOKEN": "env:T", "T": "a token"}
    config = load(None, environ, {"engine.control_secret": f"file:{path}"})
    assert config.engine.token is not None
    assert config.engine.token.reveal() == "a token"
    assert config.engine.control_secret is not None
    assert config.engine.control_secret.reveal() == KEY


@pytest.mark.parametrize(
    ("reference", "says"),
    [
        (
            "env:NOWHERE",
            "policy.mask_key refers to the variable NOWHERE of the environment, which is not set.",
        ),
        ("env:", "which is not set"),
        ("env:EMPTY", "which is not set"),
        ("env:AGAIN", "which is a reference itself"),
        ("file:nowhere", "nowhere, which cannot be read: No such file"),
        ("file:empty", "which is empty"),
        ("file:public", "which every user of this machine can read"),
        ("file:latin", "which is not UTF-8 text"),
    ],
)
def test_what_is_not_there_is_an_error(tmp_path: Path, reference: str, says: str) -> None:
    for name, content, mode in (("empty", b"\n", 0o600), ("public", b"x", 0o644), ("latin", b"\xff", 0o600)):
        secret_file(tmp_path, content, mode).rename(tmp_path / name)
    file = written(tmp_path, f'[policy]\nmask_key = "{reference}"\n')
    environ = clean_environment(tmp_path) | {"EMPTY": "", "AGAIN": "env:SECRET", "SECRET": KEY}
    with pytest.raises(ConfigError) as caught:
        load(file, environ)
    assert says in caught.value.message
    assert KEY not in caught.value.message


def test_a_secret_that_does_not_fit_is_not_shown(tmp_path: Path) -> None:
    file = written(tmp_path, '[policy]\nmask_key = "env:MY_KEY"\n')
    with pytest.raises(ConfigError) as caught:
        load(file, clean_environment(tmp_path) | {"MY_KEY": "too short"})
    assert "less than 32 characters" in caught.value.message
    assert "too short" not in caught.value.message


def test_other_settings_are_as_they_are_written(tmp_path: Path) -> None:
    file = written(tmp_path, '[policy]\nadmins = ["user:env:X"]\n')
    assert load(file, clean_environment(tmp_path)).policy.admins == ("user:env:X",)
