from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqe.errors import Position, SqlSyntaxError
from sqe.model.session import Dialect
from sqe.model.statement import StatementKind
from sqe.sql import statement
from sqe.sql.policy.statement import read
from sqe.sql.policy.statement_types import (
    UPDATE_TYPES,
    CheckAccess,
    CreatePolicy,
    DenyStatement,
    DropPolicy,
    ExpressionText,
    Grantee,
    GranteeKind,
    GrantStatement,
    ObjectKind,
    PolicyKind,
    PolicyStatement,
    PrincipalSpec,
    Privilege,
    RevokeStatement,
    Securable,
    SetTags,
    ShowEffectiveGrants,
    ShowEffectivePolicy,
    ShowGrants,
    ShowPolicies,
    UnsetTags,
)

SPARK, TRINO = Dialect.SPARK, Dialect.TRINO
ADA = Grantee(GranteeKind.USER, "ada")
ANALYST = Grantee(GranteeKind.ROLE, "analyst")
ORDERS = Securable(ObjectKind.TABLE, ("lake", "sales", "orders"))
SELECT = (Privilege.SELECT,)
RESTRICTED = (
    "GRANT SELECT ON TABLE t TO USER ada ROWS WHERE (region IN ('eu', f(1))) "
    "MASKED WITH (ssn AS mask_last(ssn, 4), mail AS CASE WHEN (a, b) IN ((1, 2)) THEN 'x' END)"
)


