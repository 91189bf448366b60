"""DESCRIBE, SHOW, EXPLAIN, information_schema: facts about a table without reading it. And names, settings,
functions, temporary things, and grants.
"""

from __future__ import annotations

from tests.security.case import (
    DENIED,
    DONE,
    NO_COLUMN,
    NO_SCHEMA,
    NO_TABLE,
    NONE,
    UNSUPPORTED,
    Answer,
    Case,
    Matching,
    refusal,
    rows,
)

REFUSED = refusal("ACCESS_DENIED", "NOT_SUPPORTED")
HIDDEN = r"\bnote\b|\bkin\b"
SSN = (rows("xxxxxxx3331", "xxxxxxx3332"), rows("111-22-3331", "111-22-3332", "111-22-3333", "111-22-3334"))
TABLES = ("dropped", "expired", "ledger", "open", "parts", "past", "people", "renamed", "staff", "team")

ASKED: tuple[tuple[str, str, Answer, Answer], ...] = (
    ("describe", "DESCRIBE people", Matching("ssn", HIDDEN), Matching("note")),
    ("describe-extended", "DESCRIBE EXTENDED people", Matching("ssn", HIDDEN), Matching("note")),
    ("describe-forbidden", "DESCRIBE vault", NO_TABLE, Matching("secret")),
    ("describe-restricted-column", "DESCRIBE people note", NO_COLUMN, Matching("note")),
    ("describe-query", "DESCRIBE QUERY SELECT * FROM people", Matching("ssn", HIDDEN), Matching("note")),
    ("describe-query-forbidden", "DESCRIBE QUERY SELECT * FROM vault", NO_TABLE, Matching("secret")),
    ("describe-view", "DESCRIBE v_note", Matching("id"), Matching("note")),
    ("describe-metadata-table", "DESCRIBE lake.hr.people.files", DENIED, Matching("readable_metrics")),
    (
        "describe-old",
        "DESCRIBE QUERY SELECT * FROM people VERSION AS OF 'old'",
        Matching("ssn", HIDDEN),
        Matching("note"),
    ),
    ("describe-closed-schema", "DESCRIBE SCHEMA lake.closed", NO_SCHEMA, Matching("closed")),
    ("show-columns", "SHOW COLUMNS IN people", Matching("ssn", HIDDEN), Matching("note")),
    ("show-columns-forbidden", "SHOW COLUMNS IN vault", NO_TABLE, Matching("secret")),
    (
        "show-properties",
        "SHOW TBLPROPERTIES people",
        Matching("format", r"sqe\.|snapshot"),
        Matching("format", r"sqe\."),
    ),
    (
        "show-one-property",
        "SHOW TBLPROPERTIES open ('sqe.owner')",
        Matching("(?i)sqe.owner", "adm"),
        Matching("(?i)sqe.owner", "adm"),
    ),
    ("show-properties-forbidden", "SHOW TBLPROPERTIES vault", NO_TABLE, Matching("format")),
    ("show-create", "SHOW CREATE TABLE people", Matching("ssn", HIDDEN), Matching("note")),
    ("show-create-forbidden", "SHOW CREATE TABLE vault", NO_TABLE, Matching("secret")),
    ("show-create-open", "SHOW CREATE TABLE open", Matching("word"), Matching("word")),
    ("show-create-view", "SHOW CREATE TABLE lake.closed.v", NO_TABLE, Matching("ledger")),
    ("show-tables-closed", "SHOW TABLES IN lake.closed", NO_SCHEMA, Matching("t")),
    ("show-views-closed", "SHOW VIEWS IN lake.closed", NO_SCHEMA, rows(("closed", "v", False))),
    (
        "show-table-extended",
        "SHOW TABLE EXTENDED IN lake.hr LIKE 'vault'",
        NONE,
        Matching("vault"),
    ),
    ("explain", "EXPLAIN SELECT ssn FROM people", DENIED, Matching("people")),
    ("explain-extended", "EXPLAIN EXTENDED SELECT ssn FROM people", DENIED, Matching("people")),
    ("explain-formatted", "EXPLAIN FORMATTED SELECT id FROM staff", DENIED, Matching("staff")),
    ("explain-codegen", "EXPLAIN CODEGEN SELECT id FROM staff", DENIED, Matching("(?i)codegen|staff")),
    ("explain-cost", "EXPLAIN COST SELECT id FROM staff", DENIED, Matching("staff")),
    ("explain-view", "EXPLAIN SELECT * FROM v_people", DENIED, Matching("people")),
    (
        "explain-subquery",
        "EXPLAIN SELECT id FROM ledger WHERE id IN (SELECT id FROM staff)",
        DENIED,
        Matching("staff"),
    ),
    ("explain-insert", "EXPLAIN INSERT INTO open SELECT id, ssn FROM people", UNSUPPORTED, UNSUPPORTED),
    (
        "explain-insert-target",
        "EXPLAIN INSERT INTO staff VALUES (9, 'x', 'eng', 1)",
        UNSUPPORTED,
        UNSUPPORTED,
    ),
    ("explain-delete", "EXPLAIN DELETE FROM staff WHERE id = 1", UNSUPPORTED, UNSUPPORTED),
    (
        "explain-forbidden",
        "EXPLAIN SELECT * FROM vault",
        Matching("cannot be found", "secret"),
        Matching("secret"),
    ),
    ("explain-open", "EXPLAIN SELECT id FROM ledger", Matching("ledger"), Matching("ledger")),
    (
        "explain-execute",
        "EXECUTE IMMEDIATE 'EXPLAIN SELECT ssn FROM people'",
        REFUSED,
        Matching("people|not allowed"),
    ),
    (
        "analyze",
        "ANALYZE TABLE parts COMPUTE STATISTICS",
        REFUSED,
        refusal("NOT_SUPPORTED", "SEMANTIC_ERROR"),
    ),
    ("refresh", "REFRESH TABLE vault", NO_TABLE, DONE),
    ("cache", "CACHE TABLE people", DENIED, refusal("ACCESS_DENIED")),
    ("cache-as", "CACHE TABLE c AS SELECT * FROM people", DENIED, refusal("ACCESS_DENIED")),
    ("uncache", "UNCACHE TABLE IF EXISTS people", DENIED, refusal("ACCESS_DENIED")),
    ("mask-function", "SELECT mask_hash('x')", refusal("FUNCTION_NOT_FOUND"), refusal("FUNCTION_NOT_FOUND")),
    ("partition-id", "SELECT DISTINCT spark_partition_id() FROM staff", rows(0), rows(0)),
    ("monotonic-id", "SELECT monotonically_increasing_id() FROM staff", rows(0, 1), rows(0, 1, 2, 3)),
)

