"""Random policies on three small tables, and the same tables filtered and masked beforehand by trusted SQL.

Each table has a few variants of a policy. A user of the property tests has one variant for each table; `table_k` in
the schema `copies` is what he is to see of `table`. The SQL of the copies is written here by hand: it shares nothing
with what renders policies.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.security.data import SHARED_KEY, hashed

Type = str
COLUMNS: Mapping[str, Mapping[str, Type]] = {
    "t": {"a": "bigint", "b": "int", "s": "string", "d": "date", "n": "struct<x:int,y:string>"},
    "u": {"a": "bigint", "s": "string", "e": "int"},
    "p": {"a": "bigint", "r": "string", "b": "int"},
}
TEXTS = ("ada", "bea", "cleo", "dora", None)

_ROWS = {
    "t": [
        f"({a}, {b}, {_text}, DATE '{year}-0{1 + a % 9}-1{a % 9}', named_struct('x', {x}, 'y', {_text}))"
        for a, (b, _text, year, x) in enumerate(
            (
                (3, "'ada'", 1999, 1),
                (1, "'bea'", 2001, 2),
                ("NULL", "'cleo'", 2005, "NULL"),
                (3, "NULL", 2010, 4),
                (7, "'ada'", 2015, 5),
                (2, "'dora'", 2020, 6),
            )
        )
    ],
    "u": ["(0, 'ada', 5)", "(1, 'bea', 3)", "(2, NULL, 0)", "(4, 'cleo', 3)", "(9, 'dora', NULL)"],
    "p": ["(0, 'ada', 3)", "(1, 'ada', 0)", "(2, 'bea', 1)", "(4, 'cleo', 3)", "(5, 'cleo', NULL)"],
}
_OLD = {
    "t": "(10, 3, 'bea', DATE '2007-07-07', named_struct('x', 3, 'y', 'bea'))",
    "u": "(10, 'ada', 1)",
    "p": "(10, 'dora', 3)",
}
"""In the tag `old` and not any more."""

FILTERS: Mapping[str, tuple[str, ...]] = {
    "t": (
        "b = 3",
        "s LIKE 'a%'",
        "s RLIKE '^[ab]'",
        "a % 2 = 0 OR s IS NULL",
        "n.x > 1",
        "false",
        "year(d) >= 2001",
    ),
    "u": ("e > 0", "s RLIKE 'a$'", "s IN ('ada', 'cleo')", "NOT (a = 1)"),
    "p": ("r = 'ada'", "r RLIKE '^[ac]'", "b BETWEEN 1 AND 3", "length(r) > 3"),
}
"""Conditions that have the same text in a policy and in the trusted SQL."""


@dataclass(frozen=True, slots=True)
class Mask:
    policy: str
    trusted: str


def _hash(column: str) -> str:
    cases = " ".join(f"WHEN '{text}' THEN '{hashed(text)}'" for text in TEXTS if text is not None)
    return f"CASE {column} {cases} END"


def masks(column: str, type_: Type) -> tuple[Mask, ...]:
    null = Mask("mask_null()", f"CAST(NULL AS {type_})")
    match type_:
        case "string":
            return (
                null,
                Mask("mask_constant('m')", "'m'"),
                Mask(f"mask_hash({column}, '{SHARED_KEY}')", _hash(column)),
                Mask(
                    f"mask_first({column}, 1)",
                    f"concat(left({column}, 1), repeat('x', length({column}) - 1))",
                ),
                Mask(
                    f"mask_last({column}, 2)",
                    f"concat(repeat('x', length({column}) - 2), right({column}, 2))",
                ),
                Mask(f"upper({column})", f"upper({column})"),
                Mask(f"CASE WHEN a > 1 THEN {column} END", f"CASE WHEN a > 1 THEN {column} END"),
            )
        case "int" | "bigint":
            return (
                null,
                Mask("mask_constant(3)", f"CAST(3 AS {type_})"),
                Mask(f"{column} % 2", f"CAST({column} % 2 AS {type_})"),
            )
        case "date":
            return (null, Mask(f"mask_year({column})", f"make_date(year({column}), 1, 1)"))
        case _:
            return (
                null,
                Mask(
                    f"mask_fields({column}, 'y')", f"named_struct('x', {column}.x, 'y', CAST(NULL AS STRING))"
                ),
            )


@dataclass(frozen=True, slots=True)
class Variant:
    """A policy on one table."""

    table: str
    number: int
    filter: str | None
    masks: Mapping[str, Mask]
    restricted: frozenset[str]

    @property
    def copy(self) -> str:
        return f"{self.table}_{self.number}"

    @property
    def protects(self) -> bool:
        return bool(self.filter or self.masks or self.restricted)

    @property
    def visible(self) -> dict[str, Type]:
        return {name: type_ for name, type_ in COLUMNS[self.table].items() if name not in self.restricted}

    def rule(self, users: list[str]) -> dict[str, Any]:
        return {
            "name": f"variant {self.copy}",
            "users": users,
            "tables": [f"spare.src.{self.table}"],
            **({"rows": self.filter} if self.filter else {}),
            **({"masks": {name: mask.policy for name, mask in self.masks.items()}} if self.masks else {}),
            **({"restrict": sorted(self.restricted)} if self.restricted else {}),
        }

    def trusted(self, state: str = "") -> str:
        shown = ", ".join(
            f"{self.masks[name].trusted if name in self.masks else name} AS {name}" for name in self.visible
        )
        return f"SELECT {shown} FROM spare.src.{self.table}{state} WHERE {self.filter or 'true'}"

    def statements(self) -> Iterator[str]:
        name = f"spare.copies.{self.copy}"
        old = self.trusted(" VERSION AS OF 'old'")
        yield f"CREATE TABLE {name} AS {old}"
        yield f"ALTER TABLE {name} CREATE TAG old"
        yield f"INSERT OVERWRITE {name} {self.trusted()}"
        if self.table == "t":
            yield view(f"spare.copies.v_{self.number}", name)


def view(name: str, table: str) -> str:
    return f"CREATE VIEW {name} AS SELECT a, count(*) AS k, max(a) AS m FROM {table} GROUP BY a"


def variants(table: str, count: int, random: Random) -> list[Variant]:
    """The first is no policy at all."""
    made = [Variant(table, 0, None, {}, frozenset())]
    for number in range(1, count):
        masked = {
            name: random.choice(masks(name, type_))
            for name, type_ in COLUMNS[table].items()
            if random.random() < 0.4
        }
        restricted = frozenset(
            name for name in COLUMNS[table] if name not in masked and name != "a" and random.random() < 0.2
        )
        # At least one of them restricts, and a filter may look at what is masked or not there.
        filter_ = (
            random.choice(FILTERS[table]) if random.random() < 0.7 or not (masked or restricted) else None
        )
        made.append(Variant(table, number, filter_, masked, restricted))
    return made


@dataclass(frozen=True, slots=True)
class Subject:
    """A user of the property tests."""

    name: str
    variants: Mapping[str, Variant]

    def source(self, text: str) -> str:
        """A query's text, for himself."""
        return text.format(t="spare.src.t", u="spare.src.u", p="spare.src.p", v="spare.src.v")

    def copied(self, text: str) -> str:
        """The same over what was filtered and masked beforehand."""
        copies = {table: f"spare.copies.{variant.copy}" for table, variant in self.variants.items()}
        return text.format(**copies, v=f"spare.copies.v_{self.variants['t'].number}")


