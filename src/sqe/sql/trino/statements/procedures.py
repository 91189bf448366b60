"""Translate ALTER TABLE .. EXECUTE, Trino's form of table maintenance, to the procedures of Iceberg for Spark."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NoReturn

from sqe.errors import UnsupportedError
from sqe.sql.lexer import position_at
from sqe.sql.namespace import split
from sqe.sql.quote import quote_literal, quote_name
from sqe.sql.trino.lexer import statement_tokens
from sqe.sql.trino.statement_editor import StatementEditor
from sqe.sql.trino.statements.properties import Value, read_value

_DAY = 86_400
_SECONDS = {"d": _DAY, "h": 3_600, "m": 60, "s": 1}
_DURATION = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([dhms])\s*")
_BYTES = {"b": 1, "kb": 1 << 10, "mb": 1 << 20, "gb": 1 << 30, "tb": 1 << 40}
_SIZE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*", re.IGNORECASE)

# What Trino's server has by default: younger snapshots and files may belong to a query or a write that still runs.
_LEAST_DAYS = 7
_TARGET_BYTES = 512 << 20  # of Iceberg's own

Arguments = dict[str, Value]


def call(editor: StatementEditor, parts: list[str]) -> str:
    """Read what is behind EXECUTE, and return the CALL. Raises SqlSyntaxError, UnsupportedError."""
    reader = editor.reader
    place = position_at(editor.text, reader.offset)
    name = reader.name().lower()
    procedure = _PROCEDURES.get(name)
    if procedure is None:
        raise UnsupportedError(
            f"The procedure {name} is not supported.",
            hint=f"There are {', '.join(_PROCEDURES)}, and Iceberg's own with CALL system.name(table => '..').",
            position=place,
        )
    names, write = procedure
    given = _arguments(editor, names)
    target, options = write(given)
    if name == "optimize" and reader.accept("WHERE"):
        options["where"] = quote_literal(_condition(editor))
    reader.end()
    for unknown in given:
        _refuse(f"The argument {unknown} of {name} is not supported.")
    catalog, schema, table = editor.full_name(parts)
    inside = split(schema) if schema else ()
    place_of_procedure = quote_name(*([catalog] if catalog else []), "system", target)
    written = {"table": quote_literal(quote_name(*inside, table)), **options}
    return f"CALL {place_of_procedure}({', '.join(f'{key} => {value}' for key, value in written.items())})"


def _arguments(editor: StatementEditor, names: tuple[str, ...]) -> Arguments:
    """Read `(name => value, ..)` or `(value, ..)`, which may be left out."""
    reader = editor.reader
    found: Arguments = {}
    if not reader.accept_symbol("("):
        return found
    while not reader.accept_symbol(")"):
        if found:
            reader.expect_symbol(",")
        named = reader.at_symbol("=>", 1) or (reader.at_symbol("=", 1) and reader.at_symbol(">", 2))
        if named:
            key = reader.name().lower()
            if not reader.accept_symbol("=>"):
                reader.expect_symbol("=")
                reader.expect_symbol(">")
        elif len(found) < len(names):
            key = names[len(found)]
        else:
            reader.mismatch("')'")
        found[key] = read_value(reader)
    return found


def _condition(editor: StatementEditor) -> str:
    """Return the rest of the statement, a condition on the table's columns, in Spark's SQL."""
    from sqe.sql.trino.statements.dispatch import rewrite

    reader = editor.reader
    text = f"SELECT 1 WHERE {editor.text[reader.offset : editor.tokens[-1].end]}"
    reader.index = len(editor.tokens)
    return rewrite(text, statement_tokens(text), editor.scope).text.partition(" WHERE ")[2]


def _optimize(given: Arguments) -> tuple[str, dict[str, str]]:
    threshold = _bytes(given.pop("file_size_threshold", "100MB"))
    # Trino rewrites every file below the threshold, and those with deleted rows, where there is more than one.
    options = {"min-input-files": "2", "delete-file-threshold": "1"}
    if threshold < _TARGET_BYTES:
        options["min-file-size-bytes"] = str(threshold)
    else:
        options["rewrite-all"] = "true"
    pairs = ", ".join(f"{quote_literal(key)}, {quote_literal(value)}" for key, value in options.items())
    return "rewrite_data_files", {"options": f"map({pairs})"}


def _optimize_manifests(_given: Arguments) -> tuple[str, dict[str, str]]:
    return "rewrite_manifests", {}


def _expire_snapshots(given: Arguments) -> tuple[str, dict[str, str]]:
    options = {"older_than": _older_than(given)}
    retained = given.pop("retain_last", None)
    if retained is not None:
        if not isinstance(retained, int) or retained < 1:
            _refuse("retain_last must be a number of snapshots, at least 1.")
        options["retain_last"] = str(retained)
    if given.pop("clean_expired_metadata", False):
        options["clean_expired_metadata"] = "true"
    return "expire_snapshots", options


def _remove_orphan_files(given: Arguments) -> tuple[str, dict[str, str]]:
    return "remove_orphan_files", {"older_than": _older_than(given)}


def _rollback_to_snapshot(given: Arguments) -> tuple[str, dict[str, str]]:
    snapshot = given.pop("snapshot_id", None)
    if not isinstance(snapshot, int):
        _refuse("rollback_to_snapshot needs snapshot_id, a number.")
    return "rollback_to_snapshot", {"snapshot_id": str(snapshot)}


def _older_than(given: Arguments) -> str:
    text = given.pop("retention_threshold", f"{_LEAST_DAYS}d")
    found = _DURATION.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        _refuse(f"retention_threshold must be a duration such as '{_LEAST_DAYS}d'.")
    seconds = int(float(found[1]) * _SECONDS[found[2]])
    if seconds < _LEAST_DAYS * _DAY:
        _refuse(
            f"Retention specified ({text}) is shorter than the minimum retention ({_LEAST_DAYS}d).",
            "CALL system.expire_snapshots and system.remove_orphan_files take any time as older_than.",
        )
    # Not a literal: the translation is kept for the next statement of the same text.
    return f"current_timestamp() - INTERVAL '{seconds}' SECOND"


def _bytes(value: Value) -> int:
    found = _SIZE.fullmatch(value) if isinstance(value, str) else None
    if found is None or found[2].lower() not in _BYTES:
        _refuse("file_size_threshold must be a size such as '100MB'.")
    return int(float(found[1]) * _BYTES[found[2].lower()])


def _refuse(message: str, hint: str | None = None) -> NoReturn:
    raise UnsupportedError(message, hint=hint)


_PROCEDURES: Mapping[str, tuple[tuple[str, ...], Callable[[Arguments], tuple[str, dict[str, str]]]]] = {
    "optimize": (("file_size_threshold",), _optimize),
    "optimize_manifests": ((), _optimize_manifests),
    "expire_snapshots": (("retention_threshold",), _expire_snapshots),
    "remove_orphan_files": (("retention_threshold",), _remove_orphan_files),
    "rollback_to_snapshot": (("snapshot_id",), _rollback_to_snapshot),
}
