from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqe.errors import (
    ColumnNotFoundError,
    FunctionNotFoundError,
    QueryError,
    SemanticError,
    SqeError,
    SqlSyntaxError,
    StatementTooComplexError,
    TypeMismatchError,
    UnsupportedError,
)
from sqe.model.decision import Column, Expression
from sqe.model.identity import Principal
from sqe.model.session import Dialect
from sqe.sql.lexer import TokenKind, string_value, tokens
from sqe.sql.policy.expression import check, has_subquery, render, render_mask, strength

COLUMNS = (
    Column("region", "string"),
    Column("id", "bigint"),
    Column("n", "int"),
    Column("Data", "binary"),
    Column("ok", "boolean"),
    Column("day", "date"),
    Column("seen", "timestamp"),
    Column("addr", "struct<street:string,geo:struct<lat:double>>"),
    Column("items", "array<struct<sku:string,price:decimal(10,2)>>"),
    Column("more", "map<string,struct<a:int>>"),
    Column("numbers", "array<int>"),
)
ADA = Principal("ada", "test", frozenset({"eu", "staff"}), frozenset({"analyst"}))


def spark(text: str, principal: Principal = ADA, *, acts_as: str | None = None) -> str:
    return render(Expression(text, Dialect.SPARK, "test", acts_as), principal, COLUMNS, keyed=True)


def trino(text: str, principal: Principal = ADA) -> str:
    return render(Expression(text, Dialect.TRINO, "test"), principal, COLUMNS, keyed=True)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("region = 'eu'", "`region` = 'eu'"),
        ("REGION IN ('a', \"b\")", "`region` IN ('a', 'b')"),
        ("region = 'it''s' OR region = 'it\\'s'", "`region` = 'it\\'s' OR `region` = 'it\\'s'"),
        (r"region LIKE 'a\%' ESCAPE '!'", r"`region` LIKE 'a\\%' ESCAPE '!'"),
        (r"region RLIKE r'\d'", r"REGEXP_LIKE(`region`, '\\d')"),
        ("not (ok and n > 1) -- because", "NOT (`ok` AND `n` > 1)"),
        ("addr.geo.LAT > 1.5", "`addr`.`geo`.`LAT` > 1.5"),
        ("items.sku IS NOT NULL", "`items`.`sku` IS NOT NULL"),
        ("more['k'].a = 1 AND more.k.a = 1", "`more`['k'].`a` = 1 AND `more`.`k`.`a` = 1"),
        ("array(1, 2)[0] = n", "array(1, 2)[0] = `n`"),
        ("exists(numbers, x -> x > n)", "exists(`numbers`, `x` -> `x` > `n`)"),
        (
            "transform(items, x -> struct(x.sku AS s)) IS NULL",
            "transform(`items`, `x` -> struct(`x`.`sku` AS `s`)) IS NULL",
        ),
        ("CAST(seen AS DATE) > DATE '2020-01-01'", "CAST(`seen` AS DATE) > DATE '2020-01-01'"),
        ("CAST(id AS DECIMAL) = 1", "CAST(`id` AS DECIMAL(10, 0)) = 1"),
        ("seen > TIMESTAMP '2020-01-01 00:00:00'", "`seen` > TIMESTAMP '2020-01-01 00:00:00'"),
        ("n::bigint = 1L", "CAST(`n` AS BIGINT) = CAST(1 AS BIGINT)"),
        ("day > DATE '2020-01-01' - INTERVAL 1 DAY", "`day` > DATE '2020-01-01' - INTERVAL '1' DAY"),
        ("n <=> 1", "`n` IS NOT DISTINCT FROM 1"),
        ("Data = X'1F'", "`Data` = X'1F'"),
        ("(id, n) IN ((1, 2))", "(`id`, `n`) IN ((1, 2))"),
        ("if(ok, n, 1) = 7 / 2", "if(`ok`, `n`, 1) = 7 / 2"),
        ("case when ok then n > 1 else false end", "CASE WHEN `ok` THEN `n` > 1 ELSE FALSE END"),
        ("timestampdiff(DAY, seen, seen) > 1", "timestampdiff(DAY, `seen`, `seen`) > 1"),
        ("date_add(month, 1, day) > day", "date_add(MONTH, 1, `day`) > `day`"),
        ("date_add(day, 1) > day", "date_add(`day`, 1) > `day`"),
        ("region = '${env:HOME}'", "`region` = '\\u0024{env:HOME}'"),
    ],
)  # fmt: skip
def test_a_filter_in_sparks_words(text: str, written: str) -> None:
    assert spark(text) == written


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (r"region = 'a\b'", "trino_eq(`region`, 'a\\\\b')"),
        ("\"Region\" = U&'\\0041'", "trino_eq(`region`, 'A')"),
        ("n = 7 / 2", "trino_eq(`n`, trino_divide(7, 2))"),
        ("numbers[1] = 3", "trino_eq(trino_subscript(`numbers`, 1), 3)"),
        ("element_at(numbers, 1) = 3", "trino_eq(trino_element_at(`numbers`, 1), 3)"),
        ("any_match(numbers, x -> x > 3)", "trino_exists(`numbers`, `x` -> trino_gt(x, 3))"),
        ("CAST(region AS varchar(2)) = 'eu'", "trino_eq(trino_cast(`region`, 'varchar(2)'), 'eu')"),
        ("strpos(region, 'e') > 0", "trino_gt(trino_strpos(`region`, 'e'), 0)"),
        ("date_diff('day', seen, seen) > 1", "trino_gt(trino_date_diff('day', `seen`, `seen`), 1)"),
        ("seen AT TIME ZONE 'UTC' = seen", "trino_eq(trino_at_timezone(`seen`, 'UTC'), `seen`)"),
        (
            "id = (SELECT x FROM lake.s.t ORDER BY x DESC NULLS FIRST LIMIT 1)",
            "trino_eq(`id`, (SELECT `x` FROM `lake`.`s`.`t` ORDER BY `x` DESC NULLS FIRST LIMIT 1))",
        ),
        ("contains(current_groups(), region)", "trino_contains(array('eu', 'staff'), `region`)"),
        (
            "region = current_user OR region = session_user",
            "trino_eq(`region`, 'ada') OR trino_eq(`region`, 'ada')",
        ),
        (r"region LIKE '%\%'", "trino_like(`region`, '%\\\\%')"),
        ('id = ANY (SELECT x FROM lake.s."T")', "`id` IN (SELECT `x` FROM `lake`.`s`.`T`)"),
    ],
)
def test_a_filter_in_trinos_words_is_read_as_a_query_would_be(text: str, written: str) -> None:
    assert trino(text) == written


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("current_user() = region", "'ada' = `region`"),
        ("current_user = region", "'ada' = `region`"),
        ("session_user = region", "'ada' = `region`"),
        ("is_member('eu') AND is_member('analyst')", "TRUE AND TRUE"),
        ("is_member('ada') OR is_member('EU')", "FALSE OR FALSE"),
        ("is_member(region)", "array_contains(array('analyst', 'eu', 'staff'), `region`)"),
        ("array_contains(current_roles(), region)", "array_contains(array('analyst'), `region`)"),
    ],
)
def test_who_asks_is_a_literal(text: str, written: str) -> None:
    assert spark(text) == written
    if "=" not in text and "array_contains" not in text:  # which are functions there
        assert trino(text) == written


