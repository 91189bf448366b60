"""Trino's command line: a run for each statement, and JSON out of it."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import re
import subprocess
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any, ClassVar

from testing.command import QUICK_JAVA
from tests.conformance.clients.base import Ability, Client, Connection, Failed, FrontEnds, Result, Setup, User
from tests.conformance.clients.driver_process import DriverProcess
from tests.conformance.runtime import JavaClients
from tests.conformance.type_names import field, parts
from tests.conformance.values import Months, short_real

_SECONDS = 150.0
_OPTIONS = (
    *QUICK_JAVA,
    *["-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8", "-Dstderr.encoding=UTF-8"],
    "-Dorg.jline.terminal.dumb=true",
)
_PLACE = re.compile(r"\bline (\d+):(\d+): ")


class TrinoCliConnection(Connection):
    """No connection at all: each statement is a run that has everything in its options."""

    def __init__(self, client: TrinoCli, setup: Setup) -> None:
        self._client, self._setup = client, setup

    def arguments(self, sql: str | None, output: str) -> list[str]:
        setup = self._setup
        return [
            *[
                "--server",
                self._client.front_ends.trino,
                "--truststore-path",
                str(self._client.front_ends.ca),
            ],
            *["--user", setup.user.name, "--password"],
            *(["--catalog", setup.catalog] if setup.catalog else []),
            *(["--schema", setup.schema] if setup.schema else []),
            *["--timezone", setup.time_zone or "UTC"],
            *[f"--session={name}={text}" for name, text in setup.properties.items()],
            *(["--execute", sql, "--output-format", output, "--no-progress"] if sql else []),
        ]

    def environment(self) -> dict[str, str]:
        return os.environ | {"TRINO_PASSWORD": self._setup.user.password}

    def popen(self, sql: str, output: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [*self._client.java_command, *self.arguments(sql, output)],
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def _run(self, sql: str, output: str) -> tuple[str, str]:
        driver = self._client.driver(self._setup.user, self.environment())
        answer = driver.call("run", arguments=self.arguments(sql, output))
        return checked(answer["code"], answer["out"], answer["err"])

    def query(self, sql: str) -> Result:
        # JSON tells NULL from an empty text, but has no names when there are no rows.
        try:
            rows = [
                json.loads(line, object_pairs_hook=list) for line in self._run(sql, "JSON")[0].splitlines()
            ]
        except Failed as error:
            if "No ObjectCodec" not in error.message:
                raise
            rows = []  # its JSON cannot have arrays, maps and rows
        if rows:
            names = [name for name, _ in rows[0]]
            return Result(
                tuple(names), ("",) * len(names), [tuple(value for _, value in row) for row in rows]
            )
        names, *texts = csv.reader(io.StringIO(self._run(sql, "CSV_HEADER")[0]))
        return Result(tuple(names), ("",) * len(names), [_typed(row) for row in texts])

    def scan(self, sql: str) -> tuple[int, int]:
        # A process of its own, as people run it, and because the answer of the other is one line.
        count = total = 0
        process = self.popen(sql, "CSV_UNQUOTED")
        assert process.stdout is not None
        for line in process.stdout:
            count += 1
            total += int(line.partition(",")[0])
        finished(process, _SECONDS)
        return count, total

    def update(self, sql: str) -> int | None:
        # "INSERT: 3 rows", or just "CREATE TABLE".
        _, err = self._run(sql, "CSV")
        found = re.search(r": (\d+) rows?$", err.strip())
        return int(found[1]) if found else None

    def catalogs(self) -> list[str]:
        return [row[0] for row in self.query("SHOW CATALOGS").rows]

    def schemas(self, catalog: str) -> list[str]:
        return [row[0] for row in self.query(f'SHOW SCHEMAS FROM "{catalog}"').rows]

    def tables(self, catalog: str, schema: str) -> dict[str, str]:
        # What it asks itself to complete names, which does not tell views from tables.
        found = self.query(
            f'SELECT table_name, table_type FROM "{catalog}".information_schema.tables '
            f"WHERE table_schema = '{schema}'"
        )
        return {name: "TABLE" if kind == "BASE TABLE" else kind for name, kind in found.rows}

    def columns(self, catalog: str, schema: str, table: str) -> list[tuple[str, str]]:
        return [(row[0], row[1]) for row in self.query(f'DESCRIBE "{catalog}"."{schema}"."{table}"').rows]

    def close(self) -> None:
        """Nothing is open."""


def finished(process: subprocess.Popen[str], seconds: float) -> tuple[str, str]:
    """Everything that it printed as a result, and besides. Raises Failed with what it printed as an error."""
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise TimeoutError(f"trino-cli has not ended after {seconds:.0f} s") from None
    return checked(process.returncode, out, err)


def checked(code: int, out: str, err: str) -> tuple[str, str]:
    if code != 0 or "failed:" in err:
        place = _PLACE.search(err)
        raise Failed(
            f"exit {code}",
            err.strip() or out.strip(),
            line=int(place[1]) if place else None,
            column=int(place[2]) if place else None,
        )
    return out, err


def _typed(row: list[str]) -> tuple[Any, ...]:
    """Numbers as JSON would have them, so that one way to compare is enough."""
    return tuple(int(text) if text.isdecimal() else text or None for text in row)


class TrinoCli(Client):
    name = "trino_cli"
    title = "Trino CLI 476"
    front_end = "Trino"
    language = "sh"
    raises: ClassVar[Mapping[str, tuple[str, ...]]] = {"other": ("exit 1",)}
    lacks: ClassVar[Mapping[Ability, str]] = {
        "prepared": "it has no parameters; PREPARE and EXECUTE are statements like any other",
        "describe": "it has no such command",
        "valid": "it has no connection",
        "ingest": "the protocol has no such thing",
        "transactions": "each statement is a process of its own",
        "cancel": "without a terminal, Ctrl-C ends it and says nothing to the server; test_trino_cli.py has a terminal",
        "keeps": "each statement is a process of its own here",
    }
    tells = frozenset({"position"})
    connect_example = """\