# A name in other letters is the same table, or none.
NAMES: tuple[tuple[str, str, Answer, Answer], ...] = (
    ("upper-case-column", "SELECT SSN FROM people", *SSN),
    ("quoted-column", "SELECT `ssn` FROM `people`", *SSN),
    (
        "mixed-case-restricted",
        "SELECT NoTe FROM people",
        NO_COLUMN,
        rows("note-1", "note-2", "note-3", "note-4"),
    ),
    ("qualified-column", "SELECT lake.hr.people.ssn FROM people", *SSN),
    (
        "qualified-restricted",
        "SELECT lake.hr.people.note FROM people",
        NO_COLUMN,
        rows("note-1", "note-2", "note-3", "note-4"),
    ),
    # Lower case makes a plain k of Kelvin's sign, and Spark compares the names of columns in lower case.
    ("long-s", "SELECT `\u017fsn` FROM people", NO_COLUMN, NO_COLUMN),
    (
        "kelvin-sign-restricted",
        "SELECT `\u212ain` FROM people",
        NO_COLUMN,
        rows("kin-1", "kin-2", "kin-3", "kin-4"),
    ),
    ("upper-case-table", "SELECT ssn FROM PEOPLE", refusal("TABLE_NOT_FOUND"), refusal("TABLE_NOT_FOUND")),
    (
        "upper-case-schema",
        "SELECT ssn FROM lake.HR.people",
        refusal("TABLE_NOT_FOUND", "SCHEMA_NOT_FOUND"),
        refusal("TABLE_NOT_FOUND", "SCHEMA_NOT_FOUND"),
    ),
    ("cyrillic-letter", "SELECT ssn FROM `p\u0435ople`", NO_TABLE, NO_TABLE),
    ("zero-width-space", "SELECT ssn FROM `peo\u200bple`", NO_TABLE, NO_TABLE),
    ("full-width", "SELECT ssn FROM `\uff50eople`", NO_TABLE, NO_TABLE),
    ("trailing-space", "SELECT ssn FROM `people `", NO_TABLE, NO_TABLE),
    ("dots-in-a-name", "SELECT ssn FROM `hr.people`", NO_TABLE, NO_TABLE),
    ("catalog-in-a-name", "SELECT ssn FROM `lake.hr.people`", NO_TABLE, NO_TABLE),
    ("comment-in-between", "SELECT ssn /* , note */ FROM lake/**/.hr./* x */people", *SSN),
    ("alias-of-another-table", "SELECT ledger.ssn FROM people AS ledger", *SSN),
    (
        "alias-that-renames",
        "SELECT x FROM people AS p(a, b, c, d, x, f, g, h, i)",
        SSN[0],
        refusal("SEMANTIC_ERROR", "SYNTAX_ERROR", "EXECUTION_FAILED"),
    ),
    (
        "column-alias-shadows",
        "SELECT ssn FROM (SELECT name AS ssn FROM people)",
        rows("Abel", "Bess"),
        rows("Abel", "Bess", "Cyra", "Dino"),
    ),
    (
        "lateral-alias",
        "SELECT ssn AS a, upper(a) FROM people",
        rows(("xxxxxxx3331", "XXXXXXX3331"), ("xxxxxxx3332", "XXXXXXX3332")),
        rows(*((f"111-22-333{n}",) * 2 for n in (1, 2, 3, 4))),
    ),
    ("other-catalog-s-name", "SELECT ssn FROM spare.hr.people WHERE id = 1", rows("999-1"), rows("999-1")),
    ("regex-column", "SELECT `(note|ssn)` FROM people", NO_COLUMN, NO_COLUMN),
    (
        "hidden-output",
        "SELECT people.note FROM people JOIN ledger USING (id)",
        NO_COLUMN,
        rows("note-1", "note-2", "note-3"),
    ),
    (
        "using-restricted",
        "SELECT count(*) FROM people JOIN spare.hr.people USING (note)",
        refusal("COLUMN_NOT_FOUND", "SEMANTIC_ERROR"),
        rows(0),
    ),
    (
        "natural-join-restricted",
        "SELECT count(*) FROM (SELECT 'note-1' AS note, 1 AS id) NATURAL JOIN people",
        rows(1),
        rows(1),
    ),
)

