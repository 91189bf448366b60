"""Expressions on edge values: for every form that the renderer has, what is compared with Spark."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tests.executor.edge_tables import DECIMALS, VALUES

ALL = tuple(VALUES)
INTEGERS = ("ints", "longs")
FLOATS = ("floats", "doubles")
WIDE_DECIMALS = ("dec_38_0", "dec_38_18")
# Not rendered, besides sums with a scale that Spark makes smaller.
DIGITS_LOST = {("Divide", "dec_5_5", "dec_38_0")}
_LEAST_LONG = VALUES["longs"][1][0]


@dataclass(frozen=True)
class Case:
    """An expression of the columns of an edge table.

    `fits` is true where Spark computes it without an error, in SQL that only Spark has to understand.
    """

    form: str
    table: str
    sql: str
    fits: str | None = None
    zone: str = "UTC"


def _null_or(condition: str, *columns: str) -> str:
    return " OR ".join([f"({condition})", *(f"{column} IS NULL" for column in columns)])


def _tried(function: str, *columns: str) -> str:
    return _null_or(f"{function} IS NOT NULL", *columns)


def cases() -> Iterator[Case]:
    """Return all cases."""
    yield from _of_every_type()
    yield from _logic()
    yield from _arithmetic()
    yield from _decimal_arithmetic()
    yield from _casts()
    yield from _dates()
    yield from _texts()
    yield from _zones()


def _some_values(table: str) -> list[str]:
    """Constants of a type, the first ones of its table."""
    type_name, values = VALUES[table]
    return [f"CAST({value} AS {type_name})" for value in values[:14]]


def _of_every_type() -> Iterator[Case]:
    for table in ALL:
        few = _some_values(table)
        yield Case("AttributeReference", table, "a")
        yield Case("Alias", table, "struct(a AS x, b AS y).x")
        yield Case("IsNull", table, "a IS NULL")
        yield Case("IsNotNull", table, "a IS NOT NULL")
        yield Case("Coalesce", table, "coalesce(a, b)")
        yield Case("Coalesce", table, f"coalesce(a, b, {few[0]})")
        yield Case("CheckedValue", table, "greatest(a, b)")
        yield Case("Greatest", table, "greatest(a, b)")
        yield Case("Least", table, f"least(b, a, {few[-1]})")
        if table == "bytes":
            continue  # not rendered: test_scans.py shows why
        for form, operator in (
            *(("EqualTo", "="), ("EqualNullSafe", "<=>"), ("LessThan", "<"), ("LessThanOrEqual", "<=")),
            *(("GreaterThan", ">"), ("GreaterThanOrEqual", ">="), ("Not", "<>")),
        ):
            yield Case(form, table, f"a {operator} b")
            yield Case("Literal", table, f"a {operator} {few[0]}")
            yield Case("Literal", table, f"a {operator} {few[-1]}")
        yield Case("In", table, "a IN (b, NULL)")
        yield Case("In", table, f"a IN ({few[0]}, b)")
        yield Case("In", table, f"a NOT IN ({few[0]}, {few[-1]})")
        yield Case(
            "InSet", table, f"a IN ({', '.join(few)})" if len(few) > 10 else f"a IN ({few[0]}, {few[1]})"
        )
        if len(few) > 10:
            yield Case("InSet", table, f"a NOT IN ({', '.join(few)}, NULL)")
        yield Case("CaseWhen", table, "CASE WHEN a < b THEN a WHEN a IS NULL THEN b END")
        yield Case("CaseWhen", table, f"CASE a WHEN {few[0]} THEN b WHEN b THEN {few[-1]} ELSE a END")
        yield Case("If", table, "if(a = b, a, b)")
        yield Case("Coalesce", table, "nullif(a, b)")
    for table in FLOATS:
        yield Case("IsNaN", table, "isnan(a)")
        yield Case("IsNaN", table, "NOT isnan(b)")


def _logic() -> Iterator[Case]:
    for form, sql in (("And", "a AND b"), ("Or", "a OR b"), ("Not", "NOT a"), ("Not", "NOT (a AND NOT b)")):
        yield Case(form, "booleans", sql)


def _arithmetic() -> Iterator[Case]:
    for table in (*INTEGERS, *FLOATS):
        for form, operator, name in (
            *(("Add", "+", "try_add"), ("Subtract", "-", "try_subtract"), ("Multiply", "*", "try_multiply")),
            ("Remainder", "%", "try_mod"),
        ):
            if form != "Remainder" or table in INTEGERS:
                fits = _tried(f"{name}(a, b)", "a", "b") if table in INTEGERS else None
                yield Case(form, table, f"a {operator} b", fits)
        yield Case("Divide", table, "a / b", _null_or("b <> 0", "a", "b"))
        if table in INTEGERS:
            smallest = VALUES[table][1][0]
            yield Case(
                "IntegralDivide",
                table,
                "a div b",
                _null_or(f"b <> 0 AND NOT (a = {_LEAST_LONG} AND b = -1)", "a", "b"),
            )
            yield Case("UnaryMinus", table, "-a", _null_or(f"a <> {smallest}", "a"))
            yield Case("Abs", table, "abs(a)", _null_or(f"a <> {smallest}", "a"))
        else:
            yield Case("UnaryMinus", table, "-a")
            yield Case("Abs", table, "abs(a)")
    for name in ("tinyint", "smallint"):
        one, two = f"CAST(a AS {name})", f"CAST(b AS {name})"
        for form, operator, function in (
            *(("Add", "+", "try_add"), ("Subtract", "-", "try_subtract"), ("Multiply", "*", "try_multiply")),
            ("Remainder", "%", "try_mod"),
        ):
            tried = f"{function}(try_cast(a AS {name}), try_cast(b AS {name}))"
            fits = f"({_tried(tried, 'a', 'b')}) AND ({_tried(f'try_cast(a AS {name})', 'a')})"
            fits += f" AND ({_tried(f'try_cast(b AS {name})', 'b')})"
            yield Case(form, "ints", f"{one} {operator} {two}", fits)


def _decimal_arithmetic() -> Iterator[Case]:
    for one in DECIMALS:
        if one not in WIDE_DECIMALS:  # which Spark rounds to 34 digits
            yield Case("UnaryMinus", one, "-a")
            yield Case("Abs", one, "abs(a)")
        for two in DECIMALS:
            for form, operator, name in (
                *(
                    ("Add", "+", "try_add"),
                    ("Subtract", "-", "try_subtract"),
                    ("Multiply", "*", "try_multiply"),
                ),
                ("Divide", "/", "try_divide"),
            ):
                if (form, one, two) in DIGITS_LOST or (
                    form in {"Add", "Subtract"} and "dec_38_18" in {one, two}
                ):
                    continue
                fits = _tried(f"{name}({one}, {two})", one, two)
                yield Case(f"{form} decimals", "decimals", f"{one} {operator} {two}", fits)


def _casts() -> Iterator[Case]:
    names = ("TINYINT", "SMALLINT", "INT", "BIGINT")
    decimals = tuple(VALUES[name][0] for name in DECIMALS)
    wanted: dict[str, tuple[str, ...]] = {
        "ints": (*names, "FLOAT", "DOUBLE", "STRING", *decimals),
        "longs": (*names, "FLOAT", "DOUBLE", "STRING", *decimals),
        "booleans": ("INT", "BIGINT", "STRING"),
        "floats": (*names, "DOUBLE"),
        "doubles": names,
        "days": ("STRING",),
        **dict.fromkeys(DECIMALS, (*names, "DOUBLE", *decimals)),
    }
    for table, targets in wanted.items():
        for target in targets:
            if VALUES[table][0] != target:
                yield Case("Cast", table, f"CAST(a AS {target})", _tried(f"try_cast(a AS {target})", "a"))
    for name in ("dec_5_5", "dec_4_0", "dec_9_4", "dec_18_2", "dec_38_0"):
        yield Case("Cast", name, "CAST(a AS STRING)")


def _dates() -> Iterator[Case]:
    date_parts = (
        *(("Year", "year"), ("Quarter", "quarter"), ("Month", "month"), ("DayOfMonth", "day")),
        *(
            ("DayOfYear", "dayofyear"),
            ("WeekOfYear", "weekofyear"),
            ("DayOfWeek", "dayofweek"),
            ("WeekDay", "weekday"),
        ),
    )
    time_parts = (("Hour", "hour"), ("Minute", "minute"), ("Second", "second"))
    for table, parts in (("days", date_parts), ("instants", time_parts), ("moments", time_parts)):
        for form, name in parts:
            yield Case(form, table, f"{name}(a)")
    for unit in ("year", "YYYY", "quarter", "month", "MM", "week", "day", "hour", "minute", "second"):
        yield Case("TruncTimestamp", "instants", f"date_trunc('{unit}', a)")
    for unit in ("year", "quarter", "month", "week"):
        yield Case("TruncDate", "days", f"trunc(a, '{unit}')")
    # Years before the first and after 9999.
    for form, name in date_parts:
        yield Case(form, "days", f"{name}(date_sub(a, 400))")
        yield Case(form, "days", f"{name}(date_add(a, 400000))")
    for unit in ("year", "quarter", "month", "week"):
        yield Case("TruncDate", "days", f"trunc(date_sub(a, 5), '{unit}')")
        yield Case("TruncDate", "days", f"trunc(date_add(a, 4000), '{unit}')")
    for days in (0, 1, -1, 40, -366):
        yield Case("DateAdd", "days", f"date_add(a, {days})")
        yield Case("DateSub", "days", f"date_sub(a, {days})")
    yield Case("DateAdd", "days", "date_add(a, dayofyear(b))")
    yield Case("DateDiff", "days", "datediff(a, b)")
    for months in (0, 1, -1, 11, 13, -14):
        yield Case("AddMonths", "days", f"add_months(a, {months})", "true")


def _texts() -> Iterator[Case]:
    table = "texts"
    yield Case("Length", table, "length(a)")
    yield Case("Upper", table, "upper(a)", "true")
    yield Case("Lower", table, "lower(a)", "true")
    yield Case("Concat", table, "concat(a, '-', b)")
    yield Case("Concat", table, "a || b || a")
    for position in (0, 1, 2, 3, 4000):
        for length in (0, 1, 2, 5000):
            yield Case("Substring", table, f"substring(a, {position}, {length})")
    yield Case("Substring", table, "substring(a, 2)")
    yield Case("StringTrim", table, "trim(a)")
    yield Case("StringTrimLeft", table, "ltrim(a)")
    yield Case("StringTrimRight", table, "rtrim(a)")
    yield Case("StartsWith", table, "startswith(a, b)")
    yield Case("EndsWith", table, "endswith(a, b)")
    yield Case("Contains", table, "contains(a, b)")
    patterns = (
        "%",
        "a%",
        "%b",
        "%a%",
        "a_b",
        "_",
        "__",
        "a%b%",
        "%\\u00e9",
        "_%_",
        "",
        "A_",
        "a\\nb",
        "%\\n%b",
    )
    for pattern in patterns:
        yield Case("Like", table, f"a LIKE '{pattern}'")
        yield Case("Bounded", table, f"a NOT LIKE '{pattern}'")


def _zones() -> Iterator[Case]:
    """Return cases in which the session has another time zone; fields of timestamps are rendered for UTC only."""
    for zone in ("Europe/Amsterdam", "+05:30", "America/New_York"):
        for table in ("instants", "moments", "days"):
            for sql in ("a", "a = b", "a < b", "greatest(a, b)", "nullif(a, b)"):
                yield Case("AttributeReference", table, sql, zone=zone)
        yield Case("Literal", "instants", "a > TIMESTAMP '2024-10-27 02:30:00'", zone=zone)
        yield Case("Literal", "instants", "coalesce(a, TIMESTAMP '2024-03-31 02:30:00')", zone=zone)
        yield Case("Literal", "moments", "a <= TIMESTAMP_NTZ '2024-03-31 02:30:00'", zone=zone)
        yield Case("Year", "days", "year(a)", zone=zone)
        yield Case("Hour", "moments", "hour(a)", zone=zone)
