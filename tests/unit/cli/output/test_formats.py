"""Golden text of every format, for every type that Spark sends."""

from __future__ import annotations

import ctypes
import json
import os
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal

import pyarrow as pa
import pytest

from sqe.cli.output.formats import FORMATS, Style, make_writer
from sqe.cli.output.intervals import calendar_text, duration_text, months_text
from sqe.cli.output.json import distinct_names
from sqe.cli.output.sink import PipeClosed, Sink
from sqe.cli.output.spark_types import type_name
from sqe.cli.output.table import WIDTH_ROWS
from sqe.cli.output.text import json_texts, texts
from sqe.model.months import readable_batch, readable_schema


class Memory(Sink):
    def __init__(self) -> None:
        super().__init__()
        self.data = b""

    def write(self, data: bytes | memoryview) -> None:
        self.used = True
        self.data += bytes(data)


def written(table: pa.Table, format_: str, style: Style | None = None, rows: int = 2) -> str:
    """Write a table in batches of a few rows, the middle one empty."""
    sink = Memory()
    writer = make_writer(format_, sink, style or Style())
    writer.begin(table.schema)
    for batch in table.to_batches(max_chunksize=rows):
        writer.batch(batch)
        writer.batch(batch.slice(0, 0))
    writer.end()
    return sink.data.decode()


