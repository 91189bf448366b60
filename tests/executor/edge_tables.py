"""Tables of edge values: one for each type, with all pairs of its values in the columns `a` and `b`."""

from __future__ import annotations

SCHEMA = "lake.edge"


def _quoted(values: list[str]) -> list[str]:
    return [f"'{value}'" for value in values]


_ONLY_DOUBLES = [
    "1e308",
    "4.9e-324",
    "9.007199254740993e15",
    "9.223372036854775807e18",
    "2147483647.9",
    "-128.9",
]


def _floats(type_name: str) -> list[str]:
    texts = ["NaN", "Infinity", "-Infinity", "-0.0", "0.0", "1.0", "-1.5", "0.1", "2.5", "123456.789"]
    texts += _ONLY_DOUBLES if type_name == "DOUBLE" else ["3.4e38", "1e-45"]
    return [f"CAST('{text}' AS {type_name})" for text in texts]


_TEXTS = [
    *[
        "",
        " ",
        "  a  ",
        "\\ta\\n",
        "\\u00a0a\\u00a0",
        "a",
        "A",
        "b",
        "ab",
        "aB",
        "abc",
        "a\\nb",
        "a%b",
        "a_b",
    ],
    *["%", "_", "\\\\", "a\\\\b", "\\'", '"', "\\u0000", "a\\u0000b", "\\ud83d\\ude00", "a\\ud83d\\ude00b"],
    *[
        "e\\u0301",
        "\\u00e9",
        "\\u00df",
        "SS",
        "\\u0130",
        "i",
        "I",
        "\\u0131",
        "\\u1e9e",
        "\\uffff",
        "\\u03a3\\u03c2",
    ],
    *[
        "x" * 3000,
        "\\\\u0041",
        "0",
        "-1",
        "12",
        " 12 ",
        "1e3",
        "true",
        "NaN",
        "2024-02-29",
        "a  ",
        "\\u2003a\\u2003",
    ],
]
_DAYS = [
    *["0001-01-01", "1582-10-04", "1582-10-05", "1582-10-15", "1899-12-31", "1900-03-01", "1969-12-31"],
    *["1970-01-01", "2000-02-29", "2023-12-31", "2024-01-01", "2024-02-29", "2024-12-30", "2025-01-31"],
    *["9999-12-31", "2100-02-28"],
]
_MOMENTS = [
    *["0001-01-01 00:00:00", "1582-10-04 23:59:59.999999", "1582-10-15 00:00:00", "1883-11-18 12:00:00.5"],
    *[
        "1937-07-01 00:00:00",
        "1969-12-31 23:59:59.999999",
        "1970-01-01 00:00:00",
        "1899-12-31 23:00:00.000001",
    ],
    *["2024-03-31 01:30:00", "2024-03-31 02:30:00.25", "2024-10-27 00:30:00", "2024-10-27 01:30:00"],
    *["2024-02-29 12:34:56.789012", "9999-12-31 23:59:59.999999", "2025-01-05 00:00:00"],
]


def _decimals(precision: int, scale: int) -> list[str]:
    top = "9" * (precision - scale) + ("." + "9" * scale if scale else "")
    texts = [top, "-" + top, "0", "1e-" + str(scale), "-1e-" + str(scale)]
    if precision - scale >= 2:
        texts += ["1", "-1", "3", "-7", "10", "2.5", "-2.5", "1.005", "0.5", "-0.5", "0.05", "33.333333"]
        # The last ones that become an INT, and a BIGINT.
        texts += ["2147483647.99", "-2147483648.99"] if precision - scale >= 10 else []
        texts += ["9223372036854775807.5", "9223372036854775808"] if precision - scale >= 20 else []
    else:
        texts += ["0.5", "-0.5", "0.12345", "0.33333"]
    return [f"CAST('{text}' AS DECIMAL({precision},{scale}))" for text in texts]


# Name of the table: type of its columns, and their values besides NULL, in Spark's SQL.
VALUES: dict[str, tuple[str, list[str]]] = {
    "booleans": ("BOOLEAN", ["true", "false"]),
    "ints": ("INT", ["-2147483648", "2147483647", "0", "-1", "1", "7", "-7", "2", "10", "-46341", "100000"]),
    "longs": (
        "BIGINT",
        [
            *["-9223372036854775808", "9223372036854775807", "0L", "-1L", "1L", "7L", "-7L", "3L", "10L"],
            *[
                "9007199254740993L",
                "-9007199254740993L",
                "2147483648L",
                "-2147483649L",
                "3037000500L",
                "300L",
            ],
        ],
    ),
    "floats": ("FLOAT", _floats("FLOAT")),
    "doubles": ("DOUBLE", _floats("DOUBLE")),
    "dec_5_5": ("DECIMAL(5,5)", _decimals(5, 5)),
    "dec_4_0": ("DECIMAL(4,0)", _decimals(4, 0)),
    "dec_9_4": ("DECIMAL(9,4)", _decimals(9, 4)),
    "dec_18_2": ("DECIMAL(18,2)", _decimals(18, 2)),
    "dec_38_0": ("DECIMAL(38,0)", _decimals(38, 0)),
    "dec_38_18": ("DECIMAL(38,18)", _decimals(38, 18)),
    "texts": ("STRING", _quoted(_TEXTS)),
    "days": ("DATE", [f"DATE '{day}'" for day in _DAYS]),
    "instants": ("TIMESTAMP", [f"TIMESTAMP '{moment}+00:00'" for moment in _MOMENTS]),
    "moments": ("TIMESTAMP_NTZ", [f"TIMESTAMP_NTZ '{moment}'" for moment in _MOMENTS]),
    "bytes": ("BINARY", ["X''", "X'00'", "X'FF'", "X'61'", "X'6162'", "X'C328'", "X'80'", "X'0061'"]),
}
DECIMALS = [name for name in VALUES if name.startswith("dec_")]


def statements() -> list[str]:
    """Return the statements that create all tables. Rows have numbers from 0."""
    made = [f"CREATE SCHEMA {SCHEMA}"]
    for name, (type_name, values) in VALUES.items():
        rows = ", ".join(f"({each})" for each in [*values, "NULL"])
        cast = f"CAST(v AS {type_name})"
        made.append(
            f"CREATE TABLE {SCHEMA}.{name} AS SELECT CAST(row_number() OVER (ORDER BY x.n, y.n) - 1 AS INT) AS id,"
            f" x.v AS a, y.v AS b"
            f" FROM (SELECT {cast} AS v, monotonically_increasing_id() AS n FROM VALUES {rows} AS t(v)) x"
            f" CROSS JOIN (SELECT {cast} AS v, monotonically_increasing_id() AS n FROM VALUES {rows} AS t(v)) y"
        )
    # All decimal types beside each other, each at its own pace through its values.
    columns = ", ".join(f"{name}.a AS {name}" for name in DECIMALS)
    joins = " ".join(
        f"JOIN {SCHEMA}.{name} ON {name}.id = (i.id * {2 * each + 3}) % {(len(VALUES[name][1]) + 1) ** 2}"
        for each, name in enumerate(DECIMALS)
    )
    made.append(
        f"CREATE TABLE {SCHEMA}.decimals AS SELECT CAST(i.id AS INT) AS id, {columns}"
        f" FROM range(0, 400, 1, 1) i {joins}"
    )
    return made
