"""The kinds that a shared engine allows: its lists are those of Spark and Iceberg, and hold for all of Connect.

Statements that users can send are in `tests/integration/test_isolation.py`.
"""

from __future__ import annotations

import shutil
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyspark.sql.connect.proto as pb2
import pytest
from pyspark.util import PythonEvalType
from testing.command import clean_environment
from tests.support.kinds import LISTS, read_list

from sqe.config.load import load
from sqe.engine.connect import ConnectSession
from sqe.engine.launcher.supervisor import Supervisor
from sqe.engine.plans import statement
from sqe.engine.sessions import EngineSessions, SparkEngineSession
from sqe.errors import AccessDeniedError
from sqe.locations import locate, private_directory
from sqe.model.identity import Principal
from sqe.model.session import SessionSpec, WarehouseCatalog

pytestmark = pytest.mark.engine


@pytest.fixture(scope="module")
def session() -> Iterator[SparkEngineSession]:
    home = Path(tempfile.mkdtemp(prefix="sqe-test-"))
    config = load(None, clean_environment(home) | {"SQE_ENGINE__MEMORY": "2GB"})
    locations = locate(config)
    engine = Supervisor(config, locations, private_directory(locations.run / "test"), locked=True)
    engine.start()
    session = EngineSessions(engine, home).open(
        SessionSpec((WarehouseCatalog("lake", None),)), Principal("me", "a test")
    )
    session.ready(lambda: False)
    yield session
    session.close()
    engine.stop()
    shutil.rmtree(home, ignore_errors=True)


def rows(session: SparkEngineSession, sql: str) -> list[dict[str, Any]]:
    schema, *batches = session.stream(sql, uuid.uuid4().hex, lambda progress: None)
    return list(pa.Table.from_batches(batches, schema).to_pylist())


@pytest.fixture
def connect(session: SparkEngineSession) -> ConnectSession:
    """The session itself, for plans that no statement makes."""
    assert session._connect is not None
    return session._connect


def names(file: str) -> set[str]:
    return set(read_list(LISTS / file))


# The lists.

# Spark shows them among its functions; they are parts of its grammar.
OPERATORS = {"!=", "<>", "between", "case", "||"}


def test_the_functions_are_those_that_spark_has_and_no_others(session: SparkEngineSession) -> None:
    shown = {str(row["function"]) for row in rows(session, "SHOW FUNCTIONS")}
    listed = names("functions.txt") | names("table_functions.txt")
    assert shown - OPERATORS == listed - OPERATORS


def test_the_procedures_are_those_that_iceberg_has(session: SparkEngineSession) -> None:
    shown = {str(row["procedure_name"]) for row in rows(session, "SHOW PROCEDURES IN lake.system")}
    assert shown == names("procedures.txt")


# Spark says the same of a setting that nobody knows.
WITHOUT_DEFAULT = {
    "spark.sql.adaptive.autoBroadcastJoinThreshold",
    "spark.sql.iceberg.planning.preserve-data-grouping",
    "spark.sql.iceberg.vectorization.enabled",
}


def test_the_settings_are_known_to_spark(session: SparkEngineSession) -> None:
    unknown = {
        name for name in names("settings.txt") if rows(session, f"SET `{name}`")[0]["value"] == "<undefined>"
    }
    assert unknown == WITHOUT_DEFAULT


def test_functions_that_are_refused(session: SparkEngineSession) -> None:
    refused = {
        name
        for file in ("functions.txt", "table_functions.txt")
        for name, entry in read_list(LISTS / file).items()
        if entry.verdict == "refuse"
    }
    assert {"java_method", "input_file_name", "python_worker_logs"} <= refused
    for name in refused:
        asked = f"SELECT * FROM {name}()" if name in names("table_functions.txt") else f"SELECT {name}()"
        with pytest.raises(AccessDeniedError, match=f"The function {name} is not allowed on this server"):
            rows(session, asked)


@pytest.mark.parametrize("call", ["from_xml('<a>1</a>', 'a INT', {})", "schema_of_xml('<a>1</a>', {})"])
def test_xml_is_read_but_no_schema_of_it_in_a_file(session: SparkEngineSession, call: str) -> None:
    options = "map('mode', 'PERMISSIVE')"
    assert rows(session, f"SELECT {call.format(options)} AS x")
    for option in ("rowValidationXSDPath", "ROWVALIDATIONXSDPATH"):
        asked = call.format(f"map('{option}', '/etc/hostname')")
        for sql in (f"SELECT {asked}", f"SELECT * FROM VALUES ({asked})"):
            with pytest.raises(AccessDeniedError, match="rowValidationXSDPath"):
                rows(session, sql)


def test_a_function_of_one_s_own_takes_nobody_s_place(session: SparkEngineSession) -> None:
    rows(session, "CREATE TEMPORARY FUNCTION mine() RETURNS INT RETURN 2")
    assert rows(session, "SELECT mine() AS x") == [{"x": 2}]
    rows(session, "DROP TEMPORARY FUNCTION mine")
    for name in ("right", "ABS", "explode", "sqe_hmac", "SQE_anything"):
        with pytest.raises(AccessDeniedError, match=f"(?i)with the name {name} is not allowed"):
            rows(session, f"CREATE OR REPLACE TEMPORARY FUNCTION {name}() RETURNS INT RETURN 1")
    with pytest.raises(AccessDeniedError, match="A function in a catalog"):
        rows(session, "CREATE FUNCTION lake.default.f() RETURNS INT RETURN 1")


