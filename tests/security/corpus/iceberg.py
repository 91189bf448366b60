"""Iceberg: metadata tables and columns, time travel, tags, branches, incremental reads, statistics."""

from __future__ import annotations

from tests.security.case import (
    DENIED,
    METADATA,
    NO_TABLE,
    NONE,
    UNSUPPORTED,
    Answer,
    Case,
    among,
    refusal,
    rows,
)

OLD = (
    rows((1, "xxxxxxx3331"), (2, "xxxxxxx3332"), (5, "xxxxxxx3335")),
    rows(*((n, f"111-22-333{n}") for n in (1, 2, 3, 4, 5))),
)
NOW = (rows((1, "xxxxxxx3331"), (2, "xxxxxxx3332")), rows(*((n, f"111-22-333{n}") for n in (1, 2, 3, 4))))
SIDE = (
    rows((1, "xxxxxxx3331"), (2, "xxxxxxx3332"), (7, "xxxxxxx3337")),
    rows(*((n, f"111-22-333{n}") for n in (1, 2, 3, 4, 6, 7))),
)

TRAVEL: tuple[tuple[str, str, Answer, Answer], ...] = (
    ("version-of-a-tag", "SELECT id, ssn FROM people VERSION AS OF 'old'", *OLD),
    ("version-for-of-a-tag", "SELECT id, ssn FROM people FOR VERSION AS OF 'old'", *OLD),
    ("system-version", "SELECT id, ssn FROM people FOR SYSTEM_VERSION AS OF 'old'", *OLD),
    ("tag-selector", "SELECT id, ssn FROM lake.hr.people.tag_old", *OLD),
    ("branch-selector", "SELECT id, ssn FROM lake.hr.people.branch_side", *SIDE),
    ("branch-main", "SELECT id, ssn FROM lake.hr.people.branch_main", *NOW),
    ("version-of-a-branch", "SELECT id, ssn FROM people VERSION AS OF 'side'", *SIDE),
    ("timestamp", "SELECT id, ssn FROM people TIMESTAMP AS OF current_timestamp()", *NOW),
    (
        "timestamp-of-an-expression",
        "SELECT id, ssn FROM people TIMESTAMP AS OF now() - INTERVAL 0 SECONDS",
        *NOW,
    ),
    (
        "timestamp-of-a-subquery",
        "SELECT id, ssn FROM people TIMESTAMP AS OF (SELECT current_timestamp())",
        *NOW,
    ),
    ("option", "SELECT id, ssn FROM people WITH (`versionAsOf` = 'old')", *OLD),
    ("option-branch", "SELECT id, ssn FROM people WITH (`branch` = 'side')", *SIDE),
    (
        "star",
        "SELECT * EXCEPT (salary, email, phone, born, addr) FROM people VERSION AS OF 'old' WHERE id = 5",
        rows((5, "Eryx", "eng", "xxxxxxx3335")),
        rows((5, "Eryx", "eng", "111-22-3335", "note-5", "kin-5")),
    ),
    (
        "restricted",
        "SELECT note FROM people VERSION AS OF 'old' WHERE id = 5",
        refusal("COLUMN_NOT_FOUND"),
        rows("note-5"),
    ),
    ("forbidden", "SELECT count(*) FROM vault TIMESTAMP AS OF current_timestamp()", NO_TABLE, rows(2)),
    (
        "between-two-states",
        "SELECT id FROM people VERSION AS OF 'old' EXCEPT SELECT id FROM people",
        rows(5),
        rows(5),
    ),
    (
        "joined-with-now",
        "SELECT a.ssn FROM people a JOIN people VERSION AS OF 'old' b ON a.id = b.id",
        rows("xxxxxxx3331", "xxxxxxx3332"),
        rows(*(f"111-22-333{n}" for n in (1, 2, 3, 4))),
    ),
    ("in-a-view", "SELECT id, ssn FROM v_old", *OLD),
    ("deletes-by-position", "SELECT id FROM staff VERSION AS OF 'old'", rows(1, 2, 5), rows(1, 2, 3, 4, 5)),
    (
        "a-mask-follows-a-renamed-column",
        "SELECT secret FROM renamed",
        rows(None, None),
        rows("code-1", "code-2"),
    ),
    # The tag has the column under its old name, and the rule names it as it is called today.
    (
        "a-column-that-had-another-name",
        "SELECT * FROM renamed VERSION AS OF 'old'",
        rows((1, None), (2, None)),
        rows((1, "code-1"), (2, "code-2")),
    ),
    (
        "timestamp-of-a-protected-subquery",
        "SELECT id FROM open TIMESTAMP AS OF (SELECT max(CAST(ssn AS TIMESTAMP)) FROM people)",
        UNSUPPORTED,
        UNSUPPORTED,
    ),
    (
        "stream",
        "SELECT * FROM STREAM people",
        DENIED,
        refusal("ACCESS_DENIED", "NOT_SUPPORTED", "SYNTAX_ERROR"),
    ),
    (
        "no-version",
        "SELECT count(*) FROM staff VERSION AS OF 12345",
        refusal("SEMANTIC_ERROR", "EXECUTION_FAILED", "TABLE_NOT_FOUND", "DATA_ERROR"),
        refusal("SEMANTIC_ERROR", "EXECUTION_FAILED", "TABLE_NOT_FOUND", "DATA_ERROR"),
    ),
    (
        "incremental",
        "SELECT count(*) FROM people WITH (`start-snapshot-id` = '1')",
        refusal(
            "EXECUTION_FAILED",
            "DATA_ERROR",
            "ACCESS_DENIED",
            "USAGE_ERROR",
            "SEMANTIC_ERROR",
            "NOT_SUPPORTED",
        ),
        refusal("EXECUTION_FAILED", "DATA_ERROR", "USAGE_ERROR", "SEMANTIC_ERROR", "NOT_SUPPORTED"),
    ),
)

