"""Translate Spark's errors to SQE's: class, message, hint and position in the statement.

Errors of catalogs, object stores and the gateway come first (external_errors). Then these tables decide, in this
order: Spark's error condition, a specific Java class (Iceberg's and Hadoop's errors have no condition), the SQLSTATE, a
general Java class. The message is Spark's, without plans, stack traces, class names and advice on settings that
users cannot change. The complete text goes to the log.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from sqe.engine.external_errors import Cause, external_error
from sqe.engine.scrub import remove_secrets
from sqe.errors import (
    AccessDeniedError,
    CastError,
    CatalogNotFoundError,
    ColumnNotFoundError,
    CommitConflictError,
    DataError,
    DivisionByZeroError,
    DuplicateObjectError,
    FileAccessError,
    FunctionNotFoundError,
    LimitError,
    PolicyUnavailableError,
    Position,
    QueryCanceledError,
    QueryError,
    QueryMemoryError,
    SchemaNotFoundError,
    SemanticError,
    SqeError,
    SqlSyntaxError,
    StatementTooComplexError,
    TableNotFoundError,
    TypeMismatchError,
    UnsupportedError,
)

# Conditions whose SQLSTATE is too general, or maps to another class than ours. Names are Spark's; a name with a
# dot is one kind of a condition and comes before the condition itself.
BY_CONDITION: Mapping[str, type[SqeError]] = {
    "AMBIGUOUS_REFERENCE": SemanticError,
    "ARITHMETIC_OVERFLOW": DataError,
    "BINARY_ARITHMETIC_OVERFLOW": DataError,
    "CANNOT_CAST_DATATYPE": TypeMismatchError,
    "CANNOT_PARSE_DECIMAL": CastError,
    "CANNOT_PARSE_TIME": CastError,
    "CANNOT_PARSE_TIMESTAMP": CastError,
    "CANNOT_UP_CAST_DATATYPE": TypeMismatchError,
    "CAST_INVALID_INPUT": CastError,
    "CAST_OVERFLOW": CastError,
    "CAST_OVERFLOW_IN_TABLE_INSERT": CastError,
    "CATALOG_NOT_FOUND": CatalogNotFoundError,
    "COLLECTION_SIZE_LIMIT_EXCEEDED": DataError,
    "COLUMN_ALREADY_EXISTS": DuplicateObjectError,
    "COLUMN_ORDINAL_OUT_OF_BOUNDS": ColumnNotFoundError,  # a view of Iceberg's, over fewer columns than it was made of
    "CONVERSION_INVALID_INPUT": CastError,
    "DATATYPE_MISMATCH": TypeMismatchError,
    "DATA_SOURCE_NOT_FOUND": UnsupportedError,
    "DEFAULT_DATABASE_NOT_EXISTS": SchemaNotFoundError,
    "DIVIDE_BY_ZERO": DivisionByZeroError,
    "DUPLICATED_MAP_KEY": DataError,
    "EXCEED_LIMIT_LENGTH": DataError,
    "FAILED_FUNCTION_CALL": SemanticError,
    "FAILED_READ_FILE": FileAccessError,
    "FAILED_RENAME_PATH": FileAccessError,
    "FAILED_TO_LOAD_ROUTINE": FunctionNotFoundError,
    "FAILED_TO_PARSE_TOO_COMPLEX": StatementTooComplexError,
    "FIELD_NOT_FOUND": ColumnNotFoundError,
    "FORBIDDEN_OPERATION": AccessDeniedError,
    "INCOMPATIBLE_DATA_FOR_TABLE": TypeMismatchError,
    "INCOMPATIBLE_TABLE_CHANGE_AFTER_ANALYSIS": CommitConflictError,
    "INVALID_HANDLE.OPERATION_ABANDONED": QueryMemoryError,  # the heap watch took its results from a slow reader
    "INTERVAL_DIVIDED_BY_ZERO": DivisionByZeroError,
    "INVALID_PARTITION_VALUE": CastError,
    "INVALID_TYPED_LITERAL": CastError,
    "INVALID_VARIANT_CAST": CastError,
    "JOIN_CONDITION_IS_NOT_BOOLEAN_TYPE": TypeMismatchError,
    "KRYO_BUFFER_OVERFLOW": QueryError,
    "LOAD_DATA_PATH_NOT_EXISTS": FileAccessError,
    "LOCATION_ALREADY_EXISTS": DuplicateObjectError,
    "MALFORMED_CSV_RECORD": DataError,
    "MISSING_CATALOG_ABILITY.TABLE_VALUED_FUNCTIONS": FunctionNotFoundError,
    "NOT_NULL_ASSERT_VIOLATION": DataError,
    "NOT_NULL_CONSTRAINT_VIOLATION": DataError,
    "OPERATION_CANCELED": QueryCanceledError,
    "PARSE_EMPTY_STATEMENT": SqlSyntaxError,
    "PARSE_SYNTAX_ERROR": SqlSyntaxError,
    "PARTITIONS_ALREADY_EXIST": DuplicateObjectError,
    "PATH_ALREADY_EXISTS": FileAccessError,
    "PATH_NOT_FOUND": FileAccessError,
    "RECURSION_LEVEL_LIMIT_EXCEEDED": LimitError,
    "RECURSION_ROW_LIMIT_EXCEEDED": LimitError,
    "REMAINDER_BY_ZERO": DivisionByZeroError,
    "ROUTINE_ALREADY_EXISTS": DuplicateObjectError,
    "ROUTINE_NOT_FOUND": FunctionNotFoundError,
    "SCHEMA_ALREADY_EXISTS": DuplicateObjectError,
    "SCHEMA_NOT_FOUND": SchemaNotFoundError,
    "SPARK_JOB_CANCELLED": QueryCanceledError,
    "TABLE_OR_VIEW_ALREADY_EXISTS": DuplicateObjectError,
    "TABLE_OR_VIEW_NOT_FOUND": TableNotFoundError,
    "TEMP_TABLE_OR_VIEW_ALREADY_EXISTS": DuplicateObjectError,
    "UNABLE_TO_ACQUIRE_MEMORY": QueryMemoryError,
    "UNABLE_TO_INFER_SCHEMA": FileAccessError,
    "UNCLOSED_BRACKETED_COMMENT": SqlSyntaxError,
    "UNRESOLVABLE_TABLE_VALUED_FUNCTION": FunctionNotFoundError,
    "UNRESOLVED_COLUMN": ColumnNotFoundError,
    "UNRESOLVED_FIELD": ColumnNotFoundError,
    "UNRESOLVED_MAP_KEY": ColumnNotFoundError,
    "UNRESOLVED_ROUTINE": FunctionNotFoundError,
    "UNRESOLVED_USING_COLUMN_FOR_JOIN": ColumnNotFoundError,
    "UNRESOLVED_VARIABLE": SemanticError,
    "UNSUPPORTED_INSERT": UnsupportedError,
    "UNSUPPORTED_OVERWRITE": UnsupportedError,
    "VARIABLE_ALREADY_EXISTS": DuplicateObjectError,
    "VARIABLE_NOT_FOUND": SemanticError,
    "VIEW_ALREADY_EXISTS": DuplicateObjectError,
    "VIEW_NOT_FOUND": TableNotFoundError,
}

# Conditions of our own Java part (spark-guard: GuardRefusal, BoundRefusal, TrinoFailure), with messages for users.
BY_OWN_CONDITION: Mapping[str, type[SqeError]] = {
    "SQE_ACCESS_DENIED": AccessDeniedError,
    "SQE_BAD_VALUE": SemanticError,
    "SQE_CANCELED": QueryCanceledError,
    "SQE_DIVISION_BY_ZERO": DivisionByZeroError,
    "SQE_EXPRESSION_TOO_EXPENSIVE": LimitError,
    "SQE_FUNCTION_NOT_FOUND": FunctionNotFoundError,
    "SQE_INVALID_ARGUMENT": DataError,
    "SQE_INVALID_CAST": CastError,
    "SQE_INVALID_NAME": SemanticError,
    "SQE_NOT_SUPPORTED": UnsupportedError,
    "SQE_OUT_OF_RANGE": DataError,
    "SQE_POLICY_UNAVAILABLE": PolicyUnavailableError,
    "SQE_POLICY_UNSUPPORTED": UnsupportedError,
    "SQE_QUERY_MEMORY": QueryMemoryError,
    "SQE_STATEMENT_TOO_COMPLEX": StatementTooComplexError,
    "SQE_TYPE_MISMATCH": TypeMismatchError,
    "SQE_UNGUARDED": AccessDeniedError,
    "SQE_VALUE_NOT_SUPPORTED": UnsupportedError,
    "SQE_VALUE_TOO_LARGE": LimitError,
}

# Classes of the Java part whose conditions Spark hides behind one of its own, as for what fails in VALUES.
BY_OWN_CLASS: Mapping[str, str] = {
    "sqe.spark.bounds.BoundRefusal$Canceled": "SQE_CANCELED",
    "sqe.spark.bounds.BoundRefusal$TooComplex": "SQE_STATEMENT_TOO_COMPLEX",
    "sqe.spark.bounds.BoundRefusal$TooExpensive": "SQE_EXPRESSION_TOO_EXPENSIVE",
    "sqe.spark.bounds.BoundRefusal$TooLarge": "SQE_VALUE_TOO_LARGE",
    "sqe.spark.trino.TrinoFailure$Argument": "SQE_INVALID_ARGUMENT",
    "sqe.spark.trino.TrinoFailure$Cast": "SQE_INVALID_CAST",
    "sqe.spark.trino.TrinoFailure$DivisionByZero": "SQE_DIVISION_BY_ZERO",
    "sqe.spark.trino.TrinoFailure$Function": "SQE_FUNCTION_NOT_FOUND",
    "sqe.spark.trino.TrinoFailure$Range": "SQE_OUT_OF_RANGE",
    "sqe.spark.trino.TrinoFailure$Types": "SQE_TYPE_MISMATCH",
    "sqe.spark.trino.TrinoFailure$Unsupported": "SQE_NOT_SUPPORTED",
    "sqe.spark.trino.TrinoFailure$UnsupportedValue": "SQE_VALUE_NOT_SUPPORTED",
}

# The longest beginning of the SQLSTATE decides. Spark's meaning of each class is in its error-states.json.
BY_SQLSTATE: Mapping[str, type[SqeError]] = {
    "07": SemanticError,
    "0A": UnsupportedError,
    "21": DataError,
    "21S01": SemanticError,
    "22": DataError,
    "22012": DivisionByZeroError,
    "22018": CastError,
    "23": DataError,
    "2B": SemanticError,
    "38": QueryError,
    "39": QueryError,
    "3D": CatalogNotFoundError,
    "3F": SchemaNotFoundError,
    "40": CommitConflictError,
    "42": SemanticError,
    "42501": AccessDeniedError,
    "42601": SqlSyntaxError,
    "42617": SqlSyntaxError,
    "42703": ColumnNotFoundError,
    "42710": DuplicateObjectError,
    "42711": DuplicateObjectError,
    "42723": DuplicateObjectError,
    "42804": TypeMismatchError,
    "42818": TypeMismatchError,
    "42825": TypeMismatchError,
    "42846": TypeMismatchError,
    "42883": FunctionNotFoundError,
    "42K03": FileAccessError,
    "42K09": TypeMismatchError,
    "42P01": TableNotFoundError,
    "42P06": DuplicateObjectError,
    "42P07": DuplicateObjectError,
    "46": SemanticError,
    "51": SemanticError,
    "53": QueryError,
    "54": LimitError,
    "54001": StatementTooComplexError,
    "56": UnsupportedError,
    "56K00": QueryError,
    "57014": QueryCanceledError,
    "58": QueryError,
    "58030": FileAccessError,
    "82": QueryError,
    "F0": QueryError,
    "HV": QueryError,
    "HY": QueryError,
    "HY008": QueryCanceledError,
    "KD": FileAccessError,
    "P0": QueryError,
    "XX": QueryError,
}

# Errors of Iceberg, Hadoop, SQLite and Java itself, which say more than the condition that Spark wraps them in.
# A pattern is looked for in the message, where one Java class serves for several things.
BY_JAVA_CLASS: Sequence[tuple[str, str | None, type[SqeError]]] = (
    ("org.apache.iceberg.exceptions.CommitFailedException", None, CommitConflictError),
    ("org.apache.iceberg.exceptions.CommitStateUnknownException", None, QueryError),
    # Also raised for names and properties that are wrong, which no repetition cures.
    (
        "org.apache.iceberg.exceptions.ValidationException",
        r"(?i)conflict|missing required files|cannot determine history|no longer|stale",
        CommitConflictError,
    ),
    ("org.apache.iceberg.exceptions.ValidationException", None, SemanticError),
    ("org.apache.iceberg.exceptions.NoSuchTableException", None, TableNotFoundError),
    ("org.apache.iceberg.exceptions.NoSuchViewException", None, TableNotFoundError),
    ("org.apache.iceberg.exceptions.NoSuchIcebergTableException", None, TableNotFoundError),
    ("org.apache.iceberg.exceptions.NoSuchIcebergViewException", None, TableNotFoundError),
    ("org.apache.iceberg.exceptions.NoSuchNamespaceException", None, SchemaNotFoundError),
    ("org.apache.iceberg.exceptions.NamespaceNotEmptyException", None, SemanticError),
    ("org.apache.iceberg.exceptions.AlreadyExistsException", None, DuplicateObjectError),
    ("org.apache.iceberg.exceptions.NotFoundException", None, FileAccessError),
    ("org.apache.iceberg.exceptions.BadRequestException", None, SemanticError),
    ("org.apache.iceberg.exceptions.RuntimeIOException", None, FileAccessError),
    (
        "java.lang.IllegalStateException",
        r"\bInvalid schema for v\d",
        UnsupportedError,
    ),  # a type of a later format
    ("org.sqlite.SQLiteException", r"SQLITE_(BUSY|LOCKED|CONSTRAINT)", CommitConflictError),
    ("org.apache.hadoop.security.AccessControlException", None, AccessDeniedError),
    ("java.nio.file.AccessDeniedException", None, FileAccessError),
    ("java.nio.file.NoSuchFileException", None, FileAccessError),
    ("java.nio.file.FileSystemException", None, FileAccessError),
    ("java.io.FileNotFoundException", None, FileAccessError),
    ("org.apache.hadoop.mapred.InvalidInputException", None, FileAccessError),
    ("org.apache.hadoop.fs.UnsupportedFileSystemException", None, UnsupportedError),
)

# What is left when neither a condition, nor an exact class, nor a SQLSTATE is there.
BY_GENERAL_JAVA_CLASS: Sequence[tuple[str, type[SqeError]]] = (
    ("org.apache.spark.sql.catalyst.parser.ParseException", SqlSyntaxError),
    ("org.apache.spark.sql.AnalysisException", SemanticError),
    ("java.lang.UnsupportedOperationException", UnsupportedError),
    ("java.lang.ArithmeticException", DataError),
    ("java.lang.NumberFormatException", CastError),
    ("java.time.DateTimeException", DataError),
    ("java.lang.IllegalArgumentException", SemanticError),
    ("java.io.IOException", FileAccessError),
)

# Messages for errors whose own text describes the inside of a table.
MESSAGES: Mapping[type[SqeError], str] = {
    CommitConflictError: "Another statement changed the table while this one ran.",
    QueryMemoryError: "The query used too much memory.",
}

# Hints for errors where Spark has none, or one that does not help.
HINTS: Mapping[type[SqeError], str] = {
    CommitConflictError: "Run the statement again.",
    QueryMemoryError: "Read fewer rows or columns, make its groups smaller, or raise engine.memory.",
    TableNotFoundError: "Check the spelling, or write the full name: catalog.schema.table.",
    SchemaNotFoundError: "Check the spelling, or write the full name: catalog.schema.",
    FunctionNotFoundError: "Check the spelling; SHOW FUNCTIONS lists what there is.",
}

# The engine's own reason for ending a job, a Java heap that had no room, or Spark's memory manager that had none.
_NO_MEMORY = re.compile(
    r"\[SQE_QUERY_MEMORY\]|\bjava\.lang\.OutOfMemoryError\b|\bSparkOutOfMemoryError\b|^Java heap space"
    r"|OutOfDirectMemoryError"
)
_CANCELED = re.compile(r"(?i)\bjob \S+ cancell?ed\b|operation was cancell?ed|\bOPERATION_CANCELED\b")
_SQLSTATE = re.compile(r"\s?SQLSTATE: \w{5}")
_CONDITION = re.compile(r"^\s*\[([A-Z][A-Z0-9_.]*)\]\s*")
_CLASS_NAME = re.compile(r"^(?:[a-z_]\w*\.){1,12}[A-Z][\w$]*(?:Exception|Error)?:\s+")
_INNER_CONDITION = re.compile(r"\b(?:[a-z_]\w*\.){1,12}[A-Z][\w$]*: (\[[A-Z][A-Z0-9_.]*\] .*)", re.DOTALL)
# Text that begins with one of these is for developers: the statement again, plans, stack traces.
_TAIL = re.compile(
    r"\n[ \t]*== (?:SQL|DataFrame|Physical Plan).*|;? line \d+ pos \d+;?\s*(?:\n.*)?$|;\n['+:!A-Z].*"
    r"|\n[ \t]*at [\w.$]+\(.*|\n[ \t]*(?:Driver|JVM) stacktrace:.*|\n[ \t]*Caused by: .*",
    re.DOTALL,
)
_PARSE_POSITION = re.compile(r"\(line (\d+), pos (\d+)\)")
_PLAN_POSITION = re.compile(r"; line (\d+) pos (\d+)")
_NAMED = re.compile(r"[`\"](\w+)[`\"]")
_SUGGESTION = re.compile(r"\s?Did you mean one of the following\? \[([^\]]*)\]\.?")
_EXPRESSION_ID = re.compile(r"(?<=\w)#\d+L?\b")
_JAVA_OBJECT = re.compile(
    r"\b(?:[a-z_]\w*\.){1,12}(?:\w+\$)?(\w+)@[0-9a-f]+\b"
)  # one that has no text of its own
_FILE_URI = re.compile(r"\bfile:/+(?=[^/])")
_SENTENCE_END = re.compile(r"(?<=[.?!])\s+(?=[A-Z])|(?<!:)\n+")
# Advice that does not help here: Spark's settings are the engine's, and the statement says whether it is a DROP.
_USELESS_ADVICE = re.compile(
    r"spark\.\w+\.|current_schema\(\)|IF EXISTS|Verify the spelling|^\s*If you did not qualify|Scala|Java bean"
)
# Each name that is defined by another of the same SELECT takes the analyzer one round.
_TOO_MANY_ROUNDS = re.compile(r"(?:[\w.$]+: )?Max iterations \(\d+\) reached for batch ")
_STACK_OVERFLOW = "java.lang.StackOverflowError"
_VERBATIM = "USER_RAISED_EXCEPTION"  # the user's own text, from raise_error()
_RAISED_BY_USER = "P0001"  # its SQLSTATE
_NOT_NULL = "NOT_NULL_ASSERT_VIOLATION"
_NOT_NULL_STATE = "23502"  # the standard's; Spark's is that of any wrong statement
_NOT_NULL_FIELD = re.compile(r"NULL value appeared in non-nullable field\b")
_OURS = "SQE_"  # conditions of the Java part
_MESSAGE_LIMIT = 1000
_READ_LIMIT = 20_000  # a plan of megabytes may follow the message, and would slow the patterns down


def translate(
    condition: str | None,
    sqlstate: str | None,
    message: str,
    java_classes: Sequence[str],
    contexts: Sequence[tuple[int, int]],
    sql: str,
    causes: Sequence[Cause] = (),
) -> SqeError:
    """Return the SQE error for an error of Spark.

    Args:
        condition: Spark's error condition, such as `UNRESOLVED_COLUMN.WITH_SUGGESTION`.
        sqlstate: Spark's.
        message: the whole text.
        java_classes: the classes of the exception and of its causes, outermost first.
        contexts: first and last offset of the places in `sql` that Spark reports.
        sql: the statement as Spark got it.
        causes: the exception and its causes, outermost first, each with its own message.
    """
    if hidden := _hidden(condition, causes):
        (condition, message), sqlstate = hidden, None
    whole, message = remove_secrets(message), remove_secrets(message[:_READ_LIMIT])
    if external := external_error(causes or (Cause(java_classes, message),)):
        text, _ = _message_and_hint(external.message)
        return external.kind(remove_secrets(text), hint=external.hint, detail=whole)
    if condition is None and (_TOO_MANY_ROUNDS.match(message) or _STACK_OVERFLOW in java_classes):
        return _too_complex(whole)
    if condition is None and (inner := _CONDITION.match(_innermost(message))):
        condition = inner[1]
        if condition == _VERBATIM:
            sqlstate = _RAISED_BY_USER
    if condition == _NOT_NULL:
        sqlstate, message = (
            _NOT_NULL_STATE,
            _NOT_NULL_FIELD.sub("NULL value not allowed for NOT NULL column", message),
        )
    kind, exact = _classify(condition, sqlstate, message, java_classes)
    text, hint = (_clean(message), None) if condition == _VERBATIM else _message_and_hint(message)
    if kind in MESSAGES:
        text, hint = MESSAGES[kind], None
    return kind(
        text,
        hint=hint or HINTS.get(kind),
        position=_position(message, contexts, sql),
        # Messages of our Java part do not begin with their condition, as Spark's do.
        detail=f"[{condition}] {whole}" if condition is not None and condition.startswith(_OURS) else whole,
        # States that begin with XX are Spark's internal ones, and those with HY belong to ODBC's drivers.
        sqlstate=sqlstate if exact and sqlstate and not sqlstate.startswith(("XX", "HY")) else None,
    )


# gRPC's errors for a response that it cannot decode: a protocol buffer has 100 levels at most.
_UNREADABLE = re.compile(r"(?i)exception deserializing response|max recursion depth|error parsing message")
_OUT_OF_MEMORY = re.compile(
    r"(?i)java heap space|gc overhead|out ?of ?memory|array size exceeds|direct buffer memory|metaspace"
)
_STACK = re.compile(r"(?i)stack ?overflow")


def without_details(status: str, description: str) -> SqeError | None:
    """Return the error for a call that ended without Spark's own details; None for an unknown one.

    Spark Connect sends no details of errors that are fatal in Java. Such a call ends with gRPC's UNKNOWN and the
    message of the exception; a stack overflow has none.

    Args:
        status: the name of gRPC's status.
        description: gRPC's text.
    """
    if _UNREADABLE.search(description):
        return unreadable_result(description)
    if _OUT_OF_MEMORY.search(description):
        return QueryMemoryError(MESSAGES[QueryMemoryError], hint=HINTS[QueryMemoryError], detail=description)
    nothing = not description.strip() or description.strip().lower() in ("null", "unknown")
    if status == "UNKNOWN" and (nothing or _STACK.search(description)):
        return _too_complex(f"{status}: {description}")
    return None


def _too_complex(detail: str) -> SqeError:
    return StatementTooComplexError(
        "The statement is too complex for the engine.",
        hint="Split it, or use temporary views instead of long chains and deep nesting.",
        detail=detail,
    )


def unreadable_result(detail: str) -> SqeError:
    """Return the error for a result whose types are nested more deeply than its encoding allows."""
    return StatementTooComplexError(
        "The result of the statement has types that are nested too deeply to be sent.",
        hint="Return its parts as columns of their own, or as text with to_json.",
        detail=detail,
    )


def _hidden(condition: str | None, causes: Sequence[Cause]) -> tuple[str, str] | None:
    """Return condition and message of an error of SQE's Java part that Spark has wrapped in one of its own."""
    if condition is not None and condition.startswith(_OURS):
        return None
    for cause in causes:
        for name in cause.classes:
            if name in BY_OWN_CLASS:
                return BY_OWN_CLASS[name], cause.message
    return None


