"""JDBC drivers, through a process of ours that loads one and takes lines of JSON: see ../jdbc/JdbcDriver.java."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

from tests.conformance.clients.arrow_values import parameter_text
from tests.conformance.clients.base import Connection, Failed, Parameter, Result, Running
from tests.conformance.clients.driver_process import Answer, DriverProcess
from tests.conformance.clients.threads import Threaded
from tests.conformance.values import Months, real


class JdbcConnection(Connection):
    """A connection of either driver. `type_of` makes the suite's name of what ResultSetMetaData says."""

    def __init__(
        self,
        process: DriverProcess,
        url: str,
        properties: Mapping[str, str],
        type_of: Callable[[Mapping[str, Any]], str],
        explain: Callable[[Failed], Failed],
    ) -> None:
        self._process, self._type_of, self._explain = process, type_of, explain
        self._name = process.new_name("connection")
        self._call("connect", url=url, properties=dict(properties))

    def _call(self, op: str, **arguments: Any) -> Answer:
        try:
            return self._process.call(op, connection=self._name, **arguments)
        except Failed as error:
            raise self._explain(error) from None

    def _statement(self, op: str, sql: str, **arguments: Any) -> Answer:
        name = self._process.new_name("statement")
        return self._call(op, statement=name, sql=sql, **arguments)

    def query(self, sql: str) -> Result:
        return self._result(self._statement("query", sql))

    def _result(self, answer: Answer) -> Result:
        return Result(
            tuple(column["name"] for column in answer["columns"]),
            tuple(map(self._type_of, answer["columns"])),
            [tuple(map(value, row)) for row in answer.get("rows", ())],
        )

    def scan(self, sql: str) -> tuple[int, int]:
        answer = self._statement("scan", sql)
        return answer["count"], answer["sum"]

    def update(self, sql: str) -> int | None:
        return int(self._statement("update", sql)["count"])

    def prepared(self, sql: str, parameters: Sequence[Parameter]) -> Result:
        return self._result(
            self._statement("prepared", sql, parameters=[list(map(parameter_text, parameters))])
        )

    def prepared_update(self, sql: str, rows: Sequence[Sequence[Parameter]]) -> int | None:
        texts = [list(map(parameter_text, row)) for row in rows]
        return int(self._statement("prepared", sql, parameters=texts, update=True)["count"])

    def describe(self, sql: str) -> tuple[tuple[str, ...], Result]:
        answer = self._call("describe", sql=sql)
        return tuple(text.lower() for text in answer["parameters"]), self._result(answer)

    def metadata(self, call: str, **arguments: str | None) -> list[dict[str, Any]]:
        """What a call of DatabaseMetaData returns, by the names of its columns in upper case."""
        found = self._result(self._call("metadata", call=call, **arguments))
        names = [name.upper() for name in found.names]
        return [dict(zip(names, row, strict=True)) for row in found.rows]

    def catalogs(self) -> list[str]:
        return [row["TABLE_CAT"] for row in self.metadata("getCatalogs")]

    def schemas(self, catalog: str) -> list[str]:
        return [row["TABLE_SCHEM"] for row in self.metadata("getSchemas", catalog=catalog)]

    def tables(self, catalog: str, schema: str) -> dict[str, str]:
        found = self.metadata("getTables", catalog=catalog, schema=schema, table="%")
        return {row["TABLE_NAME"]: row["TABLE_TYPE"] for row in found}

    def columns(self, catalog: str, schema: str, table: str) -> list[tuple[str, str]]:
        found = self.metadata("getColumns", catalog=catalog, schema=schema, table=table)
        return [
            (
                row["COLUMN_NAME"],
                self._type_of(
                    {
                        "type": row["TYPE_NAME"],
                        "jdbc": row["DATA_TYPE"],
                        "precision": row["COLUMN_SIZE"],
                        "scale": row["DECIMAL_DIGITS"],
                    }
                ),
            )
            for row in sorted(found, key=lambda row: row["ORDINAL_POSITION"])
        ]

    def start(self, sql: str) -> Running:
        name = self._process.new_name("statement")
        return Threaded(
            lambda: self._call("query", statement=name, sql=sql),
            lambda: self._process.call("cancel", statement=name),
        )

    def valid(self) -> bool:
        return bool(self._call("valid")["done"])

    def transaction(self, statements: Sequence[str]) -> None:
        self._call("autocommit", on=False)
        try:
            for sql in statements:
                self._statement("execute", sql)
            self._call("commit")
        finally:
            self._call("autocommit", on=True)

    def product(self) -> Answer:
        return self._call("product")

    def where(self) -> tuple[str, str]:
        answer = self._call("where")
        return answer["catalog"], answer["schema"]

    def close(self) -> None:
        self._call("close")


def value(written: Any) -> Any:
    """What Values.java wrote."""
    if written is None:
        return None
    kind, content = written
    if kind == "array":
        return [value(item) for item in content]
    if kind == "map":
        return {value(key): value(item) for key, item in content}
    if kind == "row":
        return tuple(value(item) for _, item in content)
    return _KINDS[kind](content)


def _zoned(text: str) -> datetime:
    return datetime.fromisoformat(text.partition("[")[0])


def _int(text: str) -> int:
    return int(text)


def _day_time(text: str) -> timedelta:
    found = re.fullmatch(r"(-?)(\d+) (\d+):(\d+):(\d+)\.(\d{3})", text)
    assert found, text
    days, hours, minutes, seconds, millis = map(int, found.groups()[1:])
    length = timedelta(days, seconds, 0, millis, minutes, hours)
    return -length if found[1] else length


def _year_month(text: str) -> Months:
    found = re.fullmatch(r"(-?)(\d+)-(\d+)", text)
    assert found, text
    count = int(found[2]) * 12 + int(found[3])
    return Months(-count if found[1] else count)


def _period(text: str) -> Months:
    """A period and a duration, of which only the first is there: `P1Y2M PT0S`."""
    found = re.fullmatch(r"P(?:(-?\d+)Y)?(?:(-?\d+)M)?(?:0D)? PT0S", text)
    assert found, text
    return Months(int(found[1] or 0) * 12 + int(found[2] or 0))


def _duration(text: str) -> timedelta:
    """ISO 8601, as java.time.Duration writes it."""
    found = re.fullmatch(r"PT(?:(-?\d+)H)?(?:(-?\d+)M)?(?:(-?[\d.]+)S)?", text)
    assert found, text
    hours, minutes, seconds = (float(part or 0) for part in found.groups())
    return timedelta(hours=hours, minutes=minutes, seconds=seconds)


_KINDS: Mapping[str, Callable[[str], Any]] = {
    "Boolean": lambda text: text == "true",
    "Byte": _int,
    "Short": _int,
    "Integer": _int,
    "Long": _int,
    "Float": lambda text: real(float(text)),
    "Double": float,
    "BigDecimal": Decimal,
    "String": str,
    "Text": str,
    "Duration": _duration,
    "PeriodDuration": _period,
    "TrinoIntervalDayTime": _day_time,
    "TrinoIntervalYearMonth": _year_month,
    "bytes": base64.b64decode,
    "LocalDate": date.fromisoformat,
    "Date": date.fromisoformat,
    "LocalDateTime": datetime.fromisoformat,
    "ZonedDateTime": _zoned,
    "OffsetDateTime": _zoned,
    "Timestamp": lambda text: datetime.fromisoformat(text).astimezone(UTC),
}