VIEWED: tuple[tuple[str, str, Answer, Answer], ...] = (
    (
        "nested",
        "SELECT name, ssn FROM v_nested",
        rows(("Abel", "xxxxxxx3331"), ("Bess", "xxxxxxx3332")),
        rows(("Dino", "111-22-3334")),
    ),
    (
        "with-a-star",
        "SELECT ssn FROM v_star",
        NO_COLUMN,
        SSN[1],
    ),
    ("restricted", "SELECT note FROM v_note", NO_COLUMN, rows("note-1", "note-2", "note-3", "note-4")),
    ("restricted-not-used", "SELECT id FROM v_note", NO_COLUMN, rows(1, 2, 3, 4)),
    ("forbidden", "SELECT count(*) FROM v_vault", NO_TABLE, rows(2)),
    ("joined", "SELECT v.ssn FROM v_people v JOIN people p ON v.id = p.id", *SSN),
    ("counted", "SELECT count(*) FROM v_people", rows(2), rows(4)),
    ("by-masked", "SELECT id FROM v_people WHERE ssn = '111-22-3331'", NONE, rows(1)),
    (
        "failing-condition",
        "SELECT id FROM v_people WHERE 1 / (id - 3) < 1",
        rows(1, 2),
        refusal("DIVISION_BY_ZERO"),
    ),
)