@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("GRANT SELECT ON TABLE lake.sales.orders TO USER ada", GrantStatement(SELECT, ORDERS, ADA)),
        (
            "grant select, insert on schema lake.sales to role analyst with grant option;",
            GrantStatement(
                (Privilege.SELECT, Privilege.INSERT),
                Securable(ObjectKind.SCHEMA, ("lake", "sales")),
                ANALYST,
                grant_option=True,
            ),
        ),
        (
            "GRANT ALL PRIVILEGES ON CATALOG lake TO GROUP 'eng@x'",
            GrantStatement(
                (Privilege.ALL,),
                Securable(ObjectKind.CATALOG, ("lake",)),
                Grantee(GranteeKind.GROUP, "eng@x"),
            ),
        ),
        ("GRANT SELECT ON lake.sales.orders TO USER ada", GrantStatement(SELECT, ORDERS, ADA)),
        ("DENY SELECT ON lake.sales.orders TO USER ada", DenyStatement(SELECT, ORDERS, ADA)),
        ("REVOKE SELECT ON lake.sales.orders FROM USER ada", RevokeStatement(SELECT, ORDERS, ADA)),
        (
            "GRANT SELECT ON all TO USER ada",
            GrantStatement(SELECT, Securable(ObjectKind.TABLE, ("all",)), ADA),
        ),
        (
            "GRANT SELECT ON schema.t TO USER ada",
            GrantStatement(SELECT, Securable(ObjectKind.TABLE, ("schema", "t")), ADA),
        ),
        ("GRANT ALL ON TABLE lake.sales.orders TO USER ada", GrantStatement((Privilege.ALL,), ORDERS, ADA)),
        (
            "GRANT SELECT ON ALL TABLES IN SCHEMA s TO USER ada",
            GrantStatement(SELECT, Securable(ObjectKind.ALL_TABLES, ("s",)), ADA),
        ),
        (
            "GRANT SELECT ON FUTURE TABLES IN SCHEMA s TO USER ada",
            GrantStatement(SELECT, Securable(ObjectKind.FUTURE_TABLES, ("s",)), ADA),
        ),
        (
            "GRANT SELECT ON VIEW v TO USER ada",
            GrantStatement(SELECT, Securable(ObjectKind.VIEW, ("v",)), ADA),
        ),
        (
            "GRANT SELECT (id, region) ON TABLE lake.sales.orders TO USER ada",
            GrantStatement(SELECT, ORDERS, ADA, ("id", "region")),
        ),
        (
            RESTRICTED,
            GrantStatement(
                SELECT,
                Securable(ObjectKind.TABLE, ("t",)),
                ADA,
                rows=ExpressionText("region IN ('eu', f(1))", Position(1, 49)),
                masks=(
                    ("ssn", ExpressionText("mask_last(ssn, 4)", Position(1, 93))),
                    ("mail", ExpressionText("CASE WHEN (a, b) IN ((1, 2)) THEN 'x' END", Position(1, 120))),
                ),
            ),
        ),
        (
            "DENY SELECT (ssn) ON TABLE lake.sales.orders TO USER ada",
            DenyStatement(SELECT, ORDERS, ADA, ("ssn",)),
        ),
        (
            "DENY DROP, ALTER ON TABLE lake.sales.orders TO ROLE analyst",
            DenyStatement((Privilege.DROP, Privilege.ALTER), ORDERS, ANALYST),
        ),
        ("REVOKE SELECT ON TABLE lake.sales.orders FROM USER ada", RevokeStatement(SELECT, ORDERS, ADA)),
        (
            "REVOKE GRANT OPTION FOR SELECT ON TABLE lake.sales.orders FROM USER ada",
            RevokeStatement(SELECT, ORDERS, ADA, only_grant_option=True),
        ),
        (
            "CREATE POLICY eu ROW FILTER ON TABLE lake.sales.orders TO ROLE analyst, USER ada USING (region = 'eu')",
            CreatePolicy(
                "eu",
                PolicyKind.ROW_FILTER,
                ORDERS,
                to=(ANALYST, ADA),
                expression=ExpressionText("region = 'eu'", Position(1, 89)),
            ),
        ),
        (
            "CREATE OR REPLACE POLICY p COLUMN MASK ON TABLE t (ssn)\nUSING (\n mask_null() )",
            CreatePolicy(
                "p",
                PolicyKind.COLUMN_MASK,
                Securable(ObjectKind.TABLE, ("t",)),
                columns=("ssn",),
                expression=ExpressionText("mask_null()", Position(3, 2)),
                replace=True,
            ),
        ),
        (
            "CREATE POLICY p COLUMN MASK ON TAG PII USING (mask_hash(value))",
            CreatePolicy(
                "p",
                PolicyKind.COLUMN_MASK,
                None,
                "pii",
                expression=ExpressionText("mask_hash(value)", Position(1, 47)),
            ),
        ),
        (
            "CREATE POLICY p RESTRICT COLUMNS ON TABLE t (a, b) TO USER ada",
            CreatePolicy(
                "p",
                PolicyKind.RESTRICT_COLUMNS,
                Securable(ObjectKind.TABLE, ("t",)),
                columns=("a", "b"),
                to=(ADA,),
            ),
        ),
        (
            "CREATE POLICY p RESTRICT COLUMNS ON TAG 'pii'",
            CreatePolicy("p", PolicyKind.RESTRICT_COLUMNS, None, "pii"),
        ),
        (
            "CREATE POLICY p ROW FILTER ON SCHEMA lake.sales USING (true)",
            CreatePolicy(
                "p",
                PolicyKind.ROW_FILTER,
                Securable(ObjectKind.SCHEMA, ("lake", "sales")),
                expression=ExpressionText("true", Position(1, 56)),
            ),
        ),
        ("DROP POLICY p", DropPolicy("p")),
        ("DROP POLICY IF EXISTS p", DropPolicy("p", if_exists=True)),
        ("DROP POLICY if", DropPolicy("if")),
        (
            "ALTER TABLE lake.sales.orders SET TAGS (ssn = ('pii', 'Secret'), mail = ('pii'))",
            SetTags(("lake", "sales", "orders"), (("ssn", ("pii", "secret")), ("mail", ("pii",)))),
        ),
        ("ALTER TABLE t UNSET TAGS (ssn, mail)", UnsetTags(("t",), ("ssn", "mail"))),
        ("SHOW GRANTS", ShowGrants()),
        ("SHOW GRANTS ON TABLE lake.sales.orders", ShowGrants(ORDERS)),
        ("SHOW GRANTS ON lake.sales.orders", ShowGrants(ORDERS)),
        ("SHOW GRANTS ON table", ShowGrants(Securable(ObjectKind.TABLE, ("table",)))),
        ("SHOW GRANTS ON schema.t", ShowGrants(Securable(ObjectKind.TABLE, ("schema", "t")))),
        ("SHOW GRANTS ON SCHEMA s", ShowGrants(Securable(ObjectKind.SCHEMA, ("s",)))),
        ("SHOW GRANTS TO ROLE analyst", ShowGrants(to=ANALYST)),
        ("SHOW EFFECTIVE GRANTS", ShowEffectiveGrants()),
        ("SHOW EFFECTIVE GRANTS ON lake.sales.orders", ShowEffectiveGrants(on=ORDERS)),
        (
            "SHOW EFFECTIVE GRANTS FOR USER ada ROLES (a, 'b c') GROUPS (g) ON lake.sales.orders",
            ShowEffectiveGrants(PrincipalSpec("ada", ("a", "b c"), ("g",)), ORDERS),
        ),
        ("SHOW EFFECTIVE POLICY ON TABLE lake.sales.orders", ShowEffectivePolicy(ORDERS)),
        (
            "SHOW EFFECTIVE POLICY FOR USER ada ON lake.sales.orders",
            ShowEffectivePolicy(ORDERS, PrincipalSpec("ada")),
        ),
        (
            "CHECK ACCESS SELECT ON lake.sales.orders FOR USER ada GROUPS (g)",
            CheckAccess(Privilege.SELECT, ORDERS, PrincipalSpec("ada", None, ("g",))),
        ),
        ("SHOW POLICIES", ShowPolicies()),
        ("SHOW POLICIES ON VIEW v", ShowPolicies(Securable(ObjectKind.VIEW, ("v",)))),
        (
            "/* a */ -- b\n GRANT SELECT ON TABLE lake.sales.orders TO USER ada",
            GrantStatement(SELECT, ORDERS, ADA),
        ),
    ],
)
def test_reads(sql: str, expected: PolicyStatement, dialect: Dialect) -> None:
    assert read(sql, dialect) == expected


