from __future__ import annotations

import re
from pathlib import Path

import pyarrow as pa
import pytest

from sqe.frontends.flight.proto import FlightSql_pb2 as sql
from sqe.frontends.flight.sql_info import Limits, table, values

PROTO = Path(__file__).parents[4] / "src/sqe/frontends/flight/proto/FlightSql.proto"
KNOWN = values(Limits(1_000_000, 500, 1800.0))
MEMBERS = ("string", "bool", "bigint", "int32", "string list", "map")

# What the specification's comments call each member, the first that fits.
WORDS = (
    ("string list", r"string list"),
    ("string", r"string"),
    ("map", r"a map"),
    ("bigint", r"int64"),
    ("int32", r"int32"),
    ("bool", r"boolean|^Indicates whether"),
)


def specified() -> dict[str, str]:
    """The member of the union by the name of each id, as the comments of the specification have it."""
    text = PROTO.read_text()
    body = text[text.index("enum SqlInfo {") :]
    body = body[: body.index("\n}\n")]
    found = {}
    for comment, name in re.findall(r"((?:/\*.*?\*/|(?:  //[^\n]*\n)+))\s*(\w+) = \d+;", body, re.DOTALL):
        plain = " ".join(re.sub(r"[/*]+", " ", comment).split())
        found[name] = next(member for member, word in WORDS if re.search(word, plain))
    return found


def test_every_id_of_the_specification_has_a_value() -> None:
    assert set(KNOWN) == set(sql.SqlInfo.values())


@pytest.mark.parametrize("name", sql.SqlInfo.keys())
def test_each_value_is_in_the_member_that_the_specification_names(name: str) -> None:
    [row] = table(KNOWN, [sql.SqlInfo.Value(name)]).column("value").chunk(0).type_codes.to_pylist()
    assert MEMBERS[row] == specified()[name]


def test_the_union_has_the_members_in_the_order_that_drivers_count_on() -> None:
    union = table(KNOWN, []).schema.field("value").type
    assert union.mode == "dense"
    assert [(field.name, field.type) for field in union] == [
        ("string_value", pa.string()),
        ("bool_value", pa.bool_()),
        ("bigint_value", pa.int64()),
        ("int32_bitmask", pa.int32()),
        ("string_list", pa.list_(pa.field("string_data", pa.string()))),
        (
            "int32_to_int32_list_map",
            pa.map_(pa.int32(), pa.list_(pa.field("$data$", pa.int32()))),
        ),
    ]


def test_the_table_is_valid_and_holds_the_values() -> None:
    everything = table(KNOWN, [])
    everything.validate(full=True)
    rows = dict(zip(*(column.to_pylist() for column in everything.columns), strict=True))
    assert rows[sql.FLIGHT_SQL_SERVER_NAME] == "SQE"
    assert rows[sql.FLIGHT_SQL_SERVER_TRANSACTION] == 0
    assert rows[sql.SQL_MAX_STATEMENT_LENGTH] == 1_000_000
    assert "LIMIT" in rows[sql.SQL_KEYWORDS]
    assert dict(rows[sql.SQL_SUPPORTS_CONVERT])[sql.SQL_CONVERT_DATE]


def test_only_what_is_asked_for_comes_once_and_what_is_unknown_not_at_all() -> None:
    asked = [sql.SQL_KEYWORDS, 4711, sql.FLIGHT_SQL_SERVER_NAME, sql.SQL_KEYWORDS]
    assert table(KNOWN, asked).column("info_name").to_pylist() == [508, 0]
