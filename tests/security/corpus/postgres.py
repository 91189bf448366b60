"""PostgreSQL: the CVEs of its row level security, and the warnings of its documentation."""

from __future__ import annotations

from tests.security.case import DENIED, DONE, NO_TABLE, NONE, UNSUPPORTED, Case, Matching, refusal, rows

ZERO = refusal("DIVISION_BY_ZERO")
CAST = refusal("INVALID_CAST")
RAISED = refusal("EXECUTION_FAILED", "DATA_ERROR")
NOT_MATCHING = DENIED.saying("Cannot insert row that does not match a row filter")

SHAPES = (
    ("where", "SELECT id FROM staff WHERE {}"),
    ("join", "SELECT s.id FROM staff s JOIN ledger l ON s.id = l.id AND {}"),
    ("exists", "SELECT s.id FROM staff s WHERE EXISTS (SELECT 1 FROM ledger l WHERE l.id = s.id AND {})"),
    ("subquery", "SELECT id FROM (SELECT * FROM staff) WHERE {}"),
    ("cte", "WITH c AS (SELECT * FROM staff) SELECT id FROM c WHERE {}"),
    ("projected", "SELECT id FROM (SELECT id, {} AS k FROM staff) WHERE k"),
    ("grouped", "SELECT id FROM staff WHERE {} GROUP BY id"),
    ("lateral", "SELECT x.id FROM ledger l, LATERAL (SELECT id FROM staff WHERE id = l.id AND {}) x"),
)
"""Where a condition can stand that fails for rows that ann must not see. Each keeps the rows 1 and 2."""

FAILING = (
    ("division", "1 / (pay - 20300) < 1", ZERO),
    ("remainder", "7 % (pay - 20300) < 9", refusal("DIVISION_BY_ZERO", "DATA_ERROR")),
    ("cast", "CAST(if(name = 'Juno', name, '1') AS INT) = 1", CAST),
    ("raise", "coalesce(if(name = 'Juno', raise_error(name), NULL), true)", RAISED),
    ("assert", "assert_true(pay < 20300) IS NULL", RAISED),
    ("index", "element_at(array(1), if(name = 'Juno', 9, 1)) = 1", refusal("DATA_ERROR", "EXECUTION_FAILED")),
    ("overflow", "pay * if(name = 'Juno', 200000, 1) > 0", refusal("DATA_ERROR")),
    ("date", "CAST(if(name = 'Juno', name, '2020-01-01') AS DATE) > DATE '2000-01-01'", CAST),
)

BARRIER = tuple(
    Case(
        f"postgres-leaky-{name}-in-{place}",
        shape.format(condition),
        rows(1, 2),
        fails,
    )
    for name, condition, fails in FAILING
    for place, shape in SHAPES
    if place == "where" or name in ("division", "cast", "raise")
)

MASKED_ERRORS = tuple(
    Case(f"postgres-2021-3393-{name}-of-a-masked-value", f"SELECT {expression} FROM people", ann, bob)
    for name, expression, ann, bob in (
        ("cast", "CAST(ssn AS INT)", refusal("INVALID_CAST"), CAST.saying("111-22")),
        ("date", "CAST(phone AS DATE)", refusal("INVALID_CAST"), CAST.saying("31-6")),
        ("raise", "raise_error(ssn)", RAISED, RAISED.saying("111-22")),
        ("division", "1 / (salary - 10100)", rows(None, None), ZERO),
        (
            "year",
            "1 / (year(born) - month(born) - 1979) > 0",
            refusal("DIVISION_BY_ZERO"),
            rows(False, True, False, False),
        ),
    )
)

