"""Mapping of Spark's errors, with a corpus of real ones that scripts/spark_error_corpus.py collects."""

from __future__ import annotations

import importlib.util
import json
import re
import time
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from sqe.engine.external_errors import Cause
from sqe.engine.spark_errors import (
    BY_CONDITION,
    BY_GENERAL_JAVA_CLASS,
    BY_JAVA_CLASS,
    BY_SQLSTATE,
    class_of_condition,
    class_of_sqlstate,
    translate,
    without_details,
)
from sqe.errors import (
    AccessDeniedError,
    CommitConflictError,
    DivisionByZeroError,
    FileAccessError,
    LimitError,
    PolicyUnavailableError,
    Position,
    QueryCanceledError,
    QueryError,
    QueryMemoryError,
    SemanticError,
    SqeError,
    SqlSyntaxError,
    StatementTooComplexError,
    UnsupportedError,
)

CORPUS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "spark_errors.json").read_text(encoding="utf-8")
)


def translated(record: dict[str, Any]) -> SqeError:
    return translate(
        record["condition"],
        record["sqlstate"],
        record["message"],
        record["java_classes"],
        [(start, stop) for start, stop in record["contexts"]],
        record["sql"],
    )


@pytest.fixture(scope="module")
def conditions() -> dict[str, dict[str, Any]]:
    """Read the conditions of the Spark that is installed, without importing it."""
    spec = importlib.util.find_spec("pyspark")
    assert spec is not None
    assert spec.origin is not None
    [jar] = (Path(spec.origin).parent / "jars").glob("spark-common-utils_2.13-*.jar")
    with zipfile.ZipFile(jar) as archive:
        known: dict[str, dict[str, Any]] = json.loads(archive.read("error/error-conditions.json"))
    return known


@pytest.mark.parametrize("record", CORPUS, ids=lambda record: record["sql"][:60])
def test_a_real_error_becomes_what_was_agreed(record: dict[str, Any]) -> None:
    made = {key: value for key, value in translated(record).to_dict().items() if value is not None}
    assert made == record["expected"]


@pytest.mark.parametrize("record", CORPUS, ids=lambda record: record["sql"][:60])
def test_the_public_words_hold_nothing_for_developers(record: dict[str, Any]) -> None:
    error = translated(record)
    words = f"{error.message} {error.hint}"
    noise = re.compile(
        r"SQLSTATE|== |org\.apache|file:/|\w#\d|spark\.sql\.(?!warehouse)|^\[[A-Z_]+\]|\bat [\w.$]+\(|\n"
    )
    assert not noise.search(words)
    assert error.detail == record["message"]


@pytest.mark.parametrize("record", CORPUS, ids=lambda record: record["sql"][:60])
def test_a_position_lies_in_the_statement(record: dict[str, Any]) -> None:
    position = translated(record).position
    if position is not None:
        lines = record["sql"].split("\n")
        assert 1 <= position.line <= len(lines)
        assert 1 <= position.column <= len(lines[position.line - 1]) + 1


def test_most_kinds_of_errors_are_in_the_corpus() -> None:
    kinds = {type(translated(record)).__name__ for record in CORPUS}
    assert len(CORPUS) >= 70
    assert len(kinds) >= 14


def test_every_condition_in_the_table_exists(conditions: dict[str, dict[str, Any]]) -> None:
    """A Spark that renames or drops one shows up here."""
    for name in BY_CONDITION:
        condition, _, kind = name.partition(".")
        assert condition in conditions, name
        assert not kind or kind in conditions[condition]["subClass"], name