def class_of_condition(condition: str) -> type[SqeError] | None:
    """Look a condition up by its full name, then without its kind."""
    return (
        BY_OWN_CONDITION.get(condition)
        or BY_CONDITION.get(condition)
        or BY_CONDITION.get(condition.partition(".")[0])
    )


def class_of_sqlstate(sqlstate: str) -> type[SqeError] | None:
    """Look a SQLSTATE up by its longest known beginning."""
    return BY_SQLSTATE.get(sqlstate) or BY_SQLSTATE.get(sqlstate[:2])


def _classify(
    condition: str | None, sqlstate: str | None, message: str, java_classes: Sequence[str]
) -> tuple[type[SqeError], bool]:
    """Return the class, and whether Spark's own SQLSTATE describes the same thing."""
    if _NO_MEMORY.search(message) or "java.lang.OutOfMemoryError" in java_classes:
        return QueryMemoryError, False
    if condition and (kind := class_of_condition(condition)):
        return kind, True
    if _CANCELED.search(message):
        return QueryCanceledError, False
    for name, pattern, kind in BY_JAVA_CLASS:
        if name in java_classes and (pattern is None or re.search(pattern, message)):
            return kind, False
    if sqlstate and (kind_by_state := class_of_sqlstate(sqlstate)):
        return kind_by_state, True
    for name, kind in BY_GENERAL_JAVA_CLASS:
        if name in java_classes:
            return kind, False
    return QueryError, False


