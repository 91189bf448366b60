"""The server's own data: requests of the gateway, tags of dropped columns, keys of hashes, the current user."""

from __future__ import annotations

from tests.security.case import (
    DENIED,
    DONE,
    NO_FUNCTION,
    NONE,
    UNSUPPORTED,
    Answer,
    Case,
    Matching,
    refusal,
    rows,
)

UNTAG = '{"table": ["lake", "hr", "people"], "set": {}, "unset": ["ssn"]}'

# What the gateway requests, and what policies hash with; each had, or could have, the name of a function.
REQUESTS = {
    "set-tags": f"sqe_set_tags('{UNTAG}')",
    "table": 'sqe_table(\'["lake", "hr", "vault"]\')',
    "unguarded": "sqe_unguarded()",
    "changed-rows": "sqe_changed_rows('q')",
    "parameter-types": "sqe_parameter_types('SELECT ? FROM lake.hr.vault')",
    "hmac": "sqe_hmac('x')",
    "shared-hmac": "sqe_shared_hmac('x', 'of the corpus')",
}
NOWHERE = refusal("FUNCTION_NOT_FOUND", "SYNTAX_ERROR", "ACCESS_DENIED", "NOT_SUPPORTED")

# How it is written, and the same with a function that there is.
WAYS: tuple[tuple[str, str, Answer, str], ...] = (
    ("as-a-table", "SELECT * FROM {call}", NO_FUNCTION, "SELECT * FROM range(1)"),
    ("as-a-value", "SELECT {call}", NO_FUNCTION, "SELECT abs(0)"),
    (
        "laterally",
        "SELECT * FROM ledger, LATERAL {call}",
        NO_FUNCTION,
        "SELECT b.x FROM VALUES (1) AS a(y), LATERAL explode(array(0)) AS b(x)",
    ),
    (
        "in-a-subquery",
        "SELECT id FROM ledger WHERE EXISTS (SELECT * FROM {call})",
        NO_FUNCTION,
        "SELECT 0 WHERE EXISTS (SELECT * FROM range(1))",
    ),
    ("in-a-view", "CREATE VIEW lake.pub.trap AS SELECT * FROM {call}", NO_FUNCTION, "SELECT * FROM range(1)"),
    (
        "in-a-temporary-view",
        "CREATE TEMPORARY VIEW trap AS SELECT * FROM {call}",
        NO_FUNCTION,
        "SELECT * FROM range(1)",
    ),
    (
        "in-a-function",
        "CREATE TEMPORARY FUNCTION trap() RETURNS TABLE (x STRING) RETURN SELECT * FROM {call}",
        NO_FUNCTION,
        "SELECT * FROM range(1)",
    ),
    ("by-identifier", "SELECT * FROM IDENTIFIER('{name}')('x')", NO_FUNCTION, "SELECT IDENTIFIER('abs')(0)"),
    (
        "as-a-value-by-identifier",
        "SELECT IDENTIFIER('{name}')('x')",
        NO_FUNCTION,
        "SELECT IDENTIFIER('abs')(0)",
    ),
    ("at-once", "EXECUTE IMMEDIATE \"SELECT * FROM {name}('x')\"", NOWHERE, "SELECT 0"),
)

CALLS = tuple(
    Case(
        f"internals-{request}-{way}",
        sql.format(call=call, name=call.partition("(")[0]),
        ann=answer,
        bob=rows(0),
        control=control,
        fresh=True,
    )
    for request, call in REQUESTS.items()
    for way, sql, answer, control in WAYS
)

OTHERS: tuple[tuple[str, str, Answer, Answer], ...] = (
    (
        "dropped-column",
        "SELECT id, ssn FROM dropped VERSION AS OF 'old'",
        rows((1, None), (2, None)),
        rows((1, "past-1"), (2, "past-2")),
    ),
    (
        "dropped-column-in-a-filter",
        "SELECT id FROM dropped VERSION AS OF 'old' WHERE concat(ssn, '') = 'past-1'",
        NONE,
        rows(1),
    ),
    (
        "dropped-column-by-selector",
        "SELECT DISTINCT ssn FROM lake.hr.dropped.tag_old",
        rows((None,)),
        rows("past-1", "past-2"),
    ),
    ("hashes-of-two-columns", "SELECT id FROM dropped WHERE code = twin", NONE, rows(1, 2)),
    (
        "hashes-of-a-value-in-another-table",
        "SELECT d.id FROM dropped d JOIN people p ON d.code = p.email",
        NONE,
        NONE,
    ),
    (
        "hashes-within-a-column",
        "SELECT a.id FROM dropped a JOIN lake.hr.dropped.tag_old b ON a.code = b.code",
        rows(1, 2),
        rows(1, 2),
    ),
    ("current-user", "SELECT current_user()", rows("ann"), rows("bob")),
    ("session-user", "SELECT session_user()", rows("ann"), rows("bob")),
    ("user", "SELECT user()", rows("ann"), rows("bob")),
    (
        "current-user-in-a-subquery",
        "SELECT who FROM team WHERE who = (SELECT user())",
        rows("ann"),
        rows("bob", "bob"),
    ),
)

