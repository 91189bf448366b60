from __future__ import annotations

from pathlib import Path

import pytest

from sqe.config import load
from sqe.engine.sessions import session_settings
from sqe.engine.source import RemoteEngine
from sqe.model.session import SessionSpec, WarehouseCatalog

CATALOGS = (WarehouseCatalog("lake", Path("lake")), WarehouseCatalog("Other", Path("other")))
PATHS = {"lake": Path("lake"), "Other": Path("other")}


class OwnEngine(RemoteEngine):
    own = True

    def __init__(self) -> None: ...


def settings(spec: SessionSpec) -> dict[str, str]:
    return session_settings(spec, PATHS, OwnEngine())


def test_a_session_starts_in_its_first_catalog() -> None:
    made = settings(SessionSpec(CATALOGS))
    assert made["spark.sql.defaultCatalog"] == "lake"
    assert made["spark.sql.catalog.lake.default-namespace"] == "default"
    assert "spark.sql.session.timeZone" not in made


def test_the_gateways_own_catalog_is_not_sparks() -> None:
    made = settings(SessionSpec(CATALOGS, catalog="System", namespace="runtime"))
    assert made["spark.sql.defaultCatalog"] == CATALOGS[0].name
    assert made[f"spark.sql.catalog.{CATALOGS[0].name}.default-namespace"] == "default"


@pytest.mark.parametrize("name", ["Other", "other", "OTHER"])
def test_a_session_may_start_elsewhere(name: str) -> None:
    made = settings(SessionSpec(CATALOGS, catalog=name, namespace="a.b", time_zone="Asia/Tokyo"))
    assert made["spark.sql.defaultCatalog"] == "Other"
    assert made["spark.sql.catalog.Other.default-namespace"] == "a.b"
    assert made["spark.sql.catalog.lake.default-namespace"] == "default"
    assert made["spark.sql.session.timeZone"] == "Asia/Tokyo"


def test_a_catalog_that_is_not_there_is_left_to_spark() -> None:
    assert settings(SessionSpec(CATALOGS, catalog="nowhere"))["spark.sql.defaultCatalog"] == "nowhere"


def test_no_catalogs_no_current_one() -> None:
    assert session_settings(SessionSpec(()), {}, OwnEngine()) == {}


def test_a_stock_server_gets_no_class_of_ours() -> None:
    config = load(None, {"SQE_ENGINE__URL": "sc://localhost:1"})
    made = session_settings(SessionSpec(CATALOGS), PATHS, RemoteEngine(config))
    assert not [value for value in made.values() if "sqe.spark" in value]
    assert [key for key, value in settings(SessionSpec(CATALOGS)).items() if "sqe.spark.ChangedRows" in value]