FRESH: tuple[tuple[str, tuple[str, ...], str, Answer, Answer], ...] = (
    (
        "temporary-view",
        ("CREATE OR REPLACE TEMPORARY VIEW mine AS SELECT * FROM people",),
        "SELECT ssn FROM mine",
        *SSN,
    ),
    (
        "temporary-view-that-shadows",
        ("CREATE OR REPLACE TEMPORARY VIEW people AS SELECT * FROM lake.hr.people",),
        "SELECT ssn FROM people",
        *SSN,
    ),
    (
        "temporary-view-of-a-view",
        (
            "CREATE OR REPLACE TEMPORARY VIEW a AS SELECT * FROM people",
            "CREATE OR REPLACE TEMPORARY VIEW b AS SELECT ssn FROM a WHERE salary IS NULL OR salary > 0",
        ),
        "SELECT ssn FROM b",
        *SSN,
    ),
    (
        "temporary-function",
        ("CREATE OR REPLACE TEMPORARY FUNCTION f() RETURNS TABLE (s STRING) RETURN SELECT ssn FROM people",),
        "SELECT s FROM f()",
        *SSN,
    ),
    (
        "temporary-function-of-a-value",
        ("CREATE OR REPLACE TEMPORARY FUNCTION g(x STRING) RETURNS STRING RETURN concat(x, '!')",),
        "SELECT g(ssn) FROM people WHERE g(ssn) LIKE '%!'",
        rows("xxxxxxx3331!", "xxxxxxx3332!"),
        rows(*(f"111-22-333{n}!" for n in (1, 2, 3, 4))),
    ),
    (
        "temporary-function-with-a-key",
        (
            (
                "CREATE OR REPLACE TEMPORARY FUNCTION h(n BIGINT) RETURNS TABLE (s STRING) "
                "RETURN SELECT ssn FROM people WHERE id = n OR id = n + 2"
            ),
        ),
        "SELECT s FROM h(1)",
        rows("xxxxxxx3331"),
        rows("111-22-3331", "111-22-3333"),
    ),
    (
        "variable",
        ("DECLARE OR REPLACE VARIABLE v STRING", "SET VAR v = (SELECT max(ssn) FROM people)"),
        "SELECT v",
        rows("xxxxxxx3332"),
        rows("111-22-3334"),
    ),
    (
        "variable-as-a-name",
        ("DECLARE OR REPLACE VARIABLE n STRING DEFAULT 'lake.hr.people'",),
        "SELECT ssn FROM IDENTIFIER(n)",
        *SSN,
    ),
    ("use", ("USE lake.pub",), "SELECT ssn FROM hr.people", *SSN),
    (
        "temporary-view-that-fails",
        ("CREATE OR REPLACE TEMPORARY VIEW w AS SELECT * FROM staff WHERE 1 / (pay - 20300) < 1",),
        "SELECT id FROM w",
        rows(1, 2),
        refusal("DIVISION_BY_ZERO"),
    ),
)