@pytest.mark.parametrize(
    ("condition", "sqlstate", "kind"),
    [
        ("SQE_ACCESS_DENIED", "42501", AccessDeniedError),
        ("SQE_UNGUARDED", "42501", AccessDeniedError),
        ("SQE_POLICY_UNAVAILABLE", "42501", PolicyUnavailableError),
        ("SQE_POLICY_UNSUPPORTED", "0A000", UnsupportedError),
        ("SQE_NOT_SUPPORTED", "0A000", UnsupportedError),
    ],
)
def test_what_the_guard_refuses_is_told_in_its_own_words(
    condition: str, sqlstate: str, kind: type[SqeError]
) -> None:
    words = "Access denied: cannot select from lake.sales.orders."
    classes = ["sqe.spark.guard.GuardRefusal", "java.lang.RuntimeException"]
    error = translate(condition, sqlstate, words, classes, [], "SELECT * FROM lake.sales.orders")
    assert (type(error), error.message, error.hint) == (kind, words, None)


def test_what_is_beyond_a_bound_is_told_when_spark_hides_it() -> None:
    condition = "INVALID_INLINE_TABLE.FAILED_SQL_EXPRESSION_EVALUATION"
    words = "repeat would make a value of 2,000,000,000 bytes; at most 67,108,864 are allowed."
    causes = (
        Cause(("org.apache.spark.sql.AnalysisException",), f"[{condition}] Invalid inline table."),
        Cause(("sqe.spark.bounds.BoundRefusal$TooLarge", "sqe.spark.kinds.Refusal"), words),
    )
    error = translate(condition, "42000", causes[0].message, causes[0].classes, (), "VALUES (1)", causes)
    assert (type(error), error.message, error.sqlstate) == (LimitError, words, "54000")


@pytest.mark.parametrize(
    ("condition", "message", "classes"),
    [
        (
            "SPARK_JOB_CANCELLED",
            "[SPARK_JOB_CANCELLED] Job 1 cancelled [SQE_QUERY_MEMORY] The query used too much memory. SQLSTATE: XXKDA",
            ["org.apache.spark.SparkException"],
        ),
        ("SQE_QUERY_MEMORY", "The query used too much memory. Read fewer rows.", []),
        ("INVALID_HANDLE.OPERATION_ABANDONED", "The handle 1 is invalid. Operation was abandoned.", []),
        (None, "Java heap space", ["java.lang.OutOfMemoryError"]),
        (
            None,
            (
                "Job aborted due to stage failure: Task 0 in stage 1.0 failed 1 times: Lost task 0.0"
                " (TID 1) (localhost executor driver): java.lang.OutOfMemoryError: Java heap space\n\tat x.y(Z)"
            ),
            ["org.apache.spark.SparkException"],
        ),
    ],
)
def test_a_query_without_memory_is_told_so(condition: str | None, message: str, classes: list[str]) -> None:
    error = translate(condition, None, message, classes, [], "SELECT 1")
    assert isinstance(error, QueryMemoryError)
    assert error.message == "The query used too much memory."
    assert error.sqlstate == "53200"
    assert error.hint is not None
    assert "raise engine.memory" in error.hint


def test_every_sqlstate_of_spark_is_in_the_table(conditions: dict[str, dict[str, Any]]) -> None:
    states = {condition["sqlState"] for condition in conditions.values() if "sqlState" in condition}
    assert {state for state in states if class_of_sqlstate(state) is None} == set()


def test_a_row_of_a_table_that_changes_nothing_is_not_there(conditions: dict[str, dict[str, Any]]) -> None:
    """What the SQLSTATE says anyway stays out, except where the name is better known than the number."""
    redundant = [
        name
        for name, kind in BY_CONDITION.items()
        if kind is class_of_sqlstate(conditions[name.partition(".")[0]].get("sqlState", "")) is SemanticError
    ]
    assert redundant == ["AMBIGUOUS_REFERENCE"]
    assert all(
        BY_SQLSTATE[state] is not BY_SQLSTATE.get(state[:2]) for state in BY_SQLSTATE if len(state) == 5
    )


