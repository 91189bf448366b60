"""Session properties: those with effect, and those of Trino that are accepted without."""

from __future__ import annotations

from pathlib import Path

import pytest

from sqe.errors import UsageError
from sqe.service import properties
from sqe.service.trino_properties import CATALOG_PROPERTIES, SYSTEM_PROPERTIES, Accepted


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("join_distribution_type", "broadcast"),
        ("JOIN_DISTRIBUTION_TYPE", "AUTOMATIC"),
        ("task_concurrency", "16"),
        ("spill_enabled", "TRUE"),
        ("join_partitioned_build_min_row_count", "3000000000"),
        ("retry_delay_scale_factor", "2.5"),
        ("query_max_memory", "1.5GB"),
        ("query_max_planning_time", "90 s"),
        ("ignore_stats_calculator_failures", "false"),
        ("execution_policy", "legacy"),
        ("iceberg.merge_manifests_on_write", "false"),
        ("any.catalog.compression_codec", "gzip"),
        ("lake.dynamic_filtering_wait_timeout", "0s"),
        ("query_max_execution_time", "10m"),
    ],
)
def test_a_property_of_trino_is_accepted(name: str, value: str) -> None:
    properties.check(name, value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("join_distribution_type", "sideways"),
        ("task_concurrency", "many"),
        ("task_concurrency", "1_000"),
        ("task_concurrency", "3000000000"),
        ("task_concurrency", "1.5"),
        ("spill_enabled", "yes"),
        ("join_partitioned_build_min_row_count", "9223372036854775808"),
        ("retry_delay_scale_factor", "1_0"),
        ("query_max_memory", "1g"),
        ("query_max_memory", "100"),
        ("query_max_planning_time", "90"),
        ("query_max_planning_time", "1h30m"),
        ("lake.compression_codec", "BROTLI"),
        ("query_max_execution_time", "soon"),
    ],
)
def test_a_value_has_to_be_of_the_type(name: str, value: str) -> None:
    with pytest.raises(UsageError, match="is no value for the session property"):
        properties.check(name, value)


@pytest.mark.parametrize(
    "name",
    [
        "colour",
        "lake.colour",
        "lake.task_concurrency",
        "merge_manifests_on_write",
        ".compression_codec",
        "lake.",
    ],
)
def test_an_unknown_name_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="does not exist"):
        properties.check(name, "1")


@pytest.mark.parametrize(
    ("name", "value", "default"),
    [
        ("query_max_cpu_time", "1h", "1000000000d"),
        ("omit_datetime_type_precision", "true", "FALSE"),
        ("legacy_catalog_roles", "true", "false"),
        ("lake.query_partition_filter_required", "true", "false"),
        ("lake.query_partition_filter_required_schemas", '["a"]', "[]"),
        ("lake.parquet_ignore_statistics", "true", "false"),
        ("lake.expire_snapshots_min_retention", "30d", "168h"),
        ("lake.orc_writer_validate_percentage", "10", "0"),
    ],
)
def test_what_a_client_relies_on_is_accepted_only_with_its_default(
    name: str, value: str, default: str
) -> None:
    properties.check(name, default)
    with pytest.raises(UsageError, match="SQE does not have this behavior"):
        properties.check(name, value)


@pytest.mark.parametrize("name", ["query_max_scan_physical_bytes", "lake.hive_catalog_name"])
def test_what_has_no_default_cannot_be_set(name: str) -> None:
    with pytest.raises(UsageError) as caught:
        properties.check(name, "1GB")
    assert caught.value.hint == "It cannot be set."


@pytest.mark.parametrize("item", [*SYSTEM_PROPERTIES, *CATALOG_PROPERTIES], ids=lambda item: item.name)
def test_a_default_is_a_value(item: Accepted) -> None:
    assert not item.default or item.is_default(item.default)


def test_a_name_is_listed_once() -> None:
    names = [item.name for item in properties.known_properties(["lake", "b"])]
    assert len(names) == len(set(names))
    system = [name for name in names if "." not in name]
    assert system == sorted(system)
    assert names.index("b.compression_codec") < names.index("lake.compression_codec")


def test_the_description_tells_that_there_is_no_effect() -> None:
    shown = {item.name: item for item in properties.known_properties(["lake"])}
    assert "without effect" in shown["task_concurrency"].description
    assert "only with Trino's default" in shown["lake.parquet_ignore_statistics"].description
    assert shown["query_max_memory"].default == "20GB"
    assert shown["lake.max_partitions_per_writer"].type == "integer"


@pytest.mark.parametrize(
    ("given", "seconds"),
    [
        ({}, None),
        ({"query_max_run_time": "10m"}, 600.0),
        ({"query_max_execution_time": "5m"}, 300.0),
        ({"query_max_run_time": "10m", "query_max_execution_time": "5m"}, 300.0),
        ({"query_max_run_time": "1m", "query_max_execution_time": "5m"}, 60.0),
    ],
)
def test_the_shorter_limit_holds(given: dict[str, str], seconds: float | None) -> None:
    assert properties.run_time(given) == seconds


def test_the_documentation_names_what_is_refused() -> None:
    text = (Path(__file__).parents[3] / "docs" / "sql.md").read_text(encoding="utf-8")
    for item in (*SYSTEM_PROPERTIES, *CATALOG_PROPERTIES):
        assert (f"`{item.name}`" in text) == item.fixed, item.name
