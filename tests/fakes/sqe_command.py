# ruff: noqa: E402, I001 - the path and the way to import pyarrow come before the imports
"""The `sqe` command on a fake server, as a program: `python tests/fakes/sqe_command.py ARGUMENTS`.

The answers below are what the tests of the command and of the shell ask for.
"""

from __future__ import annotations

import os
import sys
import threading
import time
import types
from collections.abc import Callable
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[2] / "src"), str(Path(__file__).parents[2])]

from sqe.cli.client.light_arrow import import_light_arrow

import_light_arrow()  # as the command itself does, before the imports below

import pyarrow as pa

from sqe.cli.client.connection import Connection
from sqe.cli.command import run
from sqe.errors import EngineStartError, Position, SqlSyntaxError, TableNotFoundError
from sqe.model.query import Progress
from tests.fakes.connection import NOTHING, Answer, FakeConnection

NEVER = threading.Event()

TABLES: dict[str, pa.Table] = {
    "SELECT 1 AS x": pa.table({"x": pa.array([1], pa.int32())}),
    "SELECT 1": pa.table({"1": pa.array([1], pa.int32())}),
    "SELECT 2": pa.table({"2": pa.array([2], pa.int32())}),
    "SELECT NULL AS n": pa.table({"n": pa.array([None], pa.string())}),
    "SELECT evil": pa.table({"evil": ["\x1b]0;owned\x07\x1b[31mred"]}),
    "SELECT many": pa.table({"n": pa.array(range(100), pa.int64())}),
    "SELECT wide": pa.table({f"column_{i}": [f"value number {i} of a wide row"] for i in range(12)}),
    "CREATE TABLE t (a int)": NOTHING,
    "USE sales": NOTHING,
    "SHOW CATALOGS": pa.table({"catalog": ["iceberg"]}),
    "SHOW NAMESPACES IN `iceberg`": pa.table({"namespace": ["default", "sales"]}),
    "SHOW TABLES IN `iceberg`.`default`": pa.table(
        {"namespace": ["default"], "tableName": ["t"], "isTemporary": [False]}
    ),
    "SHOW TABLES IN `iceberg`.`sales`": pa.table(
        {"namespace": ["sales"] * 2, "tableName": ["customers", "orders"], "isTemporary": [False] * 2}
    ),
    "SHOW TABLES": pa.table({"namespace": ["default"], "tableName": ["t"], "isTemporary": [False]}),
    "SHOW VIEWS": pa.table({"namespace": ["default"], "viewName": ["v"], "isTemporary": [False]}),
    "SHOW FUNCTIONS": pa.table({"function": ["!", "abs", "approx_count_distinct", "upper"]}),
    "SELECT current_catalog(), current_schema()": pa.table({"c": ["iceberg"], "s": ["default"]}),
    "DESCRIBE TABLE `iceberg`.`sales`.`orders`": pa.table(
        {
            "col_name": ["order_key", "order_status"],
            "data_type": ["bigint", "string"],
            "comment": [None, None],
        }
    ),
    "DESCRIBE TABLE `t`": pa.table(
        {"col_name": ["a"], "data_type": ["int"], "comment": pa.array([None], pa.string())}
    ),
    "SHOW CREATE TABLE `t`": pa.table(
        {"createtab_stmt": ["CREATE TABLE iceberg.default.t (\n  a INT)\nUSING iceberg\n"]}
    ),
    "EXPLAIN SELECT 1": pa.table({"plan": ["== Physical Plan ==\n*(1) Project [1 AS 1#0]\n+- Scan\n"]}),
}


def answer(sql: str) -> Answer:
    if sql in TABLES:
        return Answer(TABLES[sql])
    if sql == "SELECT slow":
        return Answer(hold=NEVER, progress=Progress(tasks=200, tasks_done=90, rows=12345))
    if sql == "SELECT endless":
        return Answer(pa.table({"n": pa.array(range(1000), pa.int64())}), endless=True)
    if "FORM" in sql:
        line = next(number for number, text in enumerate(sql.split("\n"), 1) if "FORM" in text)
        place = Position(line, sql.split("\n")[line - 1].index("FORM") + 1)
        return Answer(
            error=SqlSyntaxError("Syntax error at or near 'FORM'.", position=place, hint="Did you mean FROM?")
        )
    return Answer(error=TableNotFoundError(f"There is nothing for: {sql}"))


def connect(config: object, spec: object, *, on_wait: Callable[[str], None]) -> Connection:
    """Stand in for `sqe.cli.client.gateway.connect`; the environment says how it goes."""
    if "FAKE_CONNECT_ERROR" in os.environ:
        raise EngineStartError("The engine did not start.", hint="Look at its log.")
    if seconds := float(os.environ.get("FAKE_CONNECT_SECONDS", "0")):
        on_wait("starting the engine")
        time.sleep(seconds)
    if log := os.environ.get("FAKE_SPEC_FILE"):
        Path(log).write_text(repr(spec))
    return FakeConnection(answer)


if __name__ == "__main__":
    gateway = types.ModuleType("sqe.cli.client.gateway")
    gateway.connect = connect  # type: ignore[attr-defined]  # a module made here has no declared attributes
    sys.modules["sqe.cli.client.gateway"] = gateway
    sys.exit(run())