def test_how_many_conditions_fall_to_which_class(conditions: dict[str, dict[str, Any]]) -> None:
    """A new Spark moves these numbers: look at what it added, then write down the new ones."""
    counts = Counter(
        (class_of_condition(name) or class_of_sqlstate(condition["sqlState"]) or QueryError).__name__
        for name, condition in conditions.items()
        if "sqlState" in condition
    )
    assert dict(sorted(counts.items())) == {
        "AccessDeniedError": 1,
        "CastError": 12,
        "CatalogNotFoundError": 1,
        "ColumnNotFoundError": 8,
        "CommitConflictError": 2,
        "DataError": 100,
        "DivisionByZeroError": 3,
        "DuplicateObjectError": 20,
        "FileAccessError": 43,
        "FunctionNotFoundError": 4,
        "LimitError": 7,
        "QueryCanceledError": 2,
        "QueryError": 69,
        "QueryMemoryError": 1,
        "SchemaNotFoundError": 3,
        "SemanticError": 273,
        "SqlSyntaxError": 32,
        "StatementTooComplexError": 1,
        "TableNotFoundError": 2,
        "TypeMismatchError": 32,
        "UnsupportedError": 69,
    }


@pytest.mark.parametrize(("name", "pattern", "kind"), BY_JAVA_CLASS)
def test_java_classes_decide_where_there_is_no_condition(
    name: str, pattern: str | None, kind: type[SqeError]
) -> None:
    message = "x" if pattern is None else "conflicting files [SQLITE_BUSY]. Invalid schema for v2"
    error = translate(None, None, f"{name}: {message}", [name, "java.lang.RuntimeException"], [], "SELECT 1")
    assert type(error) is kind
    assert error.sqlstate == kind.sqlstate


@pytest.mark.parametrize(("name", "kind"), BY_GENERAL_JAVA_CLASS)
def test_general_java_classes_come_last(name: str, kind: type[SqeError]) -> None:
    assert type(translate(None, None, "x", [name], [], "")) is kind
    assert type(translate(None, "22012", "x", [name], [], "")) is DivisionByZeroError


def test_a_telling_cause_beats_a_vague_sqlstate() -> None:
    error = translate("INTERNAL_ERROR", "XX000", "x", ["java.io.FileNotFoundException"], [], "")
    assert type(error) is FileAccessError


def test_a_condition_beats_everything() -> None:
    error = translate("PARSE_SYNTAX_ERROR", "42601", "x", ["java.io.FileNotFoundException"], [], "")
    assert type(error) is SqlSyntaxError


def test_spark_s_more_exact_sqlstate_is_kept_and_its_vague_one_is_not() -> None:
    assert translate("ORDER_BY_POS_OUT_OF_RANGE", "42805", "x", [], [], "").sqlstate == "42805"
    assert translate("INTERNAL_ERROR", "XX000", "x", [], [], "").sqlstate == QueryError.sqlstate
    assert translate("OPERATION_CANCELED", "HY008", "x", [], [], "").sqlstate == "57014"


def test_a_condition_inside_a_job_s_failure_is_found() -> None:
    message = (
        "Job aborted due to stage failure: Task 0 in stage 1.0 failed 1 times, most recent failure: Lost task "
        "0.0 in stage 1.0 (TID 1) (host executor driver): org.apache.spark.SparkArithmeticException: "
        "[DIVIDE_BY_ZERO] Division by zero. Use `try_divide`. SQLSTATE: 22012\n\tat org.apache.spark.x(y.scala:1)\n"
        "Driver stacktrace:\n\tat z(q:1)"
    )
    error = translate(None, None, message, ["org.apache.spark.SparkException"], [], "SELECT 1")
    assert type(error) is DivisionByZeroError
    assert error.message == "Division by zero."
    assert error.hint == "Use `try_divide`."


def test_a_canceled_job_is_a_canceled_query() -> None:
    error = translate(
        None, None, "Job 3 cancelled part of cancelled job tag x", ["org.apache.spark.SparkException"], [], ""
    )
    assert type(error) is QueryCanceledError


