from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sqe.cli.policy_test.test_bed import PolicyTestGateway
from sqe.config.schema import Config
from sqe.errors import GatewayError, UsageError
from sqe.frontends.flight.wire import Impersonation
from sqe.model.session import Dialect, RestCatalog, WarehouseCatalog


def settings(home: Path, catalogs: dict[str, Any], admins: tuple[str, ...] = ()) -> Config:
    return Config.model_validate(
        {"paths": {"home": home}, "catalogs": catalogs, "policy": {"admins": admins}}, strict=False
    )


def test_warehouses_are_replaced_by_empty_ones_and_rest_catalogs_are_not(tmp_path: Path) -> None:
    config = settings(tmp_path, {"lake": {"type": "warehouse", "path": "/data"}, "far": {"uri": "https://c"}})
    gateway = PolicyTestGateway(config)
    lake, far = gateway.new_test_bed().catalogs
    assert isinstance(lake, WarehouseCatalog)
    assert lake.name == "lake"
    assert lake.path is not None
    assert lake.path.is_relative_to(tmp_path)
    assert list(lake.path.iterdir()) == []
    assert isinstance(far, RestCatalog)
    assert gateway.new_test_bed().catalogs[0] != lake  # another file of cases has others


def test_without_any_catalog_there_is_the_default_one(tmp_path: Path) -> None:
    [catalog] = PolicyTestGateway(settings(tmp_path, {})).new_test_bed().catalogs
    assert catalog.name == "iceberg"


@pytest.mark.parametrize(
    ("admins", "who"),
    [
        ((), Impersonation("setup", trusted=True)),
        (("user:ada", "role:x"), Impersonation("ada", trusted=True)),
        (("role:x",), Impersonation("setup", frozenset({"x"}), trusted=True)),
        (("group:y:z",), Impersonation("setup", groups=frozenset({"y:z"}), trusted=True)),
    ],
)
def test_setup_runs_as_an_administrator(tmp_path: Path, admins: tuple[str, ...], who: Impersonation) -> None:
    assert PolicyTestGateway(settings(tmp_path, {}, admins)).new_test_bed().administrator == who


def test_nothing_is_prepared_in_catalogs_that_stay(tmp_path: Path) -> None:
    test_bed = PolicyTestGateway(settings(tmp_path, {"far": {"uri": "https://c"}})).new_test_bed()
    test_bed.prepare(())
    with pytest.raises(UsageError, match="need a catalog of type warehouse"):
        test_bed.prepare(("CREATE SCHEMA s",))


def test_without_a_gateway_there_is_no_answer(tmp_path: Path) -> None:
    with pytest.raises(GatewayError):
        PolicyTestGateway(settings(tmp_path, {})).new_test_bed().run_query(
            Impersonation("ann"), "SELECT 1", Dialect.SPARK
        )