# A table keeps values of columns that it no longer has: bounds in the metadata of files, partitions in their names.
PAST: tuple[tuple[str, str, Answer, Answer], ...] = (
    *(
        (
            f"past-{table}-{metadata}",
            f"SELECT count(*) > 0 FROM lake.hr.{table}.{metadata}",
            DENIED,
            rows(True),
        )
        for table in ("past", "expired")
        for metadata in ("files", "all_files", "entries", "all_entries", "manifests", "partitions")
    ),
    (
        "past-bounds-of-a-tag",
        "SELECT count(*) > 0 FROM lake.hr.past.files VERSION AS OF 'old'",
        DENIED,
        rows(True),
    ),
    ("past-now", "SELECT * FROM past", rows((1, "Delft"), (2, "Leiden")), rows((1, "Delft"), (2, "Leiden"))),
    ("past-old", "SELECT id, city FROM past VERSION AS OF 'old'", *(rows((1, "Delft"), (2, "Leiden")),) * 2),
    ("past-file", "SELECT count(_file) FROM past", rows(0), rows(2)),
    ("past-file-of-a-value", "SELECT id FROM past WHERE _file LIKE '%gone-1%'", NONE, rows(1)),
    ("past-file-of-a-branch", "SELECT count(_file) FROM past VERSION AS OF 'main'", rows(0), rows(2)),
    ("past-explain", "EXPLAIN SELECT * FROM past", DENIED, Matching("past")),
    ("past-properties", "SHOW TBLPROPERTIES past", Matching("format", "snapshot"), Matching("snapshot")),
    ("expired-now", "SELECT * FROM expired", *(rows((1, "Delft"), (2, "Leiden")),) * 2),
    ("expired-file", "SELECT count(_file) FROM expired", rows(2), rows(2)),
)

PAST_WRITES = (
    *(
        Case(f"internals-{name}", sql, UNSUPPORTED, DONE, writes=True)
        for name, sql in (
            # Under another name the table has other rules, and its history too.
            ("past-rename", "ALTER TABLE past RENAME TO lake.pub.past"),
            ("expired-rename", "ALTER TABLE expired RENAME TO lake.pub.expired"),
            ("past-drop", "DROP TABLE past"),
            ("past-update", "UPDATE past SET city = _file"),
            (
                "past-merge",
                "MERGE INTO past p USING (SELECT 1L AS id) s ON p.id = s.id WHEN MATCHED THEN UPDATE SET city = _file",
            ),
            ("past-delete", "DELETE FROM past WHERE id = 1"),
        )
    ),
    Case("internals-past-procedure", "CALL lake.system.ancestors_of('hr.past')", UNSUPPORTED, DONE),
    Case(
        "internals-past-insert",
        "INSERT INTO past SELECT 3, _file FROM past WHERE id = 1",
        DONE,
        DONE,
        writes=True,
        ann_writes=True,
        left=("SELECT id, city IS NULL FROM past", rows((1, False), (2, False), (3, True))),
    ),
    Case(
        "internals-expired-update",
        "UPDATE expired SET city = 'Gouda' WHERE id = 1",
        DONE,
        DONE,
        writes=True,
        ann_writes=True,
        left=("SELECT city FROM expired WHERE id = 1", rows("Gouda")),
    ),
)

CASES: tuple[Case, ...] = (
    *CALLS,
    *PAST_WRITES,
    *(Case(f"internals-{name}", sql, ann, bob) for name, sql, ann, bob in PAST),
    *(Case(f"internals-{name}", sql, ann, bob) for name, sql, ann, bob in OTHERS),
)
