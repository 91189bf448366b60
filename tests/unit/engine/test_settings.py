from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from sqe.config.load import load
from sqe.engine.settings import PINNED, spark_settings
from sqe.errors import ConfigError

JARS = (Path("/cache/guard/1.jar"), Path("/cache/jars/iceberg runtime.jar"))


def settings(**flags: Any) -> Mapping[str, str]:
    config = load(None, {}, {name.replace("__", "."): value for name, value in flags.items()})
    return spark_settings(config, jars=JARS, cores=3, scratch=Path("/run/scratch"))


def test_a_local_engine_is_sized_by_its_cores_and_seen_by_this_machine_only() -> None:
    found = settings()
    assert found["spark.sql.shuffle.partitions"] == "3"
    assert found["spark.driver.bindAddress"] == "127.0.0.1"
    assert found["spark.connect.grpc.binding.address"] == "127.0.0.1"
    assert "spark.jars" not in found  # they are on its class path
    assert found["spark.hadoop.fs.file.impl"] == "sqe.spark.catalog.LocalFiles"


def test_the_executors_of_a_cluster_get_our_jars_and_find_the_driver() -> None:
    found = settings(engine__master="spark://host:7077")
    assert found["spark.jars"] == "file:///cache/guard/1.jar,file:///cache/jars/iceberg%20runtime.jar"
    assert found["spark.connect.grpc.binding.address"] == "127.0.0.1"
    assert "spark.driver.host" not in found
    assert "spark.hadoop.fs.file.impl" not in found  # executors use files before they have our jars
    assert "spark.sql.shuffle.partitions" not in found  # this machine's cores say nothing about the cluster


def test_the_users_own_jars_come_on_top() -> None:
    found = settings(engine__master="yarn", engine__settings={"spark.jars": "file:///mine.jar"})
    assert found["spark.jars"].endswith("runtime.jar,file:///mine.jar")


@pytest.mark.parametrize("master", ["local[2]", "spark://host:7077"])
def test_shuffle_partitions_can_be_chosen(master: str) -> None:
    found = settings(engine__master=master, engine__shuffle_partitions=50)
    assert found["spark.sql.shuffle.partitions"] == "50"


@pytest.mark.parametrize(
    ("master", "given"),
    [
        ("local[*]", "local[fair:3]"),
        ("local[2]", "local[fair:2]"),
        ("local", "local[fair:1]"),
        ("local[2, 4]", "local[fair:2:4]"),
        ("spark://host:7077", "spark://host:7077"),
    ],
)
def test_a_local_engine_has_a_scheduler_that_shares_its_cores(master: str, given: str) -> None:
    found = settings(engine__master=master)
    assert found["spark.master"] == given
    assert found["spark.scheduler.mode"] == ("FIFO" if given.startswith("local") else "FAIR")


@pytest.mark.parametrize("pin", PINNED, ids=lambda pin: pin.key)
def test_what_is_pinned_cannot_be_set(pin: Any) -> None:
    assert settings()[pin.key] == pin.value
    with pytest.raises(ConfigError, match=pin.key) as caught:
        settings(engine__settings={pin.key: "other"})
    assert pin.reason in (caught.value.hint or "")
