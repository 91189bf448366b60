from __future__ import annotations

import pyarrow as pa
import pytest

from sqe.frontends.flight.columns import agreed, conformed, described
from sqe.model.months import readable_batch

STRICT = pa.field("x", pa.int64(), nullable=False)
ELEMENTS = {
    nullable: pa.list_(pa.field("element", pa.int64(), nullable=nullable)) for nullable in (True, False)
}


@pytest.mark.parametrize(
    ("planned", "actual"),
    [
        (pa.field("x", pa.int64()), STRICT),
        (pa.field("x", ELEMENTS[True]), pa.field("x", ELEMENTS[False])),
        (
            pa.field("x", pa.struct([pa.field("a", ELEMENTS[True])])),
            pa.field("x", pa.struct([pa.field("a", ELEMENTS[False], nullable=False)]), nullable=False),
        ),
        (
            pa.field("x", pa.map_(pa.string(), pa.int64())),
            pa.field("x", pa.map_(pa.string(), pa.field("value", pa.int64(), nullable=False))),
        ),
    ],
    ids=lambda field: str(field.type),
)
def test_the_plan_holds_where_only_nullability_differs(planned: pa.Field, actual: pa.Field) -> None:
    chosen = agreed(pa.schema([planned]), pa.schema([actual]))
    assert chosen == pa.schema([planned])
    batch = conformed(pa.RecordBatch.from_pylist([], schema=pa.schema([actual])), chosen)
    assert batch.schema == chosen


def test_what_really_comes_holds_where_types_differ() -> None:
    planned, actual = pa.schema([("x", pa.string())]), pa.schema([("x", pa.date32())])
    assert agreed(planned, actual) == actual
    assert agreed(pa.schema([("y", pa.date32())]), actual) == actual
    assert agreed(pa.schema([]), actual) == actual


def test_values_survive() -> None:
    batch = pa.record_batch(
        [pa.array([[1, 2], []], ELEMENTS[False])], schema=pa.schema([("x", ELEMENTS[False])])
    )
    target = pa.schema([("x", ELEMENTS[True])])
    assert conformed(batch, target).to_pylist() == [{"x": [1, 2]}, {"x": []}]


def test_a_type_that_sql_does_not_have_keeps_its_arrow_name() -> None:
    [column] = described(pa.schema([("x", pa.dense_union([pa.field("a", pa.int32())]))]))
    assert column.metadata[b"ARROW:FLIGHT:SQL:TYPE_NAME"].startswith(b"dense_union")


def test_what_a_column_says_already_is_kept() -> None:
    [column] = described(pa.schema([pa.field("x", pa.string(), metadata={"a": "b"})]))
    assert column.metadata[b"a"] == b"b"
    assert column.metadata[b"ARROW:FLIGHT:SQL:TYPE_NAME"] == b"varchar"


def month_interval() -> pa.DataType:
    """Arrow's interval of months, for which pyarrow has no name: here it is read from a message that has it."""
    from sqe.engine.arrow_types import MONTHS

    return MONTHS


def months(*numbers: int | None) -> pa.RecordBatch:
    """A batch as Spark sends it, whose column pyarrow cannot touch."""
    plain = pa.record_batch(
        {"m": pa.array(numbers, pa.int32()), "n": pa.array(range(len(numbers)), pa.int64())}
    )
    schema = pa.schema([("m", month_interval()), ("n", pa.int64())])
    return readable_batch(plain, schema)


@pytest.mark.parametrize("numbers", [(14, None, -3), (), (None,)])
def test_months_are_sent_so_that_clients_can_read_them(numbers: tuple[int | None, ...]) -> None:
    batch = months(*numbers)
    columns = described(batch.schema)
    assert columns.field("m").type == pa.month_day_nano_interval()
    assert columns.field("m").metadata[b"ARROW:FLIGHT:SQL:TYPE_NAME"] == b"interval year to month"
    sent = conformed(batch, columns)
    sent.validate(full=True)
    wanted = [None if number is None else (number, 0, 0) for number in numbers]
    assert [value if value is None else tuple(value) for value in sent.column("m").to_pylist()] == wanted


@pytest.mark.parametrize("numbers", [(1, 2, None, 4, 5, None), (1, 2, 3, 4, 5, 6)])
def test_a_slice_of_months_is_the_right_one(numbers: tuple[int | None, ...]) -> None:
    batch = months(*numbers * 5).slice(7, 20)
    sent = conformed(batch, described(batch.schema)).column("m").to_pylist()
    assert [value and value.months for value in sent] == list((numbers * 5)[7:27])
