"""A case of the corpus: a statement, and the answers to the restricted user and to the control user.

Rows are compared as sets of texts, so that all front ends can be held to the same figures: dates as ISO, numbers as
written, structs as tuples. A refusal has a code, and its message has the words that it must have.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Dialect = Literal["spark", "trino"]
FrontEnd = Literal["flight", "trino", "embedded"]


@dataclass(frozen=True, slots=True)
class Rows:
    rows: tuple[tuple[Any, ...], ...]

    def __str__(self) -> str:
        return f"the rows {list(self.rows)}"


@dataclass(frozen=True, slots=True)
class Refusal:
    codes: frozenset[str]
    words: str = ""  # a regular expression that is found in the message

    def saying(self, words: str) -> Refusal:
        return Refusal(self.codes, words)

    def __str__(self) -> str:
        return f"a refusal with {' or '.join(sorted(self.codes))}" + (
            f" ({self.words})" if self.words else ""
        )


@dataclass(frozen=True, slots=True)
class Matching:
    """Rows of text, such as a plan or a definition, that match one pattern and never the other."""

    words: str
    never: str = ""

    def __str__(self) -> str:
        return f"a text with {self.words!r}" + (f" and without {self.never!r}" if self.never else "")


@dataclass(frozen=True, slots=True)
class Done:
    """Success; the number of changed rows differs between front ends."""

    def __str__(self) -> str:
        return "that it is done"


Answer = Rows | Refusal | Matching | Done


def rows(*rows: Any) -> Rows:
    """Rows of several values as tuples, rows of one value as the value."""
    return Rows(tuple(row if isinstance(row, tuple) else (row,) for row in rows))


def refusal(*codes: str, words: str = "") -> Refusal:
    return Refusal(frozenset(codes), words)


NONE = rows()
DONE = Done()
DENIED = refusal("ACCESS_DENIED")
UNSUPPORTED = refusal("NOT_SUPPORTED")
NO_COLUMN = refusal("COLUMN_NOT_FOUND")
NO_TABLE = refusal("TABLE_NOT_FOUND")
NO_SCHEMA = refusal("SCHEMA_NOT_FOUND")
BAD_NAME = refusal("SEMANTIC_ERROR", words="is not valid: it ")
NO_FUNCTION = refusal("FUNCTION_NOT_FOUND")

METADATA = (
    *(
        "entries",
        "all_data_files",
        "all_delete_files",
        "all_entries",
        "all_files",
        "all_manifests",
        "data_files",
    ),
    *(
        "delete_files",
        "files",
        "history",
        "manifests",
        "metadata_log_entries",
        "partitions",
        "position_deletes",
    ),
    *("refs", "snapshots"),
)
"""Every metadata table that Iceberg has."""


@dataclass(frozen=True, slots=True)
class Case:
    name: str
    """Where it comes from, and what it tries."""
    sql: str
    ann: Answer
    bob: Answer
    control: str | None = None
    """What bob sends, where nobody may do what ann tries: the nearest thing that is allowed."""
    before: tuple[str, ...] = ()
    """Statements of the same session ahead of it, which work for both."""
    tries: tuple[str, ...] = ()
    """Statements ahead of it that may be refused; what counts is what `sql` gives afterwards."""
    dialect: Dialect = "spark"
    writes: bool = False
    """Bob's statement changes the lake; ann's does not."""
    ann_writes: bool = False
    """Ann's changes it too; `left` says what is there then."""
    left: tuple[str, Rows] | None = None
    """A query of bob's after ann's statement, and its rows."""
    eve: Answer | None = None
    """Who has no rights at all."""
    fresh: bool = False
    """In sessions of its own, as it would leave something behind."""
    bob_first: bool = False
    front_ends: tuple[FrontEnd, ...] = ("flight", "trino", "embedded")
    everywhere: bool = False
    """With every policy engine and on REST catalogs too, where only the tables of essentials.py have rules."""

    @property
    def changes(self) -> bool:
        return self.writes or self.ann_writes


def among(names: Sequence[tuple[str, str]], make: Callable[[str, str], Case]) -> tuple[Case, ...]:
    """The same attack with many words: each a name and a text."""
    return tuple(make(name, text) for name, text in names)