def _innermost(message: str) -> str:
    # "Job aborted due to stage failure: ... org.apache.spark.SparkArithmeticException: [DIVIDE_BY_ZERO] ..."
    found = _INNER_CONDITION.search(message)
    return found[1] if found and not _CONDITION.match(message) else message


def _clean(message: str) -> str:
    text = _CONDITION.sub("", _TAIL.sub("", _innermost(message)))
    text = _CLASS_NAME.sub("", _PARSE_POSITION.sub("", _SQLSTATE.sub("", text)))
    text = _FILE_URI.sub("/", _EXPRESSION_ID.sub("", _JAVA_OBJECT.sub(r"\1", text))).strip()
    return text[:_MESSAGE_LIMIT] + "..." if len(text) > _MESSAGE_LIMIT else text or "The statement failed."


def _message_and_hint(message: str) -> tuple[str, str | None]:
    """Return the first sentence as the message, and the useful ones of the others as the hint."""
    text = _clean(message)
    suggestion = _SUGGESTION.search(text)
    sentences = [re.sub(r"\s+", " ", part).strip() for part in _SENTENCE_END.split(_SUGGESTION.sub("", text))]
    first, *more = [sentence for sentence in sentences if sentence] or ["The statement failed."]
    if more and " " not in more[0]:  # "NULL value appeared in non-nullable field.\nid"
        first = f"{first.rstrip('.:')}: {more.pop(0)}"
    if suggestion:
        *names, last = suggestion[1].split(", ")
        hint = f"Did you mean {', '.join(names)} or {last}?" if names else f"Did you mean {last}?"
    else:
        hint = " ".join(sentence for sentence in more if not _USELESS_ADVICE.search(sentence))
    return first if first[-1] in ".?!" else f"{first.rstrip(':;,')}.", hint or None


def _position(message: str, contexts: Sequence[tuple[int, int]], sql: str) -> Position | None:
    if found := _PARSE_POSITION.search(message):
        return Position(int(found[1]), int(found[2]) + 1)
    first = len(sql) - len(sql.lstrip())
    for start, stop in contexts:
        if 0 <= start <= stop < len(sql):
            # A place that begins at the first word is the whole statement; the message may name a smaller one.
            offset = start if start > first else _only_mention(message, sql[: stop + 1])
            return None if offset is None else _at(sql, offset)
    found = _PLAN_POSITION.search(message)
    return Position(int(found[1]), int(found[2]) + 1) if found and found[2] != "0" else None


def _only_mention(message: str, text: str) -> int | None:
    """Return the offset of the first name in the message, if `text` has it exactly once."""
    named = _NAMED.search(message)
    places = (
        [found.start() for found in re.finditer(rf"(?i)\b{re.escape(named[1])}\b", text)] if named else []
    )
    return places[0] if len(places) == 1 else None


def _at(sql: str, offset: int) -> Position:
    before = sql[:offset]
    return Position(before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1)