@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1",
        "SHOW TABLES",
        "SHOW ROLES",
        "SHOW CREATE TABLE t",
        "SHOW",
        "CREATE TABLE policy (a int)",
        "CREATE OR REPLACE TABLE policy (a int)",
        "DROP TABLE policy",
        "ALTER TABLE t SET TBLPROPERTIES ('a' = 'b')",
        "ALTER TABLE t RENAME TO tags",
        "ALTER VIEW v SET TAGS",
        "",
    ],
)
def test_leaves_other_statements_alone(sql: str, dialect: Dialect) -> None:
    assert read(sql, dialect) is None


@pytest.mark.parametrize("written", ['"Ada"', "Ada"])
def test_a_name_alone_is_a_user_in_trino_s_grant_and_revoke(written: str) -> None:
    for sql in (f"GRANT SELECT ON a.b.t TO {written}", f"REVOKE SELECT ON a.b.t FROM {written}"):
        full = sql.replace(written, f"USER {written}")
        statement = read(sql, Dialect.TRINO)
        assert statement is not None
        assert statement == read(full, Dialect.TRINO)
    with pytest.raises(SqlSyntaxError, match="USER, ROLE or GROUP"):
        read("GRANT SELECT ON a.b.t TO ada", Dialect.SPARK)


@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.parametrize(
    ("sql", "place", "problem"),
    [
        ("GRANT", (1, 6), "a privilege"),
        ("GRANT analyst TO USER ada", (1, 7), "a privilege"),
        ("GRANT SELCT ON TABLE t TO USER ada", (1, 7), "SELCT"),
        ("GRANT SELECT, SELECT ON TABLE t TO USER ada", (1, 15), "twice"),
        ("GRANT SELECT, ALL ON TABLE t TO USER ada", (1, 15), "a privilege"),
        ("GRANT CREATE ON t TO USER ada", (1, 17), "SCHEMA or a CATALOG"),
        ("GRANT SELECT ON ALL TABLES IN s TO USER ada", (1, 17), "IN SCHEMA"),
        ("GRANT SELECT ON VIEW TO USER ada", (1, 25), "'TO'"),  # the view is called `to`
        ("GRANT SELECT ON TABLE TO USER ada", (1, 26), "'TO'"),  # the table is called `to`
        ("GRANT SELECT ON TABLE t TO", (1, 27), "USER, ROLE or GROUP"),
        ("CREATE POLICY p RESTRICT COLUMNS ON TAG x TO ada", (1, 46), "USER, ROLE or GROUP"),
        ("GRANT SELECT ON TABLE t FROM USER ada", (1, 25), "'TO'"),
        ("GRANT SELECT ON TABLE t TO USER", (1, 32), "<identifier>"),
        ("GRANT SELECT ON TABLE t TO USER ''", (1, 33), "empty"),
        ("GRANT SELECT ON TABLE t TO USER ada, USER bob", (1, 36), "<EOF>"),
        ("GRANT SELECT ON TABLE t TO USER ada WITH ADMIN OPTION", (1, 42), "'GRANT'"),
        ("GRANT SELECT ON TABLE t TO USER ada NOW", (1, 37), "<EOF>"),
        ("GRANT SELECT ON TABLE t TO USER ada ROWS WHERE", (1, 47), "missing"),
        ("GRANT SELECT ON TABLE t TO USER ada ROWS WHERE a)", (1, 49), "<expression>"),
        ("GRANT SELECT ON TABLE t TO USER ada ROWS WHERE MASKED WITH (a AS 1)", (1, 48), "missing"),
        ("GRANT SELECT ON TABLE t TO USER ada ROWS WHERE ()", (1, 49), "missing"),
        ("GRANT SELECT ON TABLE t TO USER ada ROWS WHERE (a", (1, 50), "')'"),
        ("GRANT SELECT ON TABLE t TO USER ada MASKED WITH ()", (1, 50), "<identifier>"),
        ("GRANT SELECT ON TABLE t TO USER ada MASKED WITH (a AS )", (1, 55), "missing"),
        ("GRANT SELECT ON TABLE t TO USER ada MASKED WITH (a AS 1", (1, 56), ""),
        ("GRANT SELECT ON TABLE t TO USER ada MASKED WITH (a AS 1, A AS 2)", (1, 58), "two masks"),
        ("GRANT SELECT ON SCHEMA s TO USER ada ROWS WHERE (true)", (1, 38), "TABLE"),
        ("GRANT SELECT ON SCHEMA s TO USER ada MASKED WITH (a AS 1)", (1, 38), "TABLE"),
        ("GRANT SELECT (a) ON SCHEMA s TO USER ada", (1, 21), "TABLE"),
        ("GRANT SELECT (a) ON VIEW v TO USER ada", (1, 21), "TABLE"),
        ("GRANT SELECT () ON TABLE t TO USER ada", (1, 15), "<identifier>"),
        ("GRANT INSERT (a) ON TABLE t TO USER ada", (1, 14), "Only SELECT"),
        ("GRANT SELECT (a), INSERT ON TABLE t TO USER ada", (1, 26), "separate statement"),
        ("GRANT CREATE ON TABLE t TO USER ada", (1, 17), "SCHEMA or a CATALOG"),
        ("GRANT CREATE ON ALL TABLES IN SCHEMA s TO USER ada", (1, 17), "SCHEMA or a CATALOG"),
        ("GRANT INSERT ON VIEW v TO USER ada", (1, 17), "view"),
        ("GRANT SELECT ON CATALOG a.b TO USER ada", (1, 25), "one part"),
        ("GRANT SELECT ON ALL TABLES TO USER ada", (1, 17), "TABLE"),
        ("DENY SELECT ON TABLE t TO USER ada WITH GRANT OPTION", (1, 36), "<EOF>"),
        ("DENY SELECT ON TABLE t TO USER ada ROWS WHERE (true)", (1, 36), "<EOF>"),
        ("REVOKE SELECT ON TABLE t TO USER ada", (1, 26), "'FROM'"),
        ("REVOKE GRANT OPTION SELECT ON TABLE t FROM USER ada", (1, 8), "a privilege"),
        ("CREATE POLICY p ON TABLE t USING (true)", (1, 17), "ROW FILTER"),
        ("CREATE POLICY ROW FILTER ON TABLE t USING (true)", (1, 19), "ROW FILTER"),
        ("CREATE POLICY p ROW FILTER ON t USING (true)", (1, 31), "TABLE"),
        ("CREATE POLICY p ROW FILTER ON TAG pii USING (true)", (1, 31), "TABLE"),
        ("CREATE POLICY p ROW FILTER ON TABLE t", (1, 38), "'USING'"),
        ("CREATE POLICY p ROW FILTER ON TABLE t USING true", (1, 45), "'('"),
        ("CREATE POLICY p ROW FILTER ON TABLE t TO ada USING (true)", (1, 42), "USER"),
        ("CREATE POLICY p COLUMN MASK ON TABLE t USING (1)", (1, 40), "'('"),
        ("CREATE POLICY p COLUMN MASK ON TABLE t (a, b) USING (1)", (1, 40), "one column"),
        ("CREATE POLICY p COLUMN MASK ON SCHEMA s (a) USING (1)", (1, 32), "TABLE or TAG"),
        ("CREATE POLICY p RESTRICT COLUMNS ON TABLE t (a) USING (1)", (1, 49), "<EOF>"),
        ("CREATE POLICY p ROW FILTER ON TABLE t USING (true) WITH CHECK (true)", (1, 52), "<EOF>"),
        ("DROP POLICY", (1, 12), "<identifier>"),
        ("DROP POLICY p CASCADE", (1, 15), "<EOF>"),
        ("ALTER TABLE t SET TAGS ()", (1, 25), "<identifier>"),
        ("ALTER TABLE t SET TAGS (a = 'pii')", (1, 29), "'('"),
        ("ALTER TABLE t SET TAGS (a = (pii))", (1, 30), "<string>"),
        ("ALTER TABLE t SET TAGS (a = (''))", (1, 30), "empty"),
        ("ALTER TABLE t SET TAGS (a = ('x'), A = ('y'))", (1, 36), "twice"),
        ("ALTER TABLE t UNSET TAGS", (1, 25), "'('"),
        ("SHOW GRANTS FOR USER ada", (1, 13), "<EOF>"),
        ("SHOW EFFECTIVE ROLES", (1, 16), "GRANTS or POLICY"),
        ("SHOW EFFECTIVE POLICY", (1, 22), "'ON'"),
        ("SHOW EFFECTIVE POLICY ON SCHEMA s", (1, 26), "TABLE or VIEW"),
        ("SHOW EFFECTIVE GRANTS FOR ada", (1, 27), "'USER'"),
        ("CHECK ACCESS ON t FOR USER ada", (1, 14), "a privilege"),
        ("CHECK ACCESS SELECT ON t", (1, 25), "'FOR'"),
        ("SHOW POLICIES LIKE 'a'", (1, 15), "<EOF>"),
        ("GRANT SELECT ON TABLE t TO USER ada; DROP TABLE t", (1, 36), "';'"),
    ],
)
def test_refuses_with_the_place(sql: str, place: tuple[int, int], problem: str, dialect: Dialect) -> None:
    with pytest.raises(SqlSyntaxError) as caught:
        read(sql, dialect)
    assert caught.value.position == Position(*place)
    assert problem in caught.value.message


