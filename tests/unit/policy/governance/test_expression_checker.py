"""Filters and masks are checked when they are written."""

from __future__ import annotations

import pyarrow as pa
import pytest
from tests.support.governance import ADA, OLGA, ORDERS, ROOT, GovernanceHarness

from sqe.errors import (
    AccessDeniedError,
    ColumnNotFoundError,
    FunctionNotFoundError,
    Position,
    QueryError,
    SemanticError,
    SqlSyntaxError,
    TypeMismatchError,
)
from sqe.model.decision import Operation, Question
from sqe.model.session import Dialect
from sqe.policy.administrators import Administrators
from sqe.policy.governance.statements import Governance
from sqe.sql.policy.statement import read


@pytest.mark.parametrize(
    ("sql", "error", "place"),
    [
        ("CREATE POLICY p ROW FILTER ON TABLE orders USING (region = )", SqlSyntaxError, None),
        ("CREATE POLICY p ROW FILTER ON TABLE orders USING (nothing = 1)", ColumnNotFoundError, (1, 51)),
        (
            "CREATE POLICY p ROW FILTER ON TABLE orders USING (java_method('a', 'b'))",
            FunctionNotFoundError,
            (1, 51),
        ),
        ("CREATE POLICY p ROW FILTER ON TABLE orders USING (id + 1)", TypeMismatchError, (1, 51)),
        ("CREATE POLICY p ROW FILTER ON TABLE orders USING (count(*) > 1)", SemanticError, (1, 51)),
        (
            "CREATE POLICY p ROW FILTER ON SCHEMA sales USING (java_method('a', 'b'))",
            FunctionNotFoundError,
            None,
        ),
        ("CREATE POLICY p COLUMN MASK ON TAG pii USING (mask_null(value))", SemanticError, None),
        ("CREATE POLICY p COLUMN MASK ON TAG pii USING (other)", ColumnNotFoundError, (1, 47)),
        (
            "CREATE POLICY p COLUMN MASK ON TABLE orders (id) USING (mask_constant('x'))",
            TypeMismatchError,
            (1, 57),
        ),
        ("GRANT SELECT ON TABLE orders TO USER ada ROWS WHERE (nothing = 1)", ColumnNotFoundError, (1, 54)),
        (
            "GRANT SELECT ON TABLE orders TO USER ada MASKED WITH (ssn AS reflect('a', 'b'))",
            FunctionNotFoundError,
            (1, 62),
        ),
    ],
)
def test_an_expression_is_checked_when_it_is_written(
    harness: GovernanceHarness, sql: str, error: type[QueryError], place: tuple[int, int] | None
) -> None:
    with pytest.raises(error) as caught:
        harness.run(sql)
    assert caught.value.position is not None
    if place is not None:
        assert caught.value.position == Position(*place)
    assert harness.store.history() == []


def test_a_syntax_error_is_placed_in_the_whole_statement(harness: GovernanceHarness) -> None:
    with pytest.raises(SqlSyntaxError) as caught:
        harness.run("CREATE POLICY p ROW FILTER ON TABLE orders\nUSING (id = 1 AND\n  = 2)")
    place = caught.value.position
    assert place is not None
    assert place.line == 3
    assert caught.value.located_message.startswith(f"line 3:{place.column}: ")
    with pytest.raises(SqlSyntaxError) as caught:
        harness.run("CREATE POLICY p ROW FILTER ON TABLE orders USING (id = 1 2)")
    assert caught.value.position == Position(1, 58)


def test_spark_is_asked_for_the_type_over_a_row_of_the_tables_types(harness: GovernanceHarness) -> None:
    harness.run("CREATE POLICY p ROW FILTER ON TABLE orders USING (region = 'eu')")
    harness.run("CREATE POLICY q COLUMN MASK ON TABLE orders (ssn) USING (mask_hash(ssn))")
    row = (
        "(SELECT CAST(NULL AS bigint) AS `id`, CAST(NULL AS string) AS `region`, CAST(NULL AS string) AS `ssn`, "
        "CAST(NULL AS date) AS `born`)"
    )
    first, second = harness.context.described
    assert first == f"SELECT (`region` = 'eu') AS checked FROM {row}"
    assert second.startswith("SELECT CAST((md5(")
    assert second.endswith(f" AS string) AS checked FROM {row}")


