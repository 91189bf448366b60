"""Random Iceberg tables: all rendered types, edge values, partitions, several files, and a history of columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

# Values that are safe to compute with, and values at the edges. Sums of the former are exact in any order.
TAME: dict[str, list[str]] = {
    "BOOLEAN": ["true", "false"],
    "INT": ["0", "1", "-1", "2", "3", "-7", "10", "42", "100", "365"],
    "BIGINT": ["0L", "1L", "-1L", "5L", "-9L", "1000L", "123456789L", "-40000L"],
    "FLOAT": ["0F", "1.5F", "-2.25F", "100F", "0.5F", "-0.125F", "1024F"],
    "DOUBLE": ["0D", "1.5D", "-2.25D", "100D", "0.5D", "-0.125D", "65536D", "3D"],
    "DECIMAL(12,2)": ["0", "1.5", "-1.5", "0.01", "99.99", "-1234.56", "7", "12345.67"],
    "DECIMAL(7,4)": ["0", "0.5", "-0.0001", "3.1416", "-99.5", "2.5"],
    "DECIMAL(30,10)": ["0", "0.0000000001", "-12345678901.5", "1", "3"],
    "STRING": ["''", "'a'", "'b'", "'ab'", "'B'", "' c '", "'a%'", "'x_y'", "'abc'", "'zz'"],
    "DATE": [
        "DATE '2024-02-29'",
        "DATE '2024-01-01'",
        "DATE '1999-12-31'",
        "DATE '1970-01-01'",
        "DATE '2023-05-31'",
    ],
    "TIMESTAMP": [
        *["TIMESTAMP '2024-02-29 12:34:56.789+00:00'", "TIMESTAMP '1969-12-31 23:59:59.5+00:00'"],
        *["TIMESTAMP '2024-10-27 00:30:00+00:00'", "TIMESTAMP '2024-10-27 01:30:00+00:00'"],
    ],
    "TIMESTAMP_NTZ": ["TIMESTAMP_NTZ '2024-02-29 12:34:56.000001'", "TIMESTAMP_NTZ '1950-06-01 00:00:00'"],
    "BINARY": ["X''", "X'00'", "X'FF01'", "X'61'"],
}
WILD: dict[str, list[str]] = {
    "INT": ["2147483647", "-2147483648"],
    "BIGINT": ["9223372036854775807", "CAST('-9223372036854775808' AS BIGINT)", "9007199254740993L"],
    "FLOAT": [
        f"CAST('{text}' AS FLOAT)" for text in ("NaN", "Infinity", "-Infinity", "-0.0", "1e-45", "0.1")
    ],
    "DOUBLE": [
        f"CAST('{text}' AS DOUBLE)" for text in ("NaN", "Infinity", "-Infinity", "-0.0", "5e-324", "0.1")
    ],
    "DECIMAL(12,2)": ["9999999999.99", "-9999999999.99"],
    "DECIMAL(7,4)": ["999.9999", "-999.9999"],
    "DECIMAL(30,10)": ["99999999999999999999.9999999999"],
    "STRING": [
        "'\\u00e9'",
        "'e\\u0301'",
        "'\\ud83d\\ude00'",
        "'a\\nb'",
        "'\\u0000'",
        "'\\\\'",
        "'\\u0130'",
        "'it\\'s'",
        "'\\u00df'",
    ],
    "DATE": ["DATE '0001-01-01'", "DATE '1582-10-10'", "DATE '9999-12-31'"],
    "TIMESTAMP": ["TIMESTAMP '0001-01-01 00:00:00+00:00'", "TIMESTAMP '9999-12-31 23:59:59.999999+00:00'"],
    "TIMESTAMP_NTZ": ["TIMESTAMP_NTZ '0001-01-01 00:00:00'", "TIMESTAMP_NTZ '9999-12-31 23:59:59.999999'"],
}
PROMOTED = {"INT": "BIGINT", "FLOAT": "DOUBLE", "DECIMAL(7,4)": "DECIMAL(9,4)"}
_PARTITIONS = {
    "INT": ["{0}", "bucket(4, {0})", "truncate(10, {0})"],
    "BIGINT": ["{0}", "bucket(3, {0})", "truncate(100, {0})"],
    "STRING": ["{0}", "bucket(4, {0})", "truncate(2, {0})"],
    "DATE": ["{0}", "years({0})", "months({0})", "days({0})"],
    "TIMESTAMP": ["days({0})", "hours({0})"],
    "BOOLEAN": ["{0}"],
    "DECIMAL(12,2)": ["{0}", "bucket(4, {0})"],
}


@dataclass(frozen=True)
class Column:
    name: str
    type: str
    tame: bool = True
    exact: bool = True  # the same in every run of Spark


@dataclass
class Table:
    name: str
    columns: list[Column]


class Tables:
    """Makes tables, whose statements are `statements`, from random numbers."""

    def __init__(self, random: Random, schema: str, count: int) -> None:
        self._random = random
        self.statements: list[str] = [f"CREATE SCHEMA {schema}"]
        self.tables = [self._table(f"{schema}.t{number}") for number in range(count)]

    def _table(self, name: str) -> Table:
        r = self._random
        types = ["INT", r.choice(["INT", "BIGINT"]), "STRING", r.choice(["DOUBLE", "FLOAT"])]
        types += [r.choice(list(TAME)) for _ in range(r.randint(2, 6))]
        columns = [
            Column(f"c{number}", type_name, r.random() < 0.6) for number, type_name in enumerate(types)
        ]
        partitions = ""
        choices = [column for column in columns if column.type in _PARTITIONS]
        if r.random() < 0.5:
            chosen = r.choice(choices)
            partitions = f" PARTITIONED BY ({r.choice(_PARTITIONS[chosen.type]).format(chosen.name)})"
        table = Table(name, columns)
        declared = ", ".join(f"{column.name} {column.type}" for column in columns)
        properties = " TBLPROPERTIES ('write.delete.mode'='merge-on-read')" if r.random() < 0.1 else ""
        self.statements.append(f"CREATE TABLE {name} ({declared}) USING iceberg{partitions}{properties}")
        rows = r.choice([1, 20, 60, 60, 60, 300])
        if rows:
            self._fill(table, rows)
        for _ in range(r.choice([0, 1, 1, 3])):
            self.statements += self._evolved(table, {partitions} if partitions else set())
            self._fill(table, r.choice([1, 15, 40]))
        if properties:
            self.statements.append(f"DELETE FROM {name} WHERE {table.columns[0].name} IN (1, -7, 42)")
        return table

    def _fill(self, table: Table, rows: int) -> None:
        r = self._random
        salt = r.randint(0, 1 << 30)
        values = ", ".join(
            _picked(column, r.choice([0, 1, 3]), salt + number) for number, column in enumerate(table.columns)
        )
        files = r.choice([1, 1, 3])
        self.statements.append(
            f"INSERT INTO {table.name} SELECT /*+ REPARTITION({files}) */ {values} FROM range(0, {rows}, 1, 1)"
        )

    def _evolved(self, table: Table, partitions: set[str]) -> Iterator[str]:
        """Change a column that is no partition."""
        r = self._random
        free = [
            n for n, c in enumerate(table.columns) if n and not any(c.name in each for each in partitions)
        ]
        number = r.choice(free)
        column = table.columns[number]
        alter = f"ALTER TABLE {table.name}"
        what = r.choice(["rename", "add", "drop", "move", "promote"])
        if what == "rename":
            name = f"r{len(self.statements)}"
            table.columns[number] = Column(name, column.type, column.tame)
            yield f"{alter} RENAME COLUMN {column.name} TO {name}"
        elif what == "add":
            added = Column(f"a{len(self.statements)}", r.choice(list(TAME)))
            table.columns.append(added)
            yield f"{alter} ADD COLUMN {added.name} {added.type}"
        elif what == "drop" and len(free) > 3:
            del table.columns[number]
            yield f"{alter} DROP COLUMN {column.name}"
        elif what == "move":
            table.columns.insert(0, table.columns.pop(number))
            table.columns.insert(0, table.columns.pop(1))
            yield f"{alter} ALTER COLUMN {column.name} AFTER {table.columns[0].name}"
        elif column.type in PROMOTED:
            table.columns[number] = Column(column.name, PROMOTED[column.type], column.tame)
            yield f"{alter} ALTER COLUMN {column.name} TYPE {PROMOTED[column.type]}"


def _picked(column: Column, nulls: int, salt: int) -> str:
    """Return an expression that picks a value for each row of a range."""
    old = {new: before for before, new in PROMOTED.items()}
    of_type = column.type if column.type in TAME else old[column.type]
    values = [*TAME[of_type], *([] if column.tame else WILD.get(of_type, []))] + ["NULL"] * nulls
    array = ", ".join(f"CAST({value} AS {column.type})" for value in values)
    return (
        f"element_at(array({array}), CAST(1 + pmod(hash(id, {salt}), {len(values)}) AS INT)) AS {column.name}"
    )
