"""Random histories of tables: schemas, partitions and rows change, and queries are the same on Spark and DuckDB."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.executor.scans_bed import LOCAL, SPARK, ScansBed

_TYPES = ("int", "bigint", "string", "date", "decimal(7, 2)", "boolean", "timestamp", "double")
_WIDER = {"int": "bigint", "decimal(7, 2)": "decimal(20, 2)"}
_PARTITIONED = ("int", "bigint", "string", "date", "boolean", "decimal(7, 2)", "decimal(20, 2)")


def _constant(random: Random, kind: str) -> str:
    number = random.randrange(-3, 6)
    if random.random() < 0.15:
        return "NULL"
    if kind.startswith("decimal"):
        return f"CAST({number}.{random.randrange(100):02} AS {kind})"
    return {
        "int": f"{number}",
        "bigint": f"{number}",
        "string": f"'s{number}'",
        "date": f"DATE'2020-01-1{number % 10}'",
        "boolean": "true" if number > 0 else "false",
        "timestamp": f"TIMESTAMP'2020-01-1{number % 10} 0{number % 10}:00:00.00{abs(number)}'",
        "double": random.choice(["0.1D", "-0.0D", "double('NaN')", f"{number}.5D"]),
    }[kind]


class RandomTable:
    """A table with a random history."""

    def __init__(self, bed: ScansBed, seed: int) -> None:
        self._bed = bed
        self._random = random = Random(seed)
        self._columns = {f"a{each}": random.choice(_TYPES) for each in range(random.randrange(2, 5))}
        self._names = 0
        self._partitions: list[str] = []
        self._ever: set[str] = set()  # columns that have been partitioned by
        self._version = random.choice([2, 3])
        modes = ", ".join(f"'write.{each}.mode'='merge-on-read'" for each in ("delete", "update", "merge"))
        columns = ", ".join(["id bigint", *(f"{name} {kind}" for name, kind in self._columns.items())])
        self.name = bed.table(columns, f"TBLPROPERTIES ('format-version'='{self._version}', {modes})")
        self._insert()

    def change(self) -> str:
        """Change the table, and return how."""
        changes: list[Callable[[], str]] = [
            *[self._insert] * 3,
            *[self._delete, self._update] * 2,
            *[self._add, self._drop, self._rename, self._widen, self._partition, self._unpartition],
        ]
        return self._random.choice(changes)()

    def query(self) -> str:
        """Return a random query of the table."""
        random = self._random
        column, other = random.choice(list(self._columns)), random.choice(list(self._columns))
        value = _constant(random, self._columns[column])
        condition = random.choice(
            [
                "true",
                f"{column} = {value}",
                f"{column} > {value}",
                f"{column} <= {value} OR {other} IS NULL",
                f"{column} IS NOT NULL AND id % 3 = 1",
                f"NOT ({column} < {value})",
                "id BETWEEN 5 AND 20",
            ]
        )
        return random.choice(
            [
                f"SELECT * FROM {self.name} WHERE {condition}",
                f"SELECT id, {other} FROM {self.name} WHERE {condition}",
                f"SELECT {other}, count(*), count({column}) FROM {self.name} WHERE {condition} GROUP BY {other}",
                f"SELECT count(*) FROM {self.name} WHERE {condition}",
            ]
        )

    def check(self) -> bool:
        """Compare a random query, and return whether the local executor has run it."""
        sql = self.query()
        outcome = self._bed.outcome(sql)
        assert outcome in (LOCAL, SPARK), (sql, self._bed.executor.reason)
        return outcome == LOCAL

    def _run(self, statement: str) -> str:
        self._bed.run(statement)
        return statement

    def _insert(self) -> str:
        values = ", ".join(_constant(self._random, kind) for kind in self._columns.values())
        more = ", ".join(_constant(self._random, kind) for kind in self._columns.values())
        first = self._random.randrange(20)
        return self._run(
            f"INSERT INTO {self.name} (id, {', '.join(self._columns)})"
            f" SELECT id, {values} FROM range({first}, {first + 9})"
            f" UNION ALL SELECT id + 100, {more} FROM range({first})"
        )

    def _delete(self) -> str:
        return self._run(f"DELETE FROM {self.name} WHERE id % {self._random.randrange(3, 9)} = 1")

    def _update(self) -> str:
        column = self._random.choice(list(self._columns))
        value = _constant(self._random, self._columns[column])
        return self._run(
            f"UPDATE {self.name} SET {column} = {value} WHERE id % {self._random.randrange(4, 12)} = 2"
        )

    def _new_name(self) -> str:
        self._names += 1
        return f"b{self._names}"

    def _add(self) -> str:
        name, kind = self._new_name(), self._random.choice(_TYPES)
        value = "NULL" if kind == "double" or self._version < 3 else _constant(self._random, kind)
        default = "" if value == "NULL" else f" DEFAULT {value}"
        self._columns[name] = kind
        return self._run(f"ALTER TABLE {self.name} ADD COLUMN {name} {kind}{default}")

    def _free(self) -> list[str]:
        return [name for name in self._columns if name not in self._partitions]

    def _drop(self) -> str:
        # Iceberg does not drop a column that a partition spec of the past names.
        free = [name for name in self._free() if name not in self._ever]
        if len(free) < 2:
            return self._insert()
        name = self._random.choice(free)
        del self._columns[name]
        return self._run(f"ALTER TABLE {self.name} DROP COLUMN {name}")

    def _rename(self) -> str:
        old, new = self._random.choice(list(self._columns)), self._new_name()
        self._columns = {new if name == old else name: kind for name, kind in self._columns.items()}
        self._partitions = [new if name == old else name for name in self._partitions]
        self._ever = {new if name == old else name for name in self._ever}
        return self._run(f"ALTER TABLE {self.name} RENAME COLUMN {old} TO {new}")

    def _widen(self) -> str:
        narrow = [name for name, kind in self._columns.items() if kind in _WIDER]
        if not narrow:
            return self._insert()
        name = self._random.choice(narrow)
        self._columns[name] = _WIDER[self._columns[name]]
        return self._run(f"ALTER TABLE {self.name} ALTER COLUMN {name} TYPE {self._columns[name]}")

    def _partition(self) -> str:
        free = [name for name in self._free() if self._columns[name] in _PARTITIONED]
        if not free:
            return self._delete()
        name = self._random.choice(free)
        self._partitions.append(name)
        self._ever.add(name)
        return self._run(f"ALTER TABLE {self.name} ADD PARTITION FIELD {name}")

    def _unpartition(self) -> str:
        if not self._partitions:
            return self._partition()
        name = self._partitions.pop()
        return self._run(f"ALTER TABLE {self.name} DROP PARTITION FIELD {name}")
