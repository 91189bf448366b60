"""Names: other spellings of a table, names that lead out of the warehouse, and hidden objects."""

from __future__ import annotations

from tests.security.case import (
    BAD_NAME,
    DENIED,
    DONE,
    NO_SCHEMA,
    NO_TABLE,
    UNSUPPORTED,
    Case,
    among,
    refusal,
    rows,
)

DEEP = "lake.deep.inner.sec2"
STORED = rows("deep-1", "deep-2")
NOT_THERE = refusal("TABLE_NOT_FOUND", "SYNTAX_ERROR")

SPELLINGS = (
    ("dotted-schema", "lake.`deep.inner`.sec2"),
    ("dotted-table", "lake.deep.`inner.sec2`"),
    ("dotted-everything", "lake.`deep.inner.sec2`"),
    ("identifier", "IDENTIFIER('lake.`deep.inner`.sec2')"),
    ("identifier-of-parts", "IDENTIFIER('lake.`deep' || '.inner`.sec2')"),
    ("dotted-branch", "lake.`deep.inner`.sec2.branch_side"),
    ("dotted-version", "lake.`deep.inner`.sec2 VERSION AS OF 'side'"),
    ("separator-of-rest", "lake.`deep\u001finner`.sec2"),
    ("slash", "lake.`deep/inner`.sec2"),
    ("up-and-down", "lake.deep.`x/../inner`.sec2"),
    ("empty-part", "lake.deep.``.inner.sec2"),
    ("trailing-blank", "lake.deep.inner.`sec2 `"),
    ("zero-width", "lake.deep.inner.`sec\u200b2`"),
    ("case-of-the-table", "lake.deep.inner.SEC2"),
    ("case-of-the-schema", "lake.DEEP.inner.sec2"),
    ("full-width-letter", "lake.deep.inner.`\uff53ec2`"),
    ("cyrillic", "lake.deep.inner.`s\u0435c2`"),
)

COMMANDS: tuple[tuple[str, str], ...] = (
    ("describe", "DESCRIBE lake.`deep.inner`.sec2"),
    ("show-create", "SHOW CREATE TABLE lake.`deep.inner`.sec2"),
    ("show-columns", "SHOW COLUMNS IN lake.`deep.inner`.sec2"),
    ("files", "SELECT count(*) FROM lake.`deep.inner`.sec2.files"),
    ("changes", "SELECT count(*) FROM lake.`deep.inner`.sec2.changes"),
    ("insert", "INSERT INTO lake.`deep.inner`.sec2 VALUES (1, 'x')"),
    ("delete", "DELETE FROM lake.`deep.inner`.sec2"),
    ("update", "UPDATE lake.`deep.inner`.sec2 SET id = 9"),
    ("drop", "DROP TABLE lake.`deep.inner`.sec2"),
    ("alter", "ALTER TABLE lake.`deep.inner`.sec2 ADD COLUMN x INT"),
)

SCHEMA_COMMANDS = (
    ("show-tables", "SHOW TABLES IN lake.`deep.inner`"),
    ("describe-schema", "DESCRIBE SCHEMA lake.`deep.inner`"),
)

BAD_PARTS = (
    *(("dots", "a..b"), ("up", ".."), ("out", "../../../out"), ("into-another", "../hr/people")),
    *(("root", "/tmp/out"), ("backslash", "a\\b"), ("control", "a\u0007b"), ("bidi", "\u202eab")),
    *(("blank", "a "), ("decomposed", "cafe\u0301"), ("nothing", "a\u3164")),
)

MADE = (
    ("table", "CREATE TABLE lake.pub.`{}` (id INT)", "CREATE TABLE lake.pub.made (id INT)"),
    (
        "table-as",
        "CREATE TABLE lake.pub.`{}` AS SELECT 1 AS id",
        "CREATE TABLE lake.pub.made AS SELECT 1 AS id",
    ),
    ("view", "CREATE VIEW lake.pub.`{}` AS SELECT 1 AS id", "CREATE VIEW lake.pub.made AS SELECT 1 AS id"),
)

