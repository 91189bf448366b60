"""Random histories of a table: columns are tagged, dropped, renamed, swapped and added again between snapshots.

Each history keeps a model of the table beside its statements: which field each name meant in each snapshot. From the
model and the rules of a policy engine follows which fields a restricted user must not see, in any state of the table.
Every value has the number of its field in it, so that a value of a hidden field is found wherever it is shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from tests.security.random_names import quoted

SCHEMA = ("lake", "hist")
HIDDEN_NAME = "ssn"
TAG = "pii"
# The last ones: a dot, a quote, a blank, another case, a Cyrillic letter, and a letter that some take for an s.
NAMES = (HIDDEN_NAME, "code", "note", "a.b", "a`b", "a b", "SSN", "\u0455sn", "\u017fsn")
TABLES = ("plain", "a `quoted` one", "p\u0435ople", "T")
BRANCH = "side"


@dataclass(eq=False)
class Field:
    """A column by its identity, which renames do not change."""

    number: int
    type: str
    names: list[str]  # all that it had; the last is the current one
    tagged: bool = False
    dropped: bool = False
    bound: bool = False  # a policy of the grants engine names it
    in_paths: bool = False  # the table was partitioned by it

    @property
    def name(self) -> str:
        return self.names[-1]

    def is_named(self, *, widely: bool = False) -> bool:
        """Whether rules about the name hold for it: the current name, or any name if it is dropped."""
        names = self.names if self.dropped or widely else [self.name]
        fold = str.casefold if widely else str.lower
        return any(fold(name) == HIDDEN_NAME for name in names)

    def value(self, row: int) -> str:
        match self.type:
            case "STRING":
                return f"'{self.text(row)}'"
            case "INT" | "BIGINT":
                return self.text(row)
            case _:
                return f"named_struct('a', '{self.text(row)}', 'b', '{self.text(row)}')"

    def text(self, row: int) -> str:
        return f"{self.mark}{row:02}"

    @property
    def mark(self) -> str:
        """What all values of the field begin with."""
        return f"71{self.number:03}9"


State = tuple[tuple[str, Field], ...]  # the names of a snapshot and the fields that they meant


@dataclass
class History:
    """A table as its statements have made it."""

    table: str
    by_name: bool  # the engine has a rule about the name
    by_tag: bool
    by_id: bool  # the engine has a policy on the column that had the name at first
    fields: list[Field] = field(default_factory=list)
    current: list[Field] = field(default_factory=list)
    snapshots: list[State] = field(default_factory=list)
    partitioned: Field | None = None
    branched: bool = False

    @property
    def name(self) -> str:
        return quoted((*SCHEMA, self.table))

    def must_hide(self, each: Field, name: str) -> bool:
        """Whether the field is hidden in a state in which it has this name."""
        if self.by_tag and each.tagged:
            return True
        if self.by_id and (each.bound or name.casefold() == HIDDEN_NAME):
            return True
        return self.by_name and each.is_named()

    def may_hide(self, each: Field, name: str) -> bool:
        """Whether it may be hidden besides: by a name that is compared widely."""
        return self.must_hide(each, name) or (
            (self.by_name or self.by_id) and (name.casefold() == HIDDEN_NAME or each.is_named(widely=True))
        )

    @property
    def protected(self) -> bool:
        """Whether there is a field in any state that must be hidden."""
        return any(self.must_hide(each, each.name) for each in self.fields)

    @property
    def open(self) -> bool:
        return not any(self.may_hide(each, name) for each in self.fields for name in each.names)

    def state(self) -> State:
        return tuple((each.name, each) for each in self.current)


def histories(random: Random, number: int, *, by_name: bool, by_tag: bool, by_id: bool) -> HistoryGenerator:
    table = f"{random.choice(TABLES)} {number}"
    return HistoryGenerator(History(table, by_name, by_tag, by_id), random)


class HistoryGenerator:
    """Yields the statements of a history, and keeps its model up to date."""

    def __init__(self, history: History, random: Random) -> None:
        self.history = history
        self._random = random
        self._row = 0

    def statements(self, steps: int) -> Iterator[str]:
        yield from self._created()
        yield from self._inserted()
        moves = [
            *(self._renamed, self._renamed, self._swapped, self._dropped, self._dropped, self._added),
            *(self._tagged, self._tagged, self._reordered, self._widened, self._nested_renamed),
            *(self._inserted, self._inserted, self._branched, self._replaced),
        ]
        for _ in range(steps):
            yield from self._random.choice(moves)()

    # -- the steps ------------------------------------------------------------------------------------------------

    def _created(self) -> Iterator[str]:
        history = self.history
        types = ["STRING", "STRING", "INT", "STRUCT<a: STRING, b: STRING>"]
        names = [HIDDEN_NAME, *self._random.sample(("code", "note", "a.b", "x"), 3)]
        history.current = [self._new(name, type_) for name, type_ in zip(names, types, strict=True)]
        history.current[0].bound = history.by_id
        if self._random.random() < 0.4:
            history.partitioned = self._random.choice(history.current[:2])
            history.partitioned.in_paths = True
        columns = ", ".join(f"{quoted([each.name])} {each.type}" for each in history.current)
        by = f" PARTITIONED BY ({quoted([history.partitioned.name])})" if history.partitioned else ""
        yield f"CREATE TABLE {history.name} ({columns}){by}"
        if history.by_id:
            yield (
                f"CREATE POLICY {quoted([f'of {history.table}'])} COLUMN MASK ON TABLE {history.name} "
                f"({HIDDEN_NAME}) TO USER ann USING (mask_null())"
            )

    def _inserted(self) -> Iterator[str]:
        history = self.history
        self._row += 1
        values = ", ".join(each.value(self._row) for each in history.current)
        yield f"INSERT INTO {history.name} VALUES ({values})"
        yield f"ALTER TABLE {history.name} CREATE TAG s{len(history.snapshots)}"
        history.snapshots.append(history.state())

    def _renamed(self) -> Iterator[str]:
        each, name = self._random.choice(self.history.current), self._free_name()
        if name is not None:
            yield self._rename(each, name)

    def _swapped(self) -> Iterator[str]:
        if len(self.history.current) < 2:
            return
        one, other = self._random.sample(self.history.current, 2)
        if self.history.partitioned in (one, other):
            return  # the partition keeps the name, and Iceberg gives it to no other column
        first, second = one.name, other.name
        yield self._rename(one, "between")
        yield self._rename(other, first)
        yield self._rename(one, second)

    def _dropped(self) -> Iterator[str]:
        history = self.history
        if len(history.current) < 3:
            return
        each = self._random.choice(history.current)
        if each is history.partitioned:
            yield f"ALTER TABLE {history.name} DROP PARTITION FIELD {quoted([each.names[0]])}"
            history.partitioned = None
        yield f"ALTER TABLE {history.name} DROP COLUMN {quoted([each.name])}"
        history.current.remove(each)
        each.dropped = True

    def _added(self) -> Iterator[str]:
        name = self._free_name()
        if name is not None:
            yield f"ALTER TABLE {self.history.name} ADD COLUMN {quoted([name])} STRING"
            self.history.current.append(self._new(name, "STRING"))

    def _tagged(self) -> Iterator[str]:
        each = self._random.choice(self.history.current)
        if self.history.by_tag:
            yield f"ALTER TABLE {self.history.name} SET TAGS ({quoted([each.name])} = ('{TAG}'))"
            each.tagged = True

    def _reordered(self) -> Iterator[str]:
        each = self._random.choice(self.history.current)
        yield f"ALTER TABLE {self.history.name} ALTER COLUMN {quoted([each.name])} FIRST"
        self.history.current.remove(each)
        self.history.current.insert(0, each)

    def _widened(self) -> Iterator[str]:
        for each in self.history.current:
            if each.type == "INT":
                yield f"ALTER TABLE {self.history.name} ALTER COLUMN {quoted([each.name])} TYPE BIGINT"
                each.type = "BIGINT"

    def _nested_renamed(self) -> Iterator[str]:
        for each in self.history.current:
            if each.type.startswith("STRUCT<a"):
                yield f"ALTER TABLE {self.history.name} RENAME COLUMN {quoted([each.name, 'b'])} TO {HIDDEN_NAME}"
                each.type = "STRUCT<b: STRING>"  # it is renamed once

    def _branched(self) -> Iterator[str]:
        if not self.history.branched:
            yield f"ALTER TABLE {self.history.name} CREATE BRANCH {BRANCH}"
            self.history.branched = True

    def _replaced(self) -> Iterator[str]:
        """Iceberg gives a column the id of the one that has its name now."""
        history = self.history
        kept = [each for each in history.current if self._random.random() < 0.5]
        if history.branched or not kept or any(each.type.startswith("STRUCT<b") for each in kept):
            return  # a branch has the schema of the table
        columns = ", ".join(f"{quoted([each.name])} {each.type}" for each in kept)
        yield f"CREATE OR REPLACE TABLE {history.name} ({columns})"
        for each in history.current:
            each.dropped = each not in kept
        history.current, history.partitioned = kept, None

    # -- inside ---------------------------------------------------------------------------------------------------

    def _new(self, name: str, type_: str) -> Field:
        made = Field(len(self.history.fields), type_, [name])
        self.history.fields.append(made)
        return made

    def _rename(self, each: Field, name: str) -> str:
        old = each.name
        each.names.append(name)
        return f"ALTER TABLE {self.history.name} RENAME COLUMN {quoted([old])} TO {quoted([name])}"

    def _free_name(self) -> str | None:
        # Spark compares without regard to case, in its own way: a name that could be taken for another is left out.
        taken = {each.name.casefold() for each in self.history.current}
        if self.history.partitioned is not None:
            taken.add(self.history.partitioned.names[0].casefold())
        free = [name for name in NAMES if name.casefold() not in taken]
        return self._random.choice(free) if free else None
