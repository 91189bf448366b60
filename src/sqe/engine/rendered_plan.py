"""Read the engine's answer to a query that the local executor is to run, and give its batches Spark's form."""

from __future__ import annotations

import json
from dataclasses import dataclass

import pyarrow as pa
from pyspark.sql.connect.types import pyspark_types_to_proto_types
from pyspark.sql.types import StructType

from sqe.engine.arrow_types import from_spark, trino_types, with_trino_types
from sqe.executor.plan import FileScan, LocalPlan
from sqe.executor.stores import Store


@dataclass(frozen=True, slots=True)
class RenderedPlan:
    """A plan for the local executor, and the columns that Spark would have sent."""

    plan: LocalPlan
    columns: StructType
    zone: str
    own_zones: bool
    stores: tuple[Store, ...] = ()
    keys: str | None = None  # the control endpoint's reference to the keys that the engine has handed over

    @classmethod
    def from_answer(cls, text: str, *, own_zones: bool) -> RenderedPlan:
        """Read what `sqe.spark.local.LocalPlan` answers."""
        answer = json.loads(text)
        plan = LocalPlan(
            answer["sql"],
            tuple(answer["files"]),
            answer["bytes"],
            can_fail=answer["can_fail"],
            sizes=tuple(answer["sizes"]),
            scans=tuple(FileScan(tuple(scan["files"]), tuple(scan["columns"])) for scan in answer["scans"]),
        )
        columns = StructType.fromJson(json.loads(answer["schema"]))
        stores = tuple(map(Store.from_answer, answer["stores"]))
        return cls(plan, columns, answer["zone"], own_zones, stores, answer.get("keys"))

    def schema(self) -> pa.Schema:
        """Return the Arrow schema in which Spark sends these columns."""
        return pa.schema(
            [
                pa.field(
                    column.name,
                    from_spark(pyspark_types_to_proto_types(column.dataType), lambda: self.zone),
                    column.nullable,
                )
                for column in self.columns
            ]
        )

    def as_spark_sends(self, batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
        """Return a batch of the executor with Spark's names and types."""
        columns = [
            column if column.type == field.type else column.cast(field.type)
            for column, field in zip(batch.columns, schema, strict=True)
        ]
        made = pa.RecordBatch.from_arrays(columns, schema=schema)
        return with_trino_types(made, trino_types(self.columns), own_zones=self.own_zones)