def test_a_conflict_tells_nothing_about_files() -> None:
    name = "org.apache.iceberg.exceptions.CommitFailedException"
    error = translate(None, None, "Metadata location /w/a.json has changed from /w/b.json", [name], [], "")
    assert type(error) is CommitConflictError
    assert "/w" not in f"{error.message} {error.hint}"


@pytest.mark.parametrize("message", ["", "\n", "[INTERNAL_ERROR]", "\n\tat org.x.Y.z(A.java:1)"])
def test_there_are_always_words(message: str) -> None:
    assert translate(None, None, message, [], [], "").message == "The statement failed."


@pytest.mark.parametrize(
    "piece", ["x", "a.", "a.b: ", "\n", "\n ", "; line 1 pos 1", "[A]", "`a`, ", "file:/"]
)
def test_a_very_long_message_is_cut_and_does_not_take_long(piece: str) -> None:
    started = time.process_time()
    error = translate(None, None, "x " + piece * 100_000, [], [], "")
    assert time.process_time() - started < 5
    assert len(error.message) < 1100
    assert error.detail == "x " + piece * 100_000


@pytest.mark.parametrize("contexts", [[(-1, -1)], [(5, 3)], [(0, 100)], [(50, 60)]])
def test_a_context_that_is_not_in_the_statement_is_ignored(contexts: list[tuple[int, int]]) -> None:
    assert translate("UNRESOLVED_COLUMN", "42703", "x", [], contexts, "SELECT a").position is None


def test_the_first_usable_context_is_the_place() -> None:
    error = translate("UNRESOLVED_COLUMN", "42703", "x", [], [(90, 95), (9, 9), (7, 7)], "SELECT a,\nb")
    assert error.position == Position(1, 10)


@pytest.mark.parametrize(
    ("status", "description", "kind"),
    [
        ("UNKNOWN", "", StatementTooComplexError),
        ("UNKNOWN", "null", StatementTooComplexError),
        ("UNKNOWN", "java.lang.StackOverflowError", StatementTooComplexError),
        ("UNKNOWN", "Java heap space", QueryMemoryError),
        ("INTERNAL", "Exception deserializing response!", StatementTooComplexError),
        ("INTERNAL", "RST_STREAM with error code 2", type(None)),
        ("UNKNOWN", "something else", type(None)),
    ],
)
def test_a_call_without_details_is_told_as_what_it_must_have_been(
    status: str, description: str, kind: type[object]
) -> None:
    assert type(without_details(status, description)) is kind


def test_a_type_of_a_later_format_is_not_supported() -> None:
    message = "Invalid schema for v2:\n- Invalid type for x: variant is not supported until v3"
    error = translate(
        None, None, message, ["java.lang.IllegalStateException"], [], "ALTER TABLE t ADD COLUMN x VARIANT"
    )
    assert type(error) is UnsupportedError
    assert "variant is not supported until v3" in error.message


def test_an_object_of_java_is_named_by_its_class() -> None:
    message = "Cannot apply unknown table change: org.apache.spark.sql.connector.catalog.TableChange$ClusterBy@1e3ba647"
    error = translate(
        None, None, message, ["java.lang.UnsupportedOperationException"], [], "ALTER TABLE t CLUSTER BY (a)"
    )
    assert error.message == "Cannot apply unknown table change: ClusterBy."


@pytest.mark.parametrize(
    ("message", "classes"),
    [
        (
            "Max iterations (100) reached for batch Resolution, please set 'spark.sql.x' to a larger value.",
            (),
        ),
        ("java.lang.RuntimeException: Max iterations (100) reached for batch Resolution", ()),
        ("", ("java.lang.RuntimeException", "java.lang.StackOverflowError")),
    ],
)
def test_what_the_engine_gives_up_on_is_too_complex(message: str, classes: tuple[str, ...]) -> None:
    error = translate(None, None, message, classes, (), "SELECT 1")
    assert type(error) is StatementTooComplexError
    assert "spark.sql" not in error.message + (error.hint or "")