def test_reads_names_and_strings_as_spark_does() -> None:
    found = read('GRANT SELECT ON TABLE Lake.`My ``s`.T TO USER "a\\tb"', SPARK)
    assert found == GrantStatement(
        SELECT,
        Securable(ObjectKind.TABLE, ("Lake", "My `s", "T")),
        Grantee(GranteeKind.USER, "a\tb"),
    )


def test_reads_names_and_strings_as_trino_does() -> None:
    found = read("""GRANT SELECT ON TABLE Lake."My ""S".T TO USER "A\\tb" """, TRINO)
    assert found == GrantStatement(
        SELECT,
        Securable(ObjectKind.TABLE, ("lake", 'My "S', "t")),
        Grantee(GranteeKind.USER, "A\\tb"),
    )


def test_a_double_quoted_name_is_no_name_in_spark() -> None:
    with pytest.raises(SqlSyntaxError):
        read('GRANT SELECT ON TABLE "t" TO USER ada', SPARK)


def test_columns_are_in_lower_case_for_trino_only() -> None:
    sql = "GRANT SELECT (Id) ON TABLE t TO USER ada"
    spark, trino = read(sql, SPARK), read(sql, TRINO)
    assert isinstance(spark, GrantStatement)
    assert isinstance(trino, GrantStatement)
    assert (spark.columns, trino.columns) == (("Id",), ("id",))


