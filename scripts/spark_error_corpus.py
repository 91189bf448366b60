"""Collect Spark's errors of failing statements, for tests/unit/engine/spark_errors.json.

Usage: python scripts/spark_error_corpus.py [sc://localhost:PORT | --expected]

Without an address it starts an engine; SPARK_CONNECT_AUTHENTICATE_TOKEN is the token of a running one.
With --expected it uses no Spark, and writes only SQE's translations of the errors. Read the difference before you
commit it, since the test takes it as expected.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqe.config.load import load
from sqe.engine import connect
from sqe.engine.connect import ConnectSession
from sqe.engine.endpoint import Endpoint
from sqe.engine.external_errors import Cause
from sqe.engine.launcher.supervisor import Supervisor
from sqe.engine.spark_errors import translate
from sqe.errors import SqeError
from sqe.locations import locate

FIXTURE = Path(__file__).parent.parent / "tests/unit/engine/spark_errors.json"

PREPARE = (
    "CREATE NAMESPACE ice.default",
    "USE ice.default",
    "CREATE TABLE t (id BIGINT NOT NULL, name STRING, day DATE) USING iceberg",
    "INSERT INTO t VALUES (1, 'a', DATE '2025-01-01'), (2, 'b', NULL)",
    "CREATE VIEW v AS SELECT id, name FROM t",
    "CREATE TEMPORARY VIEW inner_view AS SELECT id, 1 / (id - id) AS x FROM t",
    "CREATE TABLE s (m STRUCT<a: INT>, l ARRAY<INT>) USING iceberg",
)

STATEMENTS = (
    # the text is wrong
    "SELEC 1",
    "SELECT * FORM t",
    "SELECT 1 +\n  FROM\n    WHERE",
    "SELECT (1",
    "SELECT /* not closed",
    "",
    "SELECT 'héllo 🙂' AS x,, 2",
    "CREATE TABLE x (a INTT) USING iceberg",
    # names are wrong
    "SELECT * FROM missing",
    "SELECT * FROM ice.nowhere.missing",
    "SELECT * FROM nocatalog.a.b",
    "SELECT nam FROM t",
    "SELECT '🙂', nam FROM t",
    "SELECT id,\n       idd\nFROM t",
    "SELECT t2.id FROM t",
    "SELECT nofunction(id) FROM t",
    "SELECT * FROM nofunction(1)",
    "SELECT m.b FROM s",
    "USE nowhere",
    "USE CATALOG nocatalog",
    "DROP TABLE missing",
    "DROP VIEW missing",
    "DROP NAMESPACE ice.nowhere",
    "DROP NAMESPACE ice.default",
    "SHOW TABLES IN ice.nowhere",
    "CREATE TABLE t (id INT) USING iceberg",
    "CREATE NAMESPACE ice.default",
    "CREATE VIEW v AS SELECT 1 AS x",
    "CREATE TABLE d (a INT, a INT) USING iceberg",
    "ALTER TABLE t ADD COLUMN name STRING",
    "ALTER TABLE t DROP COLUMN nam",
    "INSERT INTO t (id, nam) VALUES (1, 'x')",
    "SELECT a.id FROM t a JOIN t b ON a.id = b.id WHERE id = 1",
    "CALL ice.system.nothing()",
    "CALL ice.system.rollback_to_snapshot('default.t', 1)",
    # types are wrong
    "SELECT id + DATE '2025-01-01' FROM t",
    "SELECT * FROM t WHERE name",
    "SELECT array(1) + 1",
    "SELECT sum(name, 1) FROM t",
    "SELECT id FROM t UNION SELECT id, name FROM t",
    "INSERT INTO t VALUES (1)",
    "INSERT INTO t VALUES ('x', 1, 2)",
    "INSERT INTO t SELECT array(1), 'x', DATE '2025-01-01'",
    "SELECT name, count(*) FROM t",
    "SELECT sum(sum(id)) FROM t",
    "SELECT id FROM t ORDER BY 5",
    "SELECT (SELECT id FROM t)",
    # values are wrong
    "SELECT 1 / 0",
    "SELECT 1 / (id - id) FROM t",
    "SELECT * FROM inner_view",
    "SELECT 1 % 0",
    "SELECT CAST('x' AS INT)",
    "SELECT CAST(name AS INT) FROM t",
    "SELECT CAST(300 AS TINYINT)",
    "SELECT 9223372036854775807 + id FROM t",
    "SELECT element_at(array(1), 5)",
    "SELECT to_date('2025-13-45')",
    "SELECT DATE '2025-13-45'",
    "SELECT raise_error('my own words')",
    "SELECT raise_error(name) FROM t",
    "INSERT INTO t VALUES (NULL, 'x', NULL)",
    "SELECT from_json('{', 'a INT', map('mode', 'FAILFAST'))",
    "MERGE INTO t USING (SELECT 1 AS id UNION ALL SELECT 1) s ON t.id = s.id WHEN MATCHED THEN UPDATE SET name = 'x'",
    # not possible
    "CREATE TABLE x (a INT) USING nosuchformat",
    "SELECT * FROM t TIMESTAMP AS OF '1999-01-01'",
    "SELECT * FROM t VERSION AS OF 1",
    "SELECT * FROM t VERSION AS OF 'nobranch'",
    "ALTER TABLE t ALTER COLUMN id TYPE STRING",
    "ALTER TABLE t SET TBLPROPERTIES ('format-version' = '9')",
    "TRUNCATE TABLE v",
    "SELECT * FROM t PIVOT (sum(id) FOR name IN (day))",
    "SET spark.sql.warehouse.dir = '/x'",
    # files
    "SELECT * FROM parquet.`/nowhere/x.parquet`",
    "SELECT * FROM csv.`/nowhere/*.csv`",
    "SELECT * FROM parquet.`{dir}/broken.parquet`",
    "SELECT * FROM nosuchformat.`/nowhere/x`",
    "LOAD DATA INPATH '/nowhere/x' INTO TABLE t",
)

CANCELED = "SELECT count(*) FROM range(100000000000) WHERE sqrt(id) < 0"


def main() -> None:
    if sys.argv[1:] == ["--expected"]:
        records = json.loads(FIXTURE.read_text(encoding="utf-8"))
    else:
        with engine() as endpoint, tempfile.TemporaryDirectory(prefix="sqe-corpus-") as directory:
            (Path(directory) / "broken.parquet").write_bytes(b"PAR1 this is no parquet PAR1")
            records = list(collect(endpoint, directory))
    for record in records:
        record["expected"] = expected(record)
    FIXTURE.write_text(json.dumps(records, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{len(records)} errors in {FIXTURE}")


def expected(record: dict[str, Any]) -> dict[str, Any]:
    contexts = [(start, stop) for start, stop in record["contexts"]]
    texts = {key: record[key] for key in ("condition", "sqlstate", "message", "java_classes", "sql")}
    return {
        key: value
        for key, value in translate(contexts=contexts, **texts).to_dict().items()
        if value is not None
    }


def collect(endpoint: Endpoint, directory: str) -> Iterator[dict[str, Any]]:
    recorder = Recorder(directory)
    connect.translate = recorder  # type: ignore[attr-defined]  # hears exactly what the gateway would
    session = new_session(endpoint, directory)
    other = new_session(endpoint, directory)
    for sql in PREPARE:
        run(session, sql)
    run(other, "USE ice.default")
    for template in STATEMENTS:
        yield from attempt(recorder, session, template.replace("{dir}", directory))
    yield from conflict(recorder, session, other)
    timer = threading.Timer(4.0, session.interrupt_all)
    timer.start()
    yield from attempt(recorder, session, CANCELED)
    timer.join()


def conflict(recorder: Recorder, session: ConnectSession, other: ConnectSession) -> Iterator[dict[str, Any]]:
    """Delete the rows that a slow update in another session has read."""
    run(session, "CREATE TABLE c AS SELECT id, 0 AS x FROM range(10)")
    slow = "(SELECT count(*) FROM range(4000000000) WHERE sqrt(id) < 0)"
    timer = threading.Timer(3.0, lambda: run(other, "DELETE FROM c WHERE id < 5"))
    timer.start()
    yield from attempt(recorder, session, f"UPDATE c SET x = CASE WHEN {slow} = 0 THEN 1 END")
    timer.join()


def attempt(recorder: Recorder, session: ConnectSession, sql: str) -> Iterator[dict[str, Any]]:
    recorder.last = None
    try:
        run(session, sql)
    except SqeError:
        if recorder.last is None:
            raise
        yield recorder.last
    else:
        print(f"did not fail: {sql}")


def run(session: ConnectSession, sql: str) -> None:
    for _ in session.stream(sql, lambda _progress: None):
        pass


class Recorder:
    """A replacement of `translate` that records its arguments."""

    def __init__(self, directory: str) -> None:
        self.last: dict[str, Any] | None = None
        # Nothing of the machine on which the corpus was made may stay in it.
        self._private = {
            directory: "/warehouse",
            socket.gethostname(): "host",
            str(Path.home()): "/home/user",
        }

    def __call__(
        self,
        condition: str | None,
        sqlstate: str | None,
        message: str,
        java_classes: Sequence[str],
        contexts: Sequence[tuple[int, int]],
        sql: str,
        causes: Sequence[Cause] = (),
    ) -> SqeError:
        for private, public in self._private.items():
            sql, message = sql.replace(private, public), message.replace(private, public)
        self.last = {
            "sql": sql,
            "condition": condition,
            "sqlstate": sqlstate,
            "message": message,
            "contexts": [list(context) for context in contexts],
            "java_classes": list(dict.fromkeys(java_classes)),
        }
        return translate(condition, sqlstate, message, java_classes, contexts, sql, causes)


def new_session(endpoint: Endpoint, directory: str) -> ConnectSession:
    session = ConnectSession(endpoint, "corpus")
    prefix = "spark.sql.catalog.ice"
    session.set_conf(
        {
            prefix: "org.apache.iceberg.spark.SparkCatalog",
            f"{prefix}.type": "jdbc",
            f"{prefix}.uri": f"jdbc:sqlite:{directory}/catalog.db?busy_timeout=10000",
            f"{prefix}.warehouse": directory,
            f"{prefix}.jdbc.schema-version": "V1",
            f"{prefix}.cache-enabled": "false",
        }
    )
    return session


@contextmanager
def engine() -> Iterator[Endpoint]:
    if sys.argv[1:]:
        yield Endpoint(sys.argv[1], os.environ.get("SPARK_CONNECT_AUTHENTICATE_TOKEN"))
        return
    settings = load(None, os.environ)
    with tempfile.TemporaryDirectory(prefix="sqe-corpus-engine-") as work:
        supervisor = Supervisor(settings, locate(settings), Path(work))
        supervisor.start()
        try:
            yield supervisor.endpoint(lambda: False)
        finally:
            supervisor.stop()


if __name__ == "__main__":
    main()