VAULT = "lake.hr.vault"
HIDDEN: tuple[tuple[str, str], ...] = (
    ("select", f"SELECT count(*) FROM {VAULT}"),
    ("timestamp", f"SELECT count(*) FROM {VAULT} TIMESTAMP AS OF '1999-01-01'"),
    ("version", f"SELECT count(*) FROM {VAULT} VERSION AS OF 42"),
    ("branch", f"SELECT count(*) FROM {VAULT}.branch_none"),
    ("branch-main", f"SELECT count(*) FROM {VAULT}.branch_main"),
    ("snapshot", f"SELECT count(*) FROM {VAULT}.snapshot_id_42"),
    ("files", f"SELECT count(*) FROM {VAULT}.files"),
    ("changes", f"SELECT count(*) FROM {VAULT}.changes"),
    ("describe", f"DESCRIBE {VAULT}"),
    ("show-create", f"SHOW CREATE TABLE {VAULT}"),
    ("alter", f"ALTER TABLE {VAULT} ADD COLUMN x INT"),
    ("partition", f"ALTER TABLE {VAULT} ADD PARTITION FIELD id"),
    ("drop", f"DROP TABLE {VAULT}"),
    ("insert", f"INSERT INTO {VAULT} VALUES (9, 'x')"),
    ("delete", f"DELETE FROM {VAULT} WHERE id = 1"),
)

CREATED: tuple[tuple[str, str], ...] = (
    ("create", f"CREATE TABLE {VAULT} (id INT)"),
    ("create-if-not-exists", f"CREATE TABLE IF NOT EXISTS {VAULT} (id INT)"),
    ("create-as", f"CREATE TABLE {VAULT} AS SELECT 1 AS id"),
    ("create-or-replace", f"CREATE OR REPLACE TABLE {VAULT} AS SELECT 1 AS id"),
    ("create-view", f"CREATE OR REPLACE VIEW {VAULT} AS SELECT 1 AS id"),
    ("create-none", "CREATE TABLE lake.hr.nowhere (id INT)"),
)

CASES: tuple[Case, ...] = (
    Case("name-itself", f"SELECT word FROM {DEEP}", rows("hidden"), STORED, eve=NO_TABLE),
    Case(
        "name-of-a-schema-in-trino",
        'SELECT word FROM lake."deep.inner".sec2',
        rows("hidden"),
        STORED,
        dialect="trino",
        eve=NO_TABLE,
        front_ends=("flight", "trino"),
    ),
    *among(
        SPELLINGS,
        lambda name, text: Case(
            f"name-{name}",
            f"SELECT word FROM {text}",
            NOT_THERE,
            STORED,
            control=f"SELECT word FROM {DEEP}",
            eve=NOT_THERE,
        ),
    ),
    *among(
        COMMANDS,
        lambda name, text: Case(
            f"name-dotted-{name}", text, NO_TABLE, STORED, control=f"SELECT word FROM {DEEP}"
        ),
    ),
    *among(
        SCHEMA_COMMANDS,
        lambda name, text: Case(
            f"name-dotted-{name}", text, NO_SCHEMA, STORED, control=f"SELECT word FROM {DEEP}"
        ),
    ),
    *(
        Case(
            f"name-new-{kind}-{name}",
            statement.format(part),
            BAD_NAME,
            DONE,
            control=control,
            writes=True,
        )
        for kind, statement, control in MADE
        for name, part in BAD_PARTS
    ),
    *among(
        HIDDEN,
        lambda name, text: Case(
            f"hidden-{name}",
            text,
            NO_TABLE,
            rows(2),
            control=f"SELECT count(*) FROM {VAULT}",
            eve=NO_TABLE,
        ),
    ),
    *among(
        CREATED,
        lambda name, text: Case(
            f"taken-{name}", text, DENIED, rows(2), control=f"SELECT count(*) FROM {VAULT}", eve=DENIED
        ),
    ),
    Case(
        "hidden-use-of-a-schema",
        "USE lake.closed",
        NO_SCHEMA,
        DONE,
        eve=NO_SCHEMA,
        fresh=True,
        front_ends=("flight",),
    ),
    # Clients name a nested schema in one part; it is the schema, with its rules.
    Case(
        "name-use-of-a-nested-schema",
        "SELECT word FROM sec2",
        rows("hidden"),
        STORED,
        before=("USE lake.`deep.inner`",),
        fresh=True,
    ),
    Case("restricted-drop", f"DROP TABLE {DEEP}", UNSUPPORTED, DONE, writes=True, eve=NO_TABLE),
)