def test_an_expression_keeps_its_text_with_comments_and_quotes() -> None:
    text = "a = ')' /* ) */\n AND -- (\n `b)` > 0"
    found = read(f"CREATE POLICY p ROW FILTER ON TABLE t USING ({text})", SPARK)
    assert isinstance(found, CreatePolicy)
    assert found.expression is not None
    assert found.expression.text == text


@given(st.text(min_size=1), st.sampled_from(Dialect))
def test_any_name_can_be_quoted(name: str, dialect: Dialect) -> None:
    mark = '"' if dialect is TRINO else "`"
    quoted = mark + name.replace(mark, mark * 2) + mark
    found = read(
        f"GRANT SELECT ({quoted}) ON TABLE {quoted}.{quoted} TO ROLE {quoted} ROWS WHERE ({quoted})", dialect
    )
    assert isinstance(found, GrantStatement)
    assert found.on.name == (name, name)
    assert found.columns == (name,)
    assert found.to == Grantee(GranteeKind.ROLE, name)
    assert found.rows is not None
    assert found.rows.text == quoted


@given(st.text(), st.sampled_from(Dialect))
def test_nothing_but_a_syntax_error_comes_of_odd_text(text: str, dialect: Dialect) -> None:
    for start in (
        "GRANT ",
        "GRANT SELECT ON TABLE t TO USER a ROWS WHERE (",
        "CREATE POLICY p ",
        "SHOW GRANTS ON ",
    ):
        with suppress(SqlSyntaxError):
            read(start + text, dialect)