CASES = (
    *BARRIER,
    *MASKED_ERRORS,
    # A plan that was made for another role.
    Case(
        "postgres-2016-2193-plan-of-another-role",
        "SELECT count(*), max(salary) FROM people -- one plan",
        rows((2, None)),
        rows((4, 10400)),
        bob_first=True,
    ),
    Case(
        "postgres-2023-2455-inlined-function",
        "SELECT top()",
        rows("xxxxxxx3332"),
        rows("111-22-3334"),
        before=(
            "CREATE OR REPLACE TEMPORARY FUNCTION top() RETURNS STRING RETURN SELECT max(ssn) FROM people",
        ),
        fresh=True,
    ),
    Case(
        "postgres-2024-10976-subquery-with",
        "SELECT id, (WITH c AS (SELECT max(salary) AS m FROM people) SELECT m FROM c) FROM ledger WHERE id = 1",
        rows((1, None)),
        rows((1, 10400)),
        bob_first=True,
    ),
    Case(
        "postgres-2024-10976-in-a-join-of-with",
        "WITH a AS (SELECT * FROM staff), b AS (SELECT * FROM staff) SELECT a.id FROM a JOIN b ON a.id = b.id",
        rows(1, 2),
        rows(1, 2, 3, 4),
        bob_first=True,
    ),
    # Statistics.
    Case(
        "postgres-2017-7484-statistics-of-a-column",
        "DESCRIBE EXTENDED parts region",
        rows(("col_name", "region"), ("data_type", "string"), ("comment", "NULL")),
        Matching("distinct_count"),
        tries=("SET spark.sql.cbo.enabled = true",),
        fresh=True,
    ),
    Case(
        "postgres-2019-10130-analyze",
        "ANALYZE TABLE people COMPUTE STATISTICS FOR ALL COLUMNS",
        refusal("NOT_SUPPORTED", "ACCESS_DENIED"),
        rows(4),
        control="SELECT count(ssn) FROM people",
    ),
    Case(
        "postgres-2025-8713-min-max",
        "SELECT min(ssn), max(ssn), min(salary) FROM people",
        rows(("xxxxxxx3331", "xxxxxxx3332", None)),
        rows(("111-22-3331", "111-22-3334", 10100)),
    ),
    Case(
        "postgres-2025-8713-min-max-of-a-partition",
        "SELECT min(region), max(region) FROM parts",
        rows(("zz", "zz")),
        rows(("north-1", "south-2")),
    ),
    Case(
        "postgres-2025-8713-percentile",
        "SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY salary) FROM people",
        rows(None),
        rows(10200),
    ),
    Case(
        "postgres-2025-8713-distinct",
        "SELECT count(DISTINCT phone), approx_count_distinct(region) FROM people, parts",
        rows((1, 1)),
        rows((4, 2)),
    ),
    # Errors with rows in them.
    Case(
        "postgres-2014-8161-constraint",
        "INSERT INTO staff SELECT id, name, CAST(name AS INT), pay FROM staff",
        refusal("INVALID_CAST"),
        CAST.saying("Hugo|Iris|Juno|Kira"),
    ),
    # MERGE without the policies of the others.
    Case(
        "postgres-2023-39418-merge-updates",
        "MERGE INTO staff t USING (SELECT 3 AS id) s ON t.id = s.id WHEN MATCHED THEN UPDATE SET pay = 0",
        UNSUPPORTED,
        DONE,
        writes=True,
    ),
    Case(
        "postgres-2023-39418-merge-inserts",
        "MERGE INTO staff t USING (SELECT 9 AS id) s ON t.id = s.id "
        "WHEN NOT MATCHED THEN INSERT (id, name, dept, pay) VALUES (9, 'x', 'hr', 1)",
        refusal("NOT_SUPPORTED", "ACCESS_DENIED"),
        DONE,
        writes=True,
    ),
    Case(
        "postgres-2023-39418-merge-deletes",
        "MERGE INTO staff t USING (SELECT 3 AS id) s ON t.id = s.id WHEN MATCHED THEN DELETE",
        UNSUPPORTED,
        DONE,
        writes=True,
    ),
    # WITH CHECK.
    Case(
        "postgres-with-check",
        "INSERT INTO staff VALUES (9, 'Nora', 'hr', 1)",
        NOT_MATCHING,
        DONE,
        writes=True,
    ),
    Case(
        "postgres-with-check-one-of-two",
        "INSERT INTO staff VALUES (8, 'Omar', 'eng', 1), (9, 'Nora', 'hr', 1)",
        NOT_MATCHING,
        DONE,
        writes=True,
    ),
    Case(
        "postgres-with-check-null",
        "INSERT INTO staff VALUES (9, 'Nora', NULL, 1)",
        NOT_MATCHING,
        DONE,
        writes=True,
    ),
    Case(
        "postgres-with-check-missing-column",
        "INSERT INTO staff (id, name) VALUES (9, 'Nora')",
        NOT_MATCHING,
        DONE,
        writes=True,
    ),
    Case(
        "postgres-with-check-holds",
        "INSERT INTO staff VALUES (8, 'Omar', 'eng', 1)",
        DONE,
        DONE,
        writes=True,
        ann_writes=True,
        left=("SELECT id, name FROM staff WHERE id > 4", rows((8, "Omar"))),
    ),
    # Not covered by row security there; refused here.
    Case("postgres-truncate", "TRUNCATE TABLE staff", UNSUPPORTED, DONE, writes=True, eve=NO_TABLE),
    Case(
        "postgres-owner-is-not-exempt",
        "ALTER TABLE people SET TBLPROPERTIES ('sqe.owner' = 'ann')",
        DENIED,
        rows(1),
        control="SELECT 1",
        eve=NO_TABLE,
    ),
    Case(
        "postgres-default-deny",
        "SELECT * FROM lake.closed.t",
        NO_TABLE,
        rows((1, "closed-1")),
        eve=NO_TABLE,
    ),
    Case(
        "postgres-current-user",
        "SELECT id, what FROM team",
        rows((1, "what-1"), (3, "what-3")),
        rows((1, "what-1"), (2, "what-2"), (3, "what-3"), (4, "what-4")),
    ),
    Case(
        "postgres-row-security-off",
        "SELECT count(*) FROM people",
        rows(2),
        rows(4),
        tries=("SET row_security = off", "SET SESSION row_security = 'off'"),
        fresh=True,
    ),
    Case(
        "postgres-empty-answer-is-no-error",
        "SELECT * FROM people WHERE dept = 'hr' AND name IS NULL",
        NONE,
        NONE,
    ),
)
