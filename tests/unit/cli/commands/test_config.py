from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from sqe.cli.commands.config import command
from sqe.errors import ConfigError
from sqe.reference import configuration_page


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    path = tmp_path / "x.toml"
    path.write_text('[engine]\ntoken = "hunter2"\nmemory = "1GB"\n', encoding="utf-8")
    path.chmod(0o600)
    return path


def test_a_good_file_passes(file: Path) -> None:
    result = CliRunner().invoke(command, ["check", str(file)])
    assert (result.exit_code, result.output) == (0, f"{file}: no problems.\n")


def test_every_problem_of_a_bad_file_is_listed(file: Path) -> None:
    file.write_text('[engine]\nmemroy = "1GB"\nmemory = "x"\n', encoding="utf-8")
    result = CliRunner().invoke(command, ["check", str(file)])
    assert result.exit_code == 1
    assert [line.startswith(f"{file}: ") for line in result.stderr.splitlines()] == [True, True]
    assert result.stdout == ""


def test_the_environment_does_not_spoil_the_check_of_a_file(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SQE_ENGINE__MEMROY", "x")
    assert CliRunner().invoke(command, ["check", str(file)]).exit_code == 0


def test_what_the_server_would_refuse_is_listed_too(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text(
        '[auth]\nproviders = ["client_credentials"]\n[client_credentials]\nallow = true\n'
        '[oidc]\nissuer = "https://idp"\nclient_id = "sqe"\naudience = "sqe"\n'
        "[production]\nenabled = true\nallow_local_catalogs = true\nallow_unguarded = true",
        encoding="utf-8",
    )
    result = CliRunner().invoke(command, ["check", str(file)])
    assert result.exit_code == 1
    secret, shared = result.stderr.splitlines()
    assert "oidc.client_secret, which is not set" in secret
    assert "production.allow_shared_identity" in shared
    # A secret is where it belongs when it is in the environment.
    monkeypatch.setenv("SQE_OIDC__CLIENT_SECRET", "hunter2")
    assert CliRunner().invoke(command, ["check", str(file)]).stderr.splitlines() == [shared]


def test_a_missing_file_is_a_problem(tmp_path: Path) -> None:
    result = CliRunner().invoke(command, ["check", str(tmp_path / "none.toml")])
    assert result.exit_code == 1
    assert "cannot be read" in result.stderr


def test_show_hides_secrets_and_tells_origins(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SQE_LIMITS__ROWS", "5")
    result = CliRunner().invoke(command, ["show", "--config", str(file), "--origin"], catch_exceptions=False)
    assert result.exit_code == 0
    assert "hunter2" not in result.output
    assert f'memory = "1GB"  # file {file}' in result.output
    assert "rows = 5  # env SQE_LIMITS__ROWS" in result.output
    assert 'master = "local[*]"  # default' in result.output


def test_show_without_origins_is_plain_toml(file: Path) -> None:
    result = CliRunner().invoke(command, ["show", "--config", str(file)], catch_exceptions=False)
    assert 'memory = "1GB"\n' in result.output


def test_show_refuses_a_bad_file(file: Path) -> None:
    file.write_text("[engin]\n", encoding="utf-8")
    result = CliRunner().invoke(command, ["show", "--config", str(file)])
    assert isinstance(result.exception, ConfigError)


def test_the_reference_is_the_generated_page() -> None:
    assert CliRunner().invoke(command, ["reference"]).output == configuration_page()
