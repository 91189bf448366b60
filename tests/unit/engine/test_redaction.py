from __future__ import annotations

import pytest

from sqe.engine.redaction import redacted
from sqe.engine.spark_errors import translate
from sqe.errors import (
    AccessDeniedError,
    CastError,
    ColumnNotFoundError,
    DataError,
    DivisionByZeroError,
    FileAccessError,
    Position,
    QueryError,
    SemanticError,
    SqeError,
    SqlSyntaxError,
    TooManyRowsError,
    TypeMismatchError,
    UnsupportedError,
    tree,
)

VALUE = "078-05-1120"


def spark(message: str, condition: str | None = None, sqlstate: str | None = None, *classes: str) -> SqeError:
    """As the engine tells it."""
    return translate(condition, sqlstate, message, classes, (), "SELECT 1")


# What Spark says, the class and the words that are left of it.
VALUES: list[tuple[SqeError, type[SqeError], str]] = [
    (
        spark(
            f'[CAST_INVALID_INPUT] The value \'{VALUE}\' of the type "STRING" cannot be cast to "INT" because it is '
            "malformed. Correct the value as per the syntax. SQLSTATE: 22018\n== SQL (line 1, position 8) ==\nselect",
            "CAST_INVALID_INPUT",
            "22018",
        ),
        CastError,
        "A value cannot be cast (CAST_INVALID_INPUT).",
    ),
    (
        spark("[DIVIDE_BY_ZERO] Division by zero. SQLSTATE: 22012", "DIVIDE_BY_ZERO", "22012"),
        DivisionByZeroError,
        "There is a division by zero (DIVIDE_BY_ZERO).",
    ),
    (
        spark(f"[DUPLICATED_MAP_KEY] Duplicate map key {VALUE} was found.", "DUPLICATED_MAP_KEY", "23505"),
        DataError,
        "A value cannot be computed (DUPLICATED_MAP_KEY).",
    ),
    (
        spark(f"[USER_RAISED_EXCEPTION] {VALUE}", "USER_RAISED_EXCEPTION", "P0001"),
        QueryError,
        "The statement failed while it ran (USER_RAISED_EXCEPTION).",
    ),
    (
        spark(
            "Job aborted due to stage failure: Task 0 in stage 1.0 failed 1 times, most recent failure: Lost task 0.0: "
            f"org.apache.spark.SparkNumberFormatException: [CAST_INVALID_INPUT] The value '{VALUE}' of the type",
        ),
        CastError,
        "A value cannot be cast (CAST_INVALID_INPUT).",
    ),
    (
        spark(f"Failed to open s3://b/ssn={VALUE}/x.parquet", None, None, "java.io.FileNotFoundException"),
        FileAccessError,
        "A file of the table cannot be read.",
    ),
    (
        spark(f"Illegal pattern {VALUE}", None, None, "java.lang.IllegalArgumentException"),
        SemanticError,
        "The statement is not valid.",
    ),
    (spark(f"{VALUE} is odd"), QueryError, "The statement failed while it ran."),
    (
        spark(f"[{VALUE}] is [CAST_INVALID_INPUT] odd"),
        QueryError,
        "The statement failed while it ran.",
    ),
    (
        spark(
            "[INTERNAL_ERROR] Couldn't find ssn#12 in [id#1] in operator !Project [concat('x', right(ssn#12, 4))]",
            "INTERNAL_ERROR",
            "XX000",
        ),
        QueryError,
        "The statement failed while it ran (INTERNAL_ERROR).",
    ),
]

PLANS: list[tuple[SqeError, type[SqeError]]] = [
    (
        spark(
            "[UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY.CORRELATED_COLUMN_IS_NOT_ALLOWED_IN_PREDICATE] Unsupported "
            "subquery expression: Correlated column is not allowed in predicate:\nFilter (dept#3 = 'hidden rule')\n+- "
            "SubqueryAlias t\n SQLSTATE: 0A000",
            "UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY.CORRELATED_COLUMN_IS_NOT_ALLOWED_IN_PREDICATE",
            "0A000",
        ),
        UnsupportedError,
    ),
    (
        spark(
            "[MISSING_GROUP_BY] The query does not include a GROUP BY clause. SQLSTATE: 42803;\nAggregate [id#1]\n+- "
            "Filter (dept#3 = 'hidden rule')\n   +- RelationV2[id#1] lake.t",
            "MISSING_GROUP_BY",
            "42803",
        ),
        SemanticError,
    ),
    (
        spark(
            "[INVALID_NON_DETERMINISTIC_EXPRESSIONS] The operator expects a deterministic expression, but the actual "
            "expression is \"(dept = 'hidden rule')\". SQLSTATE: 42K0E;\nFilter",
            "INVALID_NON_DETERMINISTIC_EXPRESSIONS",
            "42K0E",
        ),
        SemanticError,
    ),
]