def test_a_stand_in_has_its_name_and_no_groups_or_roles() -> None:
    assert (
        spark("current_user() = region AND NOT is_member('eu')", acts_as="svc")
        == "'svc' = `region` AND NOT FALSE"
    )
    empty = "array_contains(CAST(array() AS ARRAY<STRING>), `region`)"
    assert spark("array_contains(current_groups(), region)", acts_as="svc") == empty
    assert spark("is_member(region)", acts_as="svc") == empty


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "region =",
        "region = 'x",
        "a b",
        "ok; ok",
        "ok;",
        "SELECT 1",
        "DROP TABLE t",
        "ok) OR (true",
        "1 AS b",
        "ok LIMIT 1",
        "/* ok",
        "()",
        "x -> 1",
        "ok ok",
        "Data = X'zz'",
    ],
)
@pytest.mark.parametrize("write", [spark, trino])
def test_what_is_no_expression_is_refused(write: object, text: str) -> None:
    assert callable(write)
    with pytest.raises(SqlSyntaxError):
        write(text)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("nope = 1", ColumnNotFoundError),
        ("addr.nope = 1", ColumnNotFoundError),
        ("region.x = 1", ColumnNotFoundError),
        ("lake.s.t.region = 'x'", ColumnNotFoundError),
        ("exists(numbers, x -> y > 1)", ColumnNotFoundError),
        ("region", TypeMismatchError),
        ("id + 1", TypeMismatchError),
        ("'true'", TypeMismatchError),
        ("max(n) > 1", SemanticError),
        ("count(*) > 1", SemanticError),
        ("max(n) OVER () > 1", SemanticError),
        ("id = ?", SemanticError),
        ("hash(*) = 1", SemanticError),
        ("region IN (SELECT region FROM t)", SemanticError),
        ("region IN (SELECT region FROM s.t)", SemanticError),
        ("region IN (SELECT region FROM lake.s.t TABLESAMPLE (1 ROWS))", QueryError),
        ("region IN (WITH x AS (SELECT 1) SELECT * FROM x)", SemanticError),
        ("region IN (SELECT explode(array(1)) FROM lake.s.t)", FunctionNotFoundError),
        ("region IN (SELECT mask_null() FROM lake.s.t)", SemanticError),
        ("mask_null()", SemanticError),
        ("is_member()", SemanticError),
        ("current_user(1) = 'x'", SemanticError),
        ("n BETWEEN SYMMETRIC 1 AND 2", SqlSyntaxError),
    ],
)
def test_what_a_filter_cannot_be_is_refused(text: str, error: type[SqeError]) -> None:
    with pytest.raises(error):
        spark(text)


