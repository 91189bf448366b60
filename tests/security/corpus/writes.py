"""Statements that write: into protected tables, from protected tables, and in a table's definition."""

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
    Rows,
    refusal,
    rows,
)
from tests.security.corpus.postgres import NOT_MATCHING

REFUSED = refusal("ACCESS_DENIED", "NOT_SUPPORTED")

# Bob's works and changes the lake; ann's does neither.
FORBIDDEN: tuple[tuple[str, str, Answer], ...] = (
    ("insert-under-masks", "INSERT INTO parts VALUES (9, 'zz', 1)", UNSUPPORTED),
    ("insert-under-masks-from-itself", "INSERT INTO parts SELECT * FROM parts", UNSUPPORTED),
    ("insert-into-a-branch", "INSERT INTO lake.hr.staff.branch_main VALUES (9, 'x', 'hr', 1)", NOT_MATCHING),
    ("insert-overwrite", "INSERT OVERWRITE staff SELECT * FROM staff", UNSUPPORTED),
    (
        "insert-overwrite-masked",
        "INSERT OVERWRITE parts SELECT id, region, amount FROM parts WHERE id = 1",
        UNSUPPORTED,
    ),
    (
        "insert-overwrite-partition",
        "INSERT OVERWRITE parts PARTITION (region = 'north-1') SELECT 9, 9",
        UNSUPPORTED,
    ),
    (
        "insert-replace-where",
        "INSERT INTO staff REPLACE WHERE id > 0 SELECT * FROM staff WHERE id = 1",
        UNSUPPORTED,
    ),
    ("insert-without-a-right", "INSERT INTO ledger VALUES (9, 'x')", DENIED),
    ("insert-into-forbidden", "INSERT INTO vault VALUES (9, 'x')", NO_TABLE),
    ("insert-by-name", "INSERT INTO staff BY NAME SELECT 'hr' AS dept, 9 AS id", NOT_MATCHING),
    (
        "insert-by-an-expression",
        "INSERT INTO staff SELECT id, name, concat('h', 'r'), pay FROM staff",
        NOT_MATCHING,
    ),
    (
        "multi-insert",
        "FROM ledger INSERT INTO staff SELECT id, city, 'hr', 1 INSERT INTO open SELECT id, city",
        REFUSED,
    ),
    ("insert-null-into-filter", "INSERT INTO staff SELECT 9, 'x', CAST(NULL AS STRING), 1", NOT_MATCHING),
    ("delete-under-masks", "DELETE FROM parts WHERE region = 'north-1'", UNSUPPORTED),
    ("delete-without-a-right", "DELETE FROM ledger", DENIED),
    ("delete-by-a-subquery", "DELETE FROM staff WHERE id IN (SELECT id FROM ledger)", UNSUPPORTED),
    ("delete-by-a-failing-condition", "DELETE FROM staff WHERE 1 / (pay - 20301) < 1", UNSUPPORTED),
    ("delete-by-a-function", "DELETE FROM staff WHERE upper(name) = 'JUNO'", UNSUPPORTED),
    ("update-under-masks", "UPDATE parts SET amount = 0", UNSUPPORTED),
    ("update-under-a-filter", "UPDATE staff SET pay = 0 WHERE id = 1", UNSUPPORTED),
    ("update-the-filter-s-column", "UPDATE staff SET dept = 'eng'", UNSUPPORTED),
    ("update-without-a-right", "UPDATE ledger SET city = 'x'", DENIED),
    (
        "merge-delete",
        "MERGE INTO parts t USING ledger s ON t.id = s.id WHEN MATCHED THEN DELETE",
        UNSUPPORTED,
    ),
    (
        "merge-not-matched-by-source",
        "MERGE INTO staff t USING (SELECT 1 AS id) s ON t.id = s.id WHEN NOT MATCHED BY SOURCE THEN DELETE",
        UNSUPPORTED,
    ),
    (
        "merge-insert-only",
        (
            "MERGE INTO parts t USING (SELECT 9 AS id) s ON t.id = s.id WHEN NOT MATCHED "
            "THEN INSERT (id, region, amount) VALUES (9, 'x', 1)"
        ),
        REFUSED,
    ),
    (
        "merge-insert-only-by-identifier",
        (
            "MERGE INTO IDENTIFIER('lake.hr.staff') t USING (SELECT 9 AS id) s ON t.id = s.id WHEN NOT MATCHED "
            "THEN INSERT (id, name, dept, pay) VALUES (9, 'x', 'eng', 1)"
        ),
        UNSUPPORTED,
    ),
    (
        "merge-without-a-right",
        "MERGE INTO ledger t USING (SELECT 1 AS id) s ON t.id = s.id WHEN MATCHED THEN DELETE",
        DENIED,
    ),
    ("truncate-masked", "TRUNCATE TABLE parts", UNSUPPORTED),
    ("truncate-without-a-right", "TRUNCATE TABLE ledger", DENIED),
    ("drop", "DROP TABLE people", DENIED),
    ("drop-forbidden", "DROP TABLE vault", NO_TABLE),
    ("drop-purge", "DROP TABLE ledger PURGE", DENIED),
    ("drop-view", "DROP VIEW v_people", DENIED),
    ("rename", "ALTER TABLE people RENAME TO hr.people2", DENIED),
    ("rename-into-another-schema", "ALTER TABLE vault RENAME TO pub.vault", NO_TABLE),
    ("rename-to-a-forbidden-place", "ALTER TABLE open RENAME TO closed.open2", DENIED),
    ("rename-a-view", "ALTER VIEW v_people RENAME TO hr.v2", DENIED),
    ("rename-a-view-to-an-open-place", "ALTER VIEW v_people RENAME TO pub.v2", DENIED),
    ("alter-view-properties", "ALTER VIEW v_people SET TBLPROPERTIES ('a' = 'b')", DENIED),
    ("replace-table", "CREATE OR REPLACE TABLE people (id BIGINT)", DENIED),
    ("replace-table-as", "CREATE OR REPLACE TABLE ledger AS SELECT 1 AS id", DENIED),
    ("replace-table-as-itself", "REPLACE TABLE lake.hr.parts AS SELECT * FROM parts", REFUSED),
    ("replace-view", "CREATE OR REPLACE VIEW v_people AS SELECT 1 AS x", DENIED),
    ("create-in-a-closed-schema", "CREATE TABLE lake.closed.x (id INT)", DENIED),
    ("create-view-in-a-closed-schema", "CREATE VIEW lake.closed.x AS SELECT 1 AS x", DENIED),
    ("create-view-on-forbidden", "CREATE VIEW lake.pub.w AS SELECT * FROM lake.hr.vault", NO_TABLE),
    ("create-table-as-from-forbidden", "CREATE TABLE lake.pub.w AS SELECT * FROM vault", NO_TABLE),
    ("create-schema", "CREATE SCHEMA lake.newone", DENIED),
    ("create-schema-below", "CREATE SCHEMA lake.closed.below", DENIED),
    ("drop-schema", "DROP SCHEMA lake.pub", DENIED),
    ("alter-schema", "ALTER SCHEMA lake.hr SET PROPERTIES ('a' = 'b')", DENIED),
    ("comment-on-schema", "COMMENT ON SCHEMA lake.hr IS 'x'", DENIED),
    ("alter-add-column", "ALTER TABLE people ADD COLUMN more INT", DENIED),
    ("alter-drop-column", "ALTER TABLE people DROP COLUMN ssn", DENIED),
    ("alter-rename-column", "ALTER TABLE people RENAME COLUMN ssn TO open_ssn", DENIED),
    ("alter-rename-restricted", "ALTER TABLE people RENAME COLUMN note TO word", NO_COLUMN),
    ("alter-type", "ALTER TABLE people ALTER COLUMN salary TYPE BIGINT", DENIED),
    ("alter-comment", "ALTER TABLE people ALTER COLUMN ssn COMMENT 'x'", DENIED),
    ("comment-on-table", "COMMENT ON TABLE people IS 'x'", DENIED),
    (
        "alter-properties",
        "ALTER TABLE people SET TBLPROPERTIES ('read.split.target-size' = '1000000')",
        DENIED,
    ),
    ("alter-unset-properties", "ALTER TABLE staff UNSET TBLPROPERTIES ('write.delete.mode')", DENIED),
    ("alter-partition-field", "ALTER TABLE people ADD PARTITION FIELD dept", DENIED),
    ("alter-drop-partition-field", "ALTER TABLE parts DROP PARTITION FIELD region", DENIED),
    ("alter-partition-field-without-a-right", "ALTER TABLE ledger ADD PARTITION FIELD city", DENIED),
    ("alter-write-order-without-a-right", "ALTER TABLE ledger WRITE ORDERED BY city", DENIED),
    ("alter-create-branch-without-a-right", "ALTER TABLE ledger CREATE BRANCH mine", DENIED),
    ("alter-create-tag-without-a-right", "ALTER TABLE ledger CREATE TAG mine", DENIED),
    ("alter-properties-without-a-right", "ALTER TABLE ledger SET TBLPROPERTIES ('a' = 'b')", DENIED),
    ("alter-write-order", "ALTER TABLE people WRITE ORDERED BY ssn", DENIED),
    ("alter-create-branch", "ALTER TABLE people CREATE BRANCH mine", DENIED),
    ("alter-replace-branch", "ALTER TABLE people CREATE OR REPLACE BRANCH side", DENIED),
    ("alter-create-tag", "ALTER TABLE people CREATE TAG mine", DENIED),
    ("alter-drop-tag", "ALTER TABLE people DROP TAG old", DENIED),
    ("alter-drop-branch", "ALTER TABLE people DROP BRANCH side", DENIED),
    ("call-fast-forward", "CALL lake.system.fast_forward('hr.people', 'main', 'side')", REFUSED),
    (
        "call-rewrite",
        "CALL lake.system.rewrite_data_files(table => 'hr.parts', options => map('rewrite-all', 'true'))",
        REFUSED,
    ),
    ("call-statistics", "CALL lake.system.compute_table_stats('hr.parts')", REFUSED),
    (
        "call-set-current",
        "CALL lake.system.set_current_snapshot(table => 'hr.people', ref => 'old')",
        REFUSED,
    ),
    (
        "call-publish",
        "CALL lake.system.fast_forward(table => 'hr.people', branch => 'main', to => 'side')",
        REFUSED,
    ),
)

