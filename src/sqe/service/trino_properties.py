"""List the session properties of Trino that SQE accepts without effect, with their types and defaults.

The names, types and defaults are those of Trino 476: its system properties, and the properties of its Iceberg
connector, which a client sets as `catalog.property`. Tools of Trino set them to tune its execution, which is not
SQE's. A default is empty where Trino computes it or has none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class PropertyType:
    name: str  # as SHOW SESSION of Trino shows it
    parse: Callable[[str], object]  # raises ValueError; equal values are equal however they are written


@dataclass(frozen=True, slots=True)
class Accepted:
    name: str
    type: PropertyType
    default: str
    fixed: bool = False  # it changes results, or a client relies on it: only the default is accepted

    def is_default(self, value: str) -> bool:
        """Whether a value is the default. Raises ValueError when the type does not have the value."""
        parsed = self.type.parse(value)
        return bool(self.default) and parsed == self.type.parse(self.default)


_INTEGER_TEXT = re.compile(r"[+-]?[0-9]+")
_DOUBLE_TEXT = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_QUANTITY = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([A-Za-z]+)\s*")

_DURATION_UNITS: Mapping[str, int] = {  # in nanoseconds
    "ns": 1,
    "us": 10**3,
    "ms": 10**6,
    "s": 10**9,
    "m": 60 * 10**9,
    "h": 3_600 * 10**9,
    "d": 86_400 * 10**9,
}
_SIZE_UNITS: Mapping[str, int] = {
    unit: 1024**power for power, unit in enumerate(("B", "kB", "MB", "GB", "TB", "PB", "EB"))
}


def _boolean(text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise ValueError(text)
    return text.lower() == "true"


def _integer(bits: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        # int() takes "1_000" and other digits than ASCII's as well, and long texts take it long.
        if not _INTEGER_TEXT.fullmatch(text) or len(text) > 40:
            raise ValueError(text)
        number = int(text)
        if not -(2 ** (bits - 1)) <= number < 2 ** (bits - 1):
            raise ValueError(text)
        return number

    return parse


def _double(text: str) -> float:
    if not _DOUBLE_TEXT.fullmatch(text):
        raise ValueError(text)
    return float(text)


def _quantity(units: Mapping[str, int]) -> Callable[[str], Decimal]:
    def parse(text: str) -> Decimal:
        match = _QUANTITY.fullmatch(text)
        if match is None or match[2] not in units:
            raise ValueError(text)
        return Decimal(match[1]) * units[match[2]]

    return parse


def _one_of(*values: str) -> PropertyType:
    def parse(text: str) -> str:
        if text.upper() not in values:
            raise ValueError(text)
        return text.upper()

    return PropertyType("varchar", parse)


def _text(text: str) -> str:
    return text


_BOOLEAN = PropertyType("boolean", _boolean)
_INTEGER = PropertyType("integer", _integer(32))
_BIGINT = PropertyType("bigint", _integer(64))
_DOUBLE = PropertyType("double", _double)
_TEXT = PropertyType("varchar", _text)
_TEXTS = PropertyType("array(varchar)", _text)
_DURATION = PropertyType("varchar", _quantity(_DURATION_UNITS))
_SIZE = PropertyType("varchar", _quantity(_SIZE_UNITS))

SYSTEM_PROPERTIES: tuple[Accepted, ...] = (
    Accepted("adaptive_partial_aggregation_enabled", _BOOLEAN, "true"),
    Accepted("adaptive_partial_aggregation_unique_rows_ratio_threshold", _DOUBLE, "0.8"),
    Accepted("aggregation_operator_unspill_memory_limit", _SIZE, "4MB"),
    Accepted("allow_pushdown_into_connectors", _BOOLEAN, "true"),
    Accepted("allow_unsafe_pushdown", _BOOLEAN, "false"),
    Accepted("close_idle_writers_trigger_duration", _DURATION, "5.00s"),
    Accepted("collect_plan_statistics_for_all_queries", _BOOLEAN, "false"),
    Accepted("colocated_join", _BOOLEAN, "true"),
    Accepted("columnar_filter_evaluation_enabled", _BOOLEAN, "true"),
    Accepted("complex_expression_pushdown", _BOOLEAN, "true"),
    Accepted("cost_estimation_worker_count", _INTEGER, ""),
    Accepted("default_filter_factor_enabled", _BOOLEAN, "false"),
    Accepted("determine_partition_count_for_write_enabled", _BOOLEAN, "false"),
    Accepted("dictionary_aggregation", _BOOLEAN, "false"),
    Accepted(
        "distinct_aggregations_strategy",
        _one_of("SINGLE_STEP", "MARK_DISTINCT", "PRE_AGGREGATE", "SPLIT_TO_SUBQUERIES", "AUTOMATIC"),
        "",
    ),
    Accepted("distributed_sort", _BOOLEAN, "true"),
    Accepted("dynamic_row_filtering_selectivity_threshold", _DOUBLE, "0.7"),
    Accepted("enable_dynamic_filtering", _BOOLEAN, "true"),
    Accepted("enable_dynamic_row_filtering", _BOOLEAN, "true"),
    Accepted("enable_forced_exchange_below_group_id", _BOOLEAN, "true"),
    Accepted("enable_intermediate_aggregations", _BOOLEAN, "false"),
    Accepted("enable_large_dynamic_filters", _BOOLEAN, "true"),
    Accepted("enable_stats_calculator", _BOOLEAN, "true"),
    Accepted("exchange_compression_codec", _one_of("NONE", "LZ4", "ZSTD"), "NONE"),
    Accepted("execution_policy", _TEXT, "phased"),
    Accepted("fault_tolerant_execution_adaptive_join_reordering_enabled", _BOOLEAN, "true"),
    Accepted("fault_tolerant_execution_adaptive_join_reordering_min_size_threshold", _SIZE, "5GB"),
    Accepted("fault_tolerant_execution_adaptive_join_reordering_size_difference_ratio", _DOUBLE, "1.5"),
    Accepted("fault_tolerant_execution_adaptive_query_planning_enabled", _BOOLEAN, "true"),
    Accepted(
        "fault_tolerant_execution_arbitrary_distribution_compute_task_target_size_growth_factor",
        _DOUBLE,
        "1.26",
    ),
    Accepted(
        "fault_tolerant_execution_arbitrary_distribution_compute_task_target_size_growth_period",
        _INTEGER,
        "64",
    ),
    Accepted("fault_tolerant_execution_arbitrary_distribution_compute_task_target_size_max", _SIZE, "50GB"),
    Accepted("fault_tolerant_execution_arbitrary_distribution_compute_task_target_size_min", _SIZE, "512MB"),
    Accepted(
        "fault_tolerant_execution_arbitrary_distribution_write_task_target_size_growth_factor",
        _DOUBLE,
        "1.26",
    ),
    Accepted(
        "fault_tolerant_execution_arbitrary_distribution_write_task_target_size_growth_period", _INTEGER, "64"
    ),
    Accepted("fault_tolerant_execution_arbitrary_distribution_write_task_target_size_max", _SIZE, "50GB"),
    Accepted("fault_tolerant_execution_arbitrary_distribution_write_task_target_size_min", _SIZE, "4GB"),
    Accepted("fault_tolerant_execution_coordinator_task_memory", _SIZE, "2GB"),
    Accepted("fault_tolerant_execution_hash_distribution_compute_task_target_size", _SIZE, "512MB"),
    Accepted("fault_tolerant_execution_hash_distribution_compute_task_to_node_min_ratio", _DOUBLE, "2.0"),
    Accepted("fault_tolerant_execution_hash_distribution_write_task_target_max_count", _INTEGER, "2000"),
    Accepted("fault_tolerant_execution_hash_distribution_write_task_target_size", _SIZE, "4GB"),
    Accepted("fault_tolerant_execution_hash_distribution_write_task_to_node_min_ratio", _DOUBLE, "2.0"),
    Accepted("fault_tolerant_execution_max_partition_count", _INTEGER, "50"),
    Accepted("fault_tolerant_execution_max_task_split_count", _INTEGER, "2048"),
    Accepted("fault_tolerant_execution_min_partition_count", _INTEGER, "4"),
    Accepted("fault_tolerant_execution_min_partition_count_for_write", _INTEGER, "50"),
    Accepted("fault_tolerant_execution_min_source_stage_progress", _DOUBLE, "0.2"),
    Accepted("fault_tolerant_execution_runtime_adaptive_partitioning_enabled", _BOOLEAN, "false"),
    Accepted("fault_tolerant_execution_runtime_adaptive_partitioning_max_task_size", _SIZE, "12GB"),
    Accepted("fault_tolerant_execution_runtime_adaptive_partitioning_partition_count", _INTEGER, "1000"),
    Accepted("fault_tolerant_execution_small_stage_estimation_enabled", _BOOLEAN, "true"),
    Accepted("fault_tolerant_execution_small_stage_estimation_threshold", _SIZE, "20GB"),
    Accepted("fault_tolerant_execution_small_stage_require_no_more_partitions", _BOOLEAN, "false"),
    Accepted("fault_tolerant_execution_small_stage_source_size_multiplier", _DOUBLE, "1.2"),
    Accepted("fault_tolerant_execution_stage_estimation_for_eager_parent_enabled", _BOOLEAN, "true"),
    Accepted("fault_tolerant_execution_standard_split_size", _SIZE, "64MB"),
    Accepted("fault_tolerant_execution_task_memory", _SIZE, "5GB"),
    Accepted("fault_tolerant_execution_task_memory_estimation_quantile", _DOUBLE, "0.9"),
    Accepted("fault_tolerant_execution_task_memory_growth_factor", _DOUBLE, "3.0"),
    Accepted("filter_and_project_min_output_page_row_count", _INTEGER, "256"),
    Accepted("filter_and_project_min_output_page_size", _SIZE, "500kB"),
    Accepted("filter_conjunction_independence_factor", _DOUBLE, "0.75"),
    Accepted("force_single_node_output", _BOOLEAN, "false"),
    Accepted("force_spilling_join", _BOOLEAN, "false"),
    Accepted("hide_inaccessible_columns", _BOOLEAN, "false"),
    Accepted("idle_writer_min_data_size_threshold", _SIZE, "256MB"),
    Accepted("ignore_downstream_preferences", _BOOLEAN, "false"),
    Accepted("ignore_stats_calculator_failures", _BOOLEAN, "true"),
    Accepted("incremental_hash_array_load_factor_enabled", _BOOLEAN, "true"),
    Accepted("initial_splits_per_node", _INTEGER, ""),
    Accepted("iterative_optimizer_timeout", _DURATION, "3.00m"),
    Accepted("join_distribution_type", _one_of("BROADCAST", "PARTITIONED", "AUTOMATIC"), "AUTOMATIC"),
    Accepted("join_max_broadcast_table_size", _SIZE, "100MB"),
    Accepted("join_multi_clause_independence_factor", _DOUBLE, "0.25"),
    Accepted("join_partitioned_build_min_row_count", _BIGINT, "1000000"),
    Accepted("join_reordering_strategy", _one_of("NONE", "ELIMINATE_CROSS_JOINS", "AUTOMATIC"), "AUTOMATIC"),
    Accepted("legacy_catalog_roles", _BOOLEAN, "false", fixed=True),
    Accepted("mark_distinct_strategy", _one_of("NONE", "ALWAYS", "AUTOMATIC"), ""),
    Accepted("max_drivers_per_task", _INTEGER, ""),
    Accepted("max_grouping_sets", _INTEGER, "2048"),
    Accepted("max_hash_partition_count", _INTEGER, "100"),
    Accepted("max_memory_per_partition_writer", _SIZE, "256MB"),
    Accepted("max_partial_top_n_memory", _SIZE, "16MB"),
    Accepted("max_recursion_depth", _INTEGER, "10"),
    Accepted("max_reordered_joins", _INTEGER, "8"),
    Accepted("max_tasks_waiting_for_execution_per_query", _INTEGER, "10"),
    Accepted("max_tasks_waiting_for_node_per_query", _INTEGER, "50"),
    Accepted("max_unacknowledged_splits_per_task", _INTEGER, "2000"),
    Accepted("max_writer_task_count", _INTEGER, "100"),
    Accepted("merge_project_with_values", _BOOLEAN, "true"),
    Accepted("min_hash_partition_count", _INTEGER, "4"),
    Accepted("min_hash_partition_count_for_write", _INTEGER, "50"),
    Accepted("min_input_rows_per_task", _BIGINT, "10000000"),
    Accepted("min_input_size_per_task", _SIZE, "5GB"),
    Accepted("non_estimatable_predicate_approximation_enabled", _BOOLEAN, "true"),
    Accepted("omit_datetime_type_precision", _BOOLEAN, "false", fixed=True),
    Accepted("optimize_duplicate_insensitive_joins", _BOOLEAN, "true"),
    Accepted("optimize_metadata_queries", _BOOLEAN, "false"),
    Accepted("optimize_top_n_ranking", _BOOLEAN, "true"),
    Accepted("page_partitioning_buffer_pool_size", _INTEGER, "8"),
    Accepted("pre_aggregate_case_aggregations_enabled", _BOOLEAN, "true"),
    Accepted("predicate_pushdown_use_table_properties", _BOOLEAN, "true"),
    Accepted("prefer_partial_aggregation", _BOOLEAN, "true"),
    Accepted("prefer_streaming_operators", _BOOLEAN, "false"),
    Accepted("push_aggregation_through_outer_join", _BOOLEAN, "true"),
    Accepted("push_filter_into_values_max_row_count", _INTEGER, "100"),
    Accepted("push_partial_aggregation_through_join", _BOOLEAN, "true"),
    Accepted("push_table_write_through_union", _BOOLEAN, "true"),
    Accepted("query_max_cpu_time", _DURATION, "1000000000.00d", fixed=True),
    Accepted("query_max_memory", _SIZE, "20GB"),
    Accepted("query_max_memory_per_node", _SIZE, ""),
    Accepted("query_max_planning_time", _DURATION, "10.00m"),
    Accepted("query_max_scan_physical_bytes", _SIZE, "", fixed=True),
    Accepted("query_max_stage_count", _INTEGER, "150"),
    Accepted("query_max_total_memory", _SIZE, ""),
    Accepted("query_priority", _INTEGER, "1"),
    Accepted("query_retry_attempts", _INTEGER, "4"),
    Accepted("redistribute_writes", _BOOLEAN, "true"),
    Accepted("remote_task_adaptive_update_request_size_enabled", _BOOLEAN, "true"),
    Accepted("remote_task_guaranteed_splits_per_request", _INTEGER, "3"),
    Accepted("remote_task_max_request_size", _SIZE, "8MB"),
    Accepted("remote_task_request_size_headroom", _SIZE, "2MB"),
    Accepted("required_workers_count", _INTEGER, "1"),
    Accepted("required_workers_max_wait_time", _DURATION, "5.00m"),
    Accepted("resource_overcommit", _BOOLEAN, "false"),
    Accepted("retry_delay_scale_factor", _DOUBLE, "2.0"),
    Accepted("retry_initial_delay", _DURATION, "10.00s"),
    Accepted("retry_max_delay", _DURATION, "1.00m"),
    Accepted("retry_policy", _one_of("TASK", "QUERY", "NONE"), "NONE"),
    Accepted("rewrite_filtering_semi_join_to_inner_join", _BOOLEAN, "true"),
    Accepted("scale_writers", _BOOLEAN, "true"),
    Accepted("skewed_partition_min_data_processed_rebalance_threshold", _SIZE, "200MB"),
    Accepted("skip_redundant_sort", _BOOLEAN, "true"),
    Accepted("spatial_join", _BOOLEAN, "true"),
    Accepted("spatial_partitioning_table_name", _TEXT, ""),
    Accepted("spill_enabled", _BOOLEAN, "false"),
    Accepted("split_concurrency_adjustment_interval", _DURATION, "100.00ms"),
    Accepted("spooling_enabled", _BOOLEAN, "true"),
    Accepted("statistics_cpu_timer_enabled", _BOOLEAN, "true"),
    Accepted("statistics_precalculation_for_pushdown_enabled", _BOOLEAN, "true"),
    Accepted("table_scan_node_partitioning_min_bucket_to_task_ratio", _DOUBLE, "0.5"),
    Accepted("task_concurrency", _INTEGER, ""),
    Accepted("task_max_writer_count", _INTEGER, ""),
    Accepted("task_min_writer_count", _INTEGER, "1"),
    Accepted("task_retry_attempts_per_task", _INTEGER, "4"),
    Accepted("task_scale_writers_enabled", _BOOLEAN, "true"),
    Accepted("task_share_index_loading", _BOOLEAN, "false"),
    Accepted("use_cost_based_partitioning", _BOOLEAN, "true"),
    Accepted("use_exact_partitioning", _BOOLEAN, "false"),
    Accepted("use_legacy_window_filter_pushdown", _BOOLEAN, "false"),
    Accepted("use_partial_distinct_limit", _BOOLEAN, "true"),
    Accepted("use_partial_topn", _BOOLEAN, "true"),
    Accepted("use_preferred_write_partitioning", _BOOLEAN, "true"),
    Accepted("use_table_scan_node_partitioning", _BOOLEAN, "true"),
    Accepted("writer_scaling_min_data_processed", _SIZE, "120MB"),
)

CATALOG_PROPERTIES: tuple[Accepted, ...] = (
    Accepted("bucket_execution_enabled", _BOOLEAN, "true"),
    Accepted("collect_extended_statistics_on_write", _BOOLEAN, "true"),
    Accepted("compression_codec", _one_of("NONE", "SNAPPY", "LZ4", "ZSTD", "GZIP"), "ZSTD"),
    Accepted("dynamic_filtering_wait_timeout", _DURATION, "1.00s"),
    Accepted("experimental_split_size", _SIZE, ""),
    Accepted("expire_snapshots_min_retention", _DURATION, "7.00d", fixed=True),
    Accepted("extended_statistics_enabled", _BOOLEAN, "true"),
    Accepted("file_based_conflict_detection_enabled", _BOOLEAN, "true"),
    Accepted("hive_catalog_name", _TEXT, "", fixed=True),
    Accepted("idle_writer_min_file_size", _SIZE, "16MB"),
    Accepted("incremental_refresh_enabled", _BOOLEAN, "true"),
    Accepted("max_partitions_per_writer", _INTEGER, "100"),
    Accepted("merge_manifests_on_write", _BOOLEAN, "true"),
    Accepted("minimum_assigned_split_weight", _DOUBLE, "0.05"),
    Accepted("orc_bloom_filters_enabled", _BOOLEAN, ""),
    Accepted("orc_lazy_read_small_ranges", _BOOLEAN, ""),
    Accepted("orc_max_buffer_size", _SIZE, ""),
    Accepted("orc_max_merge_distance", _SIZE, ""),
    Accepted("orc_max_read_block_size", _SIZE, ""),
    Accepted("orc_nested_lazy_enabled", _BOOLEAN, ""),
    Accepted("orc_stream_buffer_size", _SIZE, ""),
    Accepted("orc_string_statistics_limit", _SIZE, ""),
    Accepted("orc_tiny_stripe_threshold", _SIZE, ""),
    Accepted("orc_writer_max_dictionary_memory", _SIZE, ""),
    Accepted("orc_writer_max_row_group_rows", _INTEGER, ""),
    Accepted("orc_writer_max_stripe_rows", _INTEGER, ""),
    Accepted("orc_writer_max_stripe_size", _SIZE, ""),
    Accepted("orc_writer_min_stripe_size", _SIZE, ""),
    Accepted("orc_writer_validate_mode", _one_of("HASHED", "DETAILED", "BOTH"), "BOTH"),
    Accepted("orc_writer_validate_percentage", _DOUBLE, "0.0", fixed=True),
    Accepted("parquet_ignore_statistics", _BOOLEAN, "false", fixed=True),
    Accepted("parquet_max_read_block_row_count", _INTEGER, ""),
    Accepted("parquet_max_read_block_size", _SIZE, ""),
    Accepted("parquet_small_file_threshold", _SIZE, ""),
    Accepted("parquet_use_bloom_filter", _BOOLEAN, ""),
    Accepted("parquet_vectorized_decoding_enabled", _BOOLEAN, ""),
    Accepted("parquet_writer_batch_size", _INTEGER, ""),
    Accepted("parquet_writer_block_size", _SIZE, "128MB"),
    Accepted("parquet_writer_page_size", _SIZE, ""),
    Accepted("parquet_writer_page_value_count", _INTEGER, ""),
    Accepted("projection_pushdown_enabled", _BOOLEAN, "true"),
    Accepted("query_partition_filter_required", _BOOLEAN, "false", fixed=True),
    Accepted("query_partition_filter_required_schemas", _TEXTS, "[]", fixed=True),
    Accepted("remove_orphan_files_min_retention", _DURATION, "7.00d", fixed=True),
    Accepted("sorted_writing_enabled", _BOOLEAN, "true"),
    Accepted("statistics_enabled", _BOOLEAN, "true"),
    Accepted("target_max_file_size", _SIZE, "1GB"),
    Accepted("use_file_size_from_metadata", _BOOLEAN, "true"),
)