@pytest.mark.parametrize(("error", "kind", "words"), VALUES)
def test_no_value_is_told(error: SqeError, kind: type[SqeError], words: str) -> None:
    redacted_error = redacted(error)
    assert type(redacted_error) is type(error) is kind
    assert redacted_error.message == words
    assert (redacted_error.code, redacted_error.sqlstate) == (error.code, error.sqlstate)
    for text in (redacted_error.message, redacted_error.hint or "", redacted_error.detail or ""):
        assert VALUE not in text
        assert "concat" not in text


@pytest.mark.parametrize(("error", "kind"), PLANS)
def test_no_plan_and_no_policy_is_told(error: SqeError, kind: type[SqeError]) -> None:
    redacted_error = redacted(error)
    assert type(redacted_error) is kind
    for text in (redacted_error.message, redacted_error.hint or "", redacted_error.detail or ""):
        assert "hidden rule" not in text
        assert "Filter" not in text


@pytest.mark.parametrize(
    "error",
    [
        spark(
            "[UNRESOLVED_COLUMN.WITH_SUGGESTION] A column, variable, or function parameter with name `salry` cannot be "
            "resolved. Did you mean one of the following? [`salary`, `id`]. SQLSTATE: 42703; line 1 pos 7;\n'Project",
            "UNRESOLVED_COLUMN.WITH_SUGGESTION",
            "42703",
        ),
        spark(
            "[TABLE_OR_VIEW_NOT_FOUND] The table or view `lake`.`x` cannot be found. SQLSTATE: 42P01",
            "TABLE_OR_VIEW_NOT_FOUND",
            "42P01",
        ),
        spark(
            '[DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES] Cannot resolve "(id + dept)" due to data type mismatch: the left '
            'and right operands have incompatible types ("BIGINT" and "STRING"). SQLSTATE: 42K09; line 1 pos 7;\nX',
            "DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES",
            "42K09",
        ),
        spark(
            "Names in a select list stand for earlier ones in a chain of more than 50 names.",
            "SQE_STATEMENT_TOO_COMPLEX",
            "54001",
        ),
        SqlSyntaxError("Syntax error at 'FORM'.", position=Position(1, 8), detail="[PARSE_SYNTAX_ERROR] x"),
        AccessDeniedError(
            "Access denied: cannot select from lake.x.", hint="Ask.", detail="[SQE_ACCESS_DENIED]"
        ),
        UnsupportedError("Cannot update lake.x: ...", detail="[SQE_POLICY_UNSUPPORTED] Cannot"),
        TooManyRowsError("The result has more than 5 rows (limits.rows).", hint="Add a LIMIT."),
        UnsupportedError("Files cannot be named in SQL on this server."),
    ],
)
def test_names_types_and_our_own_words_are_kept(error: SqeError) -> None:
    redacted_error = redacted(error)
    assert type(redacted_error) is type(error)
    assert redacted_error.to_dict() == error.to_dict()


def test_types_that_spark_finds_wrong_only_when_it_runs_are_not_quoted() -> None:
    error = TypeMismatchError(f"{VALUE} is no date.", detail="[SOMETHING_NEW] x")
    assert redacted(error).message == "Types do not go together (SOMETHING_NEW)."


@pytest.mark.parametrize("kind", [*tree()])
def test_every_error_stays_what_it_is(kind: type[SqeError]) -> None:
    redacted_error = redacted(kind("words", detail=f"about {VALUE}", position=Position(1, 2), query_id="q"))
    assert type(redacted_error) is kind
    assert VALUE not in (redacted_error.detail or "")
    assert (redacted_error.position, redacted_error.query_id) == (Position(1, 2), "q")


def test_an_unresolved_column_is_told_with_what_was_meant() -> None:
    error = ColumnNotFoundError(
        "x cannot be resolved.", hint="Did you mean `id`?", detail="[UNRESOLVED_COLUMN] ..."
    )
    assert redacted(error).hint == "Did you mean `id`?"


def test_what_is_said_of_a_value_that_is_not_supported_is_withheld() -> None:
    detail = "[SQE_VALUE_NOT_SUPPORTED] Regular expressions with \\h are not supported."
    error = redacted(UnsupportedError("Regular expressions with \\h are not supported.", detail=detail))
    assert error.message == "This is not supported (SQE_VALUE_NOT_SUPPORTED)."
    assert "\\h" not in str(error.detail)