def test_what_spark_does_not_find_to_be_a_condition_is_refused(harness: GovernanceHarness) -> None:
    harness.context.type = lambda sql: pa.string()
    with pytest.raises(TypeMismatchError, match="condition"):
        harness.run("CREATE POLICY p ROW FILTER ON TABLE orders USING (coalesce(region, 'x'))")


def test_what_spark_refuses_is_told_with_its_place(harness: GovernanceHarness) -> None:
    def refuse(sql: str) -> pa.DataType:
        raise TypeMismatchError("no", position=Position(9, 9))

    harness.context.type = refuse
    with pytest.raises(TypeMismatchError, match="no") as caught:
        harness.run("CREATE POLICY p ROW FILTER ON TABLE orders USING (region = 'eu')")
    assert caught.value.position == Position(1, 51)


def test_only_administrators_look_into_other_tables(harness: GovernanceHarness) -> None:
    sql = "CREATE POLICY p ROW FILTER ON TABLE orders USING (id IN (SELECT id FROM lake.sales.items))"
    with pytest.raises(AccessDeniedError, match="administrator"):
        harness.run(sql, OLGA)
    harness.run(sql)


def test_only_administrators_share_a_key_of_hashes_and_only_for_one_table(harness: GovernanceHarness) -> None:
    mask = "CREATE POLICY p COLUMN MASK ON TABLE orders (ssn) USING (mask_hash(ssn, 'people'))"
    rows = "CREATE POLICY f ROW FILTER ON TABLE orders USING (mask_hash(ssn, 'people') = 'x')"
    for sql in (mask, rows):
        with pytest.raises(AccessDeniedError, match="by its name"):
            harness.run(sql, OLGA)
        harness.run(sql)
    harness.run(
        "CREATE POLICY own COLUMN MASK ON TABLE orders (ssn) TO USER eve USING (mask_hash(ssn))", OLGA
    )
    for sql in (
        "CREATE POLICY t COLUMN MASK ON TAG pii USING (mask_hash(value, 'people'))",
        "CREATE POLICY s ROW FILTER ON SCHEMA sales USING (mask_hash(ssn, 'people') = 'x')",
    ):
        with pytest.raises(SemanticError, match="one table only"):
            harness.run(sql)


def test_a_hash_without_a_key_is_refused_when_it_is_written(harness: GovernanceHarness) -> None:
    governance = Governance(harness.point, harness.store, Administrators(["user:root"]), keyed=False)
    sql = "CREATE POLICY p COLUMN MASK ON TABLE orders (ssn) USING (mask_hash(ssn))"
    statement = read(sql, Dialect.SPARK)
    assert statement is not None
    with pytest.raises(SemanticError, match="key"):
        governance.run(statement, sql, ROOT, harness.context)


def test_expressions_are_read_in_the_dialect_of_the_session(harness: GovernanceHarness) -> None:
    harness.context.dialect = Dialect.TRINO
    harness.run("GRANT SELECT ON TABLE Lake.Sales.Orders TO USER ada ROWS WHERE (\"region\" = 'it''s')")
    assert harness.filter(ADA) == "(trino_eq(`region`, 'it\\'s'))"


def test_filters_and_masks_reach_the_decision(harness: GovernanceHarness) -> None:
    harness.run("GRANT SELECT ON SCHEMA sales TO ROLE analyst")
    harness.run(
        "CREATE POLICY mine ROW FILTER ON TABLE orders TO ROLE analyst USING (region = current_user())"
    )
    harness.run("ALTER TABLE orders SET TAGS (ssn = ('pii', 'pii'), born = ('pii'))")
    harness.run("CREATE POLICY hide COLUMN MASK ON TAG pii USING (mask_null())")
    facts = harness.context.known[ORDERS.name]
    assert [column.tags for column in facts.columns] == [(), (), ("pii",), ("pii",)]
    decision, _ = harness.point.explain(ADA, Question(Operation.SELECT, facts.resource))
    assert decision.filter == "(`region` = 'ada')"
    assert set(decision.masks) == {"ssn", "born"}
    harness.run("ALTER TABLE orders UNSET TAGS (ssn)")
    facts = harness.context.known[ORDERS.name]
    decision, _ = harness.point.explain(ADA, Question(Operation.SELECT, facts.resource))
    assert set(decision.masks) == {"born"}