# Each is refused, or changes nothing about what ann sees.
TRIED = (
    (
        "udf-over-right",
        ("CREATE OR REPLACE TEMPORARY FUNCTION right(x STRING, n INT) RETURNS STRING RETURN x",),
    ),
    (
        "udf-over-concat",
        ("CREATE OR REPLACE TEMPORARY FUNCTION concat(x STRING, y STRING) RETURNS STRING RETURN y",),
    ),
    (
        "udf-over-repeat",
        ("CREATE OR REPLACE TEMPORARY FUNCTION repeat(x STRING, n INT) RETURNS STRING RETURN x",),
    ),
    (
        "udf-over-substring",
        ("CREATE OR REPLACE TEMPORARY FUNCTION substring(x STRING, n INT) RETURNS STRING RETURN x",),
    ),
    ("udf-over-length", ("CREATE OR REPLACE TEMPORARY FUNCTION length(x STRING) RETURNS INT RETURN 0",)),
    (
        "udf-over-current-user",
        ("CREATE OR REPLACE TEMPORARY FUNCTION current_user() RETURNS STRING RETURN 'bob'",),
    ),
    ("udf-over-hmac", ("CREATE OR REPLACE TEMPORARY FUNCTION sqe_hmac(x STRING) RETURNS STRING RETURN x",)),
    ("view-over-the-table", ("CREATE OR REPLACE TEMPORARY VIEW ledger AS SELECT * FROM people",)),
    ("set-case-sensitive", ("SET spark.sql.caseSensitive = true",)),
    ("set-ansi", ("SET spark.sql.ansi.enabled = false",)),
    ("set-single-pass", ("SET spark.sql.analyzer.singlePassResolver.enabled = true",)),
    ("set-single-pass-tentatively", ("SET spark.sql.analyzer.singlePassResolver.enabledTentatively = true",)),
    ("set-substitute", ("SET spark.sql.variable.substitute = true",)),
    ("set-catalog", ("SET spark.sql.catalog.lake.type = hadoop",)),
    ("set-catalog-class", ("SET spark.sql.catalog.lake = org.apache.iceberg.spark.SparkCatalog",)),
    ("set-other-catalog", ("SET spark.sql.catalog.mine = org.apache.iceberg.spark.SparkCatalog",)),
    ("set-default-catalog", ("SET spark.sql.defaultCatalog = mine",)),
    ("set-legacy-cte", ("SET spark.sql.legacy.ctePrecedencePolicy = LEGACY",)),
    ("set-double-quotes", ("SET spark.sql.ansi.doubleQuotedIdentifiers = true",)),
    ("set-escaped-literals", ("SET spark.sql.parser.escapedStringLiterals = true",)),
    ("set-regex-columns", ("SET spark.sql.parser.quotedRegexColumnNames = true",)),
    ("set-runs-on-files", ("SET spark.sql.runSQLOnFiles = true",)),
    ("set-scripting", ("SET spark.sql.scripting.enabled = true",)),
    ("set-nested-pruning", ("SET spark.sql.optimizer.nestedSchemaPruning.enabled = false",)),
    ("set-adaptive", ("SET spark.sql.adaptive.enabled = false",)),
    ("set-cbo", ("SET spark.sql.cbo.enabled = true",)),
    ("set-time-zone", ("SET spark.sql.session.timeZone = Pacific/Auckland",)),
    ("set-session-user", ("SET SESSION AUTHORIZATION bob",)),
    ("set-role", ("SET ROLE admin",)),
    (
        "grant-to-oneself",
        ("GRANT SELECT ON TABLE lake.hr.vault TO USER ann", "GRANT ALL ON CATALOG lake TO USER ann"),
    ),
    ("deny-to-another", ("DENY SELECT ON TABLE lake.hr.people TO USER bob",)),
    (
        "drop-a-policy",
        ("DROP POLICY people_rows", "DROP POLICY IF EXISTS people_rows ON TABLE lake.hr.people"),
    ),
    ("create-a-policy", ("CREATE POLICY p ON lake.hr.people ROW FILTER TO USER ann USING (true)",)),
    ("unset-tags", ("ALTER TABLE lake.hr.people UNSET TAGS (ssn)",)),
    ("set-tags", ("ALTER TABLE lake.hr.people SET TAGS (ssn = ('public'))",)),
    ("script", ("BEGIN SET spark.sql.ansi.enabled = false; END",)),
    ("cache", ("CACHE TABLE people", "CACHE LAZY TABLE c AS SELECT * FROM people")),
    ("global-temporary-view", ("CREATE GLOBAL TEMPORARY VIEW g AS SELECT * FROM people",)),
    ("view-using-iceberg", ("CREATE TEMPORARY VIEW u USING iceberg OPTIONS (path 'lake.hr.people')",)),
    ("function-in-the-catalog", ("CREATE FUNCTION lake.pub.f() RETURNS STRING RETURN 'x'",)),
    (
        "procedure-with-a-condition",
        (
            "CALL lake.system.rewrite_data_files(table => 'hr.open', where => 'id IN (SELECT id FROM lake.hr.vault)')",
        ),
    ),
)

# Grants are not for a policy that is in a file, and rights over others are nobody's who has none.
GRANTS = (
    ("grant", "GRANT SELECT ON TABLE lake.hr.vault TO USER ann"),
    ("grant-with-option", "GRANT SELECT ON TABLE lake.hr.people TO USER ann WITH GRANT OPTION"),
    ("grant-schema", "GRANT ALL ON SCHEMA lake.closed TO USER ann"),
    ("revoke", "REVOKE SELECT ON TABLE lake.hr.people FROM USER bob"),
    ("deny", "DENY SELECT ON TABLE lake.hr.people TO USER bob"),
    ("set-tags", "ALTER TABLE lake.hr.people SET TAGS (name = ('x'))"),
    ("unset-tags", "ALTER TABLE lake.hr.people UNSET TAGS (name)"),
)

