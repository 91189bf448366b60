"""Complete keywords, names of all kinds, functions, dot commands and files on Tab."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.completion.filesystem import PathCompleter
from prompt_toolkit.document import Document

from sqe.cli.execution.script import is_dot
from sqe.cli.shell.completion_metadata import CompletionMetadata, Name
from sqe.cli.shell.dot_commands import COMMANDS

# Spark SQL's keywords that are worth completing.
KEYWORDS: tuple[str, ...] = tuple(  # one text, because a list would be three hundred lines long
    """
    ADD AFTER ALL ALTER ANALYZE AND ANTI ANY ARRAY AS ASC AT BETWEEN BIGINT BINARY BOOLEAN BOTH BRANCH BUCKET BY CACHE
    CALL CASCADE CASE CAST CATALOG CATALOGS CHANGE CLEAR CLUSTER COLLATE COLUMN COLUMNS COMMENT COMPUTE CONSTRAINT
    CREATE CROSS CUBE CURRENT_DATE CURRENT_TIMESTAMP CURRENT_USER DATABASE DATE DAY DECIMAL DEFAULT DELETE DESC DESCRIBE
    DISTINCT DISTRIBUTE DOUBLE DROP ELSE END ESCAPE EXCEPT EXECUTE EXISTS EXPLAIN EXTENDED EXTRACT FALSE FETCH FILTER
    FIRST FLOAT FOLLOWING FOR FORMAT FORMATTED FROM FULL FUNCTION FUNCTIONS GLOBAL GRANT GROUP GROUPING HAVING HOUR IF
    ILIKE IN INNER INSERT INT INTERSECT INTERVAL INTO IS JOIN LAST LATERAL LEADING LEFT LIKE LIMIT LOCATION MAP MATCHED
    MERGE MINUS MINUTE MONTH NAMESPACE NAMESPACES NATURAL NOT NULL NULLS OF OFFSET ON OPTIONS OR ORDER OUTER OVER
    OVERWRITE PARTITION PARTITIONED PARTITIONS PIVOT PRECEDING PROPERTIES PURGE QUALIFY RANGE RECURSIVE REFRESH RENAME
    REPLACE RESET RESTRICT REVOKE RIGHT RLIKE ROLLUP ROW ROWS SCHEMA SCHEMAS SECOND SELECT SEMI SET SETS SHOW SMALLINT
    SNAPSHOT SORT STRING STRUCT SYSTEM_TIME SYSTEM_VERSION TABLE TABLES TABLESAMPLE TAG TBLPROPERTIES TEMPORARY THEN
    TIMESTAMP TIMESTAMP_NTZ TINYINT TO TRAILING TRANSFORM TRUE TRUNCATE UNBOUNDED UNION UNNEST UNPIVOT UNSET UPDATE USE
    USING VALUES VARIANT VERSION VIEW VIEWS WHEN WHERE WINDOW WITH WITHIN WRITE YEAR ZONE
    """.split()  # noqa: SIM905 - as above
)

COLUMN_SECONDS = 1.0  # the completer runs in a thread of its own: typing goes on meanwhile

_IDENTIFIER = r"(?:`[^`]*`|[^\W\d]\w*)"
_NAME = rf"{_IDENTIFIER}(?:\s*\.\s*{_IDENTIFIER})*"
_PREFIX = re.compile(rf"(?P<qualifier>(?:{_IDENTIFIER}\.)*)(?P<last>`?\w*)$")
_FROM = re.compile(
    rf"\b(?:FROM|JOIN|INTO|UPDATE|TABLE|USING)\s+(?P<name>{_NAME})(?:\s+(?:AS\s+)?(?P<alias>{_IDENTIFIER}))?",
    re.IGNORECASE,
)
_COMMA_TABLE = re.compile(
    rf"\bFROM\s+{_NAME}(?:\s+(?:AS\s+)?{_IDENTIFIER})?\s*,\s*(?P<name>{_NAME})(?:\s+(?:AS\s+)?(?P<alias>{_IDENTIFIER}))?",
    re.IGNORECASE,
)
_CTE = re.compile(rf"(?:\bWITH(?:\s+RECURSIVE)?|,)\s+(?P<name>{_IDENTIFIER})\s+AS\s*\(", re.IGNORECASE)
_WANTS_TABLE = re.compile(
    r"\b(?:FROM|JOIN|INTO|UPDATE|TABLE|VIEW|DESCRIBE|DESC|TRUNCATE|REFRESH|OVERWRITE|IN|USE|EXISTS)\s+$",
    re.IGNORECASE,
)
_FILE = re.compile(r"\b(?:FROM|JOIN|read_\w+\s*\()\s*'(?P<path>[^']*)$", re.IGNORECASE)
_OPAQUE = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|--[^\n]*(?=\n)|/\*.*?\*/", re.DOTALL)
_OPEN = re.compile(r"['\"]|--[^\n]*$|/\*")
_RESERVED = frozenset(KEYWORDS)
_TABLE_COMMANDS = frozenset({".schema", ".describe", ".d", ".summarize", ".summary", ".tables"})


@dataclass(frozen=True, slots=True)
class Candidate:
    text: str
    kind: str


class ShellCompleter(Completer):
    def __init__(self, metadata: CompletionMetadata) -> None:
        self._metadata = metadata
        self._paths = PathCompleter(expanduser=True)

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        before = document.text_before_cursor
        if is_dot(document.text):
            yield from self._dot(before.lstrip(), complete_event)
            return
        if file := _FILE.search(before):
            yield from self._files(file.group("path"), complete_event)
            return
        blank = _OPAQUE.sub(lambda match: " " * len(match.group()), before)
        if _OPEN.search(blank):
            return  # inside a string or a comment
        start = blank.rfind(";") + 1
        after = document.text_after_cursor.partition(";")[0]
        prefix = _PREFIX.search(before[start:])
        if prefix is not None:
            qualifier, last = prefix.group("qualifier"), prefix.group("last")
            rest = blank[start : len(blank) - len(qualifier) - len(last)]
            yield from _matching(self._sql(_parts(qualifier), rest, after), last)

    def _sql(self, qualifier: Name, rest: str, after: str) -> Iterator[Candidate]:
        tables = _tables(f"{rest} {after}")
        if qualifier:
            yield from self._below(qualifier, tables)
        elif _WANTS_TABLE.search(rest):
            yield from self._relations()
            yield from (Candidate(match.group("name"), "query") for match in _CTE.finditer(rest))
            yield from (Candidate(word, "keyword") for word in KEYWORDS)
        else:
            for alias, name in tables:
                yield from self._columns(name)
                yield Candidate(alias, "table")
            yield from (Candidate(word, "keyword") for word in KEYWORDS)
            yield from (Candidate(word, "function") for word in self._metadata.snapshot.functions)
            yield from self._relations()

    def _relations(self) -> Iterator[Candidate]:
        """Yield the tables of the current schema, then the schemas and catalogs that qualify other names."""
        known = self._metadata.snapshot
        yield from (
            Candidate(table[2], "table") for table in sorted(known.tables) if table[:2] == known.current
        )
        yield from (
            Candidate(name[1], "schema") for name in sorted(known.schemas) if name[0] == known.current[0]
        )
        yield from (Candidate(name, "catalog") for name in known.catalogs)

    def _below(self, qualifier: Name, tables: list[tuple[str, Name]]) -> Iterator[Candidate]:
        """Yield what may follow the dot after `qualifier`: columns, tables or schemas."""
        known = self._metadata.snapshot
        lower = _folded(qualifier)
        for alias, name in tables:
            if lower in (_folded((alias,)), _folded(name)):
                yield from self._columns(name)
        if len(lower) == 1:
            yield from (
                Candidate(name[1], "schema") for name in sorted(known.schemas) if _folded(name[:1]) == lower
            )
        schema = _folded(known.current[:1]) + lower if len(lower) == 1 else lower
        yield from (
            Candidate(table[2], "table") for table in sorted(known.tables) if _folded(table[:2]) == schema
        )

    def _columns(self, name: Name) -> Iterator[Candidate]:
        columns = self._metadata.columns(self._metadata.full_name(name), COLUMN_SECONDS)
        yield from (Candidate(column, "column") for column in columns)

    def _dot(self, line: str, event: CompleteEvent) -> Iterator[Completion]:
        word, blank, argument = line.partition(" ")
        if not blank:
            names = [Candidate(command.names[0], command.help) for command in COMMANDS]
            yield from _matching(names, "." + word[1:], replaced=len(word))
            return
        name = "." + word[1:].lower()
        command = next((known for known in COMMANDS if name in known.names), None)
        if name == ".read":
            yield from self._files(argument, event)
        elif name in _TABLE_COMMANDS:
            prefix = _PREFIX.search(argument)
            if prefix is not None:
                parts = _parts(prefix.group("qualifier"))
                names = list(self._below(parts, []) if parts else self._relations())
                yield from _matching(names, prefix.group("last"))
        elif command is not None:
            yield from _matching([Candidate(choice, "") for choice in command.choices], argument)

    def _files(self, path: str, event: CompleteEvent) -> Iterator[Completion]:
        yield from self._paths.get_completions(Document(path), event)


def _matching(
    candidates: Iterable[Candidate], typed: str, replaced: int | None = None
) -> Iterator[Completion]:
    """Offer each text once, in the order given, if it starts as typed; keywords follow the typed letters' case."""
    start = typed.lstrip("`").lower()
    seen: set[str] = set()
    for candidate in candidates:
        text = candidate.text
        if not text.lower().startswith(start) or text.lower() in seen:
            continue
        seen.add(text.lower())
        if candidate.kind == "keyword" and typed.islower():
            text = text.lower()
        elif candidate.kind in {"table", "schema", "catalog", "column"}:
            text = _quoted(text, forced=typed.startswith("`"))
        yield Completion(
            text,
            start_position=-(len(typed) if replaced is None else replaced),
            display=candidate.text,
            display_meta=candidate.kind,
        )


def _quoted(name: str, *, forced: bool) -> str:
    plain = re.fullmatch(r"[^\W\d]\w*", name) and name.upper() not in _RESERVED
    return name if plain and not forced else "`" + name.replace("`", "``") + "`"


def _parts(text: str) -> Name:
    return tuple(part.strip("`") for part in re.findall(_IDENTIFIER, text))


def _folded(name: Iterable[str]) -> Name:
    return tuple(part.lower() for part in name)


def _tables(statement: str) -> list[tuple[str, Name]]:
    """Return the tables that a statement names, each with its alias or its last part."""
    found = []
    for pattern in (_FROM, _COMMA_TABLE):
        for match in pattern.finditer(statement):
            name = _parts(match.group("name"))
            alias = (match.group("alias") or "").strip("`")
            found.append((alias if alias and alias.upper() not in _RESERVED else name[-1], name))
    return found