@pytest.mark.parametrize(
    "call",
    [
        "reflect('java.lang.System', 'getenv')",
        "java_method('a', 'b')",
        "try_reflect('a', 'b')",
        "raise_error(region)",
        "assert_true(ok)",
        "input_file_name()",
        "uuid()",
        "rand()",
        "current_schema()",
        "current_catalog()",
        "current_date()",
        "current_timezone()",
        "sqe_hmac(region)",
        "sqe_unguarded()",
        "explode(numbers)",
        "monotonically_increasing_id()",
        "lake.s.lower(region)",
        "`reflect`('a', 'b')",
        "my_function(region)",
        "xpath(region, 'a')",
        "spark_partition_id()",
    ],
)
@pytest.mark.parametrize("write", [spark, trino])
def test_functions_that_are_not_on_the_list_are_refused(write: object, call: str) -> None:
    assert callable(write)
    with pytest.raises(QueryError):
        write(f"{call} = 'x'")
    with pytest.raises(QueryError):
        write(f"id IN (SELECT 1 FROM lake.s.t WHERE {call} = 'x')")


def test_a_hint_is_not_lost() -> None:
    with pytest.raises(SqlSyntaxError):
        spark("/*+ x */ ok")
    assert trino("/*+ x */ ok") == "`ok`"  # a comment there


def test_virtual_tables_are_not_for_policies() -> None:
    with pytest.raises(UnsupportedError):
        trino("region IN (SELECT table_name FROM lake.information_schema.tables)")


@pytest.mark.parametrize(
    "text", ["(" * 5000 + "ok" + ")" * 5000, "NOT " * 5000 + "ok", "ok" + " AND ok" * 50_000]
)
def test_what_is_too_deep_is_refused(text: str) -> None:
    with pytest.raises(StatementTooComplexError):
        spark(text)


def test_a_subquery_is_found() -> None:
    def found(text: str) -> bool:
        return has_subquery(Expression(text, Dialect.SPARK, "test"))

    assert found("id IN (SELECT id FROM lake.s.t)")
    assert found("EXISTS (SELECT 1 FROM lake.s.t)")
    assert found("(SELECT max(x) FROM lake.s.t) > id")
    assert not found("id IN (1, 2) AND exists(numbers, x -> x > 1)")


def test_checking_is_writing_for_nobody() -> None:
    check(Expression("region = current_user()", Dialect.SPARK, "test"), COLUMNS)
    check(Expression("mask_null()", Dialect.SPARK, "test"), COLUMNS, column=COLUMNS[0])
    with pytest.raises(ColumnNotFoundError):
        check(Expression("nope = 1", Dialect.SPARK, "test"), COLUMNS)
    with pytest.raises(ColumnNotFoundError):
        check(Expression("mask_hash(nope)", Dialect.SPARK, "test"), COLUMNS, column=COLUMNS[0])