CASES = (
    *(Case(f"command-{name}", sql, ann, bob) for name, sql, ann, bob in ASKED),
    Case(
        "command-show-tables-hides", "SHOW TABLES IN lake.hr LIKE 'vault'", NONE, rows(("hr", "vault", False))
    ),
    Case("command-show-schemas-hides", "SHOW SCHEMAS IN lake LIKE 'closed'", NONE, rows("closed")),
    Case(
        "command-show-views-hides",
        "SHOW VIEWS IN lake.hr LIKE 'v_vault'",
        rows(("hr", "v_vault", False)),
        rows(("hr", "v_vault", False)),
    ),
    *(Case(f"name-{name}", sql, ann, bob) for name, sql, ann, bob in NAMES),
    *(Case(f"view-{name}", sql, ann, bob) for name, sql, ann, bob in VIEWED),
    *(
        Case(f"session-{name}", sql, ann, bob, before=before, fresh=True)
        for name, before, sql, ann, bob in FRESH
    ),
    *(
        Case(
            f"tried-{name}",
            "SELECT id, ssn, salary, phone FROM lake.hr.people",
            rows((1, "xxxxxxx3331", None, "hidden"), (2, "xxxxxxx3332", None, "hidden")),
            rows(
                (1, "111-22-3331", 10100, "+31-611"),
                (2, "111-22-3332", 10200, "+31-622"),
                (3, "111-22-3333", 10300, "+31-633"),
                (4, "111-22-3334", 10400, "+31-644"),
            ),
            tries=tries,
            fresh=True,
        )
        for name, tries in TRIED
    ),
    *(
        Case(
            f"grant-{name}",
            sql,
            REFUSED,
            rows(1, 2),
            control="SELECT id FROM open",
            front_ends=("flight", "trino"),
        )
        for name, sql in GRANTS
    ),
)

INFORMATION = tuple(
    Case(f"information-{name}", sql, ann, bob, dialect="trino", front_ends=("flight", "trino"))
    for name, sql, ann, bob in (
        (
            "tables",
            "SELECT table_name FROM lake.information_schema.tables WHERE table_schema = 'hr' AND table_name = 'vault'",
            NONE,
            rows("vault"),
        ),
        (
            "tables-of-a-closed-schema",
            "SELECT table_name FROM lake.information_schema.tables WHERE table_schema = 'closed'",
            NONE,
            rows("t", "v"),
        ),
        (
            "schemata",
            "SELECT schema_name FROM lake.information_schema.schemata WHERE schema_name = 'closed'",
            NONE,
            rows("closed"),
        ),
        (
            "columns",
            (
                "SELECT column_name FROM lake.information_schema.columns WHERE table_schema = 'hr' "
                "AND table_name = 'people'"
            ),
            rows("id", "name", "dept", "salary", "ssn", "email", "phone", "born", "addr"),
            rows("id", "name", "dept", "salary", "ssn", "email", "phone", "born", "addr", "note", "kin"),
        ),
        (
            "columns-forbidden",
            "SELECT count(*) FROM lake.information_schema.columns WHERE table_name = 'vault'",
            rows(0),
            rows(2),
        ),
        (
            "views",
            "SELECT count(*) FROM lake.information_schema.views WHERE table_schema = 'closed'",
            rows(0),
            rows(1),
        ),
        ("show-tables", "SHOW TABLES FROM lake.hr LIKE 'vault'", NONE, rows("vault")),
        ("show-schemas", "SHOW SCHEMAS FROM lake LIKE 'closed'", NONE, rows("closed")),
        ("show-columns", "SHOW COLUMNS FROM people", Matching("ssn", HIDDEN), Matching("note")),
        ("describe", "DESCRIBE lake.hr.people", Matching("ssn", HIDDEN), Matching("note")),
        (
            "describe-forbidden",
            "DESCRIBE lake.hr.vault",
            NO_TABLE,
            Matching("secret"),
        ),
        ("show-stats", "SHOW STATS FOR people", Matching("ssn", HIDDEN), Matching("note")),
        (
            "show-stats-forbidden",
            "SHOW STATS FOR vault",
            NO_TABLE,
            Matching("secret"),
        ),
        (
            "jdbc-tables",
            "SELECT table_name FROM system.jdbc.tables WHERE table_cat = 'lake' AND table_name = 'vault'",
            NONE,
            rows("vault"),
        ),
        (
            "jdbc-columns",
            (
                "SELECT column_name FROM system.jdbc.columns WHERE table_cat = 'lake' AND table_schem = 'hr' "
                "AND table_name = 'people' AND column_name IN ('note', 'ssn')"
            ),
            rows("ssn"),
            rows("ssn", "note"),
        ),
        (
            "comments",
            (
                "SELECT count(*) FROM system.metadata.table_comments WHERE catalog_name = 'lake' "
                "AND schema_name = 'closed'"
            ),
            rows(0),
            rows(2),
        ),
        (
            "a-filter-on-it-hides-nothing",
            "SELECT count(*) FROM lake.information_schema.tables WHERE table_name LIKE 'vau%'",
            rows(0),
            rows(1),
        ),
        (
            "maintenance",
            "ALTER TABLE people EXECUTE optimize",
            refusal("NOT_SUPPORTED", "ACCESS_DENIED"),
            Matching("0"),
        ),
    )
)
