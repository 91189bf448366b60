from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.fakes.policy import ANN, FakePolicy, question

from sqe.config.load import load
from sqe.config.schema import Config
from sqe.errors import ConfigError, SqeError
from sqe.locations import locate
from sqe.policy import engines
from sqe.policy.engines import make_decision_point, make_engines

RULES = "rules: []"


def config(tmp_path: Path, **flags: Any) -> Config:
    own = {"paths.home": str(tmp_path / "home"), "paths.cache": str(tmp_path / "cache")}
    return load(None, {}, own | {name.replace("__", "."): value for name, value in flags.items()})


def test_no_engines(tmp_path: Path) -> None:
    made = config(tmp_path)
    assert make_engines(made, locate(made)) == []


def test_all_engines_in_their_order(tmp_path: Path) -> None:
    (tmp_path / "cedar").mkdir()
    (tmp_path / "cedar" / "all.cedar").write_text("permit (principal, action, resource);")
    (tmp_path / "rules.yaml").write_text(RULES)
    wanted = config(
        tmp_path,
        policy__engines=["file", "cedar", "opa", "grants"],
        policy__file=str(tmp_path / "rules.yaml"),
        policy__cedar_policies=str(tmp_path / "cedar"),
        opa__url="http://127.0.0.1:1/v1/data/trino/allow",
    )
    made = make_engines(wanted, locate(wanted))
    assert [engine.name for engine in made] == ["file", "cedar", "opa", "grants"]
    assert (tmp_path / "home" / "grants.db").exists()
    for engine in made:
        engine.close()


def test_settings_that_do_not_agree_are_refused_here_too(tmp_path: Path) -> None:
    wanted = config(tmp_path, policy__engines=["opa", "file"])
    with pytest.raises(ConfigError) as caught:
        make_engines(wanted, locate(wanted))
    assert "opa.url" in caught.value.message
    assert "policy.file" in caught.value.message


def test_what_was_made_is_closed_when_the_next_cannot_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = FakePolicy()
    monkeypatch.setitem(engines._MAKERS, "grants", lambda config, locations: first)
    wanted = config(tmp_path, policy__engines=["grants", "file"], policy__file=str(tmp_path / "missing.yaml"))
    with pytest.raises(SqeError):
        make_engines(wanted, locate(wanted))
    assert first.closed


def test_a_point_as_the_settings_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only = FakePolicy("grants")
    monkeypatch.setitem(engines._MAKERS, "grants", lambda config, locations: only)
    wanted = config(tmp_path, policy__engines=["grants"], policy__mask_key="k" * 32)
    point = make_decision_point(wanted, locate(wanted))
    assert point.decide(ANN, [question()])[0].allow
    assert point.describe_at_start() == "the guard is on: grants decides"
    point.close()
    assert only.closed