TRINO_PASSWORD=... trino --server https://sqe.example.com:8080 --user alice --password --catalog iceberg
"""

    def __init__(self, front_ends: FrontEnds, java: JavaClients) -> None:
        super().__init__(front_ends)
        self._java = java
        self._drivers: dict[User, DriverProcess] = {}  # it takes passwords from its environment only
        self.java_command = (str(java.java), "-Xmx256m", *_OPTIONS, "-jar", str(java.trino_cli))

    def driver(self, user: User, environment: Mapping[str, str]) -> DriverProcess:
        if user not in self._drivers:
            self._drivers[user] = DriverProcess(
                self._java, "TrinoCliDriver", self._java.trino_cli, _OPTIONS, environment
            )
        return self._drivers[user]

    def close(self) -> None:
        for driver in self._drivers.values():
            driver.close()

    def connect(self, setup: Setup) -> Connection:
        return TrinoCliConnection(self, setup)

    def shown_type(self, type_: str) -> str:
        return ""

    def listed_type(self, type_: str) -> str:
        return type_

    def shown_value(self, value: Any, type_: str) -> Any:
        """Its JSON has Trino's texts for what JSON has no form for."""
        if isinstance(value, list | dict | tuple):
            return self.text(value, type_)
        if isinstance(value, float) and not math.isfinite(value):
            return {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}[str(value)]
        if isinstance(value, float) and type_ == "real":
            return short_real(value)
        if isinstance(value, bytes):
            return value.hex(" ")
        if isinstance(value, Decimal):
            return format(value, "f")
        if isinstance(value, datetime):
            zone = " " + str(value.tzinfo).replace("UTC+", "+") if value.tzinfo else ""
            return f"{value.date().isoformat()} {value.strftime('%H:%M:%S.%f')}{zone}"
        if isinstance(value, date):
            return value.isoformat()
        if isinstance(value, timedelta):
            seconds = value.seconds
            return (
                f"{value.days} {seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
                f".{value.microseconds // 1000:03}"
            )
        if isinstance(value, Months):
            return f"{value.count // 12}-{value.count % 12}"
        return value

    def text(self, value: Any, type_: str) -> str:
        """How it prints what is inside of an array, a map or a row, for people."""
        name, inner = parts(type_)
        if value is None:
            return "NULL"
        if name == "array":
            return f"[{', '.join(self.text(item, inner[0]) for item in value)}]"
        if name == "map":
            pairs = [f"{self.text(key, inner[0])}={self.text(item, inner[1])}" for key, item in value.items()]
            return f"{{{', '.join(pairs)}}}"
        if name == "row":
            fields = zip(value, map(field, inner), strict=True)
            return f"{{{', '.join(f'{key}={self.text(item, kind)}' for item, (key, kind) in fields)}}}"
        return str(self.shown_value(value, type_))
