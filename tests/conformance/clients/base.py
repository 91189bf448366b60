"""The interface of the suite to a client. Each adapter uses the client's own means and adds nothing."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

from tests.conformance.gaps import NotOffered

Ability = Literal[
    "update",  # statements without rows, and how many rows they changed
    "prepared",  # parameters
    "describe",  # types of parameters and columns before a statement runs
    "metadata",  # catalogs, schemas, tables and columns by calls of the client's own
    "cancel",  # another thread stops a statement
    "transactions",
    "valid",  # asking whether the connection is alive
    "properties",  # session properties when connecting
    "schema",  # a current catalog and schema when connecting
    "zone",  # a time zone when connecting
    "keeps",  # one connection is one session: what USE and SET SESSION do, the next statement sees
    "ingest",  # whole tables from the client to the server
]


@dataclass(frozen=True, slots=True)
class User:
    name: str
    password: str


ALICE = User("alice", "alice's s3cret: &x")
BOB = User("bob", "b\u00f6b")


@dataclass(frozen=True, slots=True)
class FrontEnds:
    """The addresses of a server's front ends, and the authority of their certificates."""

    flight: str  # grpc+tls://localhost:PORT
    trino: str  # https://localhost:PORT
    ca: Path

    @property
    def trino_port(self) -> int:
        return int(self.trino.rpartition(":")[2])

    @property
    def flight_port(self) -> int:
        return int(self.flight.rpartition(":")[2])


@dataclass(frozen=True, slots=True)
class Setup:
    """How a connection should begin."""

    user: User = ALICE
    catalog: str | None = None
    schema: str | None = None
    properties: Mapping[str, str] = field(default_factory=dict)
    time_zone: str | None = None


@dataclass(frozen=True, slots=True)
class Result:
    names: tuple[str, ...]
    types: tuple[str, ...]
    """In Trino's names, as far as the client tells; the client's `shown_type` says how far that is."""
    rows: list[tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Parameter:
    type: str
    """boolean, tinyint ... varchar, varbinary, decimal, date, timestamp"""
    value: Any


class Failed(Exception):  # noqa: N818 - what the client raised, told in one form
    """A statement or connection failed; `error` is the client's own exception, or what stands for it."""

    def __init__(
        self,
        kind: str,
        message: str,
        *,
        name: str | None = None,
        sqlstate: str | None = None,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        super().__init__(f"{kind}: {message}")
        self.kind = kind
        """The client's own class."""
        self.message = message
        self.name = name
        """The error's name on the wire, if the client shows it."""
        self.sqlstate = sqlstate
        self.line = line
        self.column = column


class Running(ABC):
    """A query that another thread is reading."""

    @abstractmethod
    def cancel(self) -> None:
        """Stop it, in the client's own way."""

    @abstractmethod
    def wait(self, seconds: float) -> None:
        """Until it has ended. Raises what the query ended with, or TimeoutError."""


class Connection(ABC):
    @abstractmethod
    def query(self, sql: str) -> Result: ...

    @abstractmethod
    def close(self) -> None: ...

    def scan(self, sql: str) -> tuple[int, int]:
        """How many rows, and the sum of the first column, without keeping them where the client can."""
        rows = self.query(sql).rows
        return len(rows), sum(row[0] for row in rows)

    def update(self, sql: str) -> int | None:
        """Run what returns no rows; how many rows it changed, None if the client does not say."""
        raise NotOffered("update")

    def prepared(self, sql: str, parameters: Sequence[Parameter]) -> Result:
        raise NotOffered("prepared")

    def prepared_update(self, sql: str, rows: Sequence[Sequence[Parameter]]) -> int | None:
        """Prepare once and run once for each of `rows`; how many the last one changed."""
        raise NotOffered("prepared")

    def describe(self, sql: str) -> tuple[tuple[str, ...], Result]:
        """The types of a prepared statement's parameters, and its columns, before it runs."""
        raise NotOffered("describe")

    def catalogs(self) -> list[str]:
        raise NotOffered("metadata")

    def schemas(self, catalog: str) -> list[str]:
        raise NotOffered("metadata")

    def tables(self, catalog: str, schema: str) -> dict[str, str]:
        """Name and kind, which is TABLE or VIEW."""
        raise NotOffered("metadata")

    def columns(self, catalog: str, schema: str, table: str) -> list[tuple[str, str]]:
        raise NotOffered("metadata")

    def start(self, sql: str) -> Running:
        raise NotOffered("cancel")

    def valid(self) -> bool:
        raise NotOffered("valid")

    def transaction(self, statements: Sequence[str]) -> None:
        """Run them with autocommit off, and commit."""
        raise NotOffered("transactions")

    def ingest(self, table: str, data: Any, mode: str) -> int:
        raise NotOffered("ingest")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class Client(ABC):
    name: ClassVar[str]
    title: ClassVar[str]
    front_end: ClassVar[Literal["Flight SQL", "Trino"]]
    connect_example: ClassVar[str]
    """How a person connects with it; for docs/clients.md."""
    language: ClassVar[str] = "python"
    lacks: ClassVar[Mapping[Ability, str]] = {}
    """What its interface has no way to ask for, and why."""
    tells: ClassVar[frozenset[str]] = frozenset({"name", "sqlstate", "position"})
    """What of an error it shows besides the message."""
    raises: ClassVar[Mapping[str, tuple[str, ...]]] = {"other": ()}
    """Its exceptions by the error's name at its front end; the rest is under "other"."""

    def __init__(self, front_ends: FrontEnds) -> None:
        self.front_ends = front_ends

    @abstractmethod
    def connect(self, setup: Setup) -> Connection:
        """Raises Failed."""

    def close(self) -> None:  # noqa: B027 - most have nothing
        """Give back what all its connections share."""

    def shown_type(self, type_: str) -> str:
        """What this client makes of a type's name. The name itself, unless its interface has fewer types."""
        return type_

    def shown_parameter(self, type_: str) -> str:
        """The same for the types of parameters."""
        return type_

    def listed_type(self, type_: str) -> str:
        """The same for its lists of columns, which may say it in another way than a result does."""
        return self.shown_type(type_)

    def shown_value(self, value: Any, type_: str) -> Any:
        """What this client makes of a value. The value itself, unless its interface changes it."""
        return value