def test_the_stronger_mask_has_the_greater_number() -> None:
    ordered = [
        ["upper(region)", "CASE WHEN ok THEN region ELSE mask_null() END"],
        ["mask_first(region, 1)", "mask_last(region, 1)", "mask_year(day)", "(mask_fields(addr, 'street'))"],
        ["mask_hash(region)"],
        ["mask_constant('x')", "'***'", "CAST('x' AS STRING)", "0"],
        ["mask_null()", "NULL", "CAST(NULL AS STRING)"],
    ]
    found = [{strength(Expression(text, Dialect.SPARK, "test")) for text in texts} for texts in ordered]
    assert found == [{1}, {2}, {3}, {4}, {5}]


@given(user=st.text(), groups=st.frozensets(st.text(), max_size=3), dialect=st.sampled_from(Dialect))
def test_no_name_breaks_out_of_its_literal(user: str, groups: frozenset[str], dialect: Dialect) -> None:
    contains = "array_contains" if dialect is Dialect.SPARK else "contains"
    text = f"region = current_user AND {contains}(current_groups(), region) AND is_member(region)"
    person = Principal(user, "test", groups)
    try:
        written = render(Expression(text, dialect, "test"), person, COLUMNS, keyed=True)
    except SemanticError:
        with pytest.raises(UnicodeEncodeError):
            "".join([user, *groups]).encode("utf-8")
        return
    assert "${" not in written
    read = list(tokens(written))
    strings = [string_value(token) for token in read if token.kind is TokenKind.STRING]
    if dialect is Dialect.TRINO and not groups:
        strings = [string for string in strings if string != "array(varchar)"]  # the type of the empty array
    assert strings == [user, *sorted(groups), *sorted(groups)]
    nobody = render(
        Expression(text, dialect, "test"), Principal("x", "test", frozenset({"x"})), COLUMNS, keyed=True
    )
    if groups:
        rest = [token.text for token in read if token.kind is not TokenKind.STRING and token.text != ","]
        assert rest == [
            token.text for token in tokens(nobody) if token.kind is not TokenKind.STRING and token.text != ","
        ]


@given(
    st.text(alphabet=st.sampled_from(list("ab'\"\\`${}();-/*+ \nE\u2028x0u%_")), max_size=20),
    st.sampled_from(Dialect),
)
def test_whatever_is_written_one_expression_comes_out(text: str, dialect: Dialect) -> None:
    """Behind what an author wrote, the guard's own text is still where it was."""
    try:
        written = render(Expression(f"region = {text}", dialect, "test"), ADA, COLUMNS, keyed=True)
    except SqeError:
        return
    read = list(tokens(f"({written}) AND guard"))
    assert [token.text for token in read[-3:]] == [")", "AND", "guard"]
    depth = 0
    for token in read[:-2]:
        depth += token.is_symbol("(") - token.is_symbol(")")
        assert depth > 0 or token is read[-3]


@given(st.text(max_size=12))
def test_a_string_means_the_same_after_writing(value: str) -> None:
    trino_text = "region = '" + value.replace("'", "''") + "'"
    try:
        written = trino(trino_text)
    except SemanticError:
        with pytest.raises(UnicodeEncodeError):
            value.encode("utf-8")
        return
    assert [string_value(token) for token in tokens(written) if token.kind is TokenKind.STRING] == [value]


MOVED = (Column("id", "bigint"), Column("s", "struct<ssn:string,note:string>", 2, (), "s", moved=True))


@pytest.mark.parametrize(
    "text",
    [
        "s.ssn = 'x'",
        "s['ssn'] = 'x'",
        "to_json(S) = 'x'",
        "id IN (SELECT k FROM lake.db.t WHERE k = s.ssn)",
        "exists(array(s), x -> x.ssn = 'x')",
    ],
)
def test_nothing_looks_into_a_column_whose_fields_have_other_names_today(text: str) -> None:
    with pytest.raises(SemanticError, match="had other names then"):
        render(Expression(text, Dialect.SPARK, "test"), ADA, MOVED, keyed=True)
    still = tuple(replace(column, moved=False) for column in MOVED)
    assert render(Expression(text, Dialect.SPARK, "test"), ADA, still, keyed=True)


def test_a_mask_of_fields_that_have_other_names_today_is_refused() -> None:
    with pytest.raises(SemanticError, match="had other names then"):
        render_mask(
            Expression("mask_fields(s, 'ssn')", Dialect.SPARK, "test"), ADA, MOVED[1], MOVED, keyed=True
        )
    assert render_mask(Expression("mask_null()", Dialect.SPARK, "test"), ADA, MOVED[1], MOVED, keyed=True)
