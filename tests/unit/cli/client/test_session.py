from __future__ import annotations

from pathlib import Path

import pytest

from sqe.cli.client.session import session_spec
from sqe.config.schema import Config
from sqe.errors import UsageError


@pytest.fixture
def plain(tmp_path: Path) -> Config:
    return Config.model_validate({"paths": {"home": tmp_path}})


@pytest.fixture
def configured(tmp_path: Path) -> Config:
    own = {"type": "warehouse", "path": tmp_path / "own"}
    return Config.model_validate(
        {"paths": {"home": tmp_path}, "catalogs": {"lake": {"uri": "https://c"}, "own": own}}
    )


def names(config: Config, warehouse: Path | None = None, memory: bool = False, *catalogs: str) -> list[str]:
    return [catalog.name for catalog in session_spec(config, warehouse, memory, catalogs).catalogs]


def test_without_configured_ones_there_is_the_default(plain: Config, tmp_path: Path) -> None:
    [default] = session_spec(plain, None, False, ()).catalogs
    assert (default.name, getattr(default, "path", None)) == ("iceberg", tmp_path / "warehouse")
    assert names(plain, None, False, "more=/m") == ["iceberg", "more"]


def test_configured_ones_are_the_session_s(configured: Config) -> None:
    assert names(configured) == ["lake", "own"]
    assert names(configured, None, False, "more=/m") == ["lake", "own", "more"]


def test_flags_come_before_configured_ones(configured: Config, tmp_path: Path) -> None:
    assert names(configured, tmp_path) == ["iceberg", "lake", "own"]
    assert names(configured, None, True) == ["iceberg", "lake", "own"]


def test_a_flag_replaces_the_configured_one_of_its_name(configured: Config) -> None:
    spec = session_spec(configured, None, False, ("lake=/mine",))
    assert [(catalog.name, getattr(catalog, "path", None)) for catalog in spec.catalogs][1:] == [
        ("lake", Path("/mine"))
    ]
    assert spec.catalogs[0].name == "own"


def test_the_same_name_twice_is_refused(plain: Config) -> None:
    for catalogs in (("lake=/a", "lake=/b"), ("iceberg=/a",)):
        with pytest.raises(UsageError, match="given twice"):
            names(plain, None, False, *catalogs)