# Nobody may: they reach files, or other tables, by their place.
NOBODY = (
    ("alter-tags-property", "ALTER TABLE people SET TBLPROPERTIES ('sqe.tags' = '{}')"),
    (
        "create-as-with-an-owner",
        "CREATE TABLE lake.pub.x TBLPROPERTIES ('sqe.tags' = '{}') AS SELECT 1 AS id",
    ),
    ("create-with-an-owner", "CREATE TABLE lake.pub.x (id INT) TBLPROPERTIES ('sqe.owner' = 'bob')"),
    ("create-at-a-place", "CREATE TABLE lake.pub.x (id INT) LOCATION '/nowhere/x'"),
    (
        "create-with-files-at-a-place",
        "CREATE TABLE lake.pub.x (id INT) TBLPROPERTIES ('write.data.path' = '/x')",
    ),
    (
        "create-with-a-class",
        "CREATE TABLE lake.pub.x (id INT) TBLPROPERTIES ('write.location-provider.impl' = 'java.lang.String')",
    ),
    ("alter-the-place", "ALTER TABLE open SET LOCATION '/nowhere/x'"),
    ("call-register", "CALL lake.system.register_table('pub.copy', '/nowhere/metadata/v1.metadata.json')"),
    ("call-add-files", "CALL lake.system.add_files('pub.t', '`parquet`.`/nowhere`')"),
    ("call-changelog", "CALL lake.system.create_changelog_view(table => 'hr.people')"),
    ("call-orphans", "CALL lake.system.remove_orphan_files(table => 'hr.ledger', location => '/nowhere')"),
    ("call-ancestors", "CALL lake.system.ancestors_of('hr.people')"),
    ("call-in-capitals", "CALL lake.system.ANCESTORS_OF('hr.people')"),
)