COLUMNS: tuple[tuple[str, str, Answer, Answer], ...] = (
    ("file", "SELECT count(_file) FROM parts", rows(0), rows(3)),
    ("file-of-a-partition", "SELECT count(*) FROM parts WHERE _file LIKE '%north%'", rows(0), rows(2)),
    ("partition", "SELECT count(*) FROM parts WHERE _partition.region IS NOT NULL", rows(0), rows(3)),
    ("partition-in-where", "SELECT id FROM parts WHERE _partition.region = 'north-1'", NONE, rows(1, 2)),
    ("position", "SELECT count(_pos) FROM parts", rows(0), rows(3)),
    ("spec", "SELECT DISTINCT _spec_id FROM parts", rows(None), rows(0)),
    ("deleted", "SELECT count(_deleted) FROM parts", rows(0), rows(3)),
    ("row-id", "SELECT count(*) FROM (SELECT DISTINCT _row_id FROM parts)", rows(1), rows(3)),
    ("sequence-number", "SELECT DISTINCT _last_updated_sequence_number FROM parts", rows(None), rows(1)),
    ("file-under-a-filter", "SELECT count(_file) FROM staff", rows(0), rows(4)),
    ("position-under-a-filter", "SELECT count(_pos) FROM staff", rows(0), rows(4)),
    ("file-in-a-join", "SELECT count(*) FROM parts a JOIN parts b ON a._file = b._file", rows(0), rows(5)),
    ("file-in-a-group", "SELECT count(*) FROM parts GROUP BY _file", rows(3), rows(2, 1)),
    ("file-in-an-order", "SELECT _file IS NULL FROM parts ORDER BY _file LIMIT 1", rows(True), rows(False)),
    ("file-of-what-is-open", "SELECT count(_file) FROM ledger", rows(3), rows(3)),
    (
        "input-file-name",
        "SELECT count(*) FROM parts WHERE input_file_name() LIKE '%north%'",
        refusal("ACCESS_DENIED"),
        refusal("ACCESS_DENIED"),
    ),
    (
        "input-file-block",
        "SELECT DISTINCT input_file_block_start() FROM parts",
        refusal("ACCESS_DENIED"),
        refusal("ACCESS_DENIED"),
    ),
    (
        "file-in-a-cte",
        "WITH c AS (SELECT id, _file AS f FROM parts) SELECT count(f) FROM c",
        rows(0),
        rows(3),
    ),
    (
        "partition-as-a-whole",
        "SELECT count(*) FROM parts WHERE to_json(_partition) LIKE '%north%'",
        rows(0),
        rows(2),
    ),
)

CASES = (
    *among(
        [(name, name) for name in METADATA],
        lambda name, _: Case(
            f"metadata-{name}-of-filtered",
            f"SELECT count(*) >= 0 FROM lake.hr.people.{name}",
            DENIED,
            rows(True),
        ),
    ),
    *among(
        [(name, name) for name in ("files", "partitions", "entries", "snapshots", "all_data_files")],
        lambda name, _: Case(
            f"metadata-{name}-of-masked",
            f"SELECT count(*) >= 0 FROM lake.hr.parts.{name}",
            DENIED,
            rows(True),
        ),
    ),
    *among(
        [("files", "files"), ("snapshots", "snapshots"), ("refs", "refs")],
        lambda name, _: Case(
            f"metadata-{name}-of-open",
            f"SELECT count(*) > 0 FROM lake.hr.ledger.{name}",
            rows(True),
            rows(True),
            eve=NO_TABLE,
        ),
    ),
    Case(
        "metadata-of-a-branch",
        "SELECT count(*) > 0 FROM lake.hr.people.files VERSION AS OF 'side'",
        DENIED,
        rows(True),
    ),
    Case("metadata-in-quotes", "SELECT count(*) > 0 FROM lake.hr.people.`files`", DENIED, rows(True)),
    Case("metadata-in-upper-case", "SELECT count(*) > 0 FROM lake.hr.people.FILES", DENIED, rows(True)),
    Case("metadata-short-name", "SELECT count(*) > 0 FROM hr.people.files", DENIED, rows(True)),
    Case(
        "metadata-by-identifier",
        "SELECT count(*) > 0 FROM IDENTIFIER('lake.hr.people.fil' || 'es')",
        DENIED,
        rows(True),
    ),
    Case(
        "metadata-in-a-subquery",
        "SELECT id FROM ledger WHERE EXISTS (SELECT 1 FROM lake.hr.people.files)",
        DENIED,
        rows(1, 2, 3),
    ),
    Case(
        "metadata-of-a-position-delete",
        "SELECT count(*) > 0 FROM lake.hr.staff.position_deletes",
        DENIED,
        rows(True),
    ),
    *(Case(f"travel-{name}", sql, ann, bob) for name, sql, ann, bob in TRAVEL),
    Case(
        "travel-timestamp-of-a-forbidden-subquery",
        "SELECT count(*) FROM open TIMESTAMP AS OF (SELECT if(count(*) > 0, current_timestamp(), NULL) FROM vault)",
        UNSUPPORTED,
        rows(2),
        control="SELECT count(*) FROM open TIMESTAMP AS OF (SELECT current_timestamp())",
    ),
    *(Case(f"column-{name}", sql, ann, bob) for name, sql, ann, bob in COLUMNS),
)