_random = Random(1790)
_COUNT = 5
VARIANTS = {table: variants(table, _COUNT, _random) for table in COLUMNS}
SUBJECTS = tuple(
    Subject(
        f"p{number}",
        {table: VARIANTS[table][(number * step) % _COUNT] for table, step in (("t", 1), ("u", 2), ("p", 3))},
    )
    for number in range(1, _COUNT + 1)
)
PASSWORDS = {subject.name: f"{subject.name}-pw" for subject in SUBJECTS}


def rules() -> list[dict[str, Any]]:
    found = [
        variant.rule(users)
        for table in COLUMNS
        for variant in VARIANTS[table]
        if (users := [subject.name for subject in SUBJECTS if subject.variants[table] is variant])
    ]
    everybody = [subject.name for subject in SUBJECTS]
    return [*found, {"name": "the view", "users": everybody, "tables": ["spare.src.v"]}]


def set_up() -> Iterator[str]:
    yield "CREATE SCHEMA spare.src"
    yield "CREATE SCHEMA spare.copies"
    for table, columns in COLUMNS.items():
        described = ", ".join(f"{name} {type_}" for name, type_ in columns.items())
        partitioned = " PARTITIONED BY (r)" if table == "p" else ""
        yield f"CREATE TABLE spare.src.{table} ({described}){partitioned}"
        values = ", ".join((*_ROWS[table], _OLD[table]))
        yield f"INSERT INTO spare.src.{table} SELECT /*+ COALESCE(1) */ * FROM VALUES {values}"
        yield f"ALTER TABLE spare.src.{table} CREATE TAG old"
        yield f"DELETE FROM spare.src.{table} WHERE a = 10"
    yield view("spare.src.v", "spare.src.t")
    for table in COLUMNS:
        for variant in VARIANTS[table]:
            if any(subject.variants[table] is variant for subject in SUBJECTS):
                yield from variant.statements()
