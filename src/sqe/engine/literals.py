"""Convert statement parameters to Spark Connect literals, so that they never become SQL text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyspark.sql.connect.proto as pb2

from sqe.engine.arrow_types import spark_arrow_type, to_spark
from sqe.errors import DataError, UnsupportedError

Literal = pb2.Expression.Literal


def literal(value: pa.Scalar) -> pb2.Expression:
    """Return a value as a Spark expression. Raises UnsupportedError, and DataError if Spark cannot hold it exactly."""
    own = _spark_value(value)
    made = _literal(own)
    if pa.types.is_nested(own.type):
        made.data_type.CopyFrom(to_spark(own.type))  # Spark cannot derive it from the elements
    return pb2.Expression(literal=made)


def null(arrow: pa.DataType) -> pb2.Expression:
    """Return NULL of a type."""
    return pb2.Expression(literal=_null(arrow))


def _spark_value(value: pa.Scalar) -> pa.Scalar:
    own = spark_arrow_type(value.type)
    if own == value.type:
        return value
    try:
        return pc.cast(value, own)
    except pa.ArrowInvalid as error:
        raise DataError(
            f"A parameter of type {value.type} cannot be bound: {error}.",
            hint=f"Spark keeps such values as {own}; round it first.",
        ) from error
    except pa.ArrowNotImplementedError as error:
        raise UnsupportedError(
            f"A parameter of type {value.type} cannot be bound.", detail=str(error)
        ) from error


def _null(arrow: pa.DataType) -> Literal:
    spark = to_spark(arrow)
    return Literal(null=spark, data_type=spark)


def _literal(value: pa.Scalar) -> Literal:
    if not value.is_valid:
        return _null(value.type)
    if value.type in _MAKERS:
        return _MAKERS[value.type](value)
    if pa.types.is_decimal(value.type):
        return Literal(
            decimal=Literal.Decimal(
                value=format(value.as_py(), "f"), precision=value.type.precision, scale=value.type.scale
            )
        )
    if pa.types.is_struct(value.type):
        # By position: a struct may have two fields of one name.
        parts = [_literal(value[index]) for index in range(value.type.num_fields)]
        return Literal(struct=Literal.Struct(elements=parts))
    if pa.types.is_map(value.type):
        entries = value.values
        return Literal(map=Literal.Map(keys=_elements(entries.field(0)), values=_elements(entries.field(1))))
    return Literal(array=Literal.Array(elements=_elements(value.values)))


def _elements(values: pa.Array) -> list[Literal]:
    return [_literal(element) for element in values]


def _interval(value: pa.Scalar) -> Literal:
    """Return a year-month interval for months alone, else a calendar interval: Arrow has one type for both."""
    parts = value.as_py()
    if not parts.days and not parts.nanoseconds:
        return Literal(year_month_interval=parts.months)
    if parts.nanoseconds % 1000:
        raise DataError("An interval of nanoseconds cannot be bound.", hint="Spark keeps microseconds.")
    return Literal(
        calendar_interval=Literal.CalendarInterval(
            months=parts.months, days=parts.days, microseconds=parts.nanoseconds // 1000
        )
    )


def _plain(kind: str) -> Callable[[pa.Scalar], Literal]:
    return lambda value: Literal(**{kind: value.as_py()})


def _number(kind: str) -> Callable[[pa.Scalar], Literal]:
    """Return a maker for counts of days or microseconds; `as_py` fails for years that Python's dates do not have."""
    return lambda value: Literal(**{kind: value.value})


def _time(value: pa.Scalar) -> Literal:
    return Literal(time=Literal.Time(nano=value.value, precision=6))


_MAKERS: dict[pa.DataType, Callable[[Any], Literal]] = {
    pa.bool_(): _plain("boolean"),
    pa.int8(): _plain("byte"),
    pa.int16(): _plain("short"),
    pa.int32(): _plain("integer"),
    pa.int64(): _plain("long"),
    pa.float32(): _plain("float"),
    pa.float64(): _plain("double"),
    pa.string(): _plain("string"),
    pa.binary(): _plain("binary"),
    pa.date32(): _number("date"),
    pa.timestamp("us"): _number("timestamp_ntz"),
    pa.timestamp("us", tz="UTC"): _number("timestamp"),
    pa.duration("us"): _number("day_time_interval"),
    pa.time64("ns"): _time,
    pa.month_day_nano_interval(): _interval,
}
