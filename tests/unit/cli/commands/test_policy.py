from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from sqe.cli.command import command
from sqe.errors import ConfigError

Run = Callable[..., str]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("SQE_PATHS__HOME", str(tmp_path / "home"))

    def run(*arguments: str, rules: str | None = None) -> str:
        config = tmp_path / "sqe.toml"
        if rules is None:
            config.write_text("")
        else:
            (tmp_path / "rules.yaml").write_text(rules)
            config.write_text(f'[policy]\nengines = ["file"]\nfile = "{tmp_path / "rules.yaml"}"\n')
        result = CliRunner().invoke(
            command, ["--config", str(config), "policy", *arguments], standalone_mode=False
        )
        if result.exception:
            raise result.exception
        return result.output

    return run


def test_checking_a_configuration(run: Run) -> None:
    assert run("check", rules="default: allow") == "file: no problems.\n"
    with pytest.raises(ConfigError, match=r"rules\[1\]"):
        run("check", rules="rules: [{users: a, tables: '*', rows: rand() > 1}]")


def test_checking_a_file_that_is_to_come(run: Run, tmp_path: Path) -> None:
    new = tmp_path / "new.yaml"
    new.write_text("rules: [{users: a, tables: '*'}]")
    assert run("check", str(new)) == f"{new}: no problems in 1 rule.\n"
    new.write_text("rules: [{users: a}]")
    with pytest.raises(ConfigError, match="Field required"):
        run("check", str(new))


@pytest.mark.parametrize("arguments", [("check",), ("test", "cases.yaml")])
def test_without_engines_there_is_nothing_to_test(run: Run, arguments: tuple[str, ...]) -> None:
    with pytest.raises(ConfigError, match="no policies to test"):
        run(*arguments)


def test_cases_are_read_before_anything_is_started(run: Run, tmp_path: Path) -> None:
    cases = tmp_path / "cases.yaml"
    cases.write_text("cases: []")
    with pytest.raises(ConfigError, match="at least 1 item"):
        run("test", str(cases), rules="default: allow")
    with pytest.raises(ConfigError, match="cannot be read"):
        run("test", str(tmp_path / "none.yaml"), rules="default: allow")


def test_the_help_shows_a_file_of_cases(run: Run) -> None:
    shown = run("test", "--help")
    assert "setup:" in shown
    assert "refused: ACCESS_DENIED" in shown
    assert "Exit codes:" in shown
