"""Trino: filters and masks in its analyzer, in its own SQL."""

from __future__ import annotations

from tests.security.case import (
    DENIED,
    DONE,
    NO_COLUMN,
    NO_TABLE,
    NONE,
    UNSUPPORTED,
    Answer,
    Case,
    Matching,
    refusal,
    rows,
)
from tests.security.corpus.postgres import NOT_MATCHING

SSN = (rows("xxxxxxx3331", "xxxxxxx3332"), rows("111-22-3331", "111-22-3332", "111-22-3333", "111-22-3334"))
IDS = (rows(1, 2), rows(1, 2, 3, 4))
OLD = (
    rows((1, "xxxxxxx3331"), (2, "xxxxxxx3332"), (5, "xxxxxxx3335")),
    rows(*((n, f"111-22-333{n}") for n in (1, 2, 3, 4, 5))),
)
READS: tuple[tuple[str, str, Answer, Answer], ...] = (
    ("select", "SELECT ssn FROM people", *SSN),
    ("quoted-names", 'SELECT "ssn" FROM "lake"."hr"."people"', *SSN),
    ("upper-case", "SELECT SSN FROM LAKE.HR.PEOPLE", *SSN),
    ("table", "SELECT ssn FROM (TABLE people)", *SSN),
    ("count-if", "SELECT count_if(ssn LIKE '111%') FROM people", rows(0), rows(4)),
    ("approx-distinct", "SELECT approx_distinct(dept) FROM people", rows(1), rows(2)),
    ("array-agg", "SELECT cardinality(array_agg(ssn)) FROM people", rows(2), rows(4)),
    ("unnest", "SELECT u FROM people CROSS JOIN UNNEST(ARRAY[ssn]) AS t(u)", *SSN),
    (
        "try-cast",
        "SELECT id FROM people WHERE TRY_CAST(substr(ssn, 1, 3) AS integer) = 111",
        NONE,
        rows(1, 2, 3, 4),
    ),
    (
        "case",
        "SELECT id FROM people WHERE CASE WHEN ssn LIKE '111%' THEN true ELSE false END",
        NONE,
        rows(1, 2, 3, 4),
    ),
    ("restricted", "SELECT note FROM people", NO_COLUMN, rows("note-1", "note-2", "note-3", "note-4")),
    ("forbidden", "SELECT count(*) FROM vault", NO_TABLE, rows(2)),
    ("version", "SELECT id, ssn FROM people FOR VERSION AS OF 'old'", *OLD),
    ("files", 'SELECT count(*) > 0 FROM "people$files"', DENIED, rows(True)),
    ("snapshots", 'SELECT count(*) > 0 FROM "people$snapshots"', DENIED, rows(True)),
    ("history", 'SELECT count(*) > 0 FROM "people$history"', DENIED, rows(True)),
    ("partitions", 'SELECT count(*) > 0 FROM "parts$partitions"', DENIED, rows(True)),
    ("properties-forbidden", 'SELECT count(*) >= 0 FROM "vault$properties"', NO_TABLE, rows(True)),
    ("partitions-forbidden", 'SELECT count(*) >= 0 FROM "vault$partitions"', NO_TABLE, rows(True)),
    ("refs", 'SELECT count(*) > 0 FROM "people$refs"', DENIED, rows(True)),
    ("path", 'SELECT count("$path") FROM parts', rows(0), rows(3)),
    (
        "incremental",
        "SELECT count(*) FROM people FOR INCREMENTAL BETWEEN SNAPSHOT 0 AND SNAPSHOT 1",
        DENIED,
        refusal("DATA_ERROR", "SEMANTIC_ERROR"),  # there is no such snapshot
    ),
    ("table-health", "CALL lake.system.table_health('hr.people')", DENIED, Matching(r"^1\n1\n")),
    ("set-operations", "SELECT ssn FROM people EXCEPT SELECT ssn FROM spare.hr.people", *SSN),
    ("intersect", "SELECT id FROM people INTERSECT SELECT id FROM people", *IDS),
    ("any", "SELECT id FROM ledger WHERE id = ANY (SELECT id FROM staff WHERE dept = 'hr')", NONE, rows(3)),
    ("not-in", "SELECT id FROM ledger WHERE id NOT IN (SELECT id FROM people)", rows(3), NONE),
    (
        "grouping-sets",
        "SELECT dept, count(*) FROM people GROUP BY GROUPING SETS ((dept), ())",
        rows(("eng", 2), (None, 2)),
        rows(("eng", 2), ("hr", 2), (None, 4)),
    ),
    ("prepared", "EXECUTE IMMEDIATE 'SELECT ssn FROM people'", *SSN),
    (
        "prepared-with-a-value",
        "EXECUTE IMMEDIATE 'SELECT id FROM people WHERE ssn = ?' USING '111-22-3331'",
        NONE,
        rows(1),
    ),
    ("explain", "EXPLAIN SELECT ssn FROM people", DENIED, Matching("people")),
    ("explain-logical", "EXPLAIN (TYPE LOGICAL) SELECT ssn FROM people", DENIED, Matching("people")),
    ("explain-analyze", "EXPLAIN ANALYZE VERBOSE SELECT ssn FROM people", DENIED, Matching("people")),
    ("explain-io", "EXPLAIN (TYPE IO, FORMAT JSON) SELECT ssn FROM people", DENIED, Matching("people")),
    ("explain-json", "EXPLAIN (FORMAT JSON) SELECT ssn FROM people", DENIED, Matching("people")),
    ("explain-of-what-is-open", "EXPLAIN SELECT id FROM ledger", Matching("ledger"), Matching("ledger")),
    ("show-create", "SHOW CREATE TABLE people", Matching("ssn", r"\bnote\b|\bkin\b"), Matching("note")),
    ("show-create-of-a-view", "SHOW CREATE VIEW lake.closed.v", NO_TABLE, Matching("ledger")),
)