# Procedures are programs on Spark, and do what no statement may.


def test_procedures_work_on_tables_with_rows(session: SparkEngineSession) -> None:
    rows(session, "CREATE TABLE lake.default.kept (id BIGINT, name STRING)")
    for number in range(3):
        rows(session, f"INSERT INTO lake.default.kept VALUES ({number}, 'n{number}'), ({number + 10}, 'm')")
    called = "CALL lake.system.{}(table => 'default.kept'{})"
    every = ", options => map('rewrite-all', 'true')"
    [rewritten] = rows(session, called.format("rewrite_data_files", every))
    assert rewritten["rewritten_data_files_count"] >= 3
    zorder = ", strategy => 'sort', sort_order => 'zorder(id, name)'"
    assert rows(session, called.format("rewrite_data_files", zorder + every))
    assert rows(session, called.format("rewrite_manifests", ""))
    assert rows(session, called.format("create_changelog_view", ", changelog_view => 'changed'"))
    assert rows(session, "SELECT count(*) AS n FROM changed WHERE _change_type = 'INSERT'") == [{"n": 6}]
    assert rows(session, "SELECT count(*) AS n FROM changed a JOIN changed b USING (id)") == [{"n": 6}]
    late = ", older_than => TIMESTAMP '2100-01-01 00:00:00'"
    assert rows(session, called.format("expire_snapshots", late))
    assert len(rows(session, "SELECT * FROM lake.default.kept")) == 6
    rows(session, "DROP TABLE lake.default.kept PURGE")


def test_what_a_procedure_is_given_runs_no_code(session: SparkEngineSession) -> None:
    rows(session, "CREATE TABLE lake.default.given (id BIGINT, name STRING)")
    rows(session, "INSERT INTO lake.default.given VALUES (1, 'a')")
    call = "CALL lake.system.rewrite_data_files(table => 'default.given', where => \"{}\")"
    code = "name = java_method('java.lang.System', 'getenv', 'HOME')"
    with pytest.raises(AccessDeniedError, match="The function java_method"):
        rows(session, call.format(code))
    rows(session, call.format("id = 1"))  # the control
    # And nothing is open once a procedure has ended.
    with pytest.raises(AccessDeniedError, match="input_file_name"):
        rows(session, "SELECT input_file_name() FROM lake.default.given")


# Connect says more than SQL can.


def _run(connect: ConnectSession, relation: pb2.Relation) -> pa.Table:
    schema, *batches = connect._run(relation, lambda progress: None)
    return pa.Table.from_batches(batches, schema)


def _in_python(kind: int) -> pb2.CommonInlineUserDefinedFunction:
    function = pb2.PythonUDF(eval_type=kind, command=b"x", python_ver="3.11")
    function.output_type.struct.fields.add(name="x", data_type=pb2.DataType(integer=pb2.DataType.Integer()))
    return pb2.CommonInlineUserDefinedFunction(function_name="f", python_udf=function)


def _reading(**source: Any) -> pb2.Relation:
    return pb2.Relation(read=pb2.Read(data_source=pb2.Read.DataSource(**source)))


PLANS = {
    "a file": _reading(format="text", paths=["/etc/hostname"]),
    "a database": _reading(format="jdbc", options={"url": "jdbc:sqlite::memory:", "dbtable": "t"}),
    "an Iceberg table by its path": _reading(format="iceberg", paths=["/nowhere/t"]),
    "a stream": pb2.Relation(
        read=pb2.Read(data_source=pb2.Read.DataSource(format="rate"), is_streaming=True)
    ),
    "a function in Python": pb2.Relation(
        project=pb2.Project(
            input=statement("SELECT 1 AS x"),
            expressions=[
                pb2.Expression(common_inline_user_defined_function=_in_python(PythonEvalType.SQL_BATCHED_UDF))
            ],
        )
    ),
    "the name of a file": pb2.Relation(
        project=pb2.Project(
            input=statement("SELECT 1 AS x"),
            expressions=[
                pb2.Expression(
                    unresolved_function=pb2.Expression.UnresolvedFunction(function_name="input_file_name")
                )
            ],
        )
    ),
    "rows mapped in Python": pb2.Relation(
        map_partitions=pb2.MapPartitions(
            input=statement("SELECT 1 AS x"), func=_in_python(PythonEvalType.SQL_MAP_PANDAS_ITER_UDF)
        )
    ),
}


@pytest.mark.parametrize("what", PLANS)
def test_a_plan_that_no_statement_makes(connect: ConnectSession, what: str) -> None:
    with pytest.raises(AccessDeniedError, match="is not allowed on this server"):
        _run(connect, PLANS[what])


def test_a_plan_of_what_is_allowed(connect: ConnectSession) -> None:
    plan = pb2.Relation(limit=pb2.Limit(input=statement("SELECT * FROM range(10)"), limit=3))
    assert _run(connect, plan).num_rows == 3


def test_a_checkpoint(connect: ConnectSession) -> None:
    command = pb2.Command(
        checkpoint_command=pb2.CheckpointCommand(relation=statement("SELECT 1 AS x"), local=True, eager=True)
    )
    with pytest.raises(AccessDeniedError, match="A checkpoint is not allowed on this server"):
        connect.execute_command(command)


def test_rows_of_the_gateway_s(session: SparkEngineSession) -> None:
    session.register_rows("brought", "t", pa.table({"x": [1, 2], "y": [["a"], None]}))
    assert rows(session, "SELECT sum(x) AS x FROM brought") == [{"x": 3}]
    session.drop_view("brought", "t")