# Ann may, and what she makes holds what she sees.
MADE: tuple[tuple[str, str, str, Rows], ...] = (
    (
        "create-table-as",
        "CREATE TABLE lake.pub.made AS SELECT id, ssn, salary FROM people",
        "SELECT * FROM lake.pub.made",
        rows((1, "xxxxxxx3331", None), (2, "xxxxxxx3332", None)),
    ),
    (
        "create-table-as-with-star",
        "CREATE TABLE lake.pub.made AS SELECT * FROM people",
        "SELECT id, ssn, phone, addr.street FROM lake.pub.made",
        rows((1, "xxxxxxx3331", "hidden", None), (2, "xxxxxxx3332", "hidden", None)),
    ),
    (
        "create-table-as-of-a-tag",
        "CREATE TABLE lake.pub.made AS SELECT id, ssn FROM people VERSION AS OF 'old'",
        "SELECT * FROM lake.pub.made",
        rows((1, "xxxxxxx3331"), (2, "xxxxxxx3332"), (5, "xxxxxxx3335")),
    ),
    (
        "create-table-as-partitioned",
        "CREATE TABLE lake.pub.made PARTITIONED BY (region) AS SELECT * FROM parts",
        "SELECT DISTINCT region FROM lake.pub.made",
        rows("zz"),
    ),
    (
        "insert-from-protected",
        "INSERT INTO open SELECT id, ssn FROM people",
        "SELECT word FROM open WHERE word LIKE 'x%'",
        rows("xxxxxxx3331", "xxxxxxx3332"),
    ),
    (
        "insert-overwrite-from-protected",
        "INSERT OVERWRITE open SELECT id, name FROM staff",
        "SELECT word FROM open",
        rows("Hugo", "Iris"),
    ),
    (
        "merge-from-protected",
        (
            "MERGE INTO open o USING people p ON o.id = p.id WHEN MATCHED THEN UPDATE SET word = p.ssn "
            "WHEN NOT MATCHED THEN INSERT (id, word) VALUES (p.id, p.ssn)"
        ),
        "SELECT * FROM open",
        rows((1, "xxxxxxx3331"), (2, "xxxxxxx3332")),
    ),
    (
        "merge-from-protected-by-source",
        (
            "MERGE INTO open o USING (SELECT * FROM staff WHERE id <> 1) s ON o.id = s.id "
            "WHEN NOT MATCHED BY SOURCE THEN DELETE"
        ),
        "SELECT id FROM open",
        rows(2),
    ),
    (
        "update-from-protected",
        "UPDATE open SET word = (SELECT max(ssn) FROM people)",
        "SELECT DISTINCT word FROM open",
        rows("xxxxxxx3332"),
    ),
    (
        "delete-by-protected",
        "DELETE FROM open WHERE id < (SELECT count(*) FROM people)",
        "SELECT id FROM open",
        rows(2),
    ),
    (
        "delete-by-protected-in",
        "DELETE FROM open WHERE id + 1 IN (SELECT id FROM staff)",
        "SELECT id FROM open",
        rows(2),
    ),
    ("delete-what-is-visible", "DELETE FROM staff WHERE id >= 2", "SELECT id FROM staff", rows(1, 3, 4)),
    (
        "delete-what-is-hidden-by-identifier",
        "DELETE FROM IDENTIFIER('lake.hr.staff') WHERE id >= 2",
        "SELECT id FROM staff",
        rows(1, 3, 4),
    ),
    (
        "delete-what-is-hidden-by-a-parameter",
        "EXECUTE IMMEDIATE 'DELETE FROM staff WHERE id >= ?' USING 2",
        "SELECT id FROM staff",
        rows(1, 3, 4),
    ),
    ("delete-everything", "DELETE FROM staff", "SELECT id FROM staff", rows(3, 4)),
    ("delete-where-true", "DELETE FROM staff WHERE true", "SELECT id FROM staff", rows(3, 4)),
    ("delete-or", "DELETE FROM staff WHERE id = 1 OR id = 3", "SELECT id FROM staff", rows(2, 3, 4)),
    (
        "insert-that-matches",
        "INSERT INTO staff SELECT id + 10, name, dept, pay FROM staff",
        "SELECT id FROM staff",
        rows(1, 2, 3, 4, 11, 12),
    ),
    (
        "view-for-others",
        "CREATE VIEW lake.pub.hers AS SELECT id, ssn FROM lake.hr.people WHERE id < 3",
        "SELECT * FROM lake.pub.hers",
        rows((1, "111-22-3331"), (2, "111-22-3332")),
    ),
    ("insert-into-open", "INSERT INTO open VALUES (3, 'three')", "SELECT id FROM open", rows(1, 2, 3)),
    ("drop-what-is-open", "DROP TABLE open", "SHOW TABLES IN lake.hr LIKE 'open'", NONE),
)

CASES = (
    *(Case(f"write-{name}", sql, ann, DONE, writes=True) for name, sql, ann in FORBIDDEN),
    Case(
        "write-rename-own-view-to-a-forbidden-place",
        "ALTER VIEW lake.pub.mine_r RENAME TO closed.mine_r",
        DENIED,
        DONE,
        before=("CREATE OR REPLACE VIEW lake.pub.mine_r AS SELECT 1 AS x",),
        writes=True,
        ann_writes=True,
        left=("SELECT x FROM lake.pub.mine_r", rows(1)),
    ),
    *(Case(f"write-{name}", sql, REFUSED, rows(1, 2), control="SELECT id FROM open") for name, sql in NOBODY),
    *(
        Case(f"write-{name}", sql, DONE, DONE, writes=True, ann_writes=True, left=(back, left), eve=NO_TABLE)
        for name, sql, back, left in MADE
    ),
)