def _case(name: str, sql: str, ann: Answer, bob: Answer) -> Case:
    return Case(f"trino-{name}", sql, ann, bob, dialect="trino", front_ends=("flight", "trino"))


def _write(name: str, sql: str, ann: Answer) -> Case:
    return Case(
        f"trino-{name}",
        sql,
        ann,
        DONE,
        dialect="trino",
        front_ends=("flight", "trino"),
        writes=True,
        eve=NO_TABLE,
    )


CASES = (
    *(_case(*read) for read in READS),
    _write("insert-under-masks", "INSERT INTO parts VALUES (9, 'zz', 1)", UNSUPPORTED),
    _write("insert-under-restriction", "INSERT INTO people (id) VALUES (9)", UNSUPPORTED),
    _write("insert-not-matching", "INSERT INTO staff VALUES (9, 'Nora', 'hr', 1)", NOT_MATCHING),
    _write(
        "insert-select-not-matching", "INSERT INTO staff SELECT id, city, 'hr', 1 FROM ledger", NOT_MATCHING
    ),
    _write("delete-under-masks", "DELETE FROM parts WHERE id = 1", UNSUPPORTED),
    _write("update-under-a-filter", "UPDATE staff SET pay = 1 WHERE id = 1", UNSUPPORTED),
    _write("update-under-masks", "UPDATE parts SET amount = 1 WHERE id = 1", UNSUPPORTED),
    _write(
        "merge-under-a-filter",
        "MERGE INTO staff t USING (VALUES 1) AS s(id) ON t.id = s.id WHEN MATCHED THEN UPDATE SET pay = 1",
        UNSUPPORTED,
    ),
    _write(
        "merge-under-masks",
        "MERGE INTO parts t USING (VALUES 1) AS s(id) ON t.id = s.id WHEN MATCHED THEN DELETE",
        UNSUPPORTED,
    ),
    _write("truncate", "TRUNCATE TABLE parts", UNSUPPORTED),
    _write("insert-without-a-right", "INSERT INTO ledger VALUES (9, 'x')", DENIED),
    _write("delete-without-a-right", "DELETE FROM ledger WHERE id = 1", DENIED),
    _write("drop-without-a-right", "DROP TABLE ledger", DENIED),
    Case(
        "trino-delete-keeps-what-is-hidden",
        "DELETE FROM staff WHERE id > 1",
        DONE,
        DONE,
        dialect="trino",
        front_ends=("flight", "trino"),
        writes=True,
        ann_writes=True,
        left=("SELECT id FROM staff", rows(1, 3, 4)),
    ),
    Case(
        "trino-delete-of-everything-keeps-what-is-hidden",
        "DELETE FROM staff",
        DONE,
        DONE,
        dialect="trino",
        front_ends=("flight", "trino"),
        writes=True,
        ann_writes=True,
        left=("SELECT id FROM staff", rows(3, 4)),
    ),
    Case(
        "trino-create-view-with-select",
        "SELECT ssn FROM lake.pub.mine_t",
        *SSN,
        before=("CREATE OR REPLACE VIEW lake.pub.mine_t AS SELECT ssn FROM lake.hr.people",),
        dialect="trino",
        front_ends=("flight", "trino"),
        writes=True,
        ann_writes=True,
    ),
    Case(
        "trino-create-view-on-forbidden",
        "CREATE VIEW lake.pub.mine_v AS SELECT secret FROM lake.hr.vault",
        NO_TABLE,
        DONE,
        dialect="trino",
        front_ends=("flight", "trino"),
        writes=True,
    ),
    Case(
        "trino-create-table-as",
        "CREATE TABLE lake.pub.copied AS SELECT id, ssn, salary FROM people",
        DONE,
        DONE,
        dialect="trino",
        front_ends=("flight", "trino"),
        writes=True,
        ann_writes=True,
        left=("SELECT * FROM lake.pub.copied", rows((1, "xxxxxxx3331", None), (2, "xxxxxxx3332", None))),
    ),
)