def month_intervals(*months: int | None) -> pa.RecordBatch:
    """A batch of year-month intervals as Spark sends them, which pyarrow can hold but not make."""
    numbers = pa.record_batch({"c": pa.array(months, pa.int32())})
    array = ctypes.create_string_buffer(80)
    numbers._export_to_c(ctypes.addressof(array))

    class Schema(ctypes.Structure):
        _fields_ = [
            ("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_char_p),
            ("flags", ctypes.c_int64), ("n_children", ctypes.c_int64), ("children", ctypes.c_void_p),
            ("dictionary", ctypes.c_void_p), ("release", ctypes.c_void_p), ("private_data", ctypes.c_void_p),
        ]  # fmt: skip

    release = ctypes.CFUNCTYPE(None, ctypes.POINTER(Schema))(
        lambda schema: setattr(schema.contents, "release", None)
    )
    schema = Schema(b"tiM", b"c", None, 2, 0, None, None, ctypes.cast(release, ctypes.c_void_p), None)
    field = pa.Field._import_from_c(ctypes.addressof(schema))
    return pa.RecordBatch._import_from_c(ctypes.addressof(array), pa.schema([field]))


def readable(batch: pa.RecordBatch) -> pa.Array:
    return readable_batch(batch, readable_schema(batch.schema)).column(0)


COLUMNS: list[tuple[pa.Array, str, list[str | None]]] = [
    (pa.array([-128, 127, None], pa.int8()), "tinyint", ["-128", "127", None]),
    (pa.array([-32768, 1], pa.int16()), "smallint", ["-32768", "1"]),
    (pa.array([2147483647, None], pa.int32()), "int", ["2147483647", None]),
    (pa.array([-9223372036854775808], pa.int64()), "bigint", ["-9223372036854775808"]),
    (pa.array([1.5, 0.1, None], pa.float32()), "float", ["1.5", "0.1", None]),
    (
        pa.array([1.0, -0.0, 0.1, 1e300, float("nan"), float("inf"), float("-inf")]),
        "double",
        ["1.0", "-0.0", "0.1", "1e+300", "NaN", "Infinity", "-Infinity"],
    ),
    (
        pa.array([Decimal("12345678901234567890123456789012345.678"), None], pa.decimal128(38, 3)),
        "decimal(38,3)",
        ["12345678901234567890123456789012345.678", None],
    ),
    (pa.array([Decimal("0.0000001"), Decimal(0)], pa.decimal128(20, 7)), "decimal(20,7)", ["0.0000001", "0.0000000"]),
    (pa.array([Decimal(5)], pa.decimal128(10, 0)), "decimal(10,0)", ["5"]),
    (pa.array(["", "é 日本 🙂", None]), "string", ["", "é 日本 🙂", None]),
    (pa.array([b"\xde\xad\xbe\xef", b"", None]), "binary", [r"\xDEADBEEF", r"\x", None]),
    (pa.array([True, False, None]), "boolean", ["true", "false", None]),
    (
        pa.array([-719162, -1, 2932896], pa.int32()).cast(pa.date32()),
        "date",
        ["0001-01-01", "1969-12-31", "9999-12-31"],
    ),
    (
        pa.array([-62135596800000000, -1, 0, 1500000, 253402300799999999, None], pa.timestamp("us")),
        "timestamp_ntz",
        [
            "0001-01-01 00:00:00",
            "1969-12-31 23:59:59.999999",
            "1970-01-01 00:00:00",
            "1970-01-01 00:00:01.5",
            "9999-12-31 23:59:59.999999",
            None,
        ],
    ),
    (
        pa.array([0, 1718000000100000, None], pa.timestamp("us", "Europe/Amsterdam")),
        "timestamp",
        ["1970-01-01 01:00:00+01:00", "2024-06-10 08:13:20.1+02:00", None],
    ),
    (
        pa.array([0, 1], pa.timestamp("us", "UTC")),
        "timestamp",
        ["1970-01-01 00:00:00+00:00", "1970-01-01 00:00:00.000001+00:00"],
    ),
    (pa.array([0], pa.timestamp("us", "GMT+01:00")), "timestamp", ["1970-01-01 01:00:00+01:00"]),
    (pa.array([0], pa.timestamp("us", "Z")), "timestamp", ["1970-01-01 00:00:00+00:00"]),
    (pa.array([0, 3723500000000, None], pa.time64("ns")), "time", ["00:00:00", "01:02:03.5", None]),
    (
        pa.array([timedelta(1, 3.5, hours=2), timedelta(seconds=-1), timedelta(0), None], pa.duration("us")),
        "interval day to second",
        ["1 day 02:00:03.5", "-00:00:01", "00:00:00", None],
    ),
    (readable(month_intervals(14, -1, None)), "interval year to month", ["1 year 2 months", "-1 month", None]),
    (
        pa.array([(1, 2, 3_000_000_000), (0, 0, 0), None], pa.month_day_nano_interval()),
        "interval",
        ["1 month 2 days 00:00:03", "00:00:00", None],
    ),
    (pa.nulls(2), "void", [None, None]),
    (pa.array([[1, None], [], None], pa.list_(pa.int32())), "array<int>", ["[1, null]", "[]", None]),
    (
        pa.array([{"a": 1, "b": 'x"y'}, {"a": None, "b": None}, None], pa.struct({"a": pa.int32(), "b": pa.string()})),
        "struct<a: int, b: string>",
        [r'{"a": 1, "b": "x\"y"}', '{"a": null, "b": null}', None],
    ),
    (
        pa.array([[(1, 1.5)], [], None], pa.map_(pa.int32(), pa.float64())),
        "map<int, double>",
        ['{"1": 1.5}', "{}", None],
    ),
    (
        pa.array([[{"d": [Decimal("1.10")]}]], pa.list_(pa.struct({"d": pa.list_(pa.decimal128(4, 2))}))),
        "array<struct<d: array<decimal(4,2)>>>",
        ['[{"d": [1.10]}]'],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("column", "name", "expected"), COLUMNS, ids=[name for _, name, _ in COLUMNS])
def test_text_of_a_type(column: pa.Array, name: str, expected: list[str | None]) -> None:
    assert type_name(column.type) == name
    assert texts(column).to_pylist() == expected


@pytest.mark.parametrize(("column", "name", "expected"), COLUMNS, ids=[name for _, name, _ in COLUMNS])
def test_slices_and_empty_columns_of_a_type(column: pa.Array, name: str, expected: list[str | None]) -> None:
    assert texts(column.slice(1)).to_pylist() == expected[1:]
    assert texts(column.slice(0, 0)).to_pylist() == []


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize(("column", "name", "expected"), COLUMNS, ids=[name for _, name, _ in COLUMNS])
def test_every_format_takes_every_type(
    column: pa.Array, name: str, expected: list[str | None], format_: str
) -> None:
    text = written(pa.table({"c": column}), format_)
    if format_ == "json":
        assert len(json.loads(text)) == len(column)
    if format_ == "jsonl":
        assert [set(json.loads(line)) for line in text.splitlines()] == [{"c"}] * len(column)


RESULT = pa.table(
    {
        "n": pa.array([1, None, -30], pa.int32()),
        "text": ["a,b", 'say "hi"', "two\nlines\t|"],
        "maybe": ["", None, "日本"],
    }
)


def test_table() -> None:
    assert written(RESULT, "table") == (
        "┌──────┬───────────────┬────────┐\n"
        "│  n   │     text      │ maybe  │\n"
        "│ int  │    string     │ string │\n"
        "├──────┼───────────────┼────────┤\n"
        "│    1 │ a,b           │        │\n"
        '│ NULL │ say "hi"      │ NULL   │\n'
        "│  -30 │ two\\nlines\\t| │ 日本   │\n"
        "└──────┴───────────────┴────────┘\n"
    )


def test_csv() -> None:
    assert written(RESULT, "csv") == 'n,text,maybe\n1,"a,b",""\n,"say ""hi""",\n-30,"two\nlines\t|",日本\n'


def test_csv_marks_null_as_asked() -> None:
    table = pa.table({"a": ["NULL", None, ""]})
    assert written(table, "csv", Style(data_null="NULL")) == 'a\n"NULL"\nNULL\n\n'


def test_tsv() -> None:
    assert (
        written(RESULT, "tsv") == 'n\ttext\tmaybe\n1\ta,b\t\n\\N\tsay "hi"\t\\N\n-30\ttwo\\nlines\\t|\t日本\n'
    )


def test_json() -> None:
    assert written(RESULT, "json") == (
        "[\n"
        '{"n":1,"text":"a,b","maybe":""},\n'
        '{"n":null,"text":"say \\"hi\\"","maybe":null},\n'
        '{"n":-30,"text":"two\\nlines\\t|","maybe":"日本"}\n'
        "]\n"
    )
    assert json.loads(written(RESULT, "json")) == RESULT.to_pylist()


def test_jsonl() -> None:
    assert [json.loads(line) for line in written(RESULT, "jsonl").splitlines()] == RESULT.to_pylist()


def test_json_has_no_nan_and_exact_decimals() -> None:
    table = pa.table({"f": [float("nan"), 1.0], "d": [Decimal("0.10"), None], "s": [["x\x9b"], []]})
    assert written(table, "jsonl") == '{"f":"NaN","d":0.10,"s":["x\\u009b"]}\n{"f":1.0,"d":null,"s":[]}\n'


def test_json_keys_are_distinct() -> None:
    assert distinct_names(["a", "a", "a_1", "a"]) == ["a", "a_2", "a_1", "a_3"]


def test_two_markdown_tables_are_kept_apart() -> None:
    sink = Memory()
    for number in (1, 2):
        writer = make_writer("markdown", sink, Style())
        writer.begin(pa.schema([("a", pa.string())]))
        writer.batch(pa.record_batch({"a": [str(number)]}))
        writer.end()
    assert sink.data.decode() == "| a   |\n| --- |\n| 1   |\n\n| a   |\n| --- |\n| 2   |\n"


def test_markdown() -> None:
    assert written(RESULT, "markdown") == (
        "|    n | text             | maybe |\n"
        "| ---: | ---------------- | ----- |\n"
        "|    1 | a,b              |       |\n"
        '| NULL | say "hi"         | NULL  |\n'
        "|  -30 | two<br>lines\\t\\| | 日本  |\n"
    )


def test_vertical() -> None:
    assert written(RESULT.slice(1), "vertical") == (
        "─[ row 1 ]──────────────────────────────\n"
        "    n │ NULL\n"
        ' text │ say "hi"\n'
        "maybe │ NULL\n"
        "─[ row 2 ]──────────────────────────────\n"
        "    n │ -30\n"
        " text │ two\n"
        "      │ lines   |\n"
        "maybe │ 日本\n"
    )


@pytest.mark.parametrize(
    ("format_", "expected"),
    [
        ("table", "┌─────┐\n│  a  │\n│ int │\n├─────┤\n└─────┘\n"),
        ("csv", "a\n"),
        ("tsv", "a\n"),
        ("json", "[]\n"),
        ("jsonl", ""),
        ("markdown", "|   a |\n| --: |\n"),
        ("vertical", "(no rows: a)\n"),
    ],
)
def test_no_rows(format_: str, expected: str) -> None:
    assert written(pa.table({"a": pa.array([], pa.int32())}), format_) == expected


@pytest.mark.parametrize("format_", ["table", "csv", "tsv"])
def test_no_header(format_: str) -> None:
    assert "maybe" not in written(RESULT, format_, Style(header=False))


EVIL = "\x1b[31m\x9b31m\x07\u202e\x7f"


@pytest.mark.parametrize("format_", FORMATS)
def test_nothing_on_a_terminal_can_control_it(format_: str) -> None:
    table = pa.table({f"name{EVIL}": [EVIL], "list": [[EVIL]], "bytes": [EVIL.encode()]})
    text = written(table, format_, Style(terminal=True))
    assert not set(text) & set(EVIL.replace("[31m", "").replace("31m", "") + "\r")


def test_data_in_a_pipe_stays_as_it_is() -> None:
    assert written(pa.table({"a": [EVIL]}), "csv") == f"a\n{EVIL}\n"


def test_bytes_that_are_no_text() -> None:
    broken = pa.Array.from_buffers(pa.string(), 2, pa.array([b"\xff", b"ok"], pa.binary()).buffers())
    assert texts(broken).to_pylist() == ["\ufffd", "ok"]
    assert json_texts(broken).to_pylist() == ['"\ufffd"', '"ok"']


def test_one_value_of_several_lines_is_shown_in_lines() -> None:
    assert written(pa.table({"plan": ["a\n\tb\n"]}), "table") == (
        "┌────────┐\n│  plan  │\n│ string │\n├────────┤\n│ a      │\n│     b  │\n└────────┘\n"
    )


@pytest.mark.parametrize("format_", ["table", "markdown"])
def test_widths_come_from_the_first_rows(format_: str) -> None:
    table = pa.table({"a": ["x"] * WIDTH_ROWS + ["a value that is wider than those before it"]})
    lines = written(table, format_, rows=1000).splitlines()
    assert any("a value that is wider than those before it" in line for line in lines[-2:])
    assert len(lines[5]) < 20


def test_a_closed_pipe_is_told_apart() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with pytest.raises(PipeClosed):
        Sink(writing).text("x")
    os.close(writing)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (months_text(0), "0 months"),
        (months_text(-25), "-2 years -1 month"),
        (duration_text(-90061_000001, 10**6), "-1 day -01:01:01.000001"),
        (duration_text(2 * 86400, 1), "2 days"),
        (calendar_text(0, 1, 0), "1 day"),
        (calendar_text(13, 0, -500_000_000), "1 year 1 month -00:00:00.5"),
    ],
)
def test_intervals(text: str, expected: str) -> None:
    assert text == expected


def test_style_is_used_by_every_writer(writers: Callable[[Style], dict[str, str]]) -> None:
    plain, marked = writers(Style()), writers(Style(null="-", data_null="-"))
    assert {name for name in plain if plain[name] == marked[name]} == {"json", "jsonl"}


@pytest.fixture
def writers() -> Callable[[Style], dict[str, str]]:
    return lambda style: {name: written(RESULT, name, style) for name in FORMATS}
