from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from sqe.frontends.trino import settings
from sqe.model.decision import Column, Kind, Operation, Question, Resource
from sqe.model.identity import Principal
from sqe.policy.opa import actions as opa_actions

ALICE = Principal("alice", "users_file", groups=frozenset({"staff", "analysts"}), roles=frozenset({"reader"}))
COLUMNS = (Column("id", "bigint"), Column("Card", "string", 2, ("pii",)))
ORDERS = Resource(Kind.TABLE, "Lake", ("sales",), "Orders", COLUMNS, uuid="u", owner="bob")
NAMES = {"catalogName": "lake", "schemaName": "sales", "tableName": "orders"}
VIEW = Resource(Kind.VIEW, "lake", ("sales",), "recent")
SCHEMA = Resource(Kind.SCHEMA, "lake", ("sales", "eu"))
CATALOG = Resource(Kind.CATALOG, "lake")


def operations(operation: Operation, resource: Resource) -> list[str] | None:
    actions = opa_actions.checks(Question(operation, resource))
    return None if actions is None else [action["operation"] for action in actions]


def test_the_context_is_the_one_of_trinos_documentation() -> None:
    assert opa_actions.context(ALICE, {}) == {
        "identity": {"user": "alice", "groups": ["analysts", "staff"]},
        "softwareStack": {"trinoVersion": settings.TRINO_VERSION},
    }


def test_more_context_is_where_trino_has_it() -> None:
    assert opa_actions.context(ALICE, {"cluster": "a"})["properties"] == {"cluster": "a"}


def test_columns_are_written_as_in_trinos_documentation() -> None:
    assert opa_actions.action("SelectFromColumns", opa_actions.table(ORDERS, ["id", "card"])) == {
        "operation": "SelectFromColumns",
        "resource": {"table": {**NAMES, "columns": ["id", "card"]}},
    }
    assert opa_actions.batch("GetColumnMask", [opa_actions.column(ORDERS, column) for column in COLUMNS]) == {
        "operation": "GetColumnMask",
        "filterResources": [
            {"column": {**NAMES, "columnName": "id", "columnType": "bigint"}},
            {"column": {**NAMES, "columnName": "card", "columnType": "varchar"}},
        ],
    }


def test_an_action_without_a_resource_has_none() -> None:
    assert opa_actions.action("ExecuteQuery") == {"operation": "ExecuteQuery"}


def test_catalogs_and_schemas() -> None:
    assert opa_actions.catalog(ORDERS) == {"catalog": {"name": "lake"}}
    assert opa_actions.schema(SCHEMA) == {"schema": {"catalogName": "lake", "schemaName": "sales.eu"}}
    assert opa_actions.listed(CATALOG) == {"catalog": {"name": "lake"}}
    assert opa_actions.listed(ORDERS) == {"table": NAMES}


@pytest.mark.parametrize(
    ("operation", "resource", "expected"),
    [
        (Operation.INSERT, ORDERS, ["InsertIntoTable"]),
        (Operation.UPDATE, ORDERS, ["UpdateTableColumns"]),
        (Operation.DELETE, ORDERS, ["DeleteFromTable"]),
        (Operation.MERGE, ORDERS, ["InsertIntoTable", "UpdateTableColumns", "DeleteFromTable"]),
        (Operation.OVERWRITE, ORDERS, ["InsertIntoTable", "DeleteFromTable"]),
        (Operation.TRUNCATE, ORDERS, ["TruncateTable"]),
        (Operation.DESCRIBE, ORDERS, ["ShowColumns"]),
        (Operation.DESCRIBE, SCHEMA, ["ShowCreateSchema"]),
        (Operation.DESCRIBE, CATALOG, ["ShowSchemas"]),
        (Operation.SHOW_CREATE, VIEW, ["ShowCreateTable"]),
        (Operation.ANALYZE, ORDERS, ["SelectFromColumns", "InsertIntoTable"]),
        (Operation.CREATE_TABLE, ORDERS, ["CreateTable"]),
        (Operation.REPLACE_TABLE, ORDERS, ["CreateTable", "DropTable"]),
        (Operation.CREATE_VIEW, VIEW, ["CreateView"]),
        (Operation.DROP, ORDERS, ["DropTable"]),
        (Operation.DROP, VIEW, ["DropView"]),
        (Operation.RENAME, ORDERS, ["RenameTable"]),
        (Operation.RENAME, VIEW, ["RenameView"]),
        (Operation.SET_TAGS, ORDERS, ["SetTableProperties"]),
        (Operation.CREATE_SCHEMA, SCHEMA, ["CreateSchema"]),
        (Operation.DROP_SCHEMA, SCHEMA, ["DropSchema"]),
        (Operation.INSERT, VIEW, None),
        (Operation.DROP_SCHEMA, ORDERS, None),
        (Operation.SELECT, SCHEMA, None),
        (Operation.CREATE_SCHEMA, CATALOG, None),
    ],
)
def test_what_trino_would_ask(operation: Operation, resource: Resource, expected: list[str] | None) -> None:
    assert operations(operation, resource) == expected


def test_every_change_of_a_table_has_to_be_allowed_for_one() -> None:
    changes = operations(Operation.ALTER, ORDERS)
    assert changes is not None
    assert {"AddColumn", "DropColumn", "RenameColumn", "AlterColumn", "SetTableProperties"} <= set(changes)


def test_every_operation_on_a_table_is_known() -> None:
    elsewhere = {Operation.SELECT, Operation.LIST}
    schemas = {Operation.CREATE_SCHEMA, Operation.DROP_SCHEMA, Operation.ALTER_SCHEMA}
    for operation in set(Operation) - elsewhere:
        resource = SCHEMA if operation in schemas else ORDERS
        assert operations(operation, resource), operation


@pytest.mark.parametrize(
    ("operation", "more"),
    [
        (Operation.INSERT, {}),
        (Operation.UPDATE, {"columns": ["id", "card"]}),
        (Operation.CREATE_TABLE, {"properties": {}}),
    ],
)
def test_the_resource_has_what_trino_gives(operation: Operation, more: dict[str, Any]) -> None:
    [action] = opa_actions.checks(Question(operation, ORDERS)) or ()
    assert action["resource"] == {"table": {**NAMES, **more}}


def test_a_procedure_is_named_beside_its_table() -> None:
    question = Question(Operation.PROCEDURE, ORDERS, procedure="Rewrite_Data_Files")
    assert opa_actions.checks(question) == (
        {
            "operation": "ExecuteTableProcedure",
            "resource": {"table": NAMES, "function": {"functionName": "rewrite_data_files"}},
        },
    )


def test_two_columns_that_trino_could_not_tell_apart_are_one() -> None:
    assert opa_actions.column_names([Column("a", "int"), Column("A", "int"), Column("b", "int")]) == [
        "a",
        "b",
    ]


def test_a_dot_in_a_part_of_a_namespace_cannot_be_told() -> None:
    assert opa_actions.is_expressible(SCHEMA)
    assert not opa_actions.is_expressible(Resource(Kind.TABLE, "lake", ("sales.eu",), "t"))


def test_the_documentation_has_every_operation_and_no_other() -> None:
    page = (Path(__file__).parents[4] / "docs" / "policy" / "opa.md").read_text(encoding="utf-8")
    table = page.partition("\n## Requests\n")[2].partition("\n\nOperations that")[0]
    code = "\n".join(
        path.read_text(encoding="utf-8") for path in Path(opa_actions.__file__).parent.glob("*.py")
    )
    name = r"(?:[A-Z][a-z]+){2,}"
    assert set(re.findall(f"`({name})`", table)) == set(re.findall(f'"({name})"', code))