@pytest.mark.parametrize(
    ("sql", "kind", "update_type"),
    [
        ("GRANT SELECT ON TABLE t TO USER ada", StatementKind.DEFINITION, "GRANT"),
        ("REVOKE SELECT ON TABLE t FROM USER ada", StatementKind.DEFINITION, "REVOKE"),
        ("DENY SELECT ON TABLE t TO USER ada", StatementKind.DEFINITION, "DENY"),
        ("CREATE POLICY p ROW FILTER ON TABLE t USING (a = '?')", StatementKind.DEFINITION, "CREATE POLICY"),
        ("DROP POLICY p", StatementKind.DEFINITION, "DROP POLICY"),
        ("ALTER TABLE t SET TAGS (a = ('x'))", StatementKind.DEFINITION, "SET TAGS"),
        ("ALTER TABLE t UNSET TAGS (a)", StatementKind.DEFINITION, "UNSET TAGS"),
        ("SHOW GRANTS", StatementKind.LISTING, None),
        ("SHOW EFFECTIVE POLICY ON t", StatementKind.LISTING, None),
        ("CHECK ACCESS SELECT ON t FOR USER a", StatementKind.LISTING, None),
    ],
)
def test_classifies_them(sql: str, kind: StatementKind, update_type: str | None) -> None:
    for dialect in Dialect:
        found = statement.read(sql, dialect)
        assert (found.kind, found.update_type, found.parameters) == (kind, update_type, 0)


def test_every_statement_has_an_update_type() -> None:
    assert set(UPDATE_TYPES) == set(PolicyStatement.__args__)


@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("region = 'eu'", "region = 'eu'"),
        ("(region = 'eu')", "region = 'eu'"),
        ("(a = 1) OR (b = 2)", "(a = 1) OR (b = 2)"),
        ("a IN (1, 2) AND masked", "a IN (1, 2) AND masked"),
        ("f(with) > 1", "f(with) > 1"),
    ],
)
@pytest.mark.parametrize("after", ["", " MASKED WITH (ssn AS NULL)", " WITH GRANT OPTION"])
def test_a_condition_needs_no_brackets(dialect: Dialect, written: str, kept: str, after: str) -> None:
    statement = read(f"GRANT SELECT ON TABLE t TO USER ada ROWS WHERE {written}{after}", dialect)
    assert isinstance(statement, GrantStatement)
    assert statement.rows is not None
    assert statement.rows.text == kept
    assert bool(statement.masks) == ("MASKED" in after)
    assert statement.grant_option == ("OPTION" in after)
