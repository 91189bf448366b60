from __future__ import annotations

import pyarrow as pa
import pytest

from sqe.engine import plans
from sqe.errors import DataError


def test_a_name_is_quoted_part_by_part() -> None:
    relation = plans.named_table(["iceberg", "a.b", "we`ird"])
    assert relation.read.named_table.unparsed_identifier == "`iceberg`.`a.b`.`we``ird`"


def test_rows_travel_in_types_that_spark_has() -> None:
    table = pa.table(
        {"n": pa.array([1, None], pa.uint8()), "t": pa.array([1, 2], pa.timestamp("s", tz="+01:00"))}
    )
    relation = plans.rows(table)
    sent = pa.ipc.open_stream(relation.local_relation.data).read_all()
    assert sent.schema.types == [pa.int16(), pa.timestamp("us", tz="UTC")]
    assert sent.column("n").to_pylist() == [1, None]


def test_no_rows_still_have_columns() -> None:
    sent = pa.ipc.open_stream(plans.rows(pa.table({"n": pa.array([], pa.int32())})).local_relation.data)
    assert sent.schema == pa.schema([("n", pa.int32())])


def test_rows_that_would_change_are_refused() -> None:
    with pytest.raises(DataError):
        plans.rows(pa.table({"t": pa.array([1], pa.timestamp("ns"))}))


def test_no_plan_has_an_id_by_which_spark_would_keep_it() -> None:
    made = [
        plans.statement("SELECT 1"),
        plans.named_table(["t"]),
        plans.rows(pa.table({"n": [1]})),
        plans.drop_view("v"),
    ]
    assert not [plan for plan in made if plan.HasField("common")]
