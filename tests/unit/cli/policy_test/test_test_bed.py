from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sqe.cli.policy_test.test_bed import Trial
from sqe.config.schema import Config
from sqe.errors import GatewayError, UsageError
from sqe.frontends.flight.stand_in import StandIn
from sqe.model.session import Dialect, RestCatalog, WarehouseCatalog


def settings(home: Path, catalogs: dict[str, Any], admins: tuple[str, ...] = ()) -> Config:
    return Config.model_validate(
        {"paths": {"home": home}, "catalogs": catalogs, "policy": {"admins": admins}}, strict=False
    )


def test_warehouses_are_replaced_by_empty_ones_and_rest_catalogs_are_not(tmp_path: Path) -> None:
    config = settings(tmp_path, {"lake": {"type": "warehouse", "path": "/data"}, "far": {"uri": "https://c"}})
    trial = Trial(config)
    lake, far = trial.ground().catalogs
    assert isinstance(lake, WarehouseCatalog)
    assert lake.name == "lake"
    assert lake.path is not None
    assert lake.path.is_relative_to(tmp_path)
    assert list(lake.path.iterdir()) == []
    assert isinstance(far, RestCatalog)
    assert trial.ground().catalogs[0] != lake  # another file of cases has others


def test_without_any_catalog_there_is_the_default_one(tmp_path: Path) -> None:
    [catalog] = Trial(settings(tmp_path, {})).ground().catalogs
    assert catalog.name == "iceberg"


@pytest.mark.parametrize(
    ("admins", "who"),
    [
        ((), StandIn("setup", trusted=True)),
        (("user:ada", "role:x"), StandIn("ada", trusted=True)),
        (("role:x",), StandIn("setup", frozenset({"x"}), trusted=True)),
        (("group:y:z",), StandIn("setup", groups=frozenset({"y:z"}), trusted=True)),
    ],
)
def test_whoever_prepares_may_administer(tmp_path: Path, admins: tuple[str, ...], who: StandIn) -> None:
    assert Trial(settings(tmp_path, {}, admins)).ground().administrator == who


def test_nothing_is_prepared_in_catalogs_that_stay(tmp_path: Path) -> None:
    ground = Trial(settings(tmp_path, {"far": {"uri": "https://c"}})).ground()
    ground.prepare(())
    with pytest.raises(UsageError, match="no throw-away warehouse"):
        ground.prepare(("CREATE SCHEMA s",))


def test_without_a_gateway_there_is_no_answer(tmp_path: Path) -> None:
    with pytest.raises(GatewayError):
        Trial(settings(tmp_path, {})).ground().ask(StandIn("ann"), "SELECT 1", Dialect.SPARK)
