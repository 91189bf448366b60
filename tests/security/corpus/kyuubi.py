"""Apache Kyuubi's authorization plugin: the bypasses that its users and reviewers have found, by issue number."""

from __future__ import annotations

from tests.security.case import (
    DENIED,
    DONE,
    NO_COLUMN,
    NO_TABLE,
    NONE,
    UNSUPPORTED,
    Case,
    among,
    refusal,
    rows,
)

NOT_ALLOWED = DENIED.saying("not allowed|cannot")

CASES = (
    # Metadata tables had a name of four parts, which nobody looked up.
    *among(
        [
            ("3924-partitions", "SELECT count(*) > 0 FROM lake.hr.people.partitions"),
            ("5248-history", "SELECT count(*) > 0 FROM lake.hr.people.history"),
            ("5803-snapshots", "SELECT count(*) > 0 FROM lake.hr.people.snapshots"),
            ("7740-files-table", "SELECT count(*) > 0 FROM lake.hr.people.files"),
            (
                "7740-files-bounds",
                "SELECT max(readable_metrics.ssn.upper_bound) = '111-22-3334' FROM lake.hr.people.files",
            ),
            ("7740-changes", "SELECT count(*) > 0 FROM lake.hr.people.changes"),
        ],
        lambda name, sql: Case(f"kyuubi-{name}", sql, DENIED, rows(True), eve=NO_TABLE),
    ),
    Case(
        "kyuubi-7740-files-of-a-forbidden-table",
        "SELECT count(*) > 0 FROM lake.hr.vault.files",
        NO_TABLE,
        rows(True),
    ),
    # What undoes a check by a setting, however it is set.
    *among(
        [
            ("7623-excluded-rules", "SET spark.sql.optimizer.excludedRules = sqe.spark.guard.SafePush"),
            ("7623-excluded-normalization", "SET spark.sql.planner.excludedRules = x"),
            ("7637-extensions", "SET spark.sql.extensions = x"),
            ("7589-reset-all", "RESET"),
            ("7589-reset-one", "RESET spark.sql.optimizer.excludedRules"),
            ("7594-other-mode", "SET spark.sqe.guarded = false"),
            ("3839-forged-user", "SET spark.sqe.user = bob"),
        ],
        lambda name, sql: Case(
            f"kyuubi-{name}",
            "SELECT id, ssn FROM people",
            rows((1, "xxxxxxx3331"), (2, "xxxxxxx3332")),
            rows((1, "111-22-3331"), (2, "111-22-3332"), (3, "111-22-3333"), (4, "111-22-3334")),
            tries=(sql,),
            fresh=True,
        ),
    ),
    Case(
        "kyuubi-7623-is-refused-itself",
        "SET spark.sql.optimizer.excludedRules = x",
        NOT_ALLOWED,
        rows(("spark.sql.shuffle.partitions", "3")),
        control="SET spark.sql.shuffle.partitions = 3",
        fresh=True,
    ),
    # Host code.
    *among(
        [
            ("7585-transform", "SELECT TRANSFORM(ssn) USING 'cat' AS (x) FROM people"),
            ("7585-transform-of-map", "FROM (SELECT id FROM people) MAP id USING 'cat' AS (x)"),
            ("7585-reflect", "SELECT reflect('java.lang.System', 'getenv', 'HOME') FROM people"),
            ("7585-java-method", "SELECT java_method('java.lang.System', 'getProperty', 'user.name')"),
            ("5628-add-jar", "ADD JAR '/nowhere/x.jar'"),
            ("5628-add-file", "ADD FILE '/etc/hostname'"),
            ("5630-load-data", "LOAD DATA INPATH '/etc/hostname' INTO TABLE open"),
            (
                "4658-insert-directory",
                "INSERT OVERWRITE DIRECTORY '/nowhere/x' USING csv SELECT id, ssn FROM people",
            ),
            (
                "4715-insert-local-directory",
                "INSERT OVERWRITE LOCAL DIRECTORY '/nowhere/x' STORED AS PARQUET SELECT id, ssn FROM people",
            ),
            ("5594-function-of-a-class", "CREATE TEMPORARY FUNCTION f AS 'java.lang.String'"),
        ],
        lambda name, sql: Case(
            f"kyuubi-{name}", sql, DENIED, rows("111-22-3331"), control="SELECT ssn FROM people WHERE id = 1"
        ),
    ),
    # A check that looked at columns saw none.
    *among(
        [
            ("7173-count-one", "SELECT count(1) FROM vault"),
            ("7173-count-star", "SELECT count(*) FROM vault"),
            ("7173-count-of-a-subquery", "SELECT count(*) FROM (SELECT 1 FROM vault)"),
            ("7173-sum-of-a-constant", "SELECT sum(1) FROM vault"),
        ],
        lambda name, sql: Case(f"kyuubi-{name}", sql, NO_TABLE, rows(2), eve=NO_TABLE),
    ),
    Case("kyuubi-7173-a-constant", "SELECT 1 FROM vault", NO_TABLE, rows(1, 1), eve=NO_TABLE),
    Case("kyuubi-7173-exists", "SELECT EXISTS (SELECT 1 FROM vault)", NO_TABLE, rows(True), eve=NO_TABLE),
    Case("kyuubi-7173-no-rows", "SELECT * FROM vault WHERE false", NO_TABLE, NONE, eve=NO_TABLE),
    Case("kyuubi-7173-limit-zero", "SELECT * FROM vault LIMIT 0", NO_TABLE, NONE, eve=NO_TABLE),
    Case(
        "kyuubi-7173-count-of-filtered", "SELECT count(1), count(*) FROM people", rows((2, 2)), rows((4, 4))
    ),
    # What constant folding removes before an optimizer's check.
    Case("kyuubi-7186-folded", "SELECT if(false, secret, 'x') FROM vault", NO_TABLE, rows("x", "x")),
    Case("kyuubi-5677-typeof", "SELECT DISTINCT typeof(secret) FROM vault", NO_TABLE, rows("string")),
    Case(
        "kyuubi-5677-typeof-restricted", "SELECT DISTINCT typeof(note) FROM people", NO_COLUMN, rows("string")
    ),
    Case(
        "kyuubi-7186-dead-branch",
        "SELECT id FROM ledger UNION ALL SELECT id FROM vault WHERE 1 = 0",
        NO_TABLE,
        rows(1, 2, 3),
    ),
    Case(
        "kyuubi-7186-dead-join",
        "SELECT l.id FROM ledger l LEFT JOIN vault v ON false",
        NO_TABLE,
        rows(1, 2, 3),
    ),
    # A decision that was kept on an object that others use.
    Case(
        "kyuubi-7552-the-same-text-after-another",
        "SELECT id, ssn FROM people WHERE id > 1 -- the same text",
        rows((2, "xxxxxxx3332")),
        rows((2, "111-22-3332"), (3, "111-22-3333"), (4, "111-22-3334")),
        bob_first=True,
    ),
    Case(
        "kyuubi-7552-forbidden-after-another",
        "SELECT id FROM vault -- again",
        NO_TABLE,
        rows(1, 2),
        bob_first=True,
    ),
    Case(
        "kyuubi-5503-lateral",
        "SELECT l.id, x.ssn FROM ledger l, LATERAL (SELECT ssn FROM people p WHERE p.id = l.id) x",
        rows((1, "xxxxxxx3331"), (2, "xxxxxxx3332")),
        rows((1, "111-22-3331"), (2, "111-22-3332"), (3, "111-22-3333")),
    ),
    Case(
        "kyuubi-5503-lateral-forbidden",
        "SELECT l.id, x.secret FROM ledger l, LATERAL (SELECT secret FROM vault v WHERE v.id = l.id) x",
        NO_TABLE,
        rows((1, "vault-1"), (2, "vault-2")),
    ),
    # Targets of writes.
    Case(
        "kyuubi-4122-output-table",
        "INSERT INTO ledger SELECT id, name FROM people",
        DENIED,
        DONE,
        writes=True,
        eve=NO_TABLE,
    ),
    Case("kyuubi-4474-update", "UPDATE people SET salary = 1", UNSUPPORTED, DONE, writes=True, eve=NO_TABLE),
    Case(
        "kyuubi-6803-delete", "DELETE FROM people WHERE id = 3", UNSUPPORTED, DONE, writes=True, eve=NO_TABLE
    ),
    Case(
        "kyuubi-4916-merge",
        "MERGE INTO people p USING (SELECT 3 AS id) s ON p.id = s.id WHEN MATCHED THEN DELETE",
        UNSUPPORTED,
        DONE,
        writes=True,
        eve=NO_TABLE,
    ),
    Case(
        "kyuubi-3515-delete-what-is-hidden",
        "DELETE FROM staff WHERE name = 'Juno'",
        DONE,
        DONE,
        writes=True,
        ann_writes=True,
        left=("SELECT id FROM staff", rows(1, 2, 3, 4)),
    ),
    Case(
        "kyuubi-3520-update-what-is-hidden",
        "UPDATE staff SET pay = 0 WHERE id = 3",
        UNSUPPORTED,
        DONE,
        writes=True,
    ),
    # Views.
    Case(
        "kyuubi-3325-view",
        "SELECT id, ssn, salary FROM v_people",
        rows((1, "xxxxxxx3331", None), (2, "xxxxxxx3332", None)),
        rows(
            (1, "111-22-3331", 10100),
            (2, "111-22-3332", 10200),
            (3, "111-22-3333", 10300),
            (4, "111-22-3334", 10400),
        ),
        eve=NO_TABLE,
    ),
    Case(
        "kyuubi-3581-view-on-forbidden",
        "SELECT * FROM v_vault",
        NO_TABLE.saying("vault"),
        rows((1, "vault-1"), (2, "vault-2")),
    ),
    Case(
        "kyuubi-5417-subquery-in-a-view",
        "SELECT DISTINCT top FROM v_scalar",
        rows("xxxxxxx3332"),
        rows("111-22-3334"),
    ),
    Case("kyuubi-5475-exists-in-a-view", "SELECT id FROM v_exists", NONE, rows(1, 2, 3)),
    Case("kyuubi-5793-nested-scalar-in-a-view", "SELECT id FROM v_deep", NONE, rows(1, 2, 3)),
    # Paths in the place of tables.
    *among(
        [
            ("5579-parquet-path", "SELECT * FROM parquet.`/nowhere/x`"),
            ("5579-text-path", "SELECT * FROM text.`/etc/hostname`"),
            ("5579-iceberg-path", "SELECT * FROM iceberg.`/nowhere/x`"),
        ],
        lambda name, sql: Case(
            f"kyuubi-{name}",
            sql,
            refusal("TABLE_NOT_FOUND", "ACCESS_DENIED"),
            rows(1, 2),
            control="SELECT id FROM open",
            front_ends=("flight", "trino"),
        ),
    ),
    # Which catalog.
    Case(
        "kyuubi-3586-the-same-name-in-another-catalog",
        "SELECT id, ssn, note FROM spare.hr.people",
        rows((1, "999-1", "spare-1"), (2, "999-2", "spare-2")),
        rows((1, "999-1", "spare-1"), (2, "999-2", "spare-2")),
        eve=NO_TABLE,
    ),
    Case(
        "kyuubi-6715-the-protected-one-from-another-catalog",
        "SELECT id, ssn FROM lake.hr.people",
        rows((1, "xxxxxxx3331"), (2, "xxxxxxx3332")),
        rows((1, "111-22-3331"), (2, "111-22-3332"), (3, "111-22-3333"), (4, "111-22-3334")),
        before=("USE spare.hr",),
        fresh=True,
    ),
    Case(
        "kyuubi-7742-both-in-one-statement",
        "SELECT a.ssn, b.ssn FROM lake.hr.people a JOIN spare.hr.people b ON a.id = b.id",
        rows(("xxxxxxx3331", "999-1"), ("xxxxxxx3332", "999-2")),
        rows(("111-22-3331", "999-1"), ("111-22-3332", "999-2")),
    ),
    Case(
        "kyuubi-7576-masks-of-the-branches-of-a-union",
        "SELECT ssn FROM people UNION ALL SELECT ssn FROM spare.hr.people",
        rows("xxxxxxx3331", "xxxxxxx3332", "999-1", "999-2"),
        rows("111-22-3331", "111-22-3332", "111-22-3333", "111-22-3334", "999-1", "999-2"),
    ),
    Case(
        "kyuubi-7576-the-other-way-round",
        "SELECT ssn FROM spare.hr.people UNION ALL SELECT ssn FROM people",
        rows("xxxxxxx3331", "xxxxxxx3332", "999-1", "999-2"),
        rows("111-22-3331", "111-22-3332", "111-22-3333", "111-22-3334", "999-1", "999-2"),
    ),
    # Columns that only a condition, a join, an order or a window uses.
    Case("kyuubi-2391-in-a-condition", "SELECT id FROM people WHERE ssn = '111-22-3331'", NONE, rows(1)),
    Case(
        "kyuubi-2391-in-a-condition-as-shown",
        "SELECT id FROM people WHERE ssn = 'xxxxxxx3331'",
        rows(1),
        NONE,
    ),
    Case(
        "kyuubi-2391-restricted-in-a-condition",
        "SELECT id FROM people WHERE note = 'note-1'",
        NO_COLUMN,
        rows(1),
    ),
    Case(
        "kyuubi-2399-in-a-join",
        "SELECT p.id FROM people p JOIN (VALUES ('111-22-3331'), ('xxxxxxx3332')) v(s) ON p.ssn = v.s",
        rows(2),
        rows(1),
    ),
    Case(
        "kyuubi-2399-in-an-order",
        "SELECT id FROM (SELECT id FROM people ORDER BY salary DESC, id LIMIT 1)",
        rows(1),
        rows(4),
    ),
    Case(
        "kyuubi-2399-restricted-in-an-order",
        "SELECT id FROM people ORDER BY note",
        NO_COLUMN,
        rows(1, 2, 3, 4),
    ),
    Case(
        "kyuubi-2399-in-a-window",
        "SELECT id, rank() OVER (ORDER BY salary DESC) FROM people",
        rows((1, 1), (2, 1)),
        rows((1, 4), (2, 3), (3, 2), (4, 1)),
    ),
    Case(
        "kyuubi-2399-in-a-group",
        "SELECT count(*) FROM people GROUP BY salary",
        rows(2),
        rows(1, 1, 1, 1),
    ),
    Case(
        "kyuubi-2399-in-having",
        "SELECT dept FROM people GROUP BY dept HAVING max(salary) > 1",
        NONE,
        rows("eng", "hr"),
    ),
    Case("kyuubi-3186-any-filter-at-all", "SELECT id FROM staff", rows(1, 2), rows(1, 2, 3, 4), eve=NO_TABLE),
)
