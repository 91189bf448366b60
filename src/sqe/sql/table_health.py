"""Write `CALL catalog.system.table_health('schema.table')` as a query on the table's metadata, in both dialects."""
# ruff: noqa: S608  # this module quotes every name in the SQL that it generates

from __future__ import annotations

from dataclasses import dataclass

from sqe.errors import SqlSyntaxError
from sqe.model.session import Dialect
from sqe.sql.lexer import TokenKind, position_at, string_value
from sqe.sql.lexer import tokens as spark_tokens
from sqe.sql.quote import quote_name
from sqe.sql.statement import Statement
from sqe.sql.token_reader import TokenReader
from sqe.sql.trino.lexer import trino_string, unquote_name

TARGET_PROPERTY = "write.target-file-size-bytes"
DEFAULT_TARGET = 512 << 20  # Iceberg's own, as the other figures of rewrite_data_files
_SMALL = 0.75  # of the target: rewrite_data_files takes smaller files
_GROUP = 5  # files of one partition that it rewrites, at least
_HEAVY = 0.3  # of a file's rows that are deleted: it rewrites such a file by itself


@dataclass(frozen=True, slots=True)
class HealthCall:
    catalog: str | None  # None: the current one
    table: tuple[str, ...]  # as the argument names it


def health_call(statement: Statement) -> HealthCall | None:
    """Return the call; None for any other statement. Raises SqlSyntaxError."""
    if "table_health" not in statement.text.lower() or statement.tokens[0].keyword != "CALL":
        return None
    reader = TokenReader(statement.text, statement.tokens)
    reader.expect("CALL")
    name = reader.qualified()
    if [part.lower() for part in name[-2:]] != ["system", "table_health"] or len(name) > 3:
        return None
    reader.expect_symbol("(")
    if reader.accept("TABLE") and not reader.accept_symbol("=>"):
        reader.expect_symbol("=")
        reader.expect_symbol(">")
    if not reader.at_kind(TokenKind.STRING):
        reader.mismatch("the name of a table as text")
    place = position_at(statement.text, reader.offset)
    token = reader.take()
    text = string_value(token) if statement.dialect is Dialect.SPARK else trino_string(token)
    reader.expect_symbol(")")
    reader.end()
    words = list(spark_tokens(text))
    parts = words[::2]
    if not words or len(words) % 2 == 0 or not all(dot.is_symbol(".") for dot in words[1::2]):
        raise SqlSyntaxError(f"'{text}' is no name of a table.", position=place)
    if not all(part.kind in (TokenKind.WORD, TokenKind.QUOTED_NAME) for part in parts):
        raise SqlSyntaxError(f"'{text}' is no name of a table.", position=place)
    return HealthCall(name[0] if len(name) == 3 else None, tuple(unquote_name(part) for part in parts))


def health_query(table: tuple[str, ...], target_bytes: int, *, partitioned: bool) -> str:
    """Return the query, in Spark's SQL; `table` begins with the catalog."""
    key = "spec_id, partition" if partitioned else "spec_id"
    small = int(target_bytes * _SMALL)
    files, snapshots = quote_name(*table, "files"), quote_name(*table, "snapshots")
    heavy = (
        "SELECT count(*) FROM (SELECT d.file_path FROM data AS d JOIN files AS f ON f.content = 1 "
        "AND f.referenced_data_file = d.file_path GROUP BY d.file_path, d.record_count "
        f"HAVING sum(f.record_count) >= {_HEAVY} * d.record_count)"
    )
    groups = (
        "SELECT count(*) AS n, sum(bytes) AS bytes FROM (SELECT count(*) AS files, sum(file_size_in_bytes) AS bytes "
        f"FROM data WHERE file_size_in_bytes < {small} GROUP BY {key}) WHERE files >= {_GROUP}"
    )
    return (
        f"WITH files AS (SELECT * FROM {files}), data AS (SELECT * FROM files WHERE content = 0), "
        f"groups AS ({groups}) "
        "SELECT count(*) AS live_data_files, "
        f"count_if(file_size_in_bytes < {small}) AS small_files, "
        "CAST(avg(file_size_in_bytes) AS BIGINT) AS avg_file_bytes, "
        "CAST(percentile(file_size_in_bytes, 0.5) AS BIGINT) AS p50_file_bytes, "
        "(SELECT count(*) FROM files WHERE content <> 0) AS delete_files, "
        f"({heavy}) AS delete_heavy_files, "
        "(SELECT n FROM groups) AS eligible_groups, "
        "(SELECT coalesce(bytes, 0) FROM groups) AS est_rewrite_bytes, "
        f"(SELECT max(unix_millis(committed_at)) FROM {snapshots} WHERE operation = 'replace') "
        "AS last_compaction_snapshot_ms "
        "FROM data"
    )
